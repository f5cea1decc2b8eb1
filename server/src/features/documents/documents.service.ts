import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { viewerLimits, type DocumentDetails, type PageText, type RenderResult } from '@pergamin/contract';
import type { Kysely } from 'kysely';
import type { Metadata } from '#features/metadata/metadata.door.ts';
import { renderFailure, renderResultOf, type Rendering } from '#features/rendering/rendering.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { unpackPageSizes } from './documents.rules.ts';
import { openVerified } from './open-verified.ts';
import { findOwnDocument, findOwnDocuments, markOwnDocuments, markOwnPage, type OwnDocument } from './own-documents.store.ts';
import { assertSound } from './sound.ts';
import { findVersions } from './successions.store.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly objects: Pick<Objects, 'open'>;
  readonly rendering: Pick<Rendering, 'poll' | 'openPage' | 'readPageText'>;
  readonly metadata: Metadata;
  readonly clock: Clock;
  readonly log: Log;
}

type Image = NonNullable<Awaited<ReturnType<Rendering['openPage']>>>;

export interface Download {
  readonly fileName: string;
  readonly size: number;
  readonly body: Readable;
}

interface DownloadRequest {
  readonly id: string;
  /** Where the bytes go. The mark is set when it has taken all but the last one (D10), so that whoever has the whole file finds it marked. */
  readonly target: Writable;
}

/**
 * One document of the caller: what it says, its pages, its bytes, and what the caller did with it. Every method throws
 * DOCUMENT_NOT_FOUND_ERROR for a document that is not the caller's, whatever the reason, and STORAGE_ERROR instead of showing or handing out
 * one whose stored bytes are no longer those that were published (D18). Lists are another room's; checks are in checks.service.ts.
 */
export interface Documents {
  get(caller: ClientCaller, id: string): Promise<DocumentDetails>;
  /** Asks for the page images and waits a moment for them. Throws RENDER_ERROR when they could not be made, STORAGE_ERROR when it was for want of a store or disk. */
  render(caller: ClientCaller, request: { id: string; width: number; page?: number | undefined }): Promise<RenderResult>;
  /** Throws RESOURCE_NOT_FOUND for a page that does not exist or is not there yet. */
  openPage(caller: ClientCaller, request: { id: string; page: number; width: number }): Promise<Image>;
  /** Throws RESOURCE_NOT_FOUND for a page that does not exist, RENDER_ERROR for one that cannot be read. */
  getPageText(caller: ClientCaller, request: { id: string; page: number }): Promise<PageText>;
  download(caller: ClientCaller, request: DownloadRequest): Promise<Download>;
  /** Throws RESOURCE_NOT_FOUND for a page that the document does not have. */
  markPage(caller: ClientCaller, request: { id: string; page: number }): Promise<void>;
  markRead(caller: ClientCaller, id: string): Promise<void>;
}

export const createDocumentService = ({ db, objects, rendering, metadata, clock, log }: Parts): Documents => {
  const get = async (caller: ClientCaller, id: string): Promise<OwnDocument> => {
    const document = await findOwnDocument(db, caller, id);
    if (document === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
    return document;
  };

  const getSound = async (caller: ClientCaller, id: string): Promise<OwnDocument> => assertSound(await get(caller, id), log);

  const markDownloaded = async (caller: ClientCaller, { id, target }: DownloadRequest): Promise<void> => {
    if (target.writableNeedDrain) await Promise.race([once(target, 'drain'), once(target, 'close')]).catch(() => undefined);
    if (target.destroyed) return;
    try {
      await markOwnDocuments(db, caller, { ids: [id], mark: 'downloaded_at', at: clock.now() });
    } catch (error) {
      // The bytes are right and on their way; a missing mark only keeps the row bold.
      log.error({ err: error, documentId: id }, 'a download could not be marked');
    }
  };

  return {
    async get(caller, id) {
      const document = await get(caller, id);
      const [definitions, versions] = await Promise.all([
        metadata.definitions(),
        findVersions(db, id, (ids) => findOwnDocuments(db, caller, ids)),
      ]);
      return {
        ...versions,
        id: document.id,
        state: document.state,
        metadata: definitions.toMap(document, caller),
        corrupted: document.corrupted,
        deleted: false,
        published: true,
        read: document.read_at?.getTime() ?? null,
        downloaded: document.downloaded_at?.getTime() ?? null,
        pageCount: document.page_count,
        pageSizes: unpackPageSizes(document.page_sizes, document.page_count),
        pagesReached: document.pages ?? [],
      };
    },

    async render(caller, { id, width, page }) {
      const { object_key: objectKey, sha256, page_count: pages } = await getSound(caller, id);
      const progress = await rendering.poll(
        { objectKey, sha256, pages },
        { width, page, waitMs: viewerLimits.firstAnswerWaitMs, client: caller.personalId },
      );
      if (progress.failed) throw renderFailure(progress, `document ${id}`);
      return renderResultOf(progress, { pages, urlOf: (of) => `/api/protected/documents/render/page/${id}/${of}?width=${width}` });
    },

    async openPage(caller, { id, page, width }) {
      const { object_key: objectKey, sha256, page_count: pages } = await getSound(caller, id);
      const view = { width, page, client: caller.personalId };
      const image = page > pages ? undefined : await rendering.openPage({ objectKey, sha256, pages }, view);
      if (image === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
      return image;
    },

    async getPageText(caller, { id, page }) {
      const { object_key: objectKey, sha256, page_count: pages } = await getSound(caller, id);
      if (page > pages) throw new PortalError('RESOURCE_NOT_FOUND');
      return rendering.readPageText({ objectKey, sha256, pages }, { page, client: caller.personalId });
    },

    async download(caller, request) {
      const { id } = request;
      const document = await getSound(caller, id);
      const { size } = document.registered ?? document;
      const body = await openVerified({ db, objects, log }, document, () => markDownloaded(caller, request));
      return { fileName: document.file_name, size, body };
    },

    async markPage(caller, { id, page }) {
      const pageCount = await markOwnPage(db, caller, { id, page });
      if (pageCount === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
      if (page > pageCount) throw new PortalError('RESOURCE_NOT_FOUND');
    },

    async markRead(caller, id) {
      const marked = await markOwnDocuments(db, caller, { ids: [id], mark: 'read_at', at: clock.now() });
      if (marked === 0) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
    },
  };
};
