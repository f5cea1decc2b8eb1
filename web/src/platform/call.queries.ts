import type { Call, CallInput, getAccessibilityStatement, getChangelog } from '@pergamin/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, callForText } from './api.ts';
import { on, type PortalEvents } from './events.ts';
import { currentLanguage } from './language.ts';

/** A question of `useQuery` for a call of the contract; its key begins with the name of the call, then comes what is asked. */
export const callQuery = <const C extends Call>(row: C, input: CallInput<C>) =>
  queryOptions({
    queryKey: [row.name, ...Object.values(input)],
    queryFn: ({ signal }) => call(row, Object.assign({ signal, transport: undefined }, input)),
  });

/** The same for what does not change: asked once, for as long as the cache keeps the answer. */
export const lastingCallQuery = <const C extends Call>(row: C, input: CallInput<C>) =>
  queryOptions({ ...callQuery(row, input), staleTime: Number.POSITIVE_INFINITY });

/** A question of `useQuery` for a text that answers in the language of the page where it can. */
export const textQuery = (row: typeof getChangelog | typeof getAccessibilityStatement) =>
  queryOptions({
    queryKey: [row.name],
    queryFn: ({ signal }) => callForText(row, { query: { lang: currentLanguage() }, signal }),
  });

/** Reads again what a call answered, whatever it was asked, when this happens. */
export function useRefreshOn(event: keyof PortalEvents, { name }: Call): void {
  const queries = useQueryClient();
  useEffect(() => on(event, () => void queries.invalidateQueries({ queryKey: [name] })), [queries, event, name]);
}
