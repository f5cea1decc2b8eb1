import type { AnswerOf, calls, HistoryEntry } from '@pergamin/contract';
import { getOwnDocument, type OwnDocument } from '#features/documents/own-documents.store.ts';
import type { DocumentsParts } from '#features/documents/parts.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { findEvents } from './history.store.ts';

/** What happened to a document of the caller (G3). Throws DOCUMENT_NOT_FOUND_ERROR for any other. */
export type GetHistory = (caller: ClientCaller, id: string) => Promise<AnswerOf<typeof calls.getDocumentHistory>>;

export const createHistory =
  ({ db }: Pick<DocumentsParts, 'db'>): GetHistory =>
  async (caller, id) => {
    const document = await getOwnDocument(db, caller, id);
    const { publishedAt, changes } = await findEvents(db, id);
    const moment = (event: HistoryEntry['event'], at: Date | null): HistoryEntry[] =>
      at === null ? [] : [{ event, at: at.getTime(), before: null, after: null }];
    const items: HistoryEntry[] = [
      ...moment('PUBLISHED', publishedAt ?? document.published_at),
      ...moment('DOWNLOADED', document.downloaded_at),
      ...moment('READ', document.read_at).map((entry) => ({ ...entry, ...notShown(document) })),
      ...changes.map(({ at, before, after }) => ({ event: 'STATE_CHANGED' as const, at: at.getTime(), before, after })),
    ];
    // Stable: what happened in the same millisecond stays in this order.
    return { items: items.toSorted((one, other) => one.at - other.at) };
  };

const notShown = ({ pages_not_shown: pages }: OwnDocument): Pick<HistoryEntry, 'pagesNotShown'> =>
  pages === null || pages.length === 0 ? {} : { pagesNotShown: pages };
