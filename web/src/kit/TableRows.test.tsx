import { useEffect, useState } from 'react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { frame, show } from './render.fixture.tsx';

interface Paper {
  readonly id: string;
  readonly name: string;
}
const papers = (count: number, from = 0): readonly Paper[] =>
  Array.from({ length: count }, (_, i) => ({ id: `p${from + i}`, name: `Paper ${from + i}` }));
const onOpen = vi.fn<(row: Paper) => void>();
const onAction = vi.fn<(row: Paper, id: string) => void>();

const props: Omit<DataTableProps<Paper>, 'rows'> = {
  label: 'Papers',
  texts: {
    loading: 'Loading',
    unread: 'unread',
    actions: 'Actions',
    more: (title) => `More: ${title}`,
    resize: (header) => `Width of ${header}`,
  },
  identityColumn: { id: 'name', header: 'Name' },
  columns: [{ id: 'id', header: 'Id', width: 140, cell: (row) => `id ${row.id}` }],
  rowId: (row) => row.id,
  identity: (row) => ({ title: row.name, href: `#${row.id}` }),
  phoneLines: () => [],
  actions: (row) => [{ id: 'show', icon: 'eye', name: `Show: ${row.name}`, label: 'Show' }],
  onOpen,
  onAction,
};

type Shown = Pick<DataTableProps<Paper>, 'rows'> & Partial<DataTableProps<Paper>>;

const open = (first: Shown) => {
  const changes = new EventTarget();
  function Changing() {
    const [shown, setShown] = useState(first);
    useEffect(() => {
      const take = (event: Event) => {
        if (event instanceof CustomEvent) setShown((now) => ({ ...now, ...event.detail }));
      };
      changes.addEventListener('change', take);
      return () => changes.removeEventListener('change', take);
    }, []);
    return (
      <div style={{ height: 400, display: 'flex' }}>
        <DataTable<Paper> {...props} {...shown} />
      </div>
    );
  }
  const host = show(<Changing />);
  return { host, change: (detail: Partial<Shown>) => changes.dispatchEvent(new CustomEvent('change', { detail })) };
};
const cellOf = (number: number) => page.getByRole('cell', { name: `id p${number}`, exact: true });
const rowsOf = (host: HTMLElement): readonly HTMLTableRowElement[] => [...host.querySelectorAll<HTMLTableRowElement>('tbody tr')];
/** As while the page has other things to do. */
const withoutRest = () => {
  vi.spyOn(globalThis, 'requestIdleCallback').mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
};
const linkOf = (row: HTMLTableRowElement | undefined): HTMLElement => {
  const link = row?.querySelector('a');
  if (!link) throw new Error('a row without a link');
  return link;
};
/** Whether a screen reader and a focus can find what is in it. */
const isReadable = (row: HTMLTableRowElement | undefined): boolean => linkOf(row).checkVisibility();

beforeEach(async () => {
  vi.clearAllMocks();
  await page.viewport(1280, 800);
});

test('of many rows those out of sight have their name, their link and their place; they are whole before they are seen', async () => {
  withoutRest();
  const { host } = open({ rows: papers(100) });
  await expect.element(cellOf(3)).toBeVisible();
  expect(rowsOf(host)).toHaveLength(100);
  expect(linkOf(rowsOf(host)[90]).textContent).toBe('Paper 90');
  expect(cellOf(90).query()).toBeNull();
  const scroller = host.querySelector('table')?.parentElement;
  const before = scroller?.scrollHeight ?? 0;
  scroller?.scrollTo({ top: before });
  await expect.element(cellOf(99)).toBeVisible();
  await page.getByRole('button', { name: 'Show: Paper 99' }).click();
  expect(onAction.mock.calls.map(([row, id]) => [row.id, id])).toEqual([['p99', 'show']]);
  expect(Math.abs((scroller?.scrollHeight ?? 0) - before)).toBeLessThan(before / 10);
});

test('once the page rests every row becomes whole, for whoever reads on without scrolling', { timeout: 60_000 }, async () => {
  const { host, change } = open({ rows: papers(100), viewId: 'first' });
  await expect.poll(() => cellOf(99).query(), { timeout: 30_000 }).not.toBeNull();
  change({ rows: papers(100, 100), viewId: 'second' });
  await expect.poll(() => cellOf(199).query(), { timeout: 30_000 }).not.toBeNull();
  expect(rowsOf(host).map((row) => linkOf(row).textContent)).toEqual(papers(100, 100).map(({ name }) => name));
});

