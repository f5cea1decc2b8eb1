import { windowLimits } from '@pergamin/contract';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { catalogue } from './desktop.fixture.tsx';
import { createDesktop, type Desktop } from './desktop.store.ts';
import { type Size, snapZones } from './geometry.ts';
import { layoutKey } from './layout.ts';
import { focusedId, mostWindows } from './windows.state.ts';
import { freshTab } from '#platform/page.fixture.tsx';

beforeEach(() => freshTab('EN'));

beforeEach(async () => {
  sessionStorage.clear();
  await page.viewport(1280, 800);
});

const user = 'client';
const create = (storage: Storage = sessionStorage, surface: Size = { width: 1280, height: 688 }, opensBeside = () => false): Desktop => {
  const desktop = createDesktop({ catalogue, keep: { storage, user }, opensBeside });
  desktop.geometry.setSurface(surface, surface);
  return desktop;
};
const ids = (desktop: Desktop) => desktop.getState().windows.map(({ id }) => id);
const places = (desktop: Desktop) => ids(desktop).map((id) => [id, desktop.geometry.findPlace(id)]);

type Step = (desktop: Desktop) => unknown;
const which = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const px = fc.integer({ min: -9000, max: 9000 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  which.map(
    (id): Step =>
      (desktop) =>
        desktop.open('document', { id }),
  ),
  fc.constant<Step>((desktop) => desktop.open('received')),
  which.map(
    (id): Step =>
      (desktop) =>
        desktop.close(`document:${id}`),
  ),
  which.map(
    (id): Step =>
      (desktop) =>
        desktop.focus(`document:${id}`),
  ),
  which.map(
    (id): Step =>
      (desktop) =>
        desktop.maximise(`document:${id}`),
  ),
  which.map(
    (id): Step =>
      (desktop) =>
        desktop.restore(`document:${id}`),
  ),
  which.map(
    (id): Step =>
      (desktop) =>
        desktop.retitle(`document:${id}`, 'Umowa'),
  ),
  fc.tuple(which, fc.constantFrom(...snapZones)).map(
    ([id, zone]): Step =>
      (desktop) =>
        ids(desktop).includes(`document:${id}`) && desktop.snap(`document:${id}`, zone),
  ),
  fc.tuple(which, px, px, fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 1, max: 9000 })).map(
    ([id, x, y, width, height]): Step =>
      (desktop) =>
        ids(desktop).includes(`document:${id}`) && desktop.geometry.moveTo(`document:${id}`, { x, y, width, height }),
  ),
  fc.boolean().map(
    (shown): Step =>
      (desktop) =>
        desktop.showDesk(shown),
  ),
  fc.constant<Step>((desktop) => desktop.tidy()),
  fc.record({ width: fc.integer({ min: 320, max: 4000 }), height: fc.integer({ min: 200, max: 2500 }) }).map(
    (surface): Step =>
      (desktop) =>
        desktop.geometry.setSurface(surface, surface),
  ),
);

/** Does one after the other, and looks after each. */
const run = async (taken: readonly Step[], look: (desktop: Desktop, before: readonly string[]) => void): Promise<Desktop> => {
  sessionStorage.clear();
  const desktop = create();
  for (const step of taken) {
    const before = ids(desktop);
    await step(desktop);
    look(desktop, before);
  }
  return desktop;
};

