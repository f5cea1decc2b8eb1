import { viewerLimits } from '@pergamin/contract';
import { type PageSize, sizeOf } from './page-source.ts';
import { type Rotation, turned, widthAt, type Zoom } from './zoom.ts';

/** The room for a page inside the margins, and the gap between pages. */
export interface PageArea extends PageSize {
  readonly gap: number;
}

export interface PageBox {
  /** CSS pixels from the top of all pages. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where every page lies: known before any image is, and without asking the browser, however many there are. */
export interface PageLayout {
  readonly boxes: readonly PageBox[];
  /** Of the widest page and the margins beside it. */
  readonly width: number;
  readonly height: number;
}

export const layOutPages = (parts: {
  readonly count: number;
  readonly sizes: readonly PageSize[];
  readonly zoom: Zoom;
  readonly rotation: Rotation;
  readonly area: PageArea;
}): PageLayout => {
  const { count, sizes, zoom, rotation, area } = parts;
  const boxes: PageBox[] = [];
  let top = area.gap;
  let widest = 0;
  for (let page = 1; page <= count; page += 1) {
    const size = turned(sizeOf(sizes, page), rotation);
    const width = widthAt(zoom, size, area);
    const height = (width * size.height) / size.width;
    boxes.push({ top, width, height });
    widest = Math.max(widest, width);
    top += height + area.gap;
  }
  return { boxes, width: widest + 2 * area.gap, height: top - area.gap + viewerLimits.bottomMarginPx };
};

/** The page whose box, or the gap below it, lies at `y`; the first one above all pages. Counted from 1. */
export const pageAt = ({ boxes }: PageLayout, y: number): number => Math.max(1, boxes.findLastIndex(({ top }) => top <= y) + 1);

/** The pages in view and `around` of them, each in its box; all of them when they are few. */
export const boxesAround = (
  { boxes }: PageLayout,
  { first, last }: Record<'first' | 'last', number>,
  { few, around }: Record<'few' | 'around', number>,
) => {
  const from = boxes.length <= few ? 1 : Math.max(1, first - around);
  const to = boxes.length <= few ? boxes.length : last + around;
  return boxes.slice(from - 1, to).map((box, index) => ({ page: from + index, box }));
};

/** Where the point that lay at `y` lies in another layout of the same pages: as far down the same page. */
export const movedY = (from: PageLayout, to: PageLayout, y: number): number => {
  const page = pageAt(from, y);
  const [before, after] = [from.boxes[page - 1], to.boxes[page - 1]];
  if (before === undefined || after === undefined) return y;
  const inside = y - before.top;
  if (inside <= 0) return after.top + inside;
  const beyond = Math.max(0, inside - before.height);
  return after.top + (Math.min(inside, before.height) / before.height) * after.height + beyond;
};
