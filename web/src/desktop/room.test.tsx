import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '#kit/render.fixture.tsx';
import { speak } from '#platform/language.ts';
import { freshTab, sentences } from '#platform/page.fixture.tsx';
import { DesktopContext } from './desktop.context.ts';
import { createDesktop } from './desktop.store.ts';
import { catalogue } from './desktop.fixture.tsx';
import { Desktop } from './Desktop.tsx';
import { Tiles, type TileItem } from './Tiles.tsx';
import { Toolbar, type ToolbarProps } from './Toolbar.tsx';

const items: readonly TileItem[] = ['Received', 'Statements', 'Public documents', 'Sent', 'Send', 'Verification', 'Account'].map(
  (label) => ({
    id: label,
    label,
    icon: 'bank-duotone',
  }),
);
const tiles = page.getByRole('navigation', { name: 'Tiles' });

const showTiles = (): void => {
  const desktop = createDesktop({ catalogue, keep: { storage: sessionStorage, user: 'client' } });
  desktop.open('asks');
  const column = <Tiles label="Tiles" items={items} look="column" onOpen={() => undefined} />;
  show(<Desktop desktop={desktop} toolbar={<div style={{ height: 64 }} />} tiles={column} dashboard={column} />);
};
const bottomOf = (element: Element) => element.getBoundingClientRect().bottom;
const scroller = () => {
  const region = tiles.element().parentElement;
  if (region === null) throw new Error('the tiles stand nowhere');
  return region;
};

beforeEach(async () => {
  await freshTab('EN');
  onTestFinished(() => page.viewport(1280, 800));
});

describe('the tiles beside a window', () => {
  test('are all in sight on a desk of 1366 × 650', async () => {
    await page.viewport(1366, 650);
    showTiles();
    await expect.element(tiles.getByRole('button', { name: 'Account' })).toBeVisible();
    expect(bottomOf(tiles.getByRole('button', { name: 'Account' }).element())).toBeLessThanOrEqual(bottomOf(scroller()));
    expect(scroller().dataset['more']).toBeUndefined();
  });

  test('fade at the edge beyond which there are more, as at a zoom of 150 %', async () => {
    await page.viewport(911, 433);
    showTiles();
    await expect.poll(() => scroller().dataset['more']).toBe('below');
    expect(getComputedStyle(scroller()).maskImage).toContain('linear-gradient(to top');
    scroller().scrollTo({ top: 40 });
    await expect.poll(() => scroller().dataset['more']).toBe('both');
    scroller().scrollTo({ top: 10_000 });
    await expect.poll(() => scroller().dataset['more']).toBe('above');
    await page.viewport(911, 1100);
    await expect.poll(() => scroller().dataset['more']).toBeUndefined();
  });
});

const bar: ToolbarProps = {
  menu: [
    { id: 'documents', label: 'documents', icon: 'bank', items: [{ id: 'received', label: 'Received', icon: 'bank' }] },
    { id: 'public', label: 'public documents', icon: 'bank' },
    { id: 'statements', label: 'statements', icon: 'receipt' },
    { id: 'account', label: 'account', icon: 'user-circle' },
  ],
  account: { name: 'Anna Nowak', detail: '10000001', entries: [{ id: 'logout', label: 'Log out' }] },
  onAction: () => undefined,
};
const showBar = (part: Partial<ToolbarProps> = {}) =>
  show(
    <DesktopContext value={createDesktop({ catalogue })}>
      <Toolbar {...bar} {...part} />
    </DesktopContext>,
  );
const menu = page.getByRole('navigation', { name: 'Main menu' });
const placesOf = () =>
  menu
    .getByRole('button')
    .elements()
    .map((element) => Math.round(element.getBoundingClientRect().left * 10));

describe('the menu', () => {
  test.each([1366, 911])('is whole beside long names of a person and an organisation on %i px', async (width) => {
    await page.viewport(width, 650);
    const organisation = 'Spółdzielcza Kasa Oszczędnościowo-Kredytowa imienia świętego Stanisława w Konstantynowie';
    await speak('EN', { ...sentences.EN, 'brand.organisation': organisation });
    showBar({
      account: { ...bar.account, name: 'Maria Magdalena Wiśniewska-Konstantynopolitańczykowska' },
    });
    const nav = menu.element();
    expect(nav.scrollWidth).toBeLessThanOrEqual(nav.clientWidth);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await page.getByRole('button', { name: /Maria Magdalena/ }).click();
    await expect.element(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible();
    const popover = page.getByRole('dialog').element();
    expect(popover.scrollWidth).toBeLessThanOrEqual(popover.clientWidth);
    expect(popover.getBoundingClientRect().right).toBeLessThanOrEqual(width);
  });

  test.each([0, 1, 2])('keeps its place when entry %i is the current one', async (at) => {
    await page.viewport(1366, 650);
    showBar();
    const before = placesOf();
    showBar({
      menu: bar.menu.map((item, i) => ({
        ...item,
        current: i === at,
        ...(item.items && { items: item.items.map((inner) => ({ ...inner, current: i === at })) }),
      })),
    });
    expect(placesOf().slice(before.length)).toEqual(before);
  });
});
