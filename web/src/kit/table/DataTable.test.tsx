import { useState } from 'react';
import { flushSync } from 'react-dom';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { Pager } from './Pager.tsx';
import { fakePointer, frame, show } from '#kit/render.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';

interface Doc {
  readonly id: string;
  readonly name: string;
  readonly date: string;
  readonly unread: boolean;
}
const docs: readonly Doc[] = [
  { id: '1', name: 'Agreement', date: '2026-11-18', unread: true },
  { id: '2', name: 'Schedule', date: '2026-11-12', unread: false },
  { id: '3', name: 'Policy', date: '2026-10-30', unread: false },
];
const onOpen = vi.fn<(row: Doc) => void>();
const onAction = vi.fn<(row: Doc, id: string) => void>();
const onSort = vi.fn<(id: string) => void>();

const props: DataTableProps<Doc> = {
  label: 'Received documents',
  identityColumn: { id: 'group', header: 'Product group' },
  columns: [{ id: 'date', header: 'Registered', sortable: true, width: 140, cell: (row) => row.date }],
  rows: docs,
  rowId: (row) => row.id,
  identity: (row) => ({ title: row.name, sha256: row.id.repeat(64), unread: row.unread }),
  phoneLines: (row) => [row.date],
  actions: (row) => [
    { id: 'show', icon: 'eye', name: `Show: ${row.name}`, label: 'Show' },
    {
      id: 'check',
      icon: 'seal-check',
      name: `Check: ${row.name}`,
      label: 'Check',
      disabledReason: row.unread ? 'Open the document first' : undefined,
    },
  ],
  onOpen,
  onAction,
  onSort,
  sort: { by: 'date', order: 'desc' },
};

beforeEach(async () => {
  await freshTab('EN');
  vi.clearAllMocks();
  await page.viewport(1280, 800);
});
const button = (name: string) => page.getByRole('button', { name, exact: true });

test('a row opens by its title, by Enter and by a double click anywhere on it', async () => {
  show(<DataTable {...props} />);
  await button('Schedule').click();
  await page.getByRole('cell', { name: '2026-10-30' }).dblClick();
  expect(onOpen.mock.calls.map(([row]) => row.id)).toEqual(['2', '3']);
});

test('arrow keys go from title to title, Enter opens', async () => {
  show(<DataTable {...props} />);
  const first = button('Agreement unread').element();
  if (first instanceof HTMLElement) first.focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(button('Policy').element());
  await userEvent.keyboard('{Home}{Enter}');
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(docs[0]);
});

test('a button that is disabled says why, keeps the focus and does nothing', async () => {
  show(<DataTable {...props} />);
  const check = button('Check: Agreement');
  await expect.element(check).toHaveAccessibleDescription('Open the document first');
  await expect.element(check).toHaveAttribute('aria-disabled', 'true');
  const element = check.element();
  if (element instanceof HTMLElement) element.focus();
  await userEvent.keyboard('{Enter}');
  expect(onAction).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(element);
  await button('Check: Policy').click();
  expect(onAction).toHaveBeenCalledExactlyOnceWith(docs[2], 'check');
});

test('the sorted column says so, and its button asks for the other order', async () => {
  show(<DataTable {...props} />);
  await expect.element(page.getByRole('columnheader', { name: 'Registered' })).toHaveAttribute('aria-sort', 'descending');
  await button('Registered').click();
  expect(onSort).toHaveBeenCalledExactlyOnceWith('date');
});

test('a column is resized by keys and by dragging, never under 80 px, and gets its first width back by a double click', async () => {
  const host = show(<DataTable {...props} />);
  const grip = page.getByRole('separator', { name: 'Width of the column Registered' });
  const width = () => host.querySelectorAll('th')[1]?.offsetWidth;
  const element = grip.element();
  if (element instanceof HTMLElement) element.focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(width()).toBe(160);
  await expect.element(grip).toHaveAttribute('aria-valuenow', '160');
  const pointer = fakePointer(element);
  pointer.press({ x: 500, y: 20 });
  pointer.move({ x: 100, y: 20 });
  element.dispatchEvent(new PointerEvent('lostpointercapture', { bubbles: true }));
  await frame();
  expect(width()).toBe(80);
  await grip.dblClick();
  expect(width()).toBe(140);
});

