import { listOwnDocuments, type DocumentRow } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { useUnreadReceived, useUnreadStatements } from '#features/received-documents/unread.queries.ts';
import type { Unread } from '#lists/useUnread.ts';
import { callQuery, useRefreshOn } from '#platform/call.queries.ts';
import { newestDocuments } from './newest-documents.ts';

export const mostSheets = 6;
const [unreadOnes, newestOnes] = [newestDocuments(mostSheets, { unread: true }), newestDocuments(mostSheets)];

export interface Inbox {
  readonly state: 'loading' | 'failed' | 'none' | 'unread' | 'read';
  /** The newest first, at most `mostSheets`: the unread ones, or what was published last when all of them are read. */
  readonly documents: readonly DocumentRow[];
  /** How many there are of these in all. */
  readonly total: number;
  readonly received: Unread | undefined;
  readonly statements: Unread | undefined;
  readonly retry: () => void;
}

/** What waits to be read. Follows publications, reading and downloads as the lists do. */
export function useInbox(): Inbox {
  const received = useUnreadReceived();
  const statements = useUnreadStatements();
  const unread = useQuery(callQuery(listOwnDocuments, { body: unreadOnes }));
  const isAllRead = unread.data?.total === 0;
  const newest = useQuery({ ...callQuery(listOwnDocuments, { body: newestOnes }), enabled: isAllRead });
  useRefreshOn('documentUpdated', listOwnDocuments);

  const { data, isError, fetchStatus, refetch } = isAllRead ? newest : unread;
  const inbox = { documents: data?.items ?? [], total: data?.total ?? 0, received, statements, retry: () => void refetch() };
  // Without a network the query waits for it.
  if (data === undefined) return { ...inbox, state: isError || fetchStatus === 'paused' ? 'failed' : 'loading' };
  if (data.total === 0) return { ...inbox, state: 'none' };
  return { ...inbox, state: isAllRead ? 'read' : 'unread' };
}
