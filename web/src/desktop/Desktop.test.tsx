import { beforeEach, describe, expect, test, vi } from 'vitest';
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
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const status = () => document.querySelector('[aria-live="polite"]')?.textContent?.trim();

describe('dragging', () => {
  test('a drag writes the transform alone and renders no content', async () => {
    const { desktop, window, titleOf } = showDesktop();
    for (const id of ['a', 'b', 'c']) desktop.open('document', { id });
    await frame();
    const dragged = window('document:c');
    const before = { rect: desktop.geometry.rectOf('document:c'), width: dragged.style.width, renders: new Map(rendered) };
    const written = new Set<string>();
    const watch = new MutationObserver((records) => records.forEach((record) => written.add(record.attributeName ?? record.type)));
    const bar = titleOf('document:c').parentElement;
    if (!bar) throw new Error('no title bar');
    const pointer = fakePointer(bar);
    pointer.press({ x: 400, y: 160 });
    await frame();
    watch.observe(dragged, { attributes: true, subtree: true, childList: true });
    for (let i = 1; i <= 20; i++) {
      pointer.move({ x: 400 + i * 4, y: 160 + i * 2 });
      if (i % 5 === 0) await frame();
    }
    watch.disconnect();
    expect([...written].sort()).toEqual(['data-dragging', 'style']);
    expect(dragged.style.width).toBe(before.width);
    pointer.release({ x: 480, y: 200 });
    expect(desktop.geometry.rectOf('document:c')).toEqual({ ...before.rect, x: before.rect.x + 80, y: before.rect.y + 40 });
    expect(rendered).toEqual(before.renders);
  });

  test('Escape puts a dragged window back', async () => {
    const { desktop, titleOf } = showDesktop();
    desktop.open('received');
    await frame();
    const before = desktop.geometry.rectOf('received');
    const bar = titleOf('received').parentElement;
    if (!bar) throw new Error('no title bar');
    const pointer = fakePointer(bar);
    pointer.press({ x: 400, y: 100 });
    pointer.move({ x: 700, y: 300 });
    await frame();
    await userEvent.keyboard('{Escape}');
    expect(desktop.geometry.rectOf('received')).toEqual(before);
  });

  test('a window let go at the left edge takes the left half, and gets its size back when it is dragged away', async () => {
    const { desktop, titleOf } = showDesktop();
    desktop.open('received');
    await frame();
    const { width } = desktop.geometry.rectOf('received');
    const bar = titleOf('received').parentElement;
    if (!bar) throw new Error('no title bar');
    const pointer = fakePointer(bar);
    pointer.press({ x: 400, y: 100 });
    pointer.move({ x: 2, y: 400 });
    await frame();
    pointer.release({ x: 2, y: 400 });
    expect(desktop.geometry.findPlace('received')?.zone).toBe('left');
    pointer.press({ x: 200, y: 100 });
    pointer.move({ x: 500, y: 300 });
    await frame();
    pointer.release({ x: 500, y: 300 });
    expect(desktop.geometry.findPlace('received')?.zone).toBeUndefined();
    expect(desktop.geometry.rectOf('received').width).toBe(width);
  });
});