test('rows are selected one by one or all at once', async () => {
  function Selecting() {
    const [ids, setIds] = useState<readonly string[]>([]);
    return (
      <>
        <DataTable {...props} selection={{ ids, onChange: setIds }} />
        <output>{ids.join(' ')}</output>
      </>
    );
  }
  show(<Selecting />);
  await page.getByRole('checkbox', { name: 'Select: Schedule' }).click();
  await expect.element(page.getByRole('status')).toHaveTextContent('2');
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click();
  await expect.element(page.getByRole('status')).toHaveTextContent('1 2 3');
});

test('loading is said, and an empty list shows what it is given', async () => {
  show(<DataTable {...props} state="loading" />);
  await expect.element(page.getByText('Loading…')).toBeInTheDocument();
  show(<DataTable {...props} rows={[]} empty={<p>Nothing here</p>} />);
  await expect.element(page.getByText('Nothing here')).toBeInTheDocument();
});

test('on a phone the rows are a list, opened by a tap, with the other actions in a menu', async () => {
  await page.viewport(390, 800);
  const host = show(<DataTable {...props} asList />);
  expect(host.querySelector('table')).toBeNull();
  await button('More actions: Policy').click();
  await page.getByRole('menuitem', { name: 'Check' }).click();
  await expect.poll(() => onAction.mock.calls.map(([row, id]) => [row.id, id])).toEqual([['3', 'check']]);
  await page.getByRole('listitem').nth(1).getByRole('button').first().click();
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(docs[1]);
});

test('the pager says where it is and stops at both ends', async () => {
  const onPage = vi.fn<(page: number) => void>();
  const onPageSize = vi.fn<(size: number) => void>();
  show(<Pager page={0} pageSize={10} total={37} onPage={onPage} onPageSize={onPageSize} name="Papers" />);
  await expect.element(page.getByText('1–10 of 37')).toBeInTheDocument();
  await expect.element(button('Previous page')).toHaveAccessibleDescription('This is the first page');
  await button('Previous page').click({ force: true });
  await button('Next page').click();
  await button('Last page').click();
  expect(onPage.mock.calls).toEqual([[1], [3]]);
  await page.getByRole('button', { name: /Rows per page/ }).click();
  await page.getByRole('option', { name: '25' }).click();
  expect(onPageSize).toHaveBeenCalledExactlyOnceWith(25);
});

test('another page begins at its top', async () => {
  const many = Array.from({ length: 40 }, (_, i) => ({ ...docs[1], id: String(i), name: `Paper ${i}`, date: '2026-01-01', unread: false }));
  const Pages = () => {
    const [viewId, setViewId] = useState('first');
    return (
      <div style={{ height: 300, display: 'flex' }}>
        <DataTable {...props} rows={many} viewId={viewId} />
        <button type="button" onClick={() => setViewId('second')}>
          Next
        </button>
      </div>
    );
  };
  const scroller = show(<Pages />).querySelector('table')?.parentElement;
  scroller?.scrollTo({ top: 500 });
  expect(scroller?.scrollTop).toBe(500);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(() => scroller?.scrollTop).toBe(0);
});

test.each(['table', 'list'])('of another page of a hundred rows a %s shows those in sight first, then all in their order', async (form) => {
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const papers = (from: number, to: number) => numbers(from, to).map((n) => ({ id: `${n}`, name: `${n}`, date: '', unread: false }));
  // Some of the second page stand on the first one, too.
  const pages: readonly (readonly Doc[])[] = [papers(1, 100), papers(81, 180), papers(5, 7)];
  const Pages = () => {
    const [at, setAt] = useState(0);
    const table = { ...props, rows: pages[at] ?? [], asList: form === 'list', actions: undefined };
    return (
      <>
        <DataTable {...table} identity={({ name }) => ({ title: name })} />
        <button type="button" onClick={() => setAt(at + 1)}>
          Next
        </button>
      </>
    );
  };
  const host = show(<Pages />);
  const turn = () => flushSync(() => [...host.querySelectorAll('button')].at(-1)?.click());
  const shown = () => [...host.querySelectorAll('tbody tr, li')].map((row) => Number.parseInt(row.textContent, 10));
  turn();
  expect(shown().slice(0, 20)).toEqual(numbers(81, 100));
  expect(shown().at(-1)).toBe(80);
  await expect.poll(shown).toEqual(numbers(81, 180));
  turn();
  expect(shown()).toEqual([5, 6, 7]);
});

