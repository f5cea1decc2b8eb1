import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { frame } from '#kit/render.fixture.tsx';
import { answer, showDesktop } from './desktop.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';

beforeEach(() => freshTab('EN'));

beforeEach(async () => {
  sessionStorage.clear();
  answer.mayClose = true;
  await page.viewport(1280, 800);
});
const strip = () => page.getByRole('navigation', { name: 'Open windows' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const status = () => document.querySelector('[aria-live="polite"]')?.textContent?.trim();
const many = async (count: number) => {
  const shown = showDesktop();
  for (let i = 0; i < count; i++) shown.desktop.open('document', { id: `number-${i}-of-many` });
  await frame();
  return shown;
};

describe('tabs', () => {
  test('are gone along by arrows, Home and End, and closed by Delete with the focus on the next one', async () => {
    const { desktop } = await many(3);
    const tab = (i: number) =>
      strip()
        .getByRole('button', { name: `Document number-${i}-of-many`, exact: true })
        .element();
    await userEvent.keyboard('{F6}');
    expect(document.activeElement).toBe(tab(2));
    await userEvent.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(tab(1));
    await userEvent.keyboard('{Home}{ArrowLeft}');
    expect(document.activeElement).toBe(tab(0));
    await userEvent.keyboard('{End}');
    expect(document.activeElement).toBe(tab(2));
    await userEvent.keyboard('{Home}{Delete}');
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Close: Document number-1-of-many');
    await expect.poll(status).toBe('Document number-0-of-many: window closed');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Close: Document number-2-of-many');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => desktop.getState().windows).toHaveLength(0);
    await expect.poll(() => document.activeElement?.hasAttribute('data-desk-start')).toBe(true);
  });

  test('are closed by the middle button, and the focus stays in the window that is worked in', async () => {
    const { desktop } = await many(2);
    desktop.open('received');
    await frame();
    const inside = button('Inside received').element();
    if (inside instanceof HTMLElement) inside.focus();
    const tab = strip().getByRole('button', { name: 'Document number-0-of-many', exact: true }).element();
    const press = new MouseEvent('mousedown', { bubbles: true, cancelable: true, button: 1 });
    tab.dispatchEvent(press);
    expect(press.defaultPrevented).toBe(true);
    tab.dispatchEvent(new MouseEvent('auxclick', { bubbles: true, button: 2 }));
    tab.dispatchEvent(new MouseEvent('auxclick', { bubbles: true, button: 1 }));
    await expect.poll(() => desktop.getState().windows.map(({ id }) => id)).toEqual(['document:number-1-of-many', 'received']);
    expect(document.activeElement).toBe(inside);
  });

  test('stay when their window asks and is told to', async () => {
    const { desktop } = showDesktop();
    desktop.open('asks');
    await expect.element(button('Name it')).toBeInTheDocument();
    answer.mayClose = false;
    await strip().getByRole('button', { name: 'Close: Asks' }).click();
    expect(desktop.getState().windows).toHaveLength(1);
  });

  test('keep the one in front in view, also when the scroll buttons take room or the browser becomes narrower', async () => {
    const { host } = await many(14);
    await expect.element(button('Show later windows')).toBeInTheDocument();
    const seen = () => {
      const [tab, scroller] = ['[aria-current="true"][data-tab]', 'nav[aria-label="Open windows"] ul'].map((selector) =>
        host.querySelector(selector),
      );
      const [inner, outer] = [tab?.closest('li')?.getBoundingClientRect(), scroller?.parentElement?.getBoundingClientRect()];
      return inner !== undefined && outer !== undefined && inner.left >= outer.left && inner.right <= outer.right;
    };
    await expect.poll(seen).toBe(true);
    await page.viewport(1000, 700);
    await expect.poll(seen).toBe(true);
  });

  test('say at either end that there are no more', async () => {
    const { host } = await many(14);
    await expect.element(button('Show later windows')).toHaveAttribute('aria-disabled', 'true');
    await expect.element(button('Show earlier windows')).not.toHaveAttribute('aria-disabled');
    const scroller = host.querySelector('nav[aria-label="Open windows"] ul')?.parentElement;
    if (!scroller) throw new Error('no tabs');
    const last = () => scroller.scrollWidth - scroller.clientWidth;
    // Once the buttons themselves have taken their room.
    await expect.poll(() => scroller.scrollLeft).toBeGreaterThan(last() - 1);
    await button('Show earlier windows').click();
    await expect.poll(() => scroller.scrollLeft).toBe(last() - 250);
    await expect.element(button('Show later windows')).not.toHaveAttribute('aria-disabled');
    scroller.scrollTo({ left: 0 });
    await expect.element(button('Show earlier windows')).toHaveAttribute('aria-disabled', 'true');
  });
});

describe('the desk', () => {
  test('has its counters said in words', async () => {
    const { host } = showDesktop();
    await expect.element(page.getByRole('navigation', { name: 'Tiles' }).getByRole('button', { name: 'Received 120 new' })).toBeVisible();
    expect(host.querySelector('[data-desk-start]')?.textContent).toContain('99+');
    expect(button('Asks').element().textContent).not.toContain('nothing new');
  });

  test('gets the focus back on the same tile, though the card it was has become one', async () => {
    const { desktop, titleOf } = showDesktop();
    await page.getByRole('navigation', { name: 'Tiles' }).getByRole('button', { name: 'Asks' }).click();
    expect(document.activeElement).toBe(titleOf('asks'));
    await desktop.close('asks');
    expect(document.activeElement).toBe(button('Asks').element());
  });

  test('gives the focus to the window of an opener that is gone', async () => {
    const { desktop, titleOf } = showDesktop();
    desktop.open('received');
    desktop.open('asks');
    await frame();
    desktop.focus('received');
    const row = document.createElement('button');
    document.querySelector('[data-window="received"] button')?.after(row);
    row.focus();
    desktop.open('document', { id: 'a' }, { opener: row });
    desktop.focus('asks');
    desktop.focus('document:a');
    row.remove();
    await desktop.close('document:a');
    expect(document.activeElement).toBe(titleOf('received'));
    expect(desktop.getState().order.at(-1)).toBe('received');
  });
});
