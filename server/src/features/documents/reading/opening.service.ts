import { viewerLimits, type AnswerOf, type calls, type DocumentDetails, type OpenedDocument } from '@pergamin/contract';
import type { Checks } from '#features/documents/checking/checks.service.ts';
import { assertSound } from '#features/documents/checking/sound.ts';
import { getOwnDocument, markOwnDocuments, type OwnDocument } from '#features/documents/own-documents.store.ts';
import type { DocumentsParts } from '#features/documents/parts.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import type { ListIgnoreMarkers } from './ignore-markers.ts';
import { pagesReached } from './details.ts';
import type { Reading } from './reading.service.ts';

interface Parts extends Pick<DocumentsParts, 'db' | 'clock' | 'log'> {
  readonly reading: Pick<Reading, 'get'>;
  readonly checks: Pick<Checks, 'check'>;
  readonly rendering: Pick<DocumentsParts['rendering'], 'openDrawn'>;
  readonly listMarkers: ListIgnoreMarkers;
}

interface Opening {
  readonly id: string;
  /** Of the page images that follow; left out: the opening alone is asked for. */
  readonly width?: number | undefined;
  /** The page in the viewport; left out: where reading goes on. */
  readonly page?: number | undefined;
}

/**
 * Checks a document and, when content and owner are right, marks its opening and, where a width is asked for, answers with it: its data, and the
 * page that its reading begins with, if that was rendered before (G8, F1). Throws what the check throws.
 */
export type OpenDocument = (caller: ClientCaller, opening: Opening) => Promise<AnswerOf<typeof calls.checkDocument>>;

export const createOpening = ({ db, reading, checks, rendering, listMarkers, clock, log }: Parts): OpenDocument => {
  const findDrawn = createFindDrawn(rendering);
  const findFirstPage = async (
    found: OwnDocument,
    { id, width, page }: Pick<Opening, 'id' | 'page'> & { readonly width: number },
  ): Promise<OpenedDocument['firstPage']> => {
    const { sha256, page_count: pageCount, read_at: readAt } = found;
    const first = page ?? (readAt === null ? nextPageToRead(pageCount, pagesReached(found)) : 1);
    return first > pageCount ? undefined : findDrawn({ id, sha256, page: first, width });
  };

  /** Only the first opening costs a statement, beside the search for the page. */
  const markOpened = async (caller: ClientCaller, { id, opened_at: openedAt }: OwnDocument): Promise<void> => {
    if (openedAt !== null) return;
    try {
      await markOwnDocuments(db, caller, { ids: [id], mark: 'opened_at', at: clock.now() });
    } catch (error) {
      // The client reads on.
      log.error({ err: error, documentId: id }, 'an opening could not be marked');
    }
  };

  const startReading = async (caller: ClientCaller, opening: Opening): Promise<OpenedDocument['firstPage']> => {
    const { width } = opening;
    const found = assertSound(await getOwnDocument(db, caller, opening.id), log);
    const [firstPage] = await Promise.all([
      width === undefined ? undefined : findFirstPage(found, { ...opening, width }),
      markOpened(caller, found),
    ]);
    return firstPage;
  };

  const open = async (caller: ClientCaller, opening: Opening): Promise<OpenedDocument | undefined> => {
    try {
      if (opening.width === undefined) {
        await startReading(caller, opening);
        return undefined;
      }
      const [document, markers, firstPage] = await Promise.all([
        reading.get(caller, opening.id),
        listMarkers(),
        startReading(caller, opening),
      ]);
      return firstPage === undefined || isDownloadOnly(document, markers) ? { document } : { document, firstPage };
    } catch (error) {
      // The viewer then asks for each part alone, and gets the error there.
      log.info({ err: error, documentId: opening.id }, 'the opening of a verified document failed');
      return undefined;
    }
  };

  return async (caller, opening) => {
    const checked = await checks.check(caller, { id: opening.id, isOpening: true });
    if (checked.status !== 'SHA_CIF_OK') return checked;
    const opened = await open(caller, opening);
    return opened === undefined ? checked : { ...checked, opened };
  };
};

interface FirstPage {
  readonly id: string;
  readonly sha256: string;
  readonly page: number;
  readonly width: number;
}

/** A dense screen begins with what was drawn ahead of time for all: that is there, and a sharper one follows. */
const createFindDrawn =
  (rendering: Parts['rendering']) =>
  async ({ id, sha256, page, width }: FirstPage): Promise<OpenedDocument['firstPage']> => {
    for (const drawnWidth of new Set([width, viewerLimits.defaultRenderWidthPx])) {
      const image = await rendering.openDrawn({ sha256 }, { width: drawnWidth, page });
      if (image === undefined || image.bytes.length > maxBytes) continue;
      const url = `/api/protected/documents/render/page/${id}/${page}?width=${drawnWidth}`;
      return { page, url, type: image.type, base64: Buffer.from(image.bytes).toString('base64') };
    }
    return undefined;
  };

/** Of an image inside the answer; a larger one is fetched alone, so that the window can show its progress. */
const maxBytes = 524_288;

const isDownloadOnly = ({ metadata }: DocumentDetails, markers: readonly string[]): boolean =>
  markers.some((marker) => Object.hasOwn(metadata, marker));

/** Where reading goes on: the first page that was not reached; page 1 when all were. */
const nextPageToRead = (pageCount: number, reached: readonly number[]): number => {
  const known = new Set(reached);
  for (let page = 1; page <= pageCount; page += 1) if (!known.has(page)) return page;
  return 1;
};