test('rows out of sight that still hold the last page are neither seen nor read; whoever scrolls finds them whole in the very frame', async () => {
  withoutRest();
  const { host, change } = open({ rows: papers(100), viewId: 'first' });
  await expect.element(cellOf(3)).toBeVisible();
  change({ rows: papers(100, 100), viewId: 'second' });
  await expect.element(cellOf(103)).toBeVisible();
  expect(isReadable(rowsOf(host)[90])).toBe(false);
  await frame();
  const scroller = host.querySelector('table')?.parentElement;
  const isSeen = new Promise<void>((resolve) => {
    scroller?.addEventListener('scroll', () => requestAnimationFrame(() => resolve()), { once: true });
  });
  scroller?.scrollTo({ top: scroller.scrollHeight });
  await isSeen;
  expect(rowsOf(host)[99]?.textContent).toContain('id p199');
  expect(isReadable(rowsOf(host)[99])).toBe(true);
});

test('before a key goes to rows that still hold the last page, they hold their own', async () => {
  withoutRest();
  const { host, change } = open({ rows: papers(100), viewId: 'first' });
  await expect.element(cellOf(3)).toBeVisible();
  change({ rows: papers(100, 100), viewId: 'second' });
  await expect.element(cellOf(103)).toBeVisible();
  linkOf(rowsOf(host)[0]).focus();
  await userEvent.keyboard('{End}');
  expect(document.activeElement).toBe(linkOf(rowsOf(host)[99]));
  expect(document.activeElement?.textContent).toBe('Paper 199');
  change({ rows: papers(100, 200), viewId: 'third' });
  await expect.element(cellOf(203)).toBeVisible();
  expect(isReadable(rowsOf(host)[80])).toBe(false);
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  expect(isReadable(rowsOf(host)[80])).toBe(true);
  expect(linkOf(rowsOf(host)[80]).textContent).toBe('Paper 280');
});

test('the rows of another page that a screen shows in part are whole, and none is hidden beside them', async () => {
  withoutRest();
  const { host, change } = open({ rows: papers(100), viewId: 'first' });
  await expect.element(cellOf(3)).toBeVisible();
  change({ rows: papers(100, 100), viewId: 'second' });
  await expect.element(cellOf(103)).toBeVisible();
  const seen = [...host.querySelectorAll('tbody:not([data-late])')].flatMap((body) => [...body.querySelectorAll('tr')]);
  expect(seen.length).toBeGreaterThan(3);
  for (const [index, row] of seen.entries())
    expect([row.textContent?.includes(`id p${100 + index}`), isReadable(row)]).toEqual([true, true]);
});

test('the controls of a row are named after the document that it shows, page after page, and their tooltips and its menu say the same', async () => {
  const selection = { ids: [], onChange: vi.fn<(ids: readonly string[]) => void>() };
  const menu = { entries: () => [{ id: 'show', label: 'Show', icon: 'eye' as const }], onAction: vi.fn<() => void>() };
  const texts = { ...props.texts, select: (title: string) => `Select: ${title}` };
  const { host, change } = open({ rows: papers(3), viewId: 'first', selection, menu, texts });
  const controls = () => [...(rowsOf(host)[1]?.querySelectorAll('input, button') ?? [])];
  const before = controls();
  for (const name of ['Paper 1', 'Paper 11']) {
    if (name === 'Paper 11') change({ rows: papers(3, 10), viewId: 'second' });
    await expect.element(page.getByRole('checkbox', { name: `Select: ${name}`, exact: true })).toBeVisible();
    await page.getByRole('button', { name: `Show: ${name}`, exact: true }).hover();
    await expect.poll(() => [...document.querySelectorAll('[popover]')].map((bubble) => bubble.textContent)).toEqual([`Show: ${name}`]);
    await page.getByRole('button', { name: `More: ${name}`, exact: true }).click();
    await expect.element(page.getByRole('menu', { name: `More: ${name}`, exact: true })).toBeVisible();
    await userEvent.keyboard('{Escape}');
  }
  expect(controls()).toEqual(before);
  await page.getByRole('checkbox', { name: 'Select: Paper 11', exact: true }).click();
  expect(selection.onChange.mock.lastCall).toEqual([['p11']]);
});

test('the rows stand on a ground of their own, which nothing shows through', () => {
  const { host } = open({ rows: papers(100) });
  const { backgroundColor } = getComputedStyle(host.querySelector('table')?.parentElement ?? host);
  expect(backgroundColor).not.toMatch(/transparent|rgba\(0, 0, 0, 0\)/);
});

