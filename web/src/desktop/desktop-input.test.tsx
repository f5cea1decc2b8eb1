import { windowLimits } from '@pergamin/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fakePointer, frame } from '#kit/render.fixture.tsx';
import { answer, rendered, showDesktop } from './desktop.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';

beforeEach(() => freshTab('EN'));

beforeEach(async () => {
  sessionStorage.clear();
  rendered.clear();
  answer.mayClose = true;
  await page.viewport(1280, 800);
});
const barOf = (title: HTMLElement): HTMLElement => {
  const bar = title.parentElement;
  if (!bar) throw new Error('no title bar');
  return bar;
};
const zones = (host: HTMLElement) => host.querySelector<HTMLElement>('main > [aria-hidden="true"]');
const status = () => document.querySelector('[aria-live="polite"]')?.textContent?.trim();

/** A drag of the window `received` that has begun, and what it was before. */
const drag = async () => {
  const shown = showDesktop();
  shown.desktop.open('received');
  await frame();
  const before = shown.desktop.geometry.findPlace('received');
  const bar = barOf(shown.titleOf('received'));
  const pointer = fakePointer(bar);
  pointer.press({ x: 400, y: 100 });
  pointer.move({ x: 640, y: 300 });
  await frame();
  const tell = (type: string, pointerId = 1) =>
    bar.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId, clientX: 5, clientY: 5 }));
  return { ...shown, before, bar, pointer, tell, place: () => shown.desktop.geometry.findPlace('received') };
};

describe('a drag', () => {
  test('shows where the window can be dropped, and the place it would take', async () => {
    const { host, pointer } = await drag();
    expect(zones(host)?.dataset['zone']).toBe('none');
    pointer.move({ x: 3, y: 400 });
    await frame();
    expect(zones(host)?.dataset['zone']).toBe('left');
    const place = zones(host)?.querySelector('[data-at="left"]:last-of-type, [data-at="left"] ~ [data-at="left"]');
    expect(place?.getBoundingClientRect()).toMatchObject({ x: 8, y: 72, width: 628, height: 672 });
    await expect.poll(() => place && getComputedStyle(place).opacity).toBe('1');
    pointer.release({ x: 3, y: 400 });
    expect(zones(host)?.dataset['zone']).toBeUndefined();
    await expect.poll(status).toBe('Received: left half');
  });

  test.each([
    ['left', { x: 2, y: 400 }],
    ['right', { x: 1278, y: 400 }],
    ['top-left', { x: 2, y: 70 }],
    ['top-right', { x: 1278, y: 70 }],
    ['bottom-left', { x: 2, y: 748 }],
    ['bottom-right', { x: 1278, y: 748 }],
  ])('let go there, the window takes %s, and keeps its free place for later', async (zone, at) => {
    const { pointer, place, before } = await drag();
    pointer.move(at);
    await frame();
    pointer.release(at);
    expect(place()).toEqual({ free: before?.free, zone });
  });

  test('let go at the top, the window becomes full, and gets its place back by a double click on its title', async () => {
    const { pointer, desktop, bar, place, before } = await drag();
    pointer.move({ x: 640, y: 66 });
    await frame();
    pointer.release({ x: 640, y: 66 });
    expect(desktop.getState().windows[0]?.maximised).toBe(true);
    bar.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
    await expect.poll(() => desktop.getState().windows[0]?.maximised).toBe(false);
    expect(place()).toEqual(before);
  });

  test.each(['pointercancel', 'lostpointercapture'])('is taken back by %s', async (type) => {
    const { tell, place, before, window, host } = await drag();
    tell(type);
    expect(place()).toEqual(before);
    expect(window('received').dataset['dragging']).toBeUndefined();
    expect(zones(host)?.dataset['zone']).toBeUndefined();
    await expect.poll(status).toBe('Change undone');
  });

  test('goes on when a second finger comes and goes', async () => {
    const { tell, bar, pointer, place, before } = await drag();
    bar.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerId: 2, isPrimary: false, clientX: 900, clientY: 100 }));
    tell('pointermove', 2);
    tell('pointercancel', 2);
    tell('pointerup', 2);
    await frame();
    pointer.move({ x: 500, y: 200 });
    await frame();
    pointer.release({ x: 500, y: 200 });
    expect(place()?.free).toMatchObject({ x: (before?.free.x ?? 0) + 100, y: (before?.free.y ?? 0) + 100 });
  });

  test('of a full window that is cancelled leaves it full', async () => {
    const { desktop, titleOf } = showDesktop();
    desktop.open('received');
    desktop.maximise('received');
    await frame();
    const before = desktop.geometry.findPlace('received');
    const pointer = fakePointer(barOf(titleOf('received')));
    pointer.press({ x: 400, y: 80 });
    pointer.move({ x: 500, y: 300 });
    await frame();
    expect(desktop.getState().windows[0]?.maximised).toBe(false);
    await userEvent.keyboard('{Escape}');
    expect(desktop.getState().windows[0]?.maximised).toBe(true);
    expect(desktop.geometry.findPlace('received')).toEqual(before);
  });

  test('of a window that closes meanwhile ends, and leaves nothing behind', async () => {
    const { desktop, pointer, host } = await drag();
    await desktop.close('received');
    pointer.move({ x: 700, y: 400 });
    pointer.release({ x: 700, y: 400 });
    // The browser tells of the lost pointer at the document, since the title bar is gone.
    document.dispatchEvent(new PointerEvent('lostpointercapture', { pointerId: 1 }));
    expect(desktop.geometry.findPlace('received')).toBeUndefined();
    expect(zones(host)?.dataset['zone']).toBeUndefined();
  });

  test('by less than four pixels is a click', async () => {
    const { desktop, titleOf, window } = showDesktop();
    desktop.open('received');
    await frame();
    const before = desktop.geometry.findPlace('received');
    const pointer = fakePointer(barOf(titleOf('received')));
    pointer.press({ x: 400, y: 100 });
    pointer.move({ x: 402, y: 102 });
    await frame();
    expect(window('received').dataset['dragging']).toBeUndefined();
    pointer.release({ x: 402, y: 102 });
    expect(desktop.geometry.findPlace('received')).toBe(before);
  });
});

