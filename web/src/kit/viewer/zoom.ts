import type { PageSize } from './page-source.ts';

/** Fit to the width or the height of the view, or a percentage of the printed size. */
export type Zoom = 'width' | 'page' | number;
export type Rotation = 0 | 90 | 180 | 270;

export const zoomSteps: readonly number[] = [50, 75, 100, 125, 150, 200, 300, 400];

/** CSS pixels of an inch over points of an inch: 100 % is the printed size. */
const pixelsPerPoint = 96 / 72;
/** Wider than this a page is no easier to read, and its image no sharper. */
const widestFitPx = 960;

export const turned = (size: PageSize, rotation: Rotation): PageSize =>
  rotation % 180 === 0 ? size : { width: size.height, height: size.width };

/** How wide a page is drawn, in CSS pixels. `view` is the room inside the margins. */
export const widthAt = (zoom: Zoom, size: PageSize, view: PageSize): number => {
  if (zoom === 'width') return Math.max(1, Math.min(view.width, widestFitPx));
  if (zoom === 'page') return Math.max(1, Math.min(view.width, (view.height * size.width) / size.height));
  return size.width * pixelsPerPoint * (zoom / 100);
};

export const percentAt = (zoom: Zoom, size: PageSize, view: PageSize): number =>
  typeof zoom === 'number' ? zoom : Math.round((widthAt(zoom, size, view) / (size.width * pixelsPerPoint)) * 100);

/** The next step; undefined at the ends. Fitting to the width, `fitPercent`, is one of them: a phone, which has no list, gets back to it so. */
export const nextZoom = (percent: number, direction: 1 | -1, fitPercent: number): Zoom | undefined => {
  const steps = [...zoomSteps, fitPercent].filter((step) => (direction === 1 ? step > percent : step < percent));
  if (steps.length === 0) return undefined;
  const next = direction === 1 ? Math.min(...steps) : Math.max(...steps);
  return next === fitPercent ? 'width' : next;
};

export const rotatedRight = (rotation: Rotation): Rotation => {
  const next: Record<Rotation, Rotation> = { 0: 90, 90: 180, 180: 270, 270: 0 };
  return next[rotation];
};

const leastPercent = 50;
const mostPercent = 400;

/** A percentage within the bounds, whole; a page that fits at less than the least may be as small as that. */
export const boundedPercent = (percent: number, fitPercent: number): number =>
  Math.round(Math.max(Math.min(leastPercent, fitPercent), Math.min(mostPercent, percent)));

/** A part of a page, as shares of its height and width. */
export type PagePart = ReturnType<typeof partOf>;

/** A box in points, as shares of the page as it lies after being turned. */
export const partOf = ({ x, y, height }: Record<'x' | 'y' | 'height', number>, size: PageSize, rotation: Rotation) => {
  const [across, down] = [x / size.width, y / size.height];
  const tall = height / size.height;
  const places: Record<Rotation, readonly [left: number, top: number]> = {
    0: [across, down],
    90: [1 - down, across],
    180: [1 - across, 1 - down],
    270: [down, 1 - across],
  };
  const [left, top] = places[rotation];
  return { top, bottom: top + tall, left };
};