describe('whatever is done to the windows', () => {
  test('the title bar of each stays within reach', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 25 }), (taken) =>
        run(taken, (desktop) => {
          const surface = desktop.geometry.surface();
          for (const id of ids(desktop)) {
            const { x, y, width } = desktop.geometry.rectOf(id);
            const seen = Math.min(x + width, surface.width) - Math.max(x, 0);
            expect(seen).toBeGreaterThanOrEqual(Math.min(windowLimits.minWidthPx, surface.width));
            expect(y).toBeGreaterThanOrEqual(0);
            expect(y).toBeLessThanOrEqual(surface.height - windowLimits.titleHeightPx);
          }
        }).then(() => undefined),
      ),
    );
  });

  test('half of a small surface is no less than a window needs', () => {
    const desktop = create(sessionStorage, { width: 320, height: 200 });
    desktop.open('received');
    for (const zone of snapZones) {
      desktop.snap('received', zone);
      const { x, y, width, height } = desktop.geometry.rectOf('received');
      expect([zone, width, height]).toEqual([zone, Math.max(width, windowLimits.minWidthPx), Math.max(height, windowLimits.minHeightPx)]);
      expect([zone, x >= 0 && x + width <= 320, y >= 0 && y + height <= 200]).toEqual([zone, true, true]);
    }
  });

  test('the focused one is the last in the order, and the others keep their places in the document', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 25 }), (taken) =>
        run(taken, (desktop, before) => {
          const state = desktop.getState();
          expect([...state.order].sort()).toEqual([...ids(desktop)].sort());
          if (!state.deskShown) expect(focusedId(state)).toBe(state.order.at(-1));
          const now = ids(desktop);
          expect(now.filter((id) => before.includes(id))).toEqual(before.filter((id) => now.includes(id)));
        }).then(() => undefined),
      ),
    );
  });

  test('a reload brings back what was there', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 25 }), async (taken) => {
        const desktop = await run(taken, () => undefined);
        const again = create(sessionStorage, desktop.geometry.surface());
        expect(again.getState()).toEqual({ ...desktop.getState(), deskShown: false });
        expect(places(again)).toEqual(places(desktop));
      }),
    );
  });

  test('tidying twice puts everything back where it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 25 }), async (taken) => {
        const desktop = await run(taken, () => undefined);
        if (ids(desktop).length === 0) return;
        // Whatever was tidied before is forgotten by a change.
        const [first = ''] = ids(desktop);
        desktop.restore(first);
        desktop.geometry.put(first, { free: { x: 11, y: 12, width: 301, height: 302 } });
        const before = { windows: desktop.getState().windows, places: places(desktop) };
        expect(desktop.tidy()).toBe('tidied');
        expect(desktop.getState().windows.some(({ maximised }) => maximised)).toBe(false);
        expect(desktop.tidy()).toBe('undone');
        expect({ windows: desktop.getState().windows, places: places(desktop) }).toEqual(before);
        expect(desktop.tidy()).toBe('tidied');
      }),
    );
  });
});

describe('a browser of another size', () => {
  test('a window wider than the screen is drawn within it, and is as wide as before on a large screen again', () => {
    const desktop = create();
    desktop.open('document', { id: 'a' });
    const wanted = { x: 700, y: 300, width: 560, height: 380 };
    desktop.geometry.put('document:a', { free: wanted });
    desktop.geometry.setSurface({ width: 390, height: 844 }, { width: 390, height: 844 });
    expect(desktop.geometry.rectOf('document:a').width).toBeLessThanOrEqual(390);
    desktop.geometry.setSurface({ width: 1280, height: 688 }, { width: 1280, height: 800 });
    expect(desktop.geometry.rectOf('document:a')).toEqual(wanted);
  });

  test('a layout saved on a large screen is within reach on a small one', () => {
    const large = create(sessionStorage, { width: 3840, height: 2000 });
    large.open('received');
    large.geometry.put('received', { free: { x: 3000, y: 1800, width: 800, height: 700 } });
    const small = create(sessionStorage, { width: 1000, height: 600 });
    const { x, y, width, height } = small.geometry.rectOf('received');
    expect(x).toBeLessThanOrEqual(1000 - windowLimits.minWidthPx);
    expect(y).toBeLessThanOrEqual(600 - windowLimits.titleHeightPx);
    expect(width).toBeLessThanOrEqual(1000);
    expect(height).toBeLessThanOrEqual(600);
  });
});

describe('the kept layout', () => {
  const layout = (windows: readonly object[], order: readonly string[]) => JSON.stringify({ windows, order });
  const saved = (id: string, kind: string, params = {}) => ({ id, kind, params, maximised: false });

  test.each([
    ['nothing at all', ''],
    ['half of one', '{"windows":[{"id":"rece'],
    ['another program’s', '{"tabs":[1,2,3]}'],
    ['a window without a size', layout([{ ...saved('received', 'received'), place: { free: { x: 1, y: 1, width: 0, height: 5 } } }], [])],
    ['a kind that does not exist', layout([saved('spy', 'spy')], ['spy'])],
    ['the statute, which is never kept', layout([saved('statute', 'statute')], ['statute'])],
    ['an id that is not the window’s own', layout([saved('document:b', 'document', { id: 'a' })], ['document:b'])],
  ])('is left alone when it is %s', (_, text) => {
    sessionStorage.setItem(layoutKey(user), text);
    expect(ids(create())).toEqual([]);
  });

  test('of another person is neither shown nor kept', () => {
    const other = createDesktop({ catalogue, keep: { storage: sessionStorage, user: 'other' } });
    other.open('document', { id: 'secret', title: 'Umowa' });
    expect(sessionStorage.getItem(layoutKey('other'))).toContain('secret');
    expect(ids(create())).toEqual([]);
    expect(sessionStorage.getItem(layoutKey('other'))).toBeNull();
  });

  test('has as many windows as can be used, the ones in front', () => {
    const all = Array.from({ length: 200 }, (_, i) => saved(`document:${i}`, 'document', { id: String(i) }));
    sessionStorage.setItem(layoutKey(user), layout(all, all.map(({ id }) => id).toReversed()));
    const desktop = create();
    expect(ids(desktop)).toEqual(Array.from({ length: mostWindows }, (_, i) => `document:${i}`));
    expect(focusedId(desktop.getState())).toBe('document:0');
  });

  test('is gone after signing out', () => {
    const desktop = create();
    desktop.open('received');
    expect(sessionStorage.getItem(layoutKey(user))).not.toBeNull();
    desktop.forget();
    expect(sessionStorage.getItem(layoutKey(user))).toBeNull();
  });

  test('that cannot be stored disturbs nothing', () => {
    const refuse = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    const full: Storage = { length: 0, key: () => null, clear: refuse, getItem: refuse, setItem: refuse, removeItem: refuse };
    const desktop = create(full);
    desktop.open('received');
    expect(ids(desktop)).toEqual(['received']);
    expect(() => desktop.forget()).not.toThrow();
  });
});

