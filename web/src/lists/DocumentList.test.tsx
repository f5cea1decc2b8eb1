import { documentQuery, listLimits, type DocumentQuery, type DocumentRow, type SavedView } from '@pergamin/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { emit, on, type PortalEvents } from '#platform/events.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import { answerFetch, freshTab, refusal, type Answers, type Asked } from '#platform/page.fixture.tsx';
import { Announcer } from '#kit/feedback/Announcer.tsx';
import { press } from '#kit/press.fixture.ts';
import { show } from '#kit/render.fixture.tsx';
import { DocumentList } from './DocumentList.tsx';
import type { ListPlan } from './list-plan.ts';
import { ownDocuments } from './list-source.ts';

const listPath = 'POST /api/protected/documents/list/data';
const viewsPath = 'GET /api/protected/views/list';
const idOf = (number: number): string => `6f1b7a32-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** How often a row asked for its name: once for each time that it was rendered. */
let described = 0;
const plan: ListPlan = {
  kind: 'received',
  label: 'Papers',
  searchLabel: 'Search papers',
  criteria: () => [{ id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' }],
  dateKey: 'REG_DATE',
  period: 'optional',
  fields: [
    { key: 'PRIV_DOC_PRODUCT_GROUP', label: 'Group', look: 'select' },
    { key: 'ACCOUNT_NUMBER', label: 'Account', look: 'text' },
    { key: 'REG_DATE', label: 'Registered', look: 'range' },
  ],
  first: { header: 'Group', sortKey: 'PRIV_DOC_PRODUCT_GROUP' },
  columns: [
    { key: 'ACCOUNT_NUMBER', header: 'Account', look: 'account', width: 184 },
    { key: 'REG_DATE', header: 'Registered', look: 'day', width: 148 },
  ],
  phoneLines: [['REG_DATE']],
  actions: [
    {
      id: 'show',
      icon: 'eye',
      label: 'Show',
      named: (name) => {
        described += 1;
        return `Show: ${name}`;
      },
    },
  ],
  checkAfterReading: true,
  texts: { noDate: 'Select document registration date', wrongDate: 'Select correct document registration date' },
};

const document = (number: number): DocumentRow => ({
  id: idOf(number),
  state: 'ACTIVE',
  corrupted: false,
  deleted: false,
  published: true,
  read: 5,
  downloaded: null,
  metadata: { FILE_NAME: `Paper ${number}.pdf`, REG_DATE: '2026-11-18', ACCOUNT_NUMBER: '61109010140000071219812874' },
});

const portal = (count: number, more: Answers = {}): Answers => ({
  'GET /api/protected/documents/markers/ignore': [],
  'GET /api/protected/metadata/map': { items: [], statementMarker: 'BANK_ST_DOC_TYPE' },
  'GET /api/open/documents/metadata/dictionaries/list': { items: [] },
  'POST /api/protected/documents/view/values': { items: ['LOANS'], more: false },
  [viewsPath]: { folders: [], items: [] },
  [listPath]: { items: Array.from({ length: count }, (_, i) => document(i + 1)), total: count },
  ...more,
});

function Shown({ of }: { readonly of: ListPlan }) {
  return <DocumentList plan={of} source={ownDocuments} metadata={useMetadata()} hrefOf={() => undefined} onShow={() => undefined} />;
}

const open = (answers: Answers, of = plan) => {
  const asked = answerFetch(answers);
  const alerts: PortalEvents['alert'][] = [];
  onTestFinished(on('alert', (alert) => alerts.push(alert)));
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });
  const host = show(
    <QueryClientProvider client={queries}>
      <Shown of={of} />
      <Announcer />
    </QueryClientProvider>,
  );
  host.style.cssText = 'position: fixed; inset: 0; display: flex; flex-direction: column';
  return { asked, alerts, host };
};
const queriesOf = async (asked: readonly Asked[]): Promise<DocumentQuery[]> =>
  Promise.all(asked.filter(({ line }) => line === listPath).map(async ({ request }) => documentQuery.parse(await request.clone().json())));
const bodiesOf = async (asked: readonly Asked[], start: string): Promise<unknown[]> =>
  Promise.all(asked.filter(({ line }) => line.startsWith(start)).map(async ({ request }) => request.clone().json()));
const button = (name: string) => page.getByRole('button', { name, exact: true });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const choose = async (field: string, option: string): Promise<void> => {
  await press(page.getByRole('button', { name: new RegExp(`${field}$`) }));
  await press(page.getByRole('option', { name: option, exact: true }));
};

beforeEach(async () => {
  await page.viewport(1280, 800);
  await freshTab('EN');
});

describe('filters', () => {
  test('are applied together, shown as chips, and taken away one by one', async () => {
    const { asked } = open(portal(3));
    await expect.element(button('apply')).toHaveAccessibleDescription('No filter has been changed');
    await page.getByRole('textbox', { name: 'Account' }).fill('61 10');
    await choose('period', 'current year');
    expect(await queriesOf(asked)).toHaveLength(1);
    await button('apply').click();
    await expect
      .poll(async () => (await queriesOf(asked)).at(-1)?.criteria.metadata.at(-1))
      .toEqual({ id: 'ACCOUNT_NUMBER', operator: 'LIKE', value: '%61 10%' });
    await expect.element(page.getByText('period: current year')).toBeVisible();
    await button('Remove the filter Account: 61 10').click();
    await expect.poll(async () => (await queriesOf(asked)).at(-1)?.criteria.metadata).toHaveLength(1);
    await expect.element(page.getByRole('textbox', { name: 'Account' })).toHaveValue('');
    await choose('period', 'last 30 days');
    await button('apply').click();
    await expect.element(page.getByText('period: last 30 days')).toBeVisible();
    await button('clear').click();
    await expect.element(page.getByText('period: last 3 months')).toBeVisible();
  });

  test('of a period replace the days that were written, and its chip goes without showing less', async () => {
    const { asked } = open(portal(1));
    const lastYear = String(new Date().getFullYear() - 1);
    await choose('period', 'No period');
    await page.getByRole('textbox', { name: 'Registered: from' }).fill('01-02-2020');
    await button('apply').click();
    await expect.element(page.getByText('Registered: from 2020-02-01')).toBeVisible();
    // The only date that is left: without it nothing could be searched.
    expect(button('Remove the filter Registered: from 2020-02-01').elements()).toEqual([]);
    await choose('period', lastYear);
    await button('apply').click();
    await expect.element(page.getByText(`period: ${lastYear}`)).toBeVisible();
    await expect.element(page.getByRole('textbox', { name: 'Registered: from' })).toHaveValue('');
    await button(`Remove the filter period: ${lastYear}`).click();
    await expect.element(page.getByText(`Registered: from ${lastYear}-01-01`)).toBeVisible();
    expect((await queriesOf(asked)).at(-1)?.criteria.period).toMatchObject({ end: null });
  });

  test('by an account number are found with its country, too', async () => {
    const { asked } = open(portal(1));
    await page.getByRole('textbox', { name: 'Account' }).fill('PL 61 1090');
    await button('apply').click();
    await expect.poll(async () => (await queriesOf(asked)).at(-1)?.criteria.metadata.at(-1)).toMatchObject({ value: '%61 1090%' });
  });

  test('by Enter are applied, too', async () => {
    const { asked } = open(portal(1));
    await page.getByRole('textbox', { name: 'Account' }).fill('61');
    await userEvent.keyboard('{Enter}');
    await expect.poll(async () => (await queriesOf(asked)).length).toBe(2);
  });

  test('take no more than 256 characters', async () => {
    open(portal(1));
    await expect.element(page.getByRole('textbox', { name: 'Account' })).toHaveAttribute('maxlength', '256');
  });

  test('without a period and a date say so, and nothing is sent', async () => {
    const { asked, alerts } = open(portal(1));
    await choose('period', 'No period');
    await button('apply').click();
    await expect.poll(() => alerts).toEqual([{ tone: 'error', title: 'no date selected', detail: 'Select document registration date' }]);
    await expect.element(page.getByText('Select document registration date')).toBeVisible();
    expect(await queriesOf(asked)).toHaveLength(1);
  });

  test('whose dates lie outside the period say so at the date, which takes the focus, and nothing is sent', async () => {
    const { asked, alerts } = open(portal(1));
    await page.getByRole('textbox', { name: 'Registered: to' }).fill('01-01-2020');
    await button('apply').click();
    await expect
      .poll(() => alerts)
      .toEqual([{ tone: 'error', title: 'wrong date selected', detail: 'Select correct document registration date' }]);
    await expect.element(page.getByRole('textbox', { name: 'Registered: from' })).toHaveFocus();
    await expect
      .element(page.getByRole('textbox', { name: 'Registered: to' }))
      .toHaveAccessibleDescription('Select correct document registration date. These days are outside the period: last 3 months');
    expect(await queriesOf(asked)).toHaveLength(1);
  });

  test('in which something else than a day is written say how to write one', async () => {
    const { asked } = open(portal(1));
    await page.getByRole('textbox', { name: 'Registered: from' }).fill('31-02-2026');
    await button('apply').click();
    await expect.element(page.getByText('Write the date as YYYY-MM-DD')).toBeVisible();
    expect(await queriesOf(asked)).toHaveLength(1);
  });

  test('take days from a calendar whose weeks begin on Monday', async () => {
    open(portal(1));
    await page.getByRole('textbox', { name: 'Registered: from' }).fill('02-11-2026');
    await page.getByRole('textbox', { name: 'Registered: to' }).fill('03-11-2026');
    await button('Open the calendar: Registered').click();
    await expect.element(page.getByRole('grid')).toBeVisible();
    // The names of the days are for the eyes: each day says its own.
    expect(page.getByRole('grid').element().querySelector('th')?.textContent).toMatch(/^Mon/);
    await userEvent.keyboard('{ArrowDown}{Enter}{ArrowRight}{Enter}');
    await expect.element(page.getByRole('textbox', { name: 'Registered: from' })).toHaveValue('2026-11-09');
    await expect.element(page.getByRole('textbox', { name: 'Registered: to' })).toHaveValue('2026-11-11');
  });

  test('are written without any row being rendered anew', async () => {
    open(portal(10));
    await expect.element(row('Paper 10')).toBeVisible();
    await page.getByRole('textbox', { name: 'Account' }).click();
    const before = described;
    await userEvent.keyboard('PL61 1090 1014');
    await page.getByRole('textbox', { name: 'Registered: from' }).fill('01-11-2026');
    await page.getByRole('searchbox').fill('agree');
    expect(described).toBe(before);
  });
});

describe('the search', () => {
  test('begins half a second after the last key, once', async () => {
    const { asked } = open(portal(1));
    await expect.element(row('Paper 1')).toBeVisible();
    await page.getByRole('searchbox').fill('loan');
    expect(await queriesOf(asked)).toHaveLength(1);
    await expect.poll(async () => (await queriesOf(asked)).map(({ text }) => text)).toEqual([null, 'loan']);
    await button('Clear the search').click();
    await expect.poll(async () => (await queriesOf(asked)).at(-1)?.text).toBe(null);
  });

  test('that finds nothing says what was sought, and searches without it', async () => {
    const { asked } = open(portal(0));
    await page.getByRole('searchbox').fill('loam');
    await expect.element(page.getByText('Nothing matches “loam” in this period: last 3 months.')).toBeVisible();
    await button('Search without filters').click();
    await expect.poll(async () => (await queriesOf(asked)).at(-1)?.text).toBe(null);
  });

  test('that finds nothing names the period and offers a longer one', async () => {
    const { asked } = open(portal(0));
    await expect.element(page.getByText(/Period searched: last 3 months/)).toBeVisible();
    await button('Show last 6 months').click();
    await expect.poll(async () => (await queriesOf(asked)).length).toBe(2);
    await expect.element(page.getByText('period: last 6 months')).toBeVisible();
  });
});

describe('rows', () => {
  test('that are selected are counted, and go into one archive, whose progress is told', async () => {
    const saved: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    onTestFinished(() => click.mockRestore());
    const { asked } = open(portal(3, { 'POST /api/protected/documents/export/zip': new Response('zip') }));
    await page.getByRole('checkbox', { name: 'Select: Paper 1' }).click();
    await page.getByRole('checkbox', { name: 'Select: Paper 3' }).click();
    await expect.element(page.getByRole('toolbar').getByText('2 row(s) selected')).toBeVisible();
    await page.getByRole('toolbar').getByRole('button', { name: 'Filters' }).click();
    await expect.element(page.getByRole('textbox', { name: 'Account' })).not.toBeInTheDocument();
    await button('Download ZIP').click();
    await expect.poll(() => saved).toHaveLength(1);
    expect(saved[0]).toMatch(/^documents-\d{4}-\d{2}-\d{2}\.zip$/);
    expect(await bodiesOf(asked, 'POST /api/protected/documents/export/zip')).toEqual([{ language: 'EN', ids: [idOf(1), idOf(3)] }]);
    // They count as downloaded now.
    await expect.poll(async () => (await queriesOf(asked)).length).toBe(2);
  });

  test('that are selected keep the focus where it is while they are exported, and hand it to the table when they are not selected any more', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    onTestFinished(() => click.mockRestore());
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    open(portal(2, { 'POST /api/protected/documents/export/zip': new Response(readable) }));
    await page.getByRole('checkbox', { name: 'Select: Paper 1' }).click();
    const zip = button('Download ZIP');
    await zip.click();
    await expect.element(page.getByRole('progressbar')).toBeVisible();
    await expect.element(zip).toHaveFocus();
    await expect.element(button('CSV table')).toHaveAttribute('aria-disabled', 'true');
    await writable.close();
    await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument();
    await expect.element(zip).toHaveFocus();
    await button('Clear the selection').click();
    await expect.element(zip).not.toBeInTheDocument();
    await expect.element(page.getByRole('checkbox', { name: 'Select all rows of this page' })).toHaveFocus();
  });

  test('whose archive is refused say why', async () => {
    const { alerts } = open(portal(1, { 'POST /api/protected/documents/export/zip': refusal(503, 'STORAGE_ERROR') }));
    await page.getByRole('checkbox', { name: 'Select: Paper 1' }).click();
    await button('Download ZIP').click();
    await expect.poll(() => alerts.map(({ tone }) => tone)).toEqual(['error']);
  });

  test('have a menu: by the right button of the mouse, by Shift and F10, by a button', async () => {
    open(portal(2));
    const menu = page.getByRole('menu');
    await row('Paper 2').getByRole('cell').nth(2).click({ button: 'right' });
    await expect.element(menu).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(menu).not.toBeInTheDocument();
    await expect.element(row('Paper 2').getByRole('button', { name: /^Paper 2/ })).toHaveFocus();
    await userEvent.keyboard('{Shift>}{F10}{/Shift}');
    await expect.element(menu).toBeVisible();
    await page.getByRole('menuitem', { name: 'Select the row' }).click();
    await expect.element(page.getByRole('toolbar').getByText('1 row(s) selected')).toBeVisible();
    await button('More actions: Paper 1').click();
    await expect.element(menu).toBeVisible();
  });

  test('are told in a table of all that was found', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    onTestFinished(() => click.mockRestore());
    const { asked } = open(portal(2, { 'POST /api/protected/documents/export/csv': new Response('csv') }));
    await expect.element(row('Paper 2')).toBeVisible();
    await button('Export').click();
    await page.getByRole('menuitem', { name: 'Table of 2 documents (CSV)' }).click();
    // The menu is there again afterwards, and all the while, with the focus that came back to it.
    await expect.element(button('Export')).toHaveFocus();
    await expect
      .poll(() => bodiesOf(asked, 'POST /api/protected/documents/export/csv'))
      .toMatchObject([
        { language: 'EN', columns: ['FILE_NAME', 'PRIV_DOC_PRODUCT_GROUP', 'ACCOUNT_NUMBER', 'REG_DATE'], query: { page: 0 } },
      ]);
  });
});

test('what is sought on pages says its own number alone, and shows no filters that it does not heed', async () => {
  open(portal(3, { 'POST /api/protected/documents/search': { items: [], total: 0 } }));
  const chip = page.getByText('period: last 3 months');
  await expect.element(chip).toBeVisible();
  const said: string[] = [];
  const status = [...window.document.querySelectorAll('[role="status"][aria-live="polite"]')].at(-1);
  if (status === undefined) throw new Error('nothing is announced here');
  const observer = new MutationObserver(() => said.push(status.textContent));
  observer.observe(status, { subtree: true, childList: true, characterData: true });
  onTestFinished(() => observer.disconnect());
  await choose('Where to search', 'in the text');
  await page.getByRole('searchbox', { name: 'Search papers' }).fill('rat');
  await expect.element(page.getByText('None of your documents contains these words', { exact: false })).toBeVisible();
  await expect.element(chip).not.toBeInTheDocument();
  await expect.poll(() => said.filter((text) => text !== '')).toEqual(['0 documents found']);
});

describe('what is unread', () => {
  const unreadPlan: ListPlan = {
    ...plan,
    fields: [...plan.fields, { key: 'UNREAD', label: 'unread only', look: 'flag', unsortable: true }],
  };
  const detailsPath = `GET /api/protected/documents/data/${idOf(1)}`;
  const fresh = { ...document(1), read: null };
  const onlyUnread = (answers: Answers = {}) => portal(1, { [listPath]: { items: [fresh], total: 1 }, ...answers });
  const showOnlyUnread = async (asked: readonly Asked[]): Promise<void> => {
    await page.getByRole('checkbox', { name: 'unread only', exact: true }).click();
    await button('apply').click();
    await expect.poll(async () => (await queriesOf(asked)).at(-1)?.criteria.unread).toBe(true);
  };

  test('is asked for alone, shown as a chip, and taken away with it', async () => {
    const { asked } = open(onlyUnread(), unreadPlan);
    await expect.element(row('Paper 1')).toBeVisible();
    await showOnlyUnread(asked);
    await expect.element(page.getByRole('list', { name: 'Active filters' }).getByText('unread only')).toBeVisible();
    await button('Remove the filter unread only').click();
    await expect.element(page.getByRole('checkbox', { name: 'unread only', exact: true })).not.toBeChecked();
    // What was asked before is shown again, without another question.
    expect((await queriesOf(asked)).map(({ criteria }) => criteria.unread)).toContain(undefined);
  });

  test('stays in its list once it was read there, no longer bold, until the list is reloaded', async () => {
    const details = { ...fresh, read: 7, pageCount: 1, pageSizes: [], pagesReached: [] };
    const { asked } = open(onlyUnread({ [detailsPath]: details }), unreadPlan);
    await showOnlyUnread(asked);
    await expect.element(page.getByText('unread', { exact: true })).toBeInTheDocument();
    const before = (await queriesOf(asked)).length;
    emit('documentUpdated', { documentId: idOf(1) });
    await expect.element(page.getByText('unread', { exact: true })).not.toBeInTheDocument();
    await expect.element(row('Paper 1')).toBeVisible();
    expect((await queriesOf(asked)).slice(before).filter(({ criteria }) => criteria.unread === true)).toEqual([]);
  });

  test('leaves its list at once when the document was deleted meanwhile', async () => {
    const { asked } = open(onlyUnread({ [detailsPath]: refusal(404, 'DOCUMENT_NOT_FOUND_ERROR') }), unreadPlan);
    await showOnlyUnread(asked);
    await expect.element(row('Paper 1')).toBeVisible();
    emit('documentUpdated', { documentId: idOf(1) });
    await expect.element(row('Paper 1')).not.toBeInTheDocument();
  });

  test('is what an open list shows when a tile asks it to', async () => {
    const { asked } = open(onlyUnread(), unreadPlan);
    await expect.element(row('Paper 1')).toBeVisible();
    emit('unreadAsked', { kind: 'statements', since: '2020-01-01' });
    emit('unreadAsked', { kind: 'received', since: '2019-02-01' });
    await expect.element(page.getByRole('checkbox', { name: 'unread only', exact: true })).toBeChecked();
    await expect
      .poll(async () => (await queriesOf(asked)).at(-1)?.criteria)
      .toMatchObject({ unread: true, period: { start: Date.parse('2019-01-31T23:00:00Z') } });
  });
});

describe('columns', () => {
  test('that find no room leave the others theirs, until the customer has chosen what to see', async () => {
    await page.viewport(880, 800);
    const [account, day] = plan.columns;
    if (account === undefined || day === undefined) throw new Error('The list has two columns');
    open(portal(1), {
      ...plan,
      columns: [
        { ...account, width: 600 },
        { ...day, leaves: 1 },
      ],
    });
    await expect.element(row('Paper 1')).toBeVisible();
    expect(page.getByRole('columnheader', { name: 'Registered' }).elements()).toEqual([]);
    await button('Columns, 1 column hidden: no room').click();
    await expect.element(page.getByText('1 column hidden: no room')).toBeVisible();
    await expect.element(page.getByRole('checkbox', { name: 'Registered (no room)', exact: true })).toBeChecked();
    await button('Show all columns anyway').click();
    await expect.element(page.getByRole('columnheader', { name: 'Registered' })).toBeInTheDocument();
    await expect.element(button('Columns')).toBeVisible();
    await button('Restore the usual columns').click();
    await expect.element(page.getByRole('columnheader', { name: 'Registered' })).not.toBeInTheDocument();
    await button('Narrower: Account').click();
    await expect.element(page.getByRole('columnheader', { name: 'Registered' })).toBeInTheDocument();
  });

  test('give way to the list of a phone, with its menu on a right click, in a window narrower than 600 px, also on a desktop', async () => {
    const { host } = open(portal(2));
    await expect.element(row('Paper 1')).toBeVisible();
    host.style.right = 'auto';
    host.style.width = '599px';
    const item = page.getByRole('list', { name: 'Papers' }).getByRole('listitem').filter({ hasText: 'Paper 1' });
    await expect.element(item.getByText('2026-11-18')).toBeVisible();
    expect(page.getByRole('table').elements()).toEqual([]);
    await item.click({ button: 'right' });
    await expect.element(page.getByRole('menuitem', { name: 'Show' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    host.style.width = '601px';
    await expect.element(row('Paper 1')).toBeVisible();
  });

  test('of account numbers show them whole, on two lines where one has no room', async () => {
    open(portal(1));
    const cell = page.getByRole('cell', { name: 'PL61 1090 1014 0000 0712 1981 2874', exact: true });
    await expect.element(cell).toBeVisible();
    expect(cell.element().scrollWidth).toBe(cell.element().clientWidth);
  });

  test('are hidden, made wider, and brought back without dragging', async () => {
    open(portal(1));
    await expect.element(row('Paper 1')).toBeVisible();
    await button('Columns').click();
    await page.getByRole('checkbox', { name: 'Registered', exact: true }).click();
    await expect.element(page.getByRole('columnheader', { name: 'Registered' })).not.toBeInTheDocument();
    const width = () => page.getByRole('columnheader', { name: 'Account' }).element().getBoundingClientRect().width;
    const before = width();
    await button('Wider: Account').click();
    await expect.poll(width).toBeCloseTo(before + 20, 0);
    for (let i = 0; i < 8; i += 1) await button('Narrower: Account').click();
    await expect.poll(width).toBeCloseTo(listLimits.columnMinWidthPx, 0);
    await button('Restore the usual columns').click();
    await expect.element(page.getByRole('columnheader', { name: 'Registered' })).toBeVisible();
  });
});

describe('saved views', () => {
  const saved: SavedView = {
    id: idOf(90),
    folderId: idOf(91),
    name: 'Loans of 2019',
    kind: 'received',
    content: {
      text: '',
      period: 'CALC_2019',
      filters: [{ key: 'ACCOUNT_NUMBER', value: '61' }],
      sort: [{ by: 'REG_DATE', order: 'asc' }],
      columns: [],
      pageSize: 25,
    },
  };
  const folder = { id: idOf(91), parentId: null, name: 'Home' };

  test('are opened with all they hold', async () => {
    const { asked } = open(portal(1, { [viewsPath]: { folders: [folder], items: [saved] } }));
    await button('Loans of 2019').click();
    await expect
      .poll(async () => (await queriesOf(asked)).at(-1))
      .toMatchObject({
        sort: [{ by: 'REG_DATE', order: 'asc' }],
        criteria: { period: { start: Date.parse('2018-12-31T23:00:00Z'), end: Date.parse('2019-12-31T22:59:59.999Z') } },
      });
    await expect.element(button('Loans of 2019')).toHaveAttribute('aria-current', 'true');
    await expect.element(page.getByRole('textbox', { name: 'Account' })).toHaveValue('61');
    await button('Home').click();
    await expect.element(button('Loans of 2019')).not.toBeInTheDocument();
  });

  test('keep what is shown now, by keyboard alone', async () => {
    const { asked } = open(portal(1, { 'POST /api/protected/views/create': saved }));
    await expect.element(row('Paper 1')).toBeVisible();
    button('Add a view or a folder').element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('menuitem', { name: 'Save the current view' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await userEvent.keyboard('Mine{Enter}');
    await expect
      .poll(() => bodiesOf(asked, 'POST /api/protected/views/create'))
      .toMatchObject([{ name: 'Mine', folderId: null, kind: 'received', content: { period: 'LAST_3_MONTHS', pageSize: 10 } }]);
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  });

  test('of a name that is taken say so', async () => {
    open(portal(1, { 'POST /api/protected/views/create': refusal(409, 'RESOURCE_DUPLICATE') }));
    await button('Add a view or a folder').click();
    await page.getByRole('menuitem', { name: 'Save the current view' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await button('Save').click();
    await expect.element(page.getByText('This name is taken in the folder')).toBeVisible();
  });
});

test('on a phone the filters that are folded say what they narrow', async () => {
  await page.viewport(390, 800);
  open(portal(3));
  await expect.element(page.getByRole('button', { name: /^Filters 1 last 3 months/ })).toBeVisible();
});

test('on a phone the filters unfold in the place of the rows', async () => {
  await page.viewport(390, 844);
  open(portal(2));
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Paper 2' })).toBeVisible();
  await page.getByRole('button', { name: /^Filters/ }).click();
  await expect.element(page.getByRole('list', { name: 'Papers' })).not.toBeInTheDocument();
  await page.getByRole('textbox', { name: 'Account' }).fill('61');
  await button('apply').click();
  await expect.element(page.getByRole('list', { name: 'Papers' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Filters 2/ })).toBeVisible();
});
