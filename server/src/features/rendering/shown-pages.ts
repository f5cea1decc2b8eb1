import { viewerLimits, type PageText, type RenderResult } from '@pergamin/contract';
import { PortalError } from '#platform/http/errors.ts';
import type { Bytes } from '#platform/http/route.ts';
import type { RenderableObject, Rendering } from './rendering.service.ts';

/** A PDF whose pages the caller may see, as a route has found it. */
export interface ShownPdf extends RenderableObject {
  readonly id: string;
  /** The path of the call that answers one page image, with `:id` and `:page` in it. */
  readonly imagePath: string;
  /** The client in whose name the page is rendered; left out: a public page. */
  readonly client?: string;
}

/** The answers to the three calls of a viewer. */
export type ShownPages = ReturnType<typeof createShownPages>;

export const createShownPages = (rendering: Pick<Rendering, 'poll' | 'openPage' | 'readPageText'>) => ({
  /** Waits a moment for the page images. Throws RENDER_ERROR when they could not be made, STORAGE_ERROR when a store or disk failed. */
  async result(pdf: ShownPdf, { width, page }: { readonly width: number; readonly page?: number | undefined }): Promise<RenderResult> {
    const progress = await rendering.poll(pdf, { ...clientOf(pdf), width, page, waitMs: viewerLimits.firstAnswerWaitMs });
    if (progress.failed)
      throw new PortalError(progress.isStoreAtFault === true ? 'STORAGE_ERROR' : 'RENDER_ERROR', {
        cause: new Error(`the pages of ${pdf.id} could not be made`),
      });
    const { done, pagesReady, pagesFailed } = progress;
    const urlOf = (of: number): string => `${pdf.imagePath.replace(':id', pdf.id).replace(':page', String(of))}?width=${width}`;
    return {
      done,
      progress: done ? 100 : Math.min(99, Math.floor((100 * (pagesReady.length + pagesFailed.length)) / pdf.pages)),
      sources: pagesReady.map((of) => ({ page: of, url: urlOf(of) })),
      ...(pagesFailed.length === 0
        ? {}
        : { failed: pagesFailed.map(({ page: of, isFinal }) => ({ page: of, ...(isFinal ? {} : { url: urlOf(of) }) })) }),
    };
  },

  /** Throws RESOURCE_NOT_FOUND for a page that does not exist or cannot be drawn. */
  async image(pdf: ShownPdf, view: { readonly width: number; readonly page: number }): Promise<Bytes> {
    const image = view.page > pdf.pages ? undefined : await rendering.openPage(pdf, { ...clientOf(pdf), ...view });
    if (image === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
    const headers = pdf.client === undefined ? {} : { 'cache-control': 'private, no-store' };
    return { body: image.bytes, contentType: image.type, headers };
  },

  /**
   * Throws RESOURCE_NOT_FOUND for a page that does not exist, CALL_NOT_PERMITTED with Retry-After for one that took too long, RENDER_ERROR for one
   * that cannot be read.
   */
  async text(pdf: ShownPdf, page: number): Promise<PageText> {
    if (page > pdf.pages) throw new PortalError('RESOURCE_NOT_FOUND');
    return rendering.readPageText(pdf, { ...clientOf(pdf), page });
  },
});

const clientOf = ({ client }: ShownPdf): Pick<ShownPdf, 'client'> => (client === undefined ? {} : { client });