describe('keyboard', () => {
  test('a window is moved by the window menu and the arrow keys, and the result is said', async () => {
    const { desktop, titleOf } = showDesktop();
    desktop.open('received');
    await button('Window menu: Received').click();
    await page.getByRole('menuitem', { name: 'Move' }).click();
    await expect.element(page.getByRole('application', { name: /^Moving/ })).toHaveFocus();
    const before = desktop.geometry.rectOf('received');
    await userEvent.keyboard('{ArrowRight}{ArrowDown}{Shift>}{ArrowRight}{/Shift}{Enter}');
    expect(desktop.geometry.rectOf('received')).toEqual({ ...before, x: before.x + 21, y: before.y + 20 });
    await expect.poll(status).toBe(`Received: window is ${before.x + 21} from the left and ${before.y + 20} from the top`);
    expect(document.activeElement).toBe(titleOf('received'));
  });

  test('resizing by keys is taken back by Escape', async () => {
    const { desktop } = showDesktop();
    desktop.open('asks');
    const before = desktop.geometry.rectOf('asks');
    await userEvent.keyboard('s{ArrowRight}{ArrowRight}{ArrowDown}');
    expect(desktop.geometry.rectOf('asks')).toEqual({ ...before, width: before.width + 40, height: before.height + 20 });
    await userEvent.keyboard('{Escape}');
    expect(desktop.geometry.rectOf('asks')).toEqual(before);
    await expect.poll(status).toBe('Change undone');
  });

  test('a maximised window covers the desk, puts the others out of reach, and can be restored', async () => {
    const { desktop, window, host } = showDesktop();
    desktop.open('document', { id: 'a' });
    desktop.open('received');
    await frame();
    await userEvent.keyboard('x');
    expect(window('received').getBoundingClientRect()).toMatchObject({ x: 0, y: 64, width: 1280, height: 800 - 64 - 48 });
    expect(window('document:a').inert).toBe(true);
    expect(host.querySelector('nav[aria-label="Tiles"]')?.closest('[inert]')).not.toBeNull();
    await expect.poll(status).toBe('Received: window maximised');
    await userEvent.keyboard('x');
    expect(window('document:a').inert).toBe(false);
  });

  test('F6 goes from the toolbar over the windows to the tab strip and around', async () => {
    const { desktop, titleOf, host } = showDesktop();
    desktop.open('document', { id: 'a' });
    desktop.open('document', { id: 'b' });
    await frame();
    const region = () => document.activeElement?.closest('[data-region]')?.getAttribute('data-region');
    expect(document.activeElement).toBe(titleOf('document:b'));
    await userEvent.keyboard('{F6}');
    expect(region()).toBe('tabs');
    await userEvent.keyboard('{F6}');
    expect(region()).toBe('toolbar');
    await userEvent.keyboard('{Shift>}{F6}{F6}{/Shift}');
    expect(document.activeElement).toBe(titleOf('document:b'));
    await userEvent.keyboard('{Shift>}{F6}{/Shift}');
    expect(document.activeElement).toBe(titleOf('document:a'));
    expect(desktop.getState().order.at(-1)).toBe('document:a');
    expect(host.contains(document.activeElement)).toBe(true);
  });
});

describe('focus', () => {
  test('an opened window has the focus on its title, and gives it back to its opener when it closes', async () => {
    const { titleOf } = showDesktop();
    const opener = button('Received').first();
    await opener.click();
    expect(document.activeElement).toBe(titleOf('received'));
    await userEvent.keyboard('{Delete}');
    await expect.poll(() => document.activeElement).toBe(opener.element());
  });

  test('whatever gets the focus inside a window raises it, without rendering any content', async () => {
    const { desktop } = showDesktop();
    desktop.open('document', { id: 'a' });
    desktop.open('document', { id: 'b' });
    await frame();
    const before = new Map(rendered);
    const inside = button('Inside a').element();
    if (inside instanceof HTMLElement) inside.focus();
    expect(desktop.getState().order).toEqual(['document:b', 'document:a']);
    expect(document.activeElement).toBe(inside);
    expect(rendered).toEqual(before);
  });

  test('a window whose content refuses stays open', async () => {
    const { desktop } = showDesktop();
    desktop.open('asks');
    await expect.element(button('Name it')).toBeInTheDocument();
    answer.mayClose = false;
    expect(await desktop.close('asks')).toBe(false);
    expect(desktop.getState().windows).toHaveLength(1);
    answer.mayClose = true;
    expect(await desktop.close('asks')).toBe(true);
    expect(desktop.getState().windows).toHaveLength(0);
  });
});

describe('the statute', () => {
  test('fills everything, has no window buttons, and puts toolbar and other windows out of reach', async () => {
    const { desktop, window, host } = showDesktop();
    desktop.open('received');
    desktop.open('statute');
    await frame();
    expect(window('statute').querySelectorAll('header button')).toHaveLength(0);
    expect(window('statute').getBoundingClientRect()).toMatchObject({ x: 0, y: 64, width: 1280, height: 736 });
    expect(window('received').inert).toBe(true);
    expect(host.querySelector('header')?.closest('[inert]')).not.toBeNull();
    expect(host.querySelector('nav[aria-label="Open windows"]')).toBeNull();
    await userEvent.keyboard('{Delete}x');
    expect(desktop.getState().windows.map(({ id }) => id)).toEqual(['received', 'statute']);
  });
});