test('beyond sixty windows the one that was not used for longest makes room', async () => {
  const desktop = create();
  for (let i = 0; i < mostWindows; i++) desktop.open('document', { id: String(i) });
  desktop.focus('document:0');
  desktop.open('document', { id: 'one more' });
  await expect.poll(() => ids(desktop).length).toBe(mostWindows);
  expect(ids(desktop)).not.toContain('document:1');
  expect(ids(desktop)).toContain('document:0');
});

test('on a phone, with the statute or without windows there is nothing to tidy', async () => {
  const desktop = create();
  expect(desktop.tidy()).toBe('nothing');
  desktop.open('received');
  desktop.open('statute');
  expect(desktop.tidy()).toBe('nothing');
  await desktop.close('statute');
  await page.viewport(390, 800);
  expect(desktop.tidy()).toBe('nothing');
});

test('what is noted of a window is there after a reload, and nothing is rendered for it', () => {
  const desktop = create();
  desktop.open('document', { id: 'a' });
  let told = 0;
  desktop.subscribe(() => (told += 1));
  desktop.note('document:a', { page: '7' });
  expect(told).toBe(0);
  expect(create().getState().windows[0]?.params).toEqual({ id: 'a', page: '7' });
});

describe('a document opened from a list', () => {
  const wide = { width: 1400, height: 700 };
  const zoneOf = (desktop: Desktop, id: string) => desktop.geometry.findPlace(id)?.zone;

  test('takes the right half when the list is maximised, and the list keeps the left one', () => {
    const desktop = create(sessionStorage, wide);
    desktop.open('received');
    desktop.maximise('received');
    desktop.open('document', { id: 'a' });
    expect([zoneOf(desktop, 'received'), zoneOf(desktop, 'document:a')]).toEqual(['left', 'right']);
    expect(desktop.getState().windows.map(({ maximised }) => maximised)).toEqual([false, false]);
    expect(focusedId(desktop.getState())).toBe('document:a');
  });

  test('takes the other half when the list is snapped, and its successor takes that half, too', () => {
    const desktop = create(sessionStorage, wide);
    desktop.open('received');
    desktop.snap('received', 'right');
    desktop.open('document', { id: 'a' });
    desktop.open('document', { id: 'b' });
    expect(['received', 'document:a', 'document:b'].map((id) => zoneOf(desktop, id))).toEqual(['right', 'left', 'left']);
  });

  test('stands free when the list stands free, unless the customer wants it beside', () => {
    const free = create(sessionStorage, wide);
    free.open('received');
    free.open('document', { id: 'a' });
    expect(zoneOf(free, 'document:a')).toBeUndefined();
    sessionStorage.clear();
    const beside = create(sessionStorage, wide, () => true);
    beside.open('received');
    beside.open('document', { id: 'a' });
    expect([zoneOf(beside, 'received'), zoneOf(beside, 'document:a')]).toEqual(['left', 'right']);
  });

  test('stands free on a desk too narrow for two halves', () => {
    const desktop = create(sessionStorage, { width: 900, height: 700 });
    desktop.open('received');
    desktop.maximise('received');
    desktop.open('document', { id: 'a' });
    expect(zoneOf(desktop, 'document:a')).toBeUndefined();
  });
});
