import { windowLimits } from '@pergamin/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arrange } from './arrangement.ts';
import { zoneRect } from './geometry.ts';

const surfaces = fc.record({ width: fc.integer({ min: 870, max: 5000 }), height: fc.integer({ min: 300, max: 3000 }) });
const counts = fc.integer({ min: 1, max: 60 });
const surface = { width: 1440, height: 788 };

describe('tidying', () => {
  test('every window has a place wholly on the surface, and no two the same', () => {
    fc.assert(
      fc.property(counts, surfaces, (count, room) => {
        const { rects } = arrange(count, room);
        expect(rects).toHaveLength(count);
        for (const { x, y, width, height } of rects) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(x + width).toBeLessThanOrEqual(room.width);
          expect(y + height).toBeLessThanOrEqual(room.height);
          expect(width).toBeGreaterThanOrEqual(windowLimits.minWidthPx);
          expect(height).toBeGreaterThanOrEqual(windowLimits.minHeightPx);
        }
        expect(new Set(rects.map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
      }),
    );
  });

  test('in a grid no window lies on another, and each is large enough to read', () => {
    fc.assert(
      fc.property(counts, surfaces, (count, room) => {
        const { shape, rects } = arrange(count, room);
        if (shape === 'cascade') return;
        for (const [i, a] of rects.entries()) {
          expect(a.width).toBeGreaterThanOrEqual(320);
          expect(a.height).toBeGreaterThanOrEqual(200);
          for (const b of rects.slice(i + 1))
            expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(true);
        }
      }),
    );
  });

  test('two windows take the halves, four the quarters', () => {
    expect(arrange(2, surface).rects).toEqual([zoneRect('left', surface), zoneRect('right', surface)]);
    expect(arrange(4, surface).rects).toEqual(
      (['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const).map((zone) => zoneRect(zone, surface)),
    );
  });

  test('three windows: a wide one above two', () => {
    const [first, second, third] = arrange(3, surface).rects;
    expect(first?.width).toBe(surface.width - 2 * windowLimits.marginPx);
    expect(second?.y).toBe(third?.y);
    expect(second?.y).toBeGreaterThan(first?.y ?? Infinity);
  });

  test('forty windows stand in a cascade, each a title bar below the one it covers', () => {
    const { shape, rects } = arrange(40, surface);
    expect(shape).toBe('cascade');
    for (const [i, rect] of rects.entries()) {
      const next = rects[i + 1];
      if (next && next.y > rect.y) expect(next.y - rect.y).toBe(windowLimits.titleHeightPx);
    }
  });
});
