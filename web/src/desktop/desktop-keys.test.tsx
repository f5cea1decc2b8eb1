import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { frame } from '#kit/render.fixture.tsx';
import { answer, rendered, showDesktop } from './desktop.fixture.tsx';
import { windowShortcuts } from './shortcuts.ts';
import { freshTab } from '#platform/page.fixture.tsx';

beforeEach(() => freshTab('EN'));

beforeEach(async () => {
  sessionStorage.clear();
  rendered.clear();
  answer.mayClose = true;
  await page.viewport(1280, 800);
});
const button = (name: string) => page.getByRole('button', { name, exact: true });
const status = () => document.querySelector('[aria-live="polite"]')?.textContent?.trim();
const open = async () => {
  const shown = showDesktop();
  shown.desktop.open('received');
  await frame();
  return { ...shown, zone: () => shown.desktop.geometry.findPlace('received')?.zone };
};

describe('on the title of a window', () => {
  test('Shift and the arrows go from half to quarter, to full size, and back to the free place', async () => {
    const { desktop, zone } = await open();
    const before = desktop.geometry.rectOf('received');
    const step = (key: string) => userEvent.keyboard(`{Shift>}{Arrow${key}}{/Shift}`);
    const path = [
      ['Left', 'left', 'left half'],
      ['Up', 'top-left', 'top left quarter'],
      ['Right', 'top-right', 'top right quarter'],
      ['Down', 'right', 'right half'],
      ['Down', 'bottom-right', 'bottom right quarter'],
      ['Left', 'bottom-left', 'bottom left quarter'],
    ] as const;
    for (const [key, expected, said] of path) {
      await step(key);
      expect(zone()).toBe(expected);
      await expect.poll(status).toBe(`Received: ${said}`);
    }
    await step('Down');
    expect(zone()).toBeUndefined();
    expect(desktop.geometry.rectOf('received')).toEqual(before);
    await expect.poll(status).toBe('Received: window restored');
    await step('Up');
    expect(desktop.getState().windows[0]?.maximised).toBe(true);
    await step('Down');
    expect(desktop.getState().windows[0]?.maximised).toBe(false);
    expect(desktop.geometry.rectOf('received')).toEqual(before);
  });

  test('T tidies all windows, and puts them back', async () => {
    const { desktop } = await open();
    desktop.open('document', { id: 'a' });
    await frame();
    const before = desktop.geometry.rectOf('received');
    await userEvent.keyboard('t');
    await expect.poll(status).toBe('2 windows tidied; use it again to undo');
    expect(desktop.geometry.findPlace('received')?.zone).toBe('left');
    expect(desktop.geometry.findPlace('document:a')?.zone).toBe('right');
    await userEvent.keyboard('t');
    await expect.poll(status).toBe('The windows are back where they were');
    expect(desktop.geometry.rectOf('received')).toEqual(before);
  });

  test('the menu key opens the window’s menu', async () => {
    const { titleOf } = await open();
    titleOf('received').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
    await expect.element(page.getByRole('menuitem', { name: 'Move' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => document.activeElement).toBe(titleOf('received'));
  });

  test('letters with Ctrl, Alt or Meta are left to the browser', async () => {
    const { desktop } = await open();
    const before = desktop.getState();
    await userEvent.keyboard('{Control>}x{/Control}{Alt>}t{/Alt}{Meta>}m{/Meta}');
    expect(desktop.getState()).toBe(before);
    expect(page.getByRole('application').query()).toBeNull();
  });
});

describe('the window menu', () => {
  test('tells which half a window takes, and gives it its place back', async () => {
    const { desktop, zone } = await open();
    desktop.snap('received', 'top-left');
    await button('Window menu: Received').click();
    await expect.element(page.getByRole('menuitem', { name: 'Maximise' })).toBeVisible();
    await page.getByRole('menuitem', { name: 'Restore' }).click();
    await expect.poll(zone).toBeUndefined();
    await expect.poll(status).toBe('Received: window restored');
  });
});

describe('moving by keys', () => {
  test('ends where the focus leaves, with the window where it was put', async () => {
    const { desktop } = await open();
    const before = desktop.geometry.rectOf('received');
    await userEvent.keyboard('m{ArrowDown}{Tab}');
    expect(page.getByRole('application').query()).toBeNull();
    expect(desktop.geometry.rectOf('received').y).toBe(before.y + 20);
    await userEvent.keyboard('{ArrowDown}');
    expect(desktop.geometry.rectOf('received').y).toBe(before.y + 20);
  });

  test('of a full window that is taken back leaves it full, with the focus on its title', async () => {
    const { desktop, titleOf } = await open();
    await userEvent.keyboard('xm{ArrowDown}');
    expect(desktop.getState().windows[0]?.maximised).toBe(false);
    await userEvent.keyboard('{Escape}');
    expect(desktop.getState().windows[0]?.maximised).toBe(true);
    expect(document.activeElement).toBe(titleOf('received'));
  });

  test('never loses the window over an edge', async () => {
    const { desktop } = await open();
    await userEvent.keyboard(`m${'{ArrowRight}'.repeat(90)}${'{ArrowDown}'.repeat(60)}{Enter}`);
    const { x, y } = desktop.geometry.rectOf('received');
    expect(x).toBeLessThanOrEqual(1280 - 155);
    expect(y).toBeLessThanOrEqual(800 - 64 - 48 - 42);
  });
});

test('F6 does nothing while a dialog is open', async () => {
  await open();
  const dialog = document.body.appendChild(document.createElement('dialog'));
  const inside = dialog.appendChild(document.createElement('button'));
  dialog.showModal();
  await userEvent.keyboard('{F6}');
  expect(document.activeElement).toBe(inside);
  dialog.remove();
});

test('every shortcut has keys, and none is there twice for the same thing', () => {
  const shortcuts = windowShortcuts();
  expect(shortcuts.every(({ keys }) => keys.length > 0 && keys.every((key) => key !== ''))).toBe(true);
  expect(new Set(shortcuts.map(({ keys, text }) => `${keys.join('+')} ${String(text)}`)).size).toBe(shortcuts.length);
});

describe('on a phone', () => {
  const openTwo = async () => {
    await page.viewport(390, 800);
    const shown = showDesktop();
    shown.desktop.open('document', { id: 'a' });
    shown.desktop.open('received');
    await frame();
    return shown;
  };

  test('a window’s menu leads to the desk and to the other windows, which stay open', async () => {
    const { desktop, window } = await openTwo();
    await button('Window menu: Received').click();
    await page.getByRole('menuitem', { name: 'Document a' }).click();
    await expect.poll(() => window('document:a').checkVisibility({ visibilityProperty: true })).toBe(true);
    await button('Window menu: Document a').click();
    await page.getByRole('menuitem', { name: 'Show the desktop' }).click();
    await expect.poll(() => desktop.getState().deskShown).toBe(true);
    expect(desktop.getState().windows).toHaveLength(2);
    expect(document.activeElement?.hasAttribute('data-desk-start')).toBe(true);
  });

  test('the drawer’s list closes windows, and the focus goes on in it', async () => {
    const { desktop } = await openTwo();
    desktop.showDesk(true);
    await button('Open menu').click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Close: Document a' }).click();
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Close: Received');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Close menu');
    expect(desktop.getState().windows).toHaveLength(0);
  });

  test('dragging, resizing and the keys of the title do nothing', async () => {
    const { desktop, titleOf, window } = await openTwo();
    const before = desktop.getState();
    titleOf('received').focus();
    await userEvent.keyboard('msxt{Delete}');
    expect(desktop.getState()).toBe(before);
    expect(window('received').querySelector('[data-edge]')).toBeNull();
  });
});