test('in a narrow window every column is shown whole, in its narrow width; in a wide one at its own', async () => {
  const columns: DataTableProps<Doc>['columns'] = [
    { id: 'account', header: 'Account', width: 300, narrowWidth: 150, cell: () => '12 3456' },
    { id: 'date', header: 'Registered', width: 300, narrowWidth: 100, cell: (row) => row.date },
  ];
  const room = (width: number) => (
    <div style={{ width, height: 400, display: 'flex' }}>
      <DataTable {...props} columns={columns} />
    </div>
  );
  const widthsIn = async (width: number) => {
    const host = show(room(width));
    await frame();
    const scroller = host.querySelector('table')?.parentElement;
    const cells = [...host.querySelectorAll('th')].slice(1, 3).map((cell) => cell.offsetWidth);
    return { cells, scrolls: scroller ? scroller.scrollWidth > scroller.clientWidth : undefined };
  };
  expect(await widthsIn(1000)).toEqual({ cells: [300, 300], scrolls: false });
  expect(await widthsIn(640)).toEqual({ cells: [150, 100], scrolls: false });
  expect(await widthsIn(400)).toEqual({ cells: [150, 100], scrolls: true });
});

test('while rows are loading their columns have heads, which stay where they are, with their focus, when the rows come', async () => {
  const Coming = () => {
    const [state, setState] = useState<'loading' | 'ready'>('loading');
    const loadingActions = [{}, {}];
    return (
      <div style={{ height: 400, display: 'flex' }}>
        <DataTable {...props} state={state} loadingActions={loadingActions} />
        <button type="button" onClick={() => setState('ready')}>
          They come
        </button>
      </div>
    );
  };
  const host = show(<Coming />);
  const places = () => [...host.querySelectorAll('th')].map((cell) => cell.getBoundingClientRect().toJSON());
  const before = places();
  expect(before).toHaveLength(3);
  const sort = button('Registered').element();
  if (sort instanceof HTMLElement) sort.focus();
  const come = button('They come').element();
  if (come instanceof HTMLElement) come.click();
  await expect.element(button('Schedule')).toBeVisible();
  expect(places()).toEqual(before);
  expect(document.activeElement).toBe(sort);
});

test('where the columns scroll, of the buttons of a row that of the menu stays, which has all of them', async () => {
  const room = (width: number) => (
    <div style={{ width, height: 400, display: 'flex' }}>
      <DataTable {...props} menu={() => [{ id: 'show', label: 'Show' }]} />
    </div>
  );
  const showAll = page.elementLocator(show(room(640)));
  await expect.element(showAll.getByRole('button', { name: 'Show: Schedule' })).toBeVisible();
  await expect.element(showAll.getByRole('button', { name: 'More actions: Schedule' })).toBeVisible();
  const small = page.elementLocator(show(room(300)));
  await expect.element(small.getByRole('button', { name: 'Show: Schedule' })).not.toBeInTheDocument();
  await small.getByRole('button', { name: 'More actions: Schedule' }).click();
  await expect.element(page.getByRole('menuitem', { name: 'Show' })).toBeVisible();
});

test('the name of the last column takes one line: over the buttons of the rows the head has room', async () => {
  const columns: DataTableProps<Doc>['columns'] = [
    { id: 'other', header: 'Registration date', sortable: true, width: 112, cell: (row) => row.date },
    { id: 'date', header: 'Registration date', sortable: true, width: 112, cell: (row) => row.date },
  ];
  const host = show(<DataTable {...props} columns={columns} />);
  await frame();
  const heightOf = (index: number) => host.querySelectorAll('th')[index]?.querySelector('span')?.offsetHeight ?? 0;
  expect(heightOf(2)).toBeLessThan(heightOf(1));
  await page
    .getByRole('columnheader', { name: 'Registration date' })
    .last()
    .getByRole('button')
    .click({ position: { x: 90, y: 10 } });
  expect(onSort).toHaveBeenCalledExactlyOnceWith('date');
});

test.each([80, 140])('in a column of %i px the sign of the order lies beside the grip, never under it', (width) => {
  const head = { id: 'date', header: 'Registration date', sortable: true, width, cell: (row: Doc) => row.date };
  show(<DataTable {...props} columns={[head, { ...head, id: 'last' }]} />);
  const header = page.getByRole('columnheader', { name: 'Registration date' }).first().element();
  const [sign, grip] = ['button svg', '[role="separator"]'].map((part) => header.querySelector(part)?.getBoundingClientRect());
  expect(sign?.right).toBeLessThanOrEqual(grip?.left ?? Number.NaN);
});
