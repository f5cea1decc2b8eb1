import { t } from '#platform/language.ts';
import type { PageViewerTexts } from './PageViewer.tsx';

/** A part of a document's window, told apart from that of another one. */
export const partName = (part: string, name: string | undefined): string =>
  name === undefined ? part : t('viewer.partOf', { part, name });

/** The sentences of the viewer for a document of so many pages; made once for each. `name`: where several may be open at once. */
export const viewerTexts = (count: number, name?: string): PageViewerTexts => ({
  toolbar: t('viewer.toolbar'),
  firstPage: t('viewer.firstPage'),
  previousPage: t('viewer.previousPage'),
  nextPage: t('viewer.nextPage'),
  lastPage: t('viewer.lastPage'),
  atStart: t('viewer.atStart'),
  atEnd: t('viewer.atEnd'),
  currentPage: t('viewer.currentPage'),
  ofTotal: (total) => t('viewer.ofTotal', { total }),
  zoom: t('viewer.zoom'),
  zoomIn: t('viewer.zoomIn'),
  zoomOut: t('viewer.zoomOut'),
  fitWidth: t('viewer.fitWidth'),
  fitPage: t('viewer.fitPage'),
  percent: (percent) => t('viewer.percent', { percent }),
  rotate: t('viewer.rotate'),
  thumbnails: (shown) => t(shown ? 'viewer.hideThumbnails' : 'viewer.thumbnails'),
  details: (shown) => t(shown ? 'viewer.hideDetails' : 'viewer.details'),
  pages: partName(t('viewer.pages'), name),
  thumbnailsPanel: partName(t('viewer.thumbnails'), name),
  detailsPanel: partName(t('viewer.details'), name),
  findBar: partName(t('viewer.find'), name),
  resizeDetails: t('viewer.resizeDetails'),
  reached: t('viewer.reached'),
  preparing: (percent) => t('viewer.preparing', { percent }),
  ready: t('viewer.ready'),
  pageOf: (page) => t('viewer.pageOf', { page, total: count }),
  loadingPage: (page) => t('viewer.loadingPage', { page }),
  pageFailed: (page) => t('viewer.pageFailed', { page }),
  tryAgain: t('error.tryAgain'),
  more: t('viewer.more'),
  asText: (shown) => t(shown ? 'viewer.asPages' : 'viewer.asText'),
  larger: t('viewer.largerText'),
  smaller: t('viewer.smallerText'),
  textSize: (percent) => t('viewer.textSize', { percent }),
  noText: t('viewer.noText'),
  picture: t('viewer.picture'),
  showPage: (page) => t('viewer.showPage', { page }),
  textFailed: t('viewer.textFailed'),
  find: t('viewer.find'),
  findPlaceholder: t('viewer.findPlaceholder'),
  findNext: t('viewer.findNext'),
  findPrevious: t('viewer.findPrevious'),
  findClose: t('viewer.findClose'),
  findNothing: t('viewer.findNothing'),
  findSearching: t('viewer.findSearching'),
  findPlace: (at, total) => t('viewer.findPlace', { at, total }),
  findTold: (at, total, page) => t('viewer.findTold', { at, total, page }),
  findUnread: (pages) => t('viewer.findUnread', { count: pages }),
});

/** Pages that are named when so few are missing. */
const namedPages = 2;

/** How far the reading is, and near its end what is missing. */
export const readingTexts = (count: number, reached: ReadonlySet<number>): { readonly text: string; readonly hint: string | undefined } => {
  const text = t('viewer.pagesRead', { read: reached.size, count });
  const missing = reached.size >= count - namedPages ? missingPages(count, reached) : [];
  if (missing.length === 0 || reached.size === 0) return { text, hint: undefined };
  const [page = 0] = missing;
  return {
    text,
    hint: missing.length === 1 ? t('viewer.missingPage', { page }) : t('viewer.missingPages', { pages: missing.join(', ') }),
  };
};

/** Where reading goes on: the first page that was not reached, the first of all when there is none. */
export const nextPageToRead = (count: number, reached: ReadonlySet<number>): number => missingPages(count, reached)[0] ?? 1;

/** The pages that were not reached, as `2–4, 7`. */
export const pagesLeft = (count: number, reached: ReadonlySet<number>): string => {
  const ranges: { from: number; to: number }[] = [];
  for (const page of missingPages(count, reached)) {
    const last = ranges.at(-1);
    if (last?.to === page - 1) last.to = page;
    else ranges.push({ from: page, to: page });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
};

const missingPages = (count: number, reached: ReadonlySet<number>): number[] =>
  Array.from({ length: count }, (_, index) => index + 1).filter((page) => !reached.has(page));
