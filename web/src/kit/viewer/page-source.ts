import type { PageText, RenderResult } from '@pergamin/contract';

export interface PageSize {
  /** Points (1/72 inch), after the page's own rotation. */
  readonly width: number;
  readonly height: number;
}

export interface PageRequest {
  /** Pixels of the image. */
  readonly width: number;
  readonly page: number;
}

/** Where pages come from. All calls carry the session's token, so an <img> cannot ask by itself. */
export interface PageSource {
  /** Asks for the page images of this width, first for that of this page; asked again until `done`. */
  readonly poll: (request: PageRequest, signal: AbortSignal) => Promise<RenderResult>;
  readonly load: (url: string, signal: AbortSignal) => Promise<Blob>;
  /** The text of a page. Without it nothing can be selected, found or read as text. */
  readonly text?: (page: number, signal: AbortSignal) => Promise<PageText>;
  /** A page whose image came with the document itself: it is shown before anything else is asked for. */
  readonly embedded?: EmbeddedPage | undefined;
}

export interface EmbeddedPage {
  readonly page: number;
  readonly url: string;
  readonly bytes: Blob;
}

/** One entry stands for all pages when they are alike. A page without size takes the place of an ordinary one. */
export const sizeOf = (sizes: readonly PageSize[], page: number): PageSize =>
  [sizes[page - 1], sizes[0]].find((size) => size !== undefined && size.width > 0 && size.height > 0) ?? { width: 595, height: 842 };
