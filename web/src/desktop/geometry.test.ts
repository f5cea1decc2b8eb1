import { windowLimits } from '@pergamin/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cascade,
  dropZoneAt,
  elevation,
  fitInside,
  keepReachable,
  moveBy,
  type Rect,
  resizeBy,
  type Size,
  snapZones,
  startSize,
  zoneRect,
} from './geometry.ts';

const surfaces = fc.record({ width: fc.integer({ min: 320, max: 5000 }), height: fc.integer({ min: 300, max: 3000 }) });
const distance = fc.integer({ min: -8000, max: 8000 });
const points = fc.record({ x: distance, y: distance });
const rects = fc.record({ x: distance, y: distance, width: fc.integer({ min: 1, max: 6000 }), height: fc.integer({ min: 1, max: 4000 }) });
const edges = fc.constantFrom('n', 's', 'e', 'w', 'ne', 'nw', 'se', 'sw');

/** Enough of the title bar to take hold of it is on the surface. */
function isReachable(rect: Rect, surface: Size): boolean {
  const seen = Math.min(rect.x + rect.width, surface.width) - Math.max(rect.x, 0);
  return seen >= Math.min(windowLimits.minWidthPx, surface.width) && rect.y >= 0 && rect.y <= surface.height - windowLimits.titleHeightPx;
}

describe('places of windows', () => {
  test('no window is lost off screen, wherever it is moved', () => {
    fc.assert(
      fc.property(rects, points, surfaces, (rect, delta, surface) => {
        expect(isReachable(moveBy(rect, delta, surface), surface)).toBe(true);
      }),
    );
  });

  test('no window is lost off screen when the browser becomes smaller', () => {
    fc.assert(
      fc.property(rects, surfaces, (rect, surface) => {
        expect(isReachable(keepReachable(rect, surface), surface)).toBe(true);
      }),
    );
  });

  test('what is brought within reach once stays where it is', () => {
    fc.assert(
      fc.property(rects, surfaces, (rect, surface) => {
        const once = keepReachable(rect, surface);
        expect(keepReachable(once, surface)).toEqual(once);
      }),
    );
  });

  test('a resized window is never narrower than 155 px, and never out of reach', () => {
    fc.assert(
      fc.property(rects, edges, points, surfaces, (start, edge, delta, surface) => {
        const after = resizeBy({ rect: keepReachable(start, surface), edge, delta, surface });
        expect(isReachable(after, surface)).toBe(true);
        expect(after.width).toBeGreaterThanOrEqual(windowLimits.minWidthPx);
        expect(after.height).toBeGreaterThanOrEqual(windowLimits.minHeightPx);
      }),
    );
  });

  test('pulling the right or lower edge leaves the upper left corner where it is', () => {
    fc.assert(
      fc.property(rects, points, surfaces, (start, delta, surface) => {
        const rect = fitInside(start, surface);
        const after = resizeBy({ rect, edge: 'se', delta, surface });
        expect({ x: after.x, y: after.y }).toEqual({ x: rect.x, y: rect.y });
      }),
    );
  });

  test.each([
    [-50, { x: 50, width: 450 }],
    [40, { x: 140, width: 360 }],
    [1_000, { x: 500 - windowLimits.minWidthPx, width: windowLimits.minWidthPx }],
  ])('pulling the left edge by %i px leaves the right one where it is', (x, expected) => {
    const rect = { x: 100, y: 100, width: 400, height: 300 };
    const after = resizeBy({ rect, edge: 'w', delta: { x, y: 0 }, surface: { width: 1200, height: 800 } });
    expect(after).toEqual({ ...rect, ...expected });
  });

  test('the first window starts 10 % from the left, each next one 2.5 % further, and the fifth a little beside the first', () => {
    const body = { width: 1600, height: 900 };
    const surface = { width: 1600, height: 788 };
    const size = { width: 400, height: 300 };
    const starts = [0, 1, 2, 3, 4].map((step) => cascade({ body, surface, size, step }));
    expect(starts.map(({ x }) => x)).toEqual([160, 200, 240, 280, 172]);
    expect(starts[0]?.y).toBe(windowLimits.marginPx);
    expect(starts[1]?.y).toBeGreaterThan(starts[0]?.y ?? Infinity);
  });

  test('a new window lies wholly on the surface', () => {
    fc.assert(
      fc.property(surfaces, fc.integer({ min: 0, max: 60 }), (surface, step) => {
        const body = { width: surface.width, height: surface.height + 112 };
        const rect = cascade({ body, surface, size: startSize({ body, surface }), step });
        expect(rect.x).toBeGreaterThanOrEqual(0);
        expect(rect.y).toBeGreaterThanOrEqual(0);
        expect(rect.x + rect.width).toBeLessThanOrEqual(surface.width);
        expect(rect.y + rect.height).toBeLessThanOrEqual(surface.height);
      }),
    );
  });

  test('the size is 80 % by 70 % of the body, at least 640 by 450, or the kind’s own', () => {
    const surface = { width: 2000, height: 1500 };
    expect(startSize({ body: { width: 1440, height: 900 }, surface })).toEqual({ width: 1152, height: 630 });
    expect(startSize({ body: { width: 700, height: 500 }, surface })).toEqual({ width: 640, height: 450 });
    expect(startSize({ body: { width: 1440, height: 900 }, surface, own: windowLimits.accountSizePx })).toEqual(windowLimits.accountSizePx);
  });

  test('two halves, or four quarters, fill the surface side by side without lying on each other', () => {
    fc.assert(
      fc.property(surfaces, (surface) => {
        const [left, right] = [zoneRect('left', surface), zoneRect('right', surface)];
        expect(left.x + left.width).toBeLessThan(right.x);
        const [above, below] = [zoneRect('top-left', surface), zoneRect('bottom-left', surface)];
        expect(above.y + above.height).toBeLessThan(below.y);
        for (const zone of snapZones) {
          const rect = zoneRect(zone, surface);
          expect(rect.x + rect.width).toBeLessThanOrEqual(surface.width);
          expect(rect.y + rect.height).toBeLessThanOrEqual(surface.height);
        }
      }),
    );
  });

  test('edges and corners are drop zones, the middle is not', () => {
    const surface = { width: 1000, height: 600 };
    expect(dropZoneAt({ x: 3, y: 300 }, surface)).toBe('left');
    expect(dropZoneAt({ x: 998, y: 300 }, surface)).toBe('right');
    expect(dropZoneAt({ x: 500, y: 2 }, surface)).toBe('full');
    expect(dropZoneAt({ x: 2, y: 40 }, surface)).toBe('top-left');
    expect(dropZoneAt({ x: 950, y: 599 }, surface)).toBe('bottom-right');
    expect(dropZoneAt({ x: 500, y: 300 }, surface)).toBeUndefined();
  });

  test('depth grows by 2 from 4 and ends at 20', () => {
    expect([0, 1, 7, 8, 9, 40].map(elevation)).toEqual([4, 6, 18, 20, 20, 20]);
  });
});
