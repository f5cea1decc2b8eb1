import { Readable } from 'node:stream';
import type { AnswerOf, calls, UnopenedDocument } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { Clock } from '#platform/clock/clock.ts';
import { createLocalTime, type LocalTime } from '#platform/clock/local-time.ts';
import { asText, byteOrderMark, csvLine } from '#platform/csv/csv.ts';
import type { Database } from '#platform/database/schema.ts';
import { invalidField } from '#platform/http/errors.ts';
import * as store from './report.store.ts';

export interface Report {
  /** Throws VALIDATION_ERROR for a cursor that no answer gave. */
  list(asked: store.Asked & { readonly cursor: string | undefined; readonly limit: number }): Promise<AnswerOf<typeof calls.listUnopened>>;
  /** Read page by page while it is taken. */
  csv(asked: store.Asked): { readonly fileName: string; readonly body: Readable };
  count(asked: Pick<store.Asked, 'since'>): Promise<AnswerOf<typeof calls.countNotices>>;
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly settings: { readonly timeZone: string };
  readonly clock: Clock;
}

/** Of documents that are looked at for one answer, so that an answer comes soon where nearly everything was opened. */
const documentsPerPage = 1_000;
const rowsPerCsvPage = 2_000;

const placeSchema = z.tuple([z.int(), z.uuid(), z.nullable(z.string().check(z.maxLength(64)))]);

const cursorOf = ({ publishedAt, documentId, personalId }: store.Place): string =>
  Buffer.from(JSON.stringify([publishedAt.getTime(), documentId, personalId])).toString('base64url');

const readCursor = (cursor: string): store.Place => {
  try {
    const [publishedAt, documentId, personalId] = z.parse(placeSchema, JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { publishedAt: new Date(publishedAt), documentId, personalId };
  } catch {
    throw invalidField('cursor', 'not the cursor of an answer');
  }
};

const unopenedOf = (row: store.UnopenedRow): UnopenedDocument => ({
  documentId: row.id,
  uniqueName: row.uniqueName,
  fileName: row.fileName,
  state: row.state,
  publishedOn: row.publishedAt.getTime(),
  personalId: row.personalId,
  unread: row.unread,
  undelivered: row.undelivered,
  notice:
    row.noticeId === null
      ? null
      : {
          id: row.noticeId,
          state: row.noticeState,
          reason: row.reason,
          channel: row.channel,
          attempts: row.attempts,
          sends: row.sends,
          sentOn: row.sentAt?.getTime() ?? null,
          lastError: row.lastError,
        },
  remindedOn: row.remindedAt?.getTime() ?? null,
});

const columns = [
  'personal id',
  'document',
  'unique name',
  'file name',
  'state',
  'published',
  'unread',
  'notice',
  'reason',
  'channel',
  'attempts',
  'sends',
  'sent',
  'last error',
  'reminded',
];

const cellsOf = (item: UnopenedDocument, localTime: LocalTime): string[] => {
  const { notice } = item;
  const moment = (epochMs: number | null | undefined): string => (typeof epochMs === 'number' ? localTime.textOf(new Date(epochMs)) : '');
  return [
    item.personalId,
    item.documentId,
    item.uniqueName ?? '',
    item.fileName,
    item.state,
    moment(item.publishedOn),
    item.unread ? 'yes' : 'no',
    notice?.state ?? '',
    notice?.reason ?? '',
    notice?.channel ?? '',
    String(notice?.attempts ?? ''),
    String(notice?.sends ?? ''),
    moment(notice?.sentOn),
    notice?.lastError ?? '',
    moment(item.remindedOn),
  ].map(asText);
};

/** Who has not opened what, and whom nobody could tell: for the organisation, which may have to write a letter. */
export const createReport = ({ db, settings: { timeZone }, clock }: Parts): Report => {
  const localTime = createLocalTime(timeZone);

  const readPage = async (
    { since, only }: store.Asked,
    { after, limit }: { after: store.Place | undefined; limit: number },
  ): Promise<{ items: UnopenedDocument[]; next: store.Place | undefined }> => {
    const documents = await store.listDocuments(db, { after, since, timeZone, limit: documentsPerPage });
    const last = documents.at(-1);
    if (last === undefined) return { items: [], next: undefined };
    const rows = await store.listUnopened(db, { documentIds: documents.map(({ id }) => id), after, only, limit: limit + 1 });
    const items = rows.slice(0, limit);
    const lastRow = items.at(-1);
    if (rows.length > limit && lastRow !== undefined)
      return {
        items: items.map(unopenedOf),
        next: { publishedAt: lastRow.publishedAt, documentId: lastRow.id, personalId: lastRow.personalId },
      };
    const isEnd = documents.length < documentsPerPage;
    const next = isEnd ? undefined : { publishedAt: last.publishedAt, documentId: last.id, personalId: null };
    return { items: items.map(unopenedOf), next };
  };

  async function* lines(asked: store.Asked): AsyncGenerator<Buffer> {
    yield Buffer.from(byteOrderMark + csvLine(columns, 'EN'));
    let after: store.Place | undefined;
    do {
      const { items, next } = await readPage(asked, { after, limit: rowsPerCsvPage });
      yield Buffer.from(items.map((item) => csvLine(cellsOf(item, localTime), 'EN')).join(''));
      after = next;
    } while (after !== undefined);
  }

  return {
    async list({ cursor, limit, ...asked }) {
      const { items, next } = await readPage(asked, { after: cursor === undefined ? undefined : readCursor(cursor), limit });
      return { items, cursor: next === undefined ? null : cursorOf(next) };
    },
    csv: (asked) => ({
      fileName: `unread-${localTime.dayOf(clock.now())}.csv`,
      body: Readable.from(lines(asked), { objectMode: false }),
    }),
    count: ({ since }) => store.countNotices(db, { since, timeZone }),
  };
};