test('few rows are whole at once', async () => {
  open({ rows: papers(25) });
  await expect.element(cellOf(24)).toBeInTheDocument();
});

test('keys reach every row, and a row that becomes whole keeps the focus', async () => {
  const { host } = open({ rows: papers(100) });
  linkOf(rowsOf(host)[0]).focus();
  await userEvent.keyboard('{End}');
  await expect.element(cellOf(99)).toBeVisible();
  expect(document.activeElement).toBe(linkOf(rowsOf(host)[99]));
  await userEvent.keyboard('{Enter}');
  expect(onOpen.mock.calls.map(([row]) => row.id)).toEqual(['p99']);
});

test('before the browser looks for a text or prints, every row is whole', async () => {
  withoutRest();
  const { host, change } = open({ rows: papers(100) });
  const cells = () => rowsOf(host)[80]?.cells.length;
  await expect.element(cellOf(3)).toBeVisible();
  expect(cells()).toBe(1);
  await userEvent.keyboard('{Control>}f{/Control}');
  expect(cells()).toBe(3);
  change({ rows: papers(100, 100), viewId: 'second' });
  await expect.element(cellOf(103)).toBeVisible();
  expect(isReadable(rowsOf(host)[80])).toBe(false);
  dispatchEvent(new Event('beforeprint'));
  expect(isReadable(rowsOf(host)[80])).toBe(true);
  expect(rowsOf(host)[80]?.textContent).toContain('id p180');
});

test('another page is written into the rows that are there, and nobody keeps a focus in a row that was not chosen', async () => {
  const { host, change } = open({ rows: papers(10), viewId: 'first' });
  const elements = rowsOf(host);
  linkOf(elements[4]).focus();
  change({ rows: papers(10, 10), viewId: 'second' });
  await expect.element(cellOf(14)).toBeVisible();
  expect(rowsOf(host)).toEqual(elements);
  expect(document.activeElement).toBe(document.body);
});

test('a page that is waited for leaves the old rows as they are until it is there', async () => {
  const { host, change } = open({ rows: papers(10), viewId: 'first' });
  const elements = rowsOf(host);
  change({ viewId: 'second', state: 'busy' });
  await expect.element(page.getByRole('table', { name: 'Papers' })).toBeVisible();
  change({ rows: papers(10, 10), state: 'ready' });
  await expect.element(cellOf(14)).toBeVisible();
  expect(rowsOf(host)).toEqual(elements);
});

test('within a view a row keeps its element and its focus when others come in before it', async () => {
  const { host, change } = open({ rows: papers(5), viewId: 'first' });
  const third = rowsOf(host)[2];
  linkOf(third).focus();
  change({ rows: [{ id: 'new', name: 'New' }, ...papers(4)] });
  await expect.element(page.getByRole('link', { name: 'New' })).toBeVisible();
  expect(rowsOf(host)[3]).toBe(third);
  expect(document.activeElement).toBe(linkOf(third));
});

test('the last row of a group keeps its element and its focus, too; another search begins new groups', async () => {
  const groups = () => [...host.querySelectorAll('tbody')].map((body) => body.rows.length);
  const { host, change } = open({ rows: papers(25), viewId: 'first' });
  const last = rowsOf(host)[19];
  linkOf(last).focus();
  change({ rows: [{ id: 'new', name: 'New' }, ...papers(24)] });
  await expect.element(page.getByRole('link', { name: 'New' })).toBeVisible();
  expect(rowsOf(host)[20]).toBe(last);
  expect(document.activeElement).toBe(linkOf(last));
  expect(groups()).toEqual([5, 4, 4, 4, 4, 4]);
  change({ rows: papers(50, 100) });
  await expect.element(cellOf(103)).toBeVisible();
  expect(groups()).toEqual([...Array.from({ length: 10 }, () => 4), 10]);
});

test('a name that has no room is told whole to whoever points at it; one that has room is not', async () => {
  const long = 'A name that is far longer than the column in which it stands can ever be, whatever its width';
  open({
    rows: [
      { id: 'short', name: 'Short' },
      { id: 'long', name: `${long}, ${long}` },
    ],
  });
  await page.getByRole('link', { name: 'Short' }).hover();
  await page.getByRole('link', { name: /^A name/ }).hover();
  await expect.poll(() => [...document.querySelectorAll('[popover]')].map((bubble) => bubble.textContent)).toEqual([`${long}, ${long}`]);
});
