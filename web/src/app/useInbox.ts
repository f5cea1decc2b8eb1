import { listOwnDocuments, type DocumentRow } from '@pergamin/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useUnreadReceived } from '#features/received-documents/unread.queries.ts';
import { useUnreadStatements } from '#features/statements/unread.queries.ts';
import { isUnread } from '#lists/row-rules.ts';
import type { Unread } from '#lists/useUnread.ts';
import { call } from '#platform/api.ts';
import { on } from '#platform/events.ts';
import { newestDocuments } from './newest-documents.ts';

/** Most new documents are among these; older unread ones come with the counts of the lists. */
const newest = newestDocuments(20);

export interface Inbox {
  readonly state: 'loading' | 'failed' | 'none' | 'unread' | 'read';
  /** The newest first: the unread ones, or what was published last when all of them are read. */
  readonly documents: readonly DocumentRow[];
  readonly received: Unread | undefined;
  readonly statements: Unread | undefined;
  /** All is read, also of what is older than the newest. */
  readonly isAllRead: boolean;
  readonly retry: () => void;
}

/** What waits to be read. Follows publications, reading and downloads as the lists do. */
export function useInbox(): Inbox {
  const queries = useQueryClient();
  const received = useUnreadReceived();
  const statements = useUnreadStatements();
  const { data, isError, fetchStatus, refetch } = useQuery({
    queryKey: [listOwnDocuments.name, newest],
    queryFn: ({ signal }) => call(listOwnDocuments, { body: newest, signal }),
  });
  useEffect(() => on('documentUpdated', () => void queries.invalidateQueries({ queryKey: [listOwnDocuments.name] })), [queries]);

  const lists = { received, statements, retry: () => void refetch() };
  // Without a network the query waits for it.
  if (data === undefined)
    return { ...lists, state: isError || fetchStatus === 'paused' ? 'failed' : 'loading', documents: [], isAllRead: false };
  if (data.total === 0) return { ...lists, state: 'none', documents: [], isAllRead: false };
  const known = new Set(data.items.map(({ id }) => id));
  const older = [...(received?.rows ?? []), ...(statements?.rows ?? [])].filter(({ id }) => !known.has(id));
  const unread = [...data.items.filter(isUnread), ...older.toSorted((one, other) => publishedAt(other) - publishedAt(one))];
  if (unread.length > 0) return { ...lists, state: 'unread', documents: unread, isAllRead: false };
  const isAllRead = data.items.length === data.total || (received !== undefined && statements !== undefined);
  return { ...lists, state: 'read', documents: data.items, isAllRead };
}

const publishedAt = ({ metadata }: DocumentRow): number => Number(metadata['PUBLICATION_DATE'] ?? 0);