describe('tab strip', () => {
  test('holds the windows in opening order, marks the focused one, and raises by a click', async () => {
    const { desktop, host } = showDesktop();
    desktop.open('document', { id: 'a' });
    desktop.open('received');
    await frame();
    const strip = host.querySelector('nav[aria-label="Open windows"]');
    const names = () =>
      [...(strip?.querySelectorAll('li > button:first-child') ?? [])].map((tab) => [tab.textContent, tab.getAttribute('aria-current')]);
    expect(names()).toEqual([
      ['Document a', null],
      ['Received', 'true'],
    ]);
    await page.getByRole('navigation', { name: 'Open windows' }).getByRole('button', { name: 'Document a', exact: true }).click();
    await frame();
    expect(names()).toEqual([
      ['Document a', 'true'],
      ['Received', null],
    ]);
  });

  test('scroll buttons appear once the tabs are wider than the window less 60 px, and move by 250 px', async () => {
    const { desktop, host } = showDesktop();
    desktop.open('received');
    expect(button('Show later windows').query()).toBeNull();
    for (let i = 0; i < 12; i++) desktop.open('document', { id: `number-${i}-of-many` });
    await expect.element(button('Show earlier windows')).toBeInTheDocument();
    const scroller = host.querySelector('nav[aria-label="Open windows"] ul')?.parentElement;
    if (!scroller) throw new Error('no tabs');
    scroller.scrollLeft = 300;
    const moved = vi.spyOn(scroller, 'scrollBy');
    await button('Show earlier windows').click();
    expect(moved).toHaveBeenCalledWith(expect.objectContaining({ left: -250 }));
  });

  test('the desk is shown and the windows come back', async () => {
    const { desktop, window } = showDesktop();
    desktop.open('received');
    await button('Show the desktop').click();
    expect(window('received').checkVisibility({ visibilityProperty: true })).toBe(false);
    await button('Show the desktop').click();
    expect(window('received').checkVisibility({ visibilityProperty: true })).toBe(true);
  });
});

describe('staying', () => {
  test('open windows, their places and their order come back after a reload', async () => {
    const first = showDesktop();
    first.desktop.open('document', { id: 'a' });
    first.desktop.open('received');
    first.desktop.geometry.put('document:a', { free: { x: 200, y: 100, width: 500, height: 400 } });
    first.desktop.snap('received', 'right');
    first.desktop.focus('document:a');
    const second = showDesktop();
    expect(second.desktop.getState()).toEqual(first.desktop.getState());
    expect(second.desktop.geometry.rectOf('document:a')).toEqual({ x: 200, y: 100, width: 500, height: 400 });
    expect(second.desktop.geometry.findPlace('received')?.zone).toBe('right');
    second.desktop.forget();
    expect(sessionStorage.length).toBe(0);
  });

  test('a smaller browser moves every window wholly into sight, and a larger one puts it back', async () => {
    const { desktop } = showDesktop();
    desktop.open('asks');
    desktop.geometry.moveTo('asks', { x: 1100, y: 600, width: 400, height: 300 });
    await page.viewport(900, 500);
    const { width, height } = desktop.geometry.rectOf('asks');
    await expect.poll(() => desktop.geometry.rectOf('asks').x).toBeLessThanOrEqual(900 - width);
    expect(desktop.geometry.rectOf('asks').y).toBeLessThanOrEqual(500 - 64 - 48 - height);
    await page.viewport(1280, 800);
    await expect.poll(() => desktop.geometry.rectOf('asks')).toEqual({ x: 1100, y: 600, width: 400, height: 300 });
  });

  test('content that breaks takes only its own window with it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { desktop } = showDesktop();
    desktop.open('received');
    desktop.open('breaks');
    await expect.element(page.getByText('This window could not be loaded')).toBeInTheDocument();
    await expect.element(button('Inside received')).toBeInTheDocument();
  });
});

test('where large text leaves no room for the menu, it is in the drawer, as on a phone', async () => {
  const root = document.documentElement;
  await page.viewport(1440, 900);
  const { desktop } = showDesktop();
  await expect.element(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible();
  root.style.fontSize = '200%';
  try {
    await button('Open menu').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Received' }).click();
    expect(desktop.getState().windows.map(({ kind }) => kind)).toEqual(['received']);
  } finally {
    root.style.fontSize = '';
  }
  await expect.element(button('Open menu')).not.toBeInTheDocument();
});

describe('phone', () => {
  test('a window fills the screen, there is no tab strip, and the drawer lists the open windows', async () => {
    await page.viewport(390, 800);
    const { desktop, window, host } = showDesktop();
    desktop.open('document', { id: 'a' });
    desktop.open('received');
    await frame();
    expect(window('received').getBoundingClientRect()).toMatchObject({ x: 0, y: 0, width: 390, height: 800 });
    expect(host.querySelector('nav[aria-label="Open windows"]')).toBeNull();
    desktop.showDesk(true);
    await button('Open menu').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Document a' }).click();
    await frame();
    expect(desktop.getState().order.at(-1)).toBe('document:a');
    expect(window('document:a').checkVisibility({ visibilityProperty: true })).toBe(true);
    await button('Back').first().click();
    await expect.poll(() => desktop.getState().windows.length).toBe(1);
  });
});
