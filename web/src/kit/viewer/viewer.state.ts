import type { Hit } from './find-text.ts';
import { layOutPages, type PageLayout, type PageArea } from './page-layout.ts';
import type { MarkPage } from './page-marks.ts';
import { type PageSize, type PageSource, sizeOf } from './page-source.ts';
import { nothingRendered, type RenderState } from './render-poll.ts';
import { percentAt, type Rotation, turned, type Zoom } from './zoom.ts';

export interface VisiblePages {
  /** What the page navigator shows. */
  readonly current: number;
  /** Pages that have come into the view far enough to count as reached. */
  readonly seen: readonly number[];
  /** Pages of which anything shows. */
  readonly first: number;
  readonly last: number;
}

export interface FindState {
  readonly isOpen: boolean;
  readonly query: string;
  /** The query is words of a search among documents: they need not stand together. */
  readonly isOfWords: boolean;
  /** In page order. */
  readonly hits: readonly Hit[];
  readonly chosen: Hit | undefined;
  readonly isSearching: boolean;
  /** Pages that could not be read, so that there may be more. */
  readonly unread: number;
}

export const nothingFound: Pick<FindState, 'hits' | 'isSearching' | 'unread' | 'chosen'> = {
  hits: [],
  isSearching: false,
  unread: 0,
  chosen: undefined,
};

/** What can change while a document is read; everything in it is replaced, never changed. */
export interface ViewerState {
  readonly rendering: RenderState;
  /** Of wider images, once they were asked for and are there. */
  readonly sharpUrls: RenderState['urls'];
  /** Of pages that could not be shown, and that the reader asked for again. */
  readonly retriedUrls: RenderState['urls'];
  readonly reached: ReadonlySet<number>;
  /** A page that came with the document is about to be painted: everything else waits for it. */
  readonly isOpening: boolean;
  readonly zoom: Zoom;
  readonly rotation: Rotation;
  /** Undefined until the scrolling area was measured. */
  readonly area: PageArea | undefined;
  readonly visible: VisiblePages;
  /** The page that the text was turned to; undefined while pages are pictures. */
  readonly textPage: number | undefined;
  readonly thumbnails: readonly number[];
  readonly find: FindState;
}

export interface ShownState extends ViewerState {
  /** Of the images to show: the sharper ones where they are there. */
  readonly urls: RenderState['urls'];
  /** Undefined while no pages are shown as pictures. */
  readonly layout: PageLayout | undefined;
  /** The page that is read, as a picture or as text. */
  readonly page: number;
  /** Nothing has come yet, and nothing has failed. */
  readonly isWaiting: boolean;
}

export interface ViewerOptions {
  readonly source: PageSource;
  readonly count: number;
  readonly sizes: readonly PageSize[];
  readonly reachedBefore?: readonly number[];
  readonly startPage: number;
  /** Words of a search: they are marked, and their first place from the start page on is shown. */
  readonly wordsSearched?: string | undefined;
  /** Marks a page as reached, once for each further page; again when one that could not be shown is shown after all. */
  readonly mark?: MarkPage;
}

export interface ViewerParts extends ViewerOptions {
  readonly getState: () => ShownState;
  readonly update: (part: Partial<ViewerState>) => void;
}

export const initialState = ({ source, reachedBefore, startPage, wordsSearched }: ViewerOptions): ViewerState => ({
  rendering: nothingRendered,
  sharpUrls: new Map(),
  retriedUrls: new Map(),
  reached: new Set(reachedBefore),
  isOpening: source.embedded !== undefined,
  zoom: 'width',
  rotation: 0,
  area: undefined,
  visible: { current: startPage, seen: [], first: startPage, last: startPage },
  textPage: undefined,
  thumbnails: [],
  // A document that a search led to begins with the words that were searched.
  find: { ...nothingFound, isOpen: wordsSearched !== undefined, query: wordsSearched ?? '', isOfWords: wordsSearched !== undefined },
});

/** What follows from `next`; what has not changed since `before` is the same object. */
export const derive = (next: ViewerState, before: ShownState | undefined, { source, count, sizes }: ViewerOptions): ShownState => {
  const { embedded } = source;
  const { rendering, sharpUrls, retriedUrls, zoom, rotation, area, textPage } = next;
  const brought: [number, string][] = embedded === undefined ? [] : [[embedded.page, embedded.url]];
  const hasSameUrls = before?.rendering === rendering && before.sharpUrls === sharpUrls && before.retriedUrls === retriedUrls;
  const urls = hasSameUrls ? before.urls : new Map([...brought, ...retriedUrls, ...rendering.urls, ...sharpUrls]);
  const isWaiting = rendering.status === 'rendering' && urls.size === 0 && rendering.failed.size === 0;
  const isShown = rendering.status !== 'failed' && !isWaiting && textPage === undefined;
  const hasSameLayout = before?.layout !== undefined && before.zoom === zoom && before.rotation === rotation && before.area === area;
  const layout = hasSameLayout ? before.layout : area && layOutPages({ count, sizes, zoom, rotation, area });
  return { ...next, urls, isWaiting, layout: isShown ? layout : undefined, page: textPage ?? next.visible.current };
};

/** What the zoom, or another one, amounts to on the page that is read. */
export const percentOf = (state: ShownState, sizes: readonly PageSize[], zoom: Zoom = state.zoom): number =>
  state.area === undefined ? 100 : percentAt(zoom, turned(sizeOf(sizes, state.page), state.rotation), state.area);

/** Every page was reached, and every image is there or its page says that it cannot be shown (F5). Nobody has read what had no page to see. */
export const isFinished = ({ rendering, reached }: ViewerState, count: number): boolean =>
  rendering.status === 'done' && count > 0 && reached.size >= count && rendering.failed.size < count;

/** Nearest first: how far the pages lie from the one that is read. */
const nearPages = [0, 1, -1, 2, -2, 3, 4, 5];

export const pagesAround = (current: number, count: number): readonly number[] =>
  nearPages.map((distance) => current + distance).filter((page) => page >= 1 && page <= count);
