import { Readable } from 'node:stream';
import type { AnswerOf, calls, UnopenedDocument } from '@pergamin/contract';
import * as z from 'zod/mini';
import { createLocalTime, type LocalTime } from '#platform/clock/local-time.ts';
import { asText, byteOrderMark, csvLine } from '#platform/csv/csv.ts';
import { invalidField } from '#platform/http/errors.ts';
import type { NoticesParts } from './parts.ts';
import * as store from './report.store.ts';

export type Report = ReturnType<typeof createReport>;

/** Documents read for one answer, which bounds its time where nearly everything was opened. */
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

type Column = readonly [heading: string, cell: (item: UnopenedDocument) => string];

const columnsOf = (localTime: LocalTime): readonly Column[] => {
  const moment = (epochMs: number | null | undefined): string => (typeof epochMs === 'number' ? localTime.textOf(new Date(epochMs)) : '');
  return [
    ['personal id', (item) => item.personalId],
    ['document', (item) => item.documentId],
    ['unique name', (item) => item.uniqueName ?? ''],
    ['file name', (item) => item.fileName],
    ['state', (item) => item.state],
    ['published', (item) => moment(item.publishedOn)],
    ['unread', (item) => (item.unread ? 'yes' : 'no')],
    ['notice', ({ notice }) => notice?.state ?? ''],
    ['reason', ({ notice }) => notice?.reason ?? ''],
    ['channel', ({ notice }) => notice?.channel ?? ''],
    ['attempts', ({ notice }) => String(notice?.attempts ?? '')],
    ['sends', ({ notice }) => String(notice?.sends ?? '')],
    ['sent', ({ notice }) => moment(notice?.sentOn)],
    ['last error', ({ notice }) => notice?.lastError ?? ''],
    ['reminded', (item) => moment(item.remindedOn)],
  ];
};

/** Unopened documents, and clients without a working address: for the organisation, which may have to write a letter. */
export const createReport = ({ db, settings: { timeZone }, clock }: Pick<NoticesParts, 'db' | 'settings' | 'clock'>) => {
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
    const columns = columnsOf(localTime);
    const lineOf = (item: UnopenedDocument): string => {
      const cells = columns.map(([, cell]) => asText(cell(item)));
      return csvLine(cells, 'EN');
    };
    const headings = columns.map(([heading]) => heading);
    yield Buffer.from(byteOrderMark + csvLine(headings, 'EN'));
    let after: store.Place | undefined;
    do {
      const { items, next } = await readPage(asked, { after, limit: rowsPerCsvPage });
      yield Buffer.from(items.map(lineOf).join(''));
      after = next;
    } while (after !== undefined);
  }

  return {
    /** Throws VALIDATION_ERROR for a cursor that no answer gave. */
    async list({
      cursor,
      limit,
      ...asked
    }: store.Asked & { readonly cursor: string | undefined; readonly limit: number }): Promise<AnswerOf<typeof calls.listUnopened>> {
      const { items, next } = await readPage(asked, { after: cursor === undefined ? undefined : readCursor(cursor), limit });
      return { items, cursor: next === undefined ? null : cursorOf(next) };
    },
    /** Read page by page while it is taken. */
    csv: (asked: store.Asked): { readonly fileName: string; readonly body: Readable } => ({
      fileName: `unread-${localTime.dayOf(clock.now())}.csv`,
      body: Readable.from(lines(asked), { objectMode: false }),
    }),
    count: ({ since }: Pick<store.Asked, 'since'>): Promise<AnswerOf<typeof calls.countNotices>> =>
      store.countNotices(db, { since, timeZone }),
  };
};