describe('resizing by the pointer', () => {
  const pull = async (edge: string, by: { readonly x: number; readonly y: number }) => {
    const { desktop, window } = showDesktop();
    desktop.open('asks');
    await frame();
    const before = desktop.geometry.rectOf('asks');
    const grip = window('asks').querySelector(`[data-edge="${edge}"]`);
    if (!grip) throw new Error(`no grip ${edge}`);
    const pointer = fakePointer(grip);
    pointer.press({ x: 500, y: 300 });
    pointer.move({ x: 500 + by.x, y: 300 + by.y });
    await frame();
    return {
      desktop,
      before,
      release: () => pointer.release({ x: 500 + by.x, y: 300 + by.y }),
      after: () => desktop.geometry.rectOf('asks'),
    };
  };

  test.each(['n', 's', 'e', 'w', 'ne', 'nw', 'se', 'sw'])('at the %s grip never goes under the smallest size', async (edge) => {
    const towards = { x: edge.includes('w') ? 3_000 : -3_000, y: edge.includes('n') ? 3_000 : -3_000 };
    const { release, after } = await pull(edge, towards);
    release();
    expect(after().width).toBeGreaterThanOrEqual(windowLimits.minWidthPx);
    expect(after().height).toBeGreaterThanOrEqual(windowLimits.minHeightPx);
  });

  test('is taken back by Escape', async () => {
    const { before, after } = await pull('se', { x: 60, y: 40 });
    await userEvent.keyboard('{Escape}');
    expect(after()).toEqual(before);
    await expect.poll(status).toBe('Change undone');
  });

  test('leaves the opposite edge where it is', async () => {
    const { before, release, after } = await pull('w', { x: 40, y: 0 });
    release();
    expect(after()).toEqual({ ...before, x: before.x + 40, width: before.width - 40 });
  });

  test('has grips that stand out by five pixels', async () => {
    const { desktop, window } = showDesktop();
    desktop.open('asks');
    await frame();
    const outer = window('asks').getBoundingClientRect();
    const gripAt = (edge: string) => window('asks').querySelector(`[data-edge="${edge}"]`)?.getBoundingClientRect() ?? new DOMRect();
    expect(gripAt('e').right - outer.right).toBe(windowLimits.resizeHandleOutsidePx);
    expect(outer.left - gripAt('nw').left).toBe(windowLimits.resizeHandleOutsidePx);
    expect(gripAt('e').width).toBe(10);
    expect(gripAt('se')).toMatchObject({ width: 14, height: 14 });
  });
});

test('forty windows: each has its tab and its title within reach, the focused one is on top', async () => {
  const { desktop, host, window } = showDesktop();
  for (let i = 0; i < 40; i++) desktop.open('document', { id: String(i) });
  await frame();
  expect(host.querySelectorAll('[data-window]')).toHaveLength(40);
  expect(host.querySelectorAll('[data-tab]')).toHaveLength(40);
  const depths = [...host.querySelectorAll<HTMLElement>('[data-window]')].map((element) => Number(element.style.zIndex));
  expect(Number(window('document:39').style.zIndex)).toBe(Math.max(...depths));
  expect(Math.min(...depths)).toBe(windowLimits.baseZIndex);
  expect(desktop.tidy()).toBe('tidied');
  await frame();
  await expect.poll(status).toBe('40 windows tidied; use it again to undo');
  const tops = [...host.querySelectorAll('h2')].map((title) => title.getBoundingClientRect());
  expect(tops.every(({ top, left }) => top >= 64 && left >= 0 && top < 800 - 48)).toBe(true);
});
