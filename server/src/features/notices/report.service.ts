import type { AnswerOf, calls, NoticeStatus, QueryOf, UnopenedDocument } from '@pergamin/contract';
import * as z from 'zod/mini';
import { createLocalTime } from '#platform/clock/local-time.ts';
import { invalidField } from '#platform/http/errors.ts';
import type { Bytes } from '#platform/http/route.ts';
import type { NoticesParts } from './parts.ts';
import { type Columns, reportFile } from './report-file.ts';
import { createReportPages } from './report-pages.ts';
import * as store from './report.store.ts';

export type Report = ReturnType<typeof createReport>;

const rowsPerFilePage = 2_000;

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

export const noticeOf = (row: store.NoticeRow): NoticeStatus | null =>
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
        failedOn: row.failedAt?.getTime() ?? null,
        lastError: row.lastError,
      };

const unopenedOf = (row: store.UnopenedRow): UnopenedDocument => ({
  documentId: row.id,
  uniqueName: row.uniqueName,
  fileName: row.fileName,
  state: row.state,
  publishedOn: row.registeredAt.getTime(),
  personalId: row.personalId,
  unread: row.unread,
  undelivered: row.undelivered,
  notice: noticeOf(row),
  remindedOn: row.remindedAt?.getTime() ?? null,
});

/** Moments in cells, as the organisation's clocks show them. */
export const createMomentText = (timeZone: string): ((epochMs: number | null | undefined) => string) => {
  const { stampOf } = createLocalTime(timeZone);
  return (epochMs) => (typeof epochMs === 'number' ? stampOf(new Date(epochMs)) : '');
};

const columnsOf = (moment: ReturnType<typeof createMomentText>): Columns<UnopenedDocument> => [
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
  ['failed', ({ notice }) => moment(notice?.failedOn)],
  ['last error', ({ notice }) => notice?.lastError ?? ''],
  ['reminded', (item) => moment(item.remindedOn)],
];

/** Unopened documents, and clients without a working address: for the organisation, which may have to write a letter. */
export const createReport = (parts: Pick<NoticesParts, 'db' | 'settings' | 'clock'>) => {
  const { db, settings, clock } = parts;
  const { timeZone } = settings;
  const { dayOf } = createLocalTime(timeZone);
  const columns = columnsOf(createMomentText(timeZone));
  const pages = createReportPages(parts, {
    isFor: 'unread',
    documentsPerPage: 1_000,
    list: (asked: store.AskedUnopened, portion) => store.listUnopened(db, asked, portion),
  });

  async function* items(asked: store.AskedUnopened): AsyncGenerator<UnopenedDocument[]> {
    for await (const rows of pages.all(asked, () => rowsPerFilePage)) yield rows.map(unopenedOf);
  }

  return {
    /** Throws VALIDATION_ERROR for a cursor that no answer gave. */
    async list({ cursor, limit, ...asked }: QueryOf<typeof calls.listUnopened>): Promise<AnswerOf<typeof calls.listUnopened>> {
      await pages.requireKnown(asked);
      const after = cursor === undefined ? undefined : readCursor(cursor);
      const { rows, next } = await pages.read(asked, { after, limitOf: () => limit });
      return { items: rows.map(unopenedOf), cursor: next === undefined ? null : cursorOf(next) };
    },
    async file({ format, ...asked }: QueryOf<typeof calls.exportUnopened>): Promise<Bytes> {
      await pages.requireKnown(asked);
      return reportFile({ name: `unread-${dayOf(clock.now())}`, format, columns, pages: items(asked) });
    },
    count: (days: store.Days): Promise<AnswerOf<typeof calls.countNotices>> => store.countNotices(db, days, timeZone),
  };
};
