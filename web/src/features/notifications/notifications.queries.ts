import { listNotifications, notificationLimits, readNotification, sessionLimits, type Notification } from '@pergamin/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call } from '#platform/api.ts';
import { alertError, isNotFound } from '#platform/errors.ts';
import { callQuery } from '#platform/call.queries.ts';
import { emit, on } from '#platform/events.ts';
import { t } from '#platform/language.ts';

const asking = callQuery(listNotifications, {});
/** Requests under way at the same time while all are cleared. */
const atOnce = 4;

export type Notifications = ReturnType<typeof useNotifications>;

/** What the person has not seen yet; asked for every 30 s while the page is looked at, and at once when it is looked at again (M1). */
export function useNotifications() {
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<readonly string[]>([]);
  const { data, isError, refetch } = useQuery({
    ...asking,
    refetchInterval: notificationLimits.refreshMs,
    refetchOnWindowFocus: 'always',
  });
  // Reading a document settles its notification.
  useEffect(() => on('documentUpdated', () => void refetch()), [refetch]);
  useArrivals(data?.items);

  const remove = async (ids: readonly string[]) => {
    setLeaving((others) => [...others, ...ids]);
    const { gone, failure } = await readAll(ids);
    // A list that was asked for before would bring them back for a moment.
    await queries.cancelQueries({ queryKey: asking.queryKey });
    queries.setQueryData(asking.queryKey, (known) => known && { ...known, items: known.items.filter(({ id }) => !gone.has(id)) });
    setLeaving((others) => others.filter((id) => !ids.includes(id)));
    if (failure !== undefined) alertError(failure);
  };
  return {
    /** Newest first; undefined until they are known. */
    items: data?.items.filter(({ id }) => !leaving.includes(id)),
    failed: isError && data === undefined,
    retry: (): void => void refetch(),
    /** Marks them read. They go at once; what the server refuses comes back. */
    remove: (ids: readonly string[]): void => void remove(ids),
  };
}

/** What a document is called: its file name without the ending. */
export const nameOf = ({ name }: Notification): string => name.trim().replace(/\.pdf$/i, '');

/** `gone`: those that are read now, here or elsewhere before. */
const readAll = async (ids: readonly string[]): Promise<{ readonly gone: ReadonlySet<string>; readonly failure: unknown }> => {
  const gone = new Set<string>();
  let failure: unknown;
  const waiting = ids.values();
  const readOn = async () => {
    // One iterator for all: each takes the next that was not begun.
    for (const id of waiting)
      try {
        await call(readNotification, { params: { id } });
        gone.add(id);
      } catch (error) {
        if (isNotFound(error)) gone.add(id);
        else failure ??= error;
      }
  };
  await Promise.all(Array.from({ length: atOnce }, readOn));
  return { gone, failure };
};

/** What is told of each kind of news, to the person and to the lists. */
const news = [
  { type: 'publication', title: 'notifications.newDocuments', tell: () => emit('documentsPublished', undefined) },
  { type: 'withdrawal', title: 'notifications.cancelled', tell: () => emit('documentsPublished', undefined) },
  { type: 'account_update', title: 'notifications.dataUpdated', tell: () => emit('accountUpdated', undefined) },
] as const;

/** Tells the person, and the lists, what has come since the last poll (M2). */
function useArrivals(items: readonly Notification[] | undefined): void {
  const known = useRef<readonly Notification[]>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = items ?? before;
    // What was there at the first look is no news, and neither are older ones that only move up because others were read.
    if (items === undefined || before === undefined) return;
    const knownIds = new Set(before.map(({ id }) => id));
    const newest = Math.max(0, ...before.map(({ timestamp }) => timestamp));
    const arrived = new Set(items.filter(({ id, timestamp }) => !knownIds.has(id) && timestamp >= newest).map(({ type }) => type));
    for (const { title, tell } of news.filter(({ type }) => arrived.has(type))) {
      emit('alert', { tone: 'info', title: t(title) });
      whenActive(tell);
    }
  }, [items]);
}

const actions = ['pointerdown', 'keydown'] as const;
let lastActionMs = performance.now();
const waiting = new Set<() => void>();

/**
 * Does it now if the person did anything within the last minute, else with the next thing they do: what is asked of the server by itself must
 * not keep the session of an absent person alive (B19). The same thing waits once.
 */
const whenActive = (act: () => void): void => {
  if (performance.now() - lastActionMs <= sessionLimits.slideWriteEveryMs) act();
  else waiting.add(act);
};

const handleAction = (): void => {
  lastActionMs = performance.now();
  const due = Array.from(waiting);
  waiting.clear();
  for (const act of due) act();
};
for (const action of actions) addEventListener(action, handleAction, { capture: true, passive: true });
