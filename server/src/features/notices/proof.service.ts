import { type calls, type DeliveryProof, checkStatuses, type QueryOf } from '@pergamin/contract';
import { createLocalTime } from '#platform/clock/local-time.ts';
import type { Bytes } from '#platform/http/route.ts';
import type { NoticesParts } from './parts.ts';
import { type DeliveryRow, listDeliveries } from './proof.store.ts';
import { type Columns, reportFile } from './report-file.ts';
import { createReportPages } from './report-pages.ts';
import { createMomentText, noticeOf } from './report.service.ts';
import type { Asked, ReportedDocument } from './report.store.ts';

/** Proof of delivery: what became of documents with each of their clients, for the organisation. */
export type Proof = ReturnType<typeof createProof>;

/** The pages of a row's document may be thousands, each with its time. */
const pageTimesAtOnce = 20_000;
const rowsAtOnce = { most: 2_000, least: 10 };
const documentsPerPage = 500;

const rowsPerPage = (documents: readonly ReportedDocument[]): number => {
  const longest = documents.reduce((most, { pageCount }) => Math.max(most, pageCount), 1);
  return Math.max(rowsAtOnce.least, Math.min(rowsAtOnce.most, Math.floor(pageTimesAtOnce / longest)));
};

const proofOf = (row: DeliveryRow): DeliveryProof => ({
  documentId: row.id,
  uniqueName: row.uniqueName,
  fileName: row.fileName,
  kind: row.kind,
  state: row.state,
  sha256: row.sha256,
  pageCount: row.pageCount,
  publishedOn: row.registeredAt.getTime(),
  personalId: row.personalId,
  notice: noticeOf(row),
  remindedOn: row.remindedAt?.getTime() ?? null,
  openedOn: row.openedAt?.getTime() ?? null,
  pages: (row.pages ?? []).map((page) => ({ page, seenOn: row.pageTimes?.[page] ?? null })),
  pagesNotShown: row.pagesNotShown ?? [],
  readOn: row.readAt?.getTime() ?? null,
  closedOn: row.closedAt?.getTime() ?? null,
  downloadedOn: row.downloadedAt?.getTime() ?? null,
  verifications: checkStatuses.flatMap((outcome) => {
    const on = row.verified?.[outcome];
    return on === undefined ? [] : [{ outcome, on }];
  }),
});

const columnsOf = (moment: ReturnType<typeof createMomentText>): Columns<DeliveryProof> => [
  ['personal id', (item) => item.personalId],
  ['document', (item) => item.documentId],
  ['unique name', (item) => item.uniqueName ?? ''],
  ['file name', (item) => item.fileName],
  ['kind', (item) => item.kind],
  ['state', (item) => item.state],
  ['sha256', (item) => item.sha256],
  ['published', (item) => moment(item.publishedOn)],
  ['notice', ({ notice }) => notice?.state ?? ''],
  ['reason', ({ notice }) => notice?.reason ?? ''],
  ['channel', ({ notice }) => notice?.channel ?? ''],
  ['sent', ({ notice }) => moment(notice?.sentOn)],
  ['failed', ({ notice }) => moment(notice?.failedOn)],
  ['reminded', (item) => moment(item.remindedOn)],
  ['opened', (item) => moment(item.openedOn)],
  ['pages', (item) => String(item.pageCount)],
  ['pages reached', (item) => String(item.pages.length)],
  ['page times', (item) => item.pages.map(({ page, seenOn }) => `${page}=${moment(seenOn)}`).join(' ')],
  ['pages not shown', (item) => item.pagesNotShown.join(' ')],
  ['read', (item) => moment(item.readOn)],
  ['downloaded', (item) => moment(item.downloadedOn)],
  ['verified', (item) => item.verifications.map(({ outcome, on }) => `${outcome}=${moment(on)}`).join(' ')],
  ['closed', (item) => moment(item.closedOn)],
];

export const createProof = (parts: Pick<NoticesParts, 'db' | 'settings' | 'clock'>) => {
  const { db, settings, clock } = parts;
  const { dayOf } = createLocalTime(settings.timeZone);
  const columns = columnsOf(createMomentText(settings.timeZone));
  const pages = createReportPages(parts, {
    isFor: 'proof',
    documentsPerPage,
    list: (asked: Asked, portion) => listDeliveries(db, asked, portion),
  });

  async function* items(asked: Asked): AsyncGenerator<DeliveryProof[]> {
    for await (const rows of pages.all(asked, rowsPerPage)) yield rows.map(proofOf);
  }

  return {
    async file({ format, ...asked }: QueryOf<typeof calls.exportDeliveries>): Promise<Bytes> {
      await pages.requireKnown(asked);
      return reportFile({ name: `delivery-${dayOf(clock.now())}`, format, columns, pages: items(asked) });
    },
  };
};
