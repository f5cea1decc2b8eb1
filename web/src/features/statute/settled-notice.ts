import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { createSignal } from '#platform/store.ts';
import { currentToken, onSessionCleared, sessionIdOf } from '#platform/session-token.ts';

const storageKey = 'statute-told';

/** Without an id a new tab asks what this session has been told already. */
const notice = z.object({ session: z.string(), id: z.optional(z.string()) });
type Notice = z.output<typeof notice>;

onSessionCleared(() => sessionStorage.removeItem(storageKey));

const changed = createSignal();
const channel = new BroadcastChannel('portal-statute');
channel.addEventListener('message', (event: MessageEvent<unknown>) => receive(event.data));

/** Within this session nothing more is said of this version, in whichever tab: it was put off, or accepted. The next session asks again. */
export const settle = (id: string): void => {
  const session = currentSessionId();
  keep({ session, id });
  tell({ session, id });
};

/** Whether the notice of this version has had its answer in this session (C3). */
export function useSettledNotice(id: string): boolean {
  return useSyncExternalStore(subscribe, () => findSettled()?.id === id);
}

/** What this session was told, as far as this tab knows. */
const findSettled = (): Notice | undefined => {
  try {
    const kept = notice.safeParse(JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')).data;
    return kept?.session === currentSessionId() ? kept : undefined;
  } catch {
    return undefined;
  }
};

const keep = (settled: Notice): void => {
  sessionStorage.setItem(storageKey, JSON.stringify(settled));
  changed.tell();
};

/** A session belongs to one person: its id says whose answer it was. */
const currentSessionId = (): string => sessionIdOf(currentToken() ?? '') ?? '';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
const tell = (said: Notice): void => channel.postMessage(said);

const receive = (data: unknown): void => {
  const { session, id } = notice.safeParse(data).data ?? {};
  if (session === undefined || session !== currentSessionId()) return;
  const settled = findSettled();
  if (id !== undefined) keep({ session, id });
  else if (settled?.id !== undefined) tell(settled);
};

/** Session storage belongs to one tab, the session to them all: the others are asked. */
const subscribe = (listener: () => void): (() => void) => {
  tell({ session: currentSessionId() });
  return changed.subscribe(listener);
};
