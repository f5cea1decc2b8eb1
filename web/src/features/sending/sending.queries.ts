import { type Category, getSendingLimits, listCategories, uploadDocument } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import type { SelectOption } from '#kit/forms/Select.tsx';
import { call } from '#platform/api.ts';
import { callQuery, useRefreshOn } from '#platform/call.queries.ts';
import { namedOptions } from '#platform/names.ts';
import { uploading } from '#platform/upload.ts';
import type { SendingParts } from './sending.store.ts';

export interface OfferedCategory extends SelectOption {
  readonly types: readonly SelectOption[];
}

export type Offer = ReturnType<typeof useOffer>;

/** What may be sent, and how much of it. Asked anew by each opening of the window. */
export function useOffer() {
  const categories = useQuery({ ...callQuery(listCategories, {}), select: offeredOf });
  const limits = useQuery(callQuery(getSendingLimits, {}));
  useRefreshOn('documentSent', getSendingLimits);
  const error = categories.error ?? limits.error;
  const { filesPerSession = 0, leftToday = 0, leftInSession = 0 } = limits.data ?? {};
  const pending = error === null ? 'loading' : 'failed';
  return {
    state: categories.data === undefined || limits.data === undefined ? pending : 'ready',
    error,
    categories: categories.data ?? [],
    /** How many files may be sent now: what is left of the session, and of the day. */
    mostFiles: Math.min(filesPerSession, leftInSession, leftToday),
    /** What keeps it below the number that a session has at its beginning. */
    isShortOf: shortOf({ filesPerSession, leftToday, leftInSession }),
    retry: (): void => {
      for (const query of [categories, limits]) if (query.isError) void query.refetch();
    },
  };
}

const shortOf = ({
  filesPerSession,
  leftToday,
  leftInSession,
}: Record<'filesPerSession' | 'leftToday' | 'leftInSession', number>): 'day' | 'session' | undefined => {
  if (leftToday <= leftInSession && leftToday < filesPerSession) return 'day';
  return leftInSession < filesPerSession ? 'session' : undefined;
};

/** What can be chosen, by name (H9). A category without a type that can be chosen is none. */
const offeredOf = (categories: readonly Category[]): readonly OfferedCategory[] =>
  namedOptions(offeredIn(categories)).flatMap((option) => {
    const types = namedOptions(offeredIn(categories.find(({ id }) => id === option.id)?.types ?? []));
    return types.length === 0 ? [] : [{ ...option, types }];
  });

const offeredIn = <Item extends { readonly deleted: boolean }>(items: readonly Item[]): readonly Item[] =>
  items.filter(({ deleted }) => !deleted);

/** The description goes first: the server knows what it is before the bytes come. */
export const sendAttachment: SendingParts['send'] = ({ key, file, categoryId, typeId }, { signal, onProgress }) => {
  const form = new FormData();
  form.set('description', JSON.stringify({ filename: file.name, categoryId, typeId }));
  form.set('file', file);
  return call(uploadDocument, { form, signal, transport: uploading({ key, onProgress }) });
};
