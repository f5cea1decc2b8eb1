import type { Readable } from 'node:stream';
import {
  type PageText,
  type RenderResult,
  type SentDocument,
  type SentDocumentDetails,
  type SentQuery,
  viewerLimits,
} from '@pergamin/contract';
import type { Kysely } from 'kysely';
import { renderFailure, renderResultOf, type Rendering } from '#features/rendering/rendering.door.ts';
import type { Database } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { verifiedBytes } from '#platform/objects/verified-bytes.ts';
import { unpackPageSizes } from './sent-documents.rules.ts';
import { findOwnSent, listOwnSent, type SentRow, setSentCorrupted } from './sent-documents.store.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly objects: Pick<Objects, 'open'>;
  readonly rendering: Pick<Rendering, 'poll' | 'openPage' | 'readPageText'>;
  readonly log: Log;
}

type Image = NonNullable<Awaited<ReturnType<Rendering['openPage']>>>;

/**
 * What the caller has sent. Every method that names one throws DOCUMENT_NOT_FOUND_ERROR when it is not the caller's, whatever the reason, and
 * STORAGE_ERROR instead of showing or handing out one whose stored bytes are no longer those that were sent.
 */
export interface SentDocuments {
  /** Throws INVALID_DATE_RANGE when the end is before the start. */
  list(caller: ClientCaller, query: SentQuery): Promise<{ items: SentDocument[]; total: number }>;
  get(caller: ClientCaller, id: string): Promise<SentDocumentDetails>;
  download(caller: ClientCaller, id: string): Promise<{ fileName: string; size: number; body: Readable }>;
  render(caller: ClientCaller, request: { id: string; width: number; page?: number | undefined }): Promise<RenderResult>;
  openPage(caller: ClientCaller, request: { id: string; page: number; width: number }): Promise<Image>;
  getPageText(caller: ClientCaller, request: { id: string; page: number }): Promise<PageText>;
}

export const createSentDocumentService = ({ db, objects, rendering, log }: Parts): SentDocuments => {
  const get = async (caller: ClientCaller, id: string): Promise<SentRow> => {
    const sent = await findOwnSent(db, caller.personalId, id);
    if (sent === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
    return sent;
  };
  const getSound = async (caller: ClientCaller, id: string): Promise<SentRow> => assertSound(await get(caller, id));

  return {
    async list(caller, query) {
      const { createdOnAfter: after, createdOnBefore: before } = query.criteria;
      if (after !== null && before !== null && before < after) throw new PortalError('INVALID_DATE_RANGE');
      const { rows, total } = await listOwnSent(db, caller.personalId, query);
      return { items: rows.map(sentDocumentOf), total };
    },

    async get(caller, id) {
      const sent = await get(caller, id);
      const { size, pageCount } = sent;
      return { ...sentDocumentOf(sent), size, pageCount, pageSizes: unpackPageSizes(sent.pageSizes, pageCount) };
    },

    async download(caller, id) {
      const sent = await getSound(caller, id);
      return { fileName: sent.filename, size: sent.size, body: await openSent({ db, objects, log }, sent) };
    },

    async render(caller, { id, width, page }) {
      const { objectKey, sha256, pageCount: pages } = await getSound(caller, id);
      const progress = await rendering.poll(
        { objectKey, sha256, pages },
        { width, page, waitMs: viewerLimits.firstAnswerWaitMs, client: caller.personalId },
      );
      if (progress.failed) throw renderFailure(progress, `the sent document ${id}`);
      return renderResultOf(progress, { pages, urlOf: (of) => `/api/protected/documents/client/render/page/${id}/${of}?width=${width}` });
    },

    async openPage(caller, { id, page, width }) {
      const { objectKey, sha256, pageCount: pages } = await getSound(caller, id);
      const view = { width, page, client: caller.personalId };
      const image = page > pages ? undefined : await rendering.openPage({ objectKey, sha256, pages }, view);
      if (image === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
      return image;
    },

    async getPageText(caller, { id, page }) {
      const { objectKey, sha256, pageCount: pages } = await getSound(caller, id);
      if (page > pages) throw new PortalError('RESOURCE_NOT_FOUND');
      return rendering.readPageText({ objectKey, sha256, pages }, { page, client: caller.personalId });
    },
  };
};

export const sentDocumentOf = (sent: Omit<SentRow, 'corrupted' | 'place'>): SentDocument => ({
  id: sent.id,
  filename: sent.filename,
  category: sent.category,
  type: sent.type,
  createdOn: sent.createdAt.getTime(),
  retentionDate: sent.retentionDate ?? -1,
  status: sent.acknowledgedAt === null ? 'SENT' : 'RECEIVED',
  receivedOn: sent.acknowledgedAt?.getTime() ?? null,
  sha256: sent.sha256,
});

export const assertSound = (sent: SentRow): SentRow => {
  if (sent.corrupted) throw new PortalError('STORAGE_ERROR', { cause: new Error(`the sent document ${sent.id} is corrupted`) });
  return sent;
};

/** The very bytes; when the stored ones turn out to be others, the stream breaks off before its end, and the operator hears of it. */
export const openSent = async (
  { db, objects, log }: Omit<Parts, 'rendering'>,
  { id, objectKey, sha256, size }: SentRow,
): Promise<Readable> =>
  verifiedBytes(await objects.open(objectKey), {
    sha256,
    size,
    async onWrong(found) {
      log.error({ alarm: 'corrupted', sentDocumentId: id, found, expected: { sha256, size } }, 'stored bytes are not those sent');
      await setSentCorrupted(db, id);
      return new PortalError('STORAGE_ERROR', { cause: new Error(`the sent document ${id} is corrupted`) });
    },
  });
