import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { largestZoom, nextZoom, percentAt, rotatedRight, smallestZoom, turned, widthAt, zoomSteps, type Rotation } from './zoom.ts';

const sides = fc.integer({ min: 1, max: 15_000 });
const sizes = fc.record({ width: sides, height: sides });
const views = fc.record({ width: fc.integer({ min: 1, max: 4_000 }), height: fc.integer({ min: 1, max: 4_000 }) });
const a4 = { width: 595, height: 842 };

describe('zoom', () => {
  test('a page fitted to the width is never wider than its view, one fitted wholly never taller either', () => {
    fc.assert(
      fc.property(sizes, views, (size, view) => {
        expect(widthAt('width', size, view)).toBeLessThanOrEqual(view.width);
        const width = widthAt('page', size, view);
        expect(width).toBeLessThanOrEqual(view.width);
        // A page is at least one pixel wide, however thin it is.
        if (width > 1) expect((width * size.height) / size.width).toBeLessThanOrEqual(view.height + 1e-6);
      }),
    );
  });

  test('100 % is the printed size: 595 points are 793 pixels', () => {
    expect(Math.round(widthAt(100, a4, { width: 10, height: 10 }))).toBe(793);
    expect(widthAt(200, a4, { width: 10, height: 10 })).toBe(2 * widthAt(100, a4, { width: 10, height: 10 }));
  });

  test('the percentage of a fitted page leads back to its width', () => {
    fc.assert(
      fc.property(views, (view) => {
        const percent = percentAt('width', a4, view);
        const width = widthAt('width', a4, view);
        expect(Math.abs(widthAt(percent, a4, view) - width)).toBeLessThan(5);
      }),
    );
  });

  test('every step in goes further in until 400 %, every step out until 50 %', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), (percent) => {
        const larger = nextZoom(percent, 1);
        const smaller = nextZoom(percent, -1);
        expect(larger).toBeLessThanOrEqual(largestZoom);
        expect(smaller).toBeGreaterThanOrEqual(smallestZoom);
        if (percent < largestZoom) expect(larger).toBeGreaterThan(percent);
        if (percent > smallestZoom) expect(smaller).toBeLessThan(percent);
        expect(zoomSteps).toContain(larger);
        expect(zoomSteps).toContain(smaller);
      }),
    );
  });

  test('four turns to the right are none, and each turns the page’s shape', () => {
    const turns: Rotation[] = [0, 90, 180, 270];
    expect(turns.map(rotatedRight)).toEqual([90, 180, 270, 0]);
    expect(turns.map((rotation) => turned(a4, rotation).width)).toEqual([595, 842, 595, 842]);
  });
});
