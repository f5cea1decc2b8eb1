import { windowLimits } from '@pergamin/contract';

export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}
/** In px, from the top left corner of the surface: the part of the page between toolbar and tab strip. */
export interface Rect extends Point, Size {}

export const snapZones = ['left', 'right', 'top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export type SnapZone = (typeof snapZones)[number];
export type DropZone = SnapZone | 'full';
export type Edge = 'n' | 's' | 'e' | 'w' | 'ne' | 'nw' | 'se' | 'sw';

const { marginPx: margin, minWidthPx: minWidth, minHeightPx: minHeight, titleHeightPx: titleHeight } = windowLimits;
const snapReach = 16;
const cornerReach = 72;
const besideLastRoundPx = 12;

/** 80 % × 70 % of the body, at least 640 × 450, or the kind's own size; never more than the surface has. */
export function startSize({ body, surface, own }: { readonly body: Size; readonly surface: Size; readonly own?: Size | undefined }): Size {
  const wanted = own ?? {
    width: Math.max(windowLimits.defaultMinWidthPx, (body.width * windowLimits.defaultWidthPercent) / 100),
    height: Math.max(windowLimits.defaultMinHeightPx, (body.height * windowLimits.defaultHeightPercent) / 100),
  };
  const { width, height } = fitSize(wanted, surface);
  return { width: Math.round(width), height: Math.round(height) };
}

/** Where the n-th window starts: 10 % from the left, each 2.5 % further right and down, over again after four, and then a little beside the one that stands there. */
export function cascade({ body, surface, size, step }: Record<'body' | 'surface' | 'size', Size> & { readonly step: number }): Rect {
  const shift = (step % windowLimits.cascadeWrapsAfter) * windowLimits.cascadeStepPercent;
  const round = Math.floor(step / windowLimits.cascadeWrapsAfter);
  const x = ((windowLimits.cascadeStartPercent.x + shift) / 100) * body.width + round * besideLastRoundPx;
  const y = margin + ((windowLimits.cascadeStartPercent.y + shift) / 100) * body.height;
  return fitInside({ x: Math.round(x), y: Math.round(y), ...size }, surface);
}

/** Wholly inside the surface, with its margin where there is room for one. */
export function fitInside(rect: Rect, surface: Size): Rect {
  const size = fitSize(rect, surface);
  return {
    x: between(Math.min(margin, surface.width - size.width), rect.x, surface.width - size.width - margin),
    y: between(Math.min(margin, surface.height - size.height), rect.y, surface.height - size.height - margin),
    ...size,
  };
}

/** May hang over the sides and the bottom, but its title bar stays within reach: 155 px of it, at its full height. */
export function keepReachable(rect: Rect, surface: Size): Rect {
  const size = fitSize(rect, surface);
  const least = Math.min(minWidth, surface.width);
  return {
    x: between(least - size.width, rect.x, surface.width - least),
    y: between(0, rect.y, Math.max(0, surface.height - titleHeight)),
    ...size,
  };
}

export function moveBy(rect: Rect, delta: Point, surface: Size): Rect {
  return keepReachable({ ...rect, x: rect.x + delta.x, y: rect.y + delta.y }, surface);
}

interface Pull {
  readonly rect: Rect;
  readonly edge: Edge;
  readonly delta: Point;
  readonly surface: Size;
}

/** Pulls an edge or a corner; the opposite one stays. Not under 155 × 120, not beyond the surface. */
export function resizeBy({ rect, edge, delta, surface }: Pull): Rect {
  const right = rect.x + rect.width;
  const bottom = rect.y + rect.height;
  let { x, y } = rect;
  let [endX, endY] = [right, bottom];
  if (edge.includes('w')) x = between(Math.min(0, rect.x), rect.x + delta.x, right - minWidth);
  if (edge.includes('e')) endX = between(rect.x + minWidth, right + delta.x, Math.max(surface.width, right));
  if (edge.includes('n')) y = between(0, rect.y + delta.y, bottom - minHeight);
  if (edge.includes('s')) endY = between(rect.y + minHeight, bottom + delta.y, Math.max(surface.height, bottom));
  return keepReachable({ x, y, width: endX - x, height: endY - y }, surface);
}

export function dropZoneAt(point: Point, surface: Size): DropZone | undefined {
  const sideWithin = (reach: number): 'left' | 'right' | undefined =>
    point.x <= reach ? 'left' : point.x >= surface.width - reach ? 'right' : undefined;
  const rowWithin = (reach: number): 'top' | 'bottom' | undefined =>
    point.y <= reach ? 'top' : point.y >= surface.height - reach ? 'bottom' : undefined;
  const [side, row] = [sideWithin(snapReach), rowWithin(snapReach)];
  const [nearSide, nearRow] = [sideWithin(cornerReach), rowWithin(cornerReach)];
  if (nearSide && nearRow && (side || row)) return `${nearRow}-${nearSide}`;
  return side ?? (row === 'top' ? 'full' : undefined);
}

export type Spot = DropZone | 'free';

/** The next spot of a window in one of four directions: sideways to the halves, up to full size, down to free, a half in two steps to a quarter. */
export function spotToward(spot: Spot, direction: Point): Spot {
  if (spot === 'free' || spot === 'full') {
    if (direction.x !== 0) return direction.x < 0 ? 'left' : 'right';
    return direction.y < 0 ? 'full' : 'free';
  }
  const rows = ['full', 'top', '', 'bottom', 'free'] as const;
  const [row, side] = spot.includes('-') ? spot.split('-') : ['', spot];
  const nextRow = rows[rows.findIndex((other) => other === row) + direction.y] ?? 'free';
  if (nextRow === 'full' || nextRow === 'free') return nextRow;
  const isLeft = direction.x === 0 ? side === 'left' : direction.x < 0;
  if (nextRow === '') return isLeft ? 'left' : 'right';
  return isLeft ? `${nextRow}-left` : `${nextRow}-right`;
}

export function zoneRect(zone: DropZone, surface: Size): Rect {
  if (zone === 'full') return { x: 0, y: 0, ...surface };
  const half = { width: Math.floor((surface.width - 3 * margin) / 2), height: Math.floor((surface.height - 3 * margin) / 2) };
  const tall = zone === 'left' || zone === 'right';
  return {
    x: zone.endsWith('left') ? margin : 2 * margin + half.width,
    y: zone.startsWith('bottom') ? 2 * margin + half.height : margin,
    width: half.width,
    height: tall ? surface.height - 2 * margin : half.height,
  };
}

/** Those of the rects, from back to front, that lie wholly under another one. */
export function coveredOf(rects: readonly Rect[]): readonly boolean[] {
  return rects.map((below, i) => rects.slice(i + 1).some((above) => isInside(below, above)));
}

function isInside(inner: Rect, outer: Rect): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/** Depth of the k-th window from the back: 4, 6, 8 … 20. */
export function elevation(fromBack: number): number {
  return Math.min(windowLimits.elevationMax, windowLimits.elevationStart + windowLimits.elevationStep * fromBack);
}

function fitSize(size: Size, surface: Size): Size {
  const roomX = surface.width >= minWidth + 2 * margin ? surface.width - 2 * margin : surface.width;
  const roomY = surface.height >= minHeight + 2 * margin ? surface.height - 2 * margin : surface.height;
  return { width: between(Math.min(minWidth, roomX), size.width, roomX), height: between(Math.min(minHeight, roomY), size.height, roomY) };
}

export function isSameRect(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

function between(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
