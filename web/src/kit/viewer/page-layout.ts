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
export const pageAt = ({ boxes }: PageLayout, y: number): number => {
  let low = 0;
  let high = boxes.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((boxes[middle]?.top ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return low + 1;
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
