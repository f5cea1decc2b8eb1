import { useEffect, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { frame, show } from '#kit/render.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';

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
const linkOf = (row: HTMLTableRowElement | undefined): HTMLElement => {
  const link = row?.querySelector('a');
  if (!link) throw new Error('a row without a link');
  return link;
};

beforeEach(async () => {
  await freshTab('EN');
  vi.clearAllMocks();
  await page.viewport(1280, 800);
});

test('of many rows all are there with all their cells at once, and those out of sight can be read, found and reached', async () => {
  const { host } = open({ rows: papers(100) });
  await expect.element(cellOf(3)).toBeVisible();
  expect(rowsOf(host).map((row) => row.cells.length)).toEqual(Array.from({ length: 100 }, () => 3));
  const last = rowsOf(host)[99];
  expect(last && getComputedStyle(last).contentVisibility).toBe('auto');
  await expect.element(page.getByRole('cell', { name: 'id p99', exact: true })).toBeInTheDocument();
  linkOf(rowsOf(host)[0]).focus();
  await userEvent.keyboard('{End}');
  expect(document.activeElement).toBe(linkOf(last));
  await expect.element(cellOf(99)).toBeVisible();
  await userEvent.keyboard('{Enter}');
  expect(onOpen.mock.calls.map(([row]) => row.id)).toEqual(['p99']);
});

test('rows out of sight keep their place: a list scrolls as far before they were seen as afterwards', async () => {
  const { host } = open({ rows: papers(100) });
  const scroller = host.querySelector('table')?.parentElement;
  await frame();
  const before = scroller?.scrollHeight ?? 0;
  scroller?.scrollTo({ top: before });
  await page.getByRole('button', { name: 'Show: Paper 99' }).click();
  expect(onAction.mock.calls.map(([row, id]) => [row.id, id])).toEqual([['p99', 'show']]);
  expect(scroller?.scrollHeight).toBe(before);
});

test('the controls of a row are named after the document that it shows, page after page, and their tooltips and its menu say the same', async () => {
  const selection = { ids: [], onChange: vi.fn<(ids: readonly string[]) => void>() };
  const menu = () => [{ id: 'show', label: 'Show', icon: 'eye' as const }];
  const { change } = open({ rows: papers(3), viewId: 'first', selection, menu });
  for (const name of ['Paper 1', 'Paper 11']) {
    if (name === 'Paper 11') change({ rows: papers(3, 10), viewId: 'second' });
    await expect.element(page.getByRole('checkbox', { name: `Select: ${name}`, exact: true })).toBeVisible();
    await page.getByRole('button', { name: `Show: ${name}`, exact: true }).hover();
    await expect.poll(() => [...document.querySelectorAll('[popover]')].map((bubble) => bubble.textContent)).toEqual([`Show: ${name}`]);
    await page.getByRole('button', { name: `More actions: ${name}`, exact: true }).click();
    await expect.element(page.getByRole('menu', { name: `More actions: ${name}`, exact: true })).toBeVisible();
    await userEvent.keyboard('{Escape}');
  }
  await page.getByRole('checkbox', { name: 'Select: Paper 11', exact: true }).click();
  expect(selection.onChange.mock.lastCall).toEqual([['p11']]);
});

test('a page that is waited for leaves the old rows as they are until it is there, and then no focus is in a row that was not chosen', async () => {
  const { host, change } = open({ rows: papers(10), viewId: 'first' });
  const elements = rowsOf(host);
  linkOf(elements[4]).focus();
  change({ viewId: 'second', state: 'busy' });
  await expect.element(page.getByRole('table', { name: 'Papers' })).toBeVisible();
  expect(rowsOf(host)).toEqual(elements);
  expect(document.activeElement).toBe(linkOf(elements[4]));
  change({ rows: papers(10, 10), state: 'ready' });
  await expect.element(cellOf(14)).toBeVisible();
  expect(document.activeElement).toBe(document.body);
});

test('in another order a document keeps its element, and the focus stays with it', async () => {
  const { host, change } = open({ rows: papers(10), viewId: 'first' });
  const elements = rowsOf(host);
  linkOf(elements[2]).focus();
  change({ rows: papers(10).toReversed(), viewId: 'second' });
  await expect.poll(() => rowsOf(host)).toEqual(elements.toReversed());
  expect(document.activeElement).toBe(linkOf(elements[2]));
});

test('a document that another answer holds unchanged is not rendered again', async () => {
  const cell = vi.fn<(row: Paper) => string>((row) => `id ${row.id}`);
  const rows = papers(5);
  const { change } = open({ rows, columns: [{ id: 'id', header: 'Id', width: 140, cell }] });
  await expect.element(cellOf(4)).toBeVisible();
  cell.mockClear();
  change({ rows: [{ id: 'new', name: 'New' }, ...rows] });
  await expect.element(page.getByRole('link', { name: 'New' })).toBeVisible();
  expect(cell.mock.calls.map(([row]) => row.id)).toEqual(['new']);
});

test('the rows stand on a ground of their own, which nothing shows through', () => {
  const { host } = open({ rows: papers(100) });
  const { backgroundColor } = getComputedStyle(host.querySelector('table')?.parentElement ?? host);
  expect(backgroundColor).not.toMatch(/transparent|rgba\(0, 0, 0, 0\)/);
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

test('a name that has no room is shown whole when it is pointed at; one that has room is not', async () => {
  const long = 'A name that is far longer than the column in which it stands can ever be, whatever its width';
  const longest = Array.from({ length: 6 }, () => long).join(', ');
  open({
    rows: [
      { id: 'short', name: 'Short' },
      { id: 'long', name: longest },
    ],
  });
  await page.getByRole('link', { name: 'Short' }).hover();
  await page.getByRole('link', { name: /^A name/ }).hover();
  await expect.poll(() => [...document.querySelectorAll('[popover]')].map((bubble) => bubble.textContent)).toEqual([longest]);
});
