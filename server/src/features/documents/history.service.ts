import type { AnswerOf, calls, HistoryEntry } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import { findEvents } from './history.store.ts';
import { findOwnDocument } from './own-documents.store.ts';

/** What happened to a document of the caller (G3). Throws DOCUMENT_NOT_FOUND_ERROR for any other. */
export type GetHistory = (caller: ClientCaller, id: string) => Promise<AnswerOf<typeof calls.getDocumentHistory>>;

export const createHistory =
  ({ db }: { readonly db: Kysely<Database> }): GetHistory =>
  async (caller, id) => {
    const document = await findOwnDocument(db, caller, id);
    if (document === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
    const { publishedAt, changes } = await findEvents(db, id);
    const moment = (event: HistoryEntry['event'], at: Date | null | undefined): HistoryEntry[] =>
      at === null || at === undefined ? [] : [{ event, at: at.getTime(), before: null, after: null }];
    const items: HistoryEntry[] = [
      ...moment('PUBLISHED', publishedAt ?? document.published_at),
      ...moment('DOWNLOADED', document.downloaded_at),
      ...moment('READ', document.read_at),
      ...changes.map(({ at, before, after }) => ({ event: 'STATE_CHANGED' as const, at: at.getTime(), before, after })),
    ];
    // Stable: what happened in the same millisecond stays in this order.
    return { items: items.toSorted((one, other) => one.at - other.at) };
  };
