import { windowLimits } from '@pergamin/contract';
import { fitInside, type Rect, type Size } from './geometry.ts';

export interface Arrangement {
  /** `grid`: side by side, in the order given. `cascade`: each a title bar lower than the one before, which it covers. */
  readonly shape: 'grid' | 'cascade';
  readonly rects: readonly Rect[];
}

const { marginPx: margin, titleHeightPx: titleHeight } = windowLimits;
/** Narrower or lower than this nothing can be read: then title bars in a cascade are of more use than a grid. */
const leastCell: Size = { width: 320, height: 200 };
const bestShape = 4 / 3;
const cascadeShare = 0.5;
const cascadeStepX = 28;

/** Places for so many windows at once: a grid that fills the surface, or a cascade when the cells would be too small. */
export function arrange(count: number, surface: Size): Arrangement {
  const grids = Array.from({ length: count }, (_, i) => gridOf(count, i + 1, surface)).filter((rects) =>
    rects.every(({ width, height }) => width >= leastCell.width && height >= leastCell.height),
  );
  const [best] = grids.toSorted((a, b) => distortion(a) - distortion(b));
  return best ? { shape: 'grid', rects: best } : { shape: 'cascade', rects: cascadeOf(count, surface) };
}

/** Rows of equal height; when they cannot be equally full, the first ones have a window less. */
function gridOf(count: number, rows: number, surface: Size): readonly Rect[] {
  const least = Math.floor(count / rows);
  const fuller = count % rows;
  const height = share(surface.height, rows);
  return Array.from({ length: rows }, (_, row) => {
    const columns = least + (row >= rows - fuller ? 1 : 0);
    const width = share(surface.width, columns);
    return Array.from({ length: columns }, (__, column) => ({
      x: margin + column * (width + margin),
      y: margin + row * (height + margin),
      width,
      height,
    }));
  }).flat();
}

/** Diagonals of title bars, as many beside each other as it takes. */
function cascadeOf(count: number, surface: Size): readonly Rect[] {
  const size: Size = { width: Math.round(surface.width * cascadeShare), height: Math.round(surface.height * cascadeShare) };
  const room: Size = { width: surface.width - 2 * margin - size.width, height: surface.height - 2 * margin - size.height };
  const perDiagonal = Math.max(1, Math.floor(room.height / titleHeight) + 1);
  const diagonals = Math.ceil(count / perDiagonal);
  const stepX = Math.min(cascadeStepX, Math.max(0, room.width / perDiagonal / 2));
  const apart = diagonals > 1 ? Math.max(0, room.width - (perDiagonal - 1) * stepX) / (diagonals - 1) : 0;
  return Array.from({ length: count }, (_, i) => {
    const step = i % perDiagonal;
    const diagonal = Math.floor(i / perDiagonal);
    return fitInside({ x: Math.round(margin + diagonal * apart + step * stepX), y: margin + step * titleHeight, ...size }, surface);
  });
}

function share(length: number, parts: number): number {
  return Math.floor((length - (parts + 1) * margin) / parts);
}

/** How far the narrowest cell is from the shape that reads best. */
function distortion(rects: readonly Rect[]): number {
  const [narrowest] = rects.toSorted((a, b) => a.width - b.width);
  return narrowest ? Math.abs(Math.log(narrowest.width / narrowest.height / bestShape)) : Infinity;
}
