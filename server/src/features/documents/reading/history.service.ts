import type { AnswerOf, calls, HistoryEntry } from '@pergamin/contract';
import { hashOfMetadata } from '#features/ledger/ledger.door.ts';
import { getOwnDocument, type OwnDocument } from '#features/documents/own-documents.store.ts';
import type { DocumentsParts } from '#features/documents/parts.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { type Change, findEvents, type SentNotice } from './history.store.ts';

/** What happened to a document of the caller (G3). Throws DOCUMENT_NOT_FOUND_ERROR for any other. */
export type GetHistory = (caller: ClientCaller, id: string) => Promise<AnswerOf<typeof calls.getDocumentHistory>>;

export const createHistory =
  ({ db, ledger }: Pick<DocumentsParts, 'db' | 'ledger'>): GetHistory =>
  async (caller, id) => {
    const document = await getOwnDocument(db, caller, id);
    const [{ publishedAt, changes, notices }, entries] = await Promise.all([
      findEvents(db, { id, personalId: caller.personalId }),
      ledger.entriesOf(id),
    ]);
    const places = placesOf(changes, entries);
    const moment = (event: HistoryEntry['event'], at: Date | null): HistoryEntry[] =>
      at === null ? [] : [{ event, at: at.getTime(), before: null, after: null, entry: null }];
    const items: HistoryEntry[] = [
      ...moment('PUBLISHED', publishedAt ?? document.published_at).map((entry) => ({
        ...entry,
        entry: publicationOf(entries, document.principals),
      })),
      ...notices.flatMap((notice) => moment('NOTIFIED', notice.at).map((entry) => ({ ...entry, entry: entryOfNotice(notice, entries) }))),
      ...moment('OPENED', document.opened_at),
      ...moment('DOWNLOADED', document.downloaded_at),
      ...moment('CLOSED', document.closed_at),
      ...moment('READ', document.read_at).map((entry) => ({ ...entry, ...notShown(document) })),
      ...changes.map((change) => ({
        event: 'STATE_CHANGED' as const,
        at: change.at.getTime(),
        before: change.before,
        after: change.after,
        entry: places.get(change) ?? null,
      })),
    ];
    // Stable: what happened in the same millisecond stays in this order.
    return { items: items.toSorted((one, other) => one.at - other.at) };
  };

type Entries = Awaited<ReturnType<DocumentsParts['ledger']['entriesOf']>>;
type Place = HistoryEntry['entry'];

/** Each of two owners has an entry. */
const publicationOf = (entries: Entries, principals: readonly string[]): Place => {
  const found = entries.find(({ event, owners }) => event === 'PUBLISHED' && owners.some((owner) => principals.includes(owner)));
  return found === undefined ? null : { index: found.index };
};

/** The one that commits to this very notice and its result: notices of other clients of the document stand in the ledger, too. */
const entryOfNotice = ({ id, kind, channel }: SentNotice, entries: Entries): Place => {
  const metadata = hashOfMetadata({ notice: id, kind, result: 'sent', ...(channel === null ? {} : { channel }) });
  const found = entries.find((entry) => entry.event === 'NOTIFIED' && entry.metadata === metadata);
  return found === undefined ? null : { index: found.index };
};

/** From the last one back: the first changes of a document may be older than the ledger. */
const placesOf = (changes: readonly Change[], entries: Entries): ReadonlyMap<Change, Place> => {
  const places = new Map<Change, Place>();
  const rest = [...changes];
  for (const { event, index, state } of entries.toReversed()) {
    if (event !== 'STATE_CHANGED') continue;
    const at = rest.findLastIndex(({ after }) => after === state);
    const [change] = at === -1 ? [] : rest.splice(at);
    if (change !== undefined) places.set(change, { index });
  }
  return places;
};

const notShown = ({ pages_not_shown: pages }: OwnDocument): Pick<HistoryEntry, 'pagesNotShown'> =>
  pages === null || pages.length === 0 ? {} : { pagesNotShown: pages };
