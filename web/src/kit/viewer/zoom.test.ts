import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextZoom, percentAt, rotatedRight, turned, widthAt, type Rotation } from './zoom.ts';

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

  const percents = fc.integer({ min: 1, max: 1_000 });

  test('steps in end at 400 %, steps out at 50 % or at the width of a narrower view', () => {
    fc.assert(
      fc.property(percents, fc.integer({ min: 1, max: 150 }), (start, fit) => {
        const walk = (direction: 1 | -1): number[] => {
          const seen = [start];
          for (let step = nextZoom(start, direction, fit); step !== undefined; step = nextZoom(seen.at(-1) ?? start, direction, fit))
            seen.push(typeof step === 'number' ? step : fit);
          return seen;
        };
        const inwards = walk(1);
        const outwards = walk(-1);
        expect(inwards).toEqual(inwards.toSorted((a, b) => a - b));
        expect(outwards).toEqual(outwards.toSorted((a, b) => b - a));
        expect(inwards.at(-1)).toBe(Math.max(start, 400));
        expect(outwards.at(-1)).toBe(Math.min(start, 50, fit));
      }),
    );
  });

  test('zooming in and out again on a phone fits the page to the width again', () => {
    const fit = 46;
    expect(nextZoom(fit, 1, fit)).toBe(50);
    expect(nextZoom(50, -1, fit)).toBe('width');
    expect(nextZoom(fit, -1, fit)).toBeUndefined();
  });

  test('four turns to the right are none, and each turns the page’s shape', () => {
    const turns: Rotation[] = [0, 90, 180, 270];
    expect(turns.map(rotatedRight)).toEqual([90, 180, 270, 0]);
    expect(turns.map((rotation) => turned(a4, rotation).width)).toEqual([595, 842, 595, 842]);
  });
});
