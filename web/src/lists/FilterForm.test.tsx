import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '#kit/render.fixture.tsx';
import { freshTab } from '#platform/page.fixture.tsx';
import { FilterForm, type FilterFormProps } from './FilterForm.tsx';
import type { ListPlan } from './list-plan.ts';

const plan: ListPlan = {
  kind: 'received',
  label: 'Papers',
  searchLabel: 'Search papers',
  criteria: () => [],
  dateKey: 'REG_DATE',
  period: 'optional',
  fields: [
    { key: 'GROUP', label: 'Group', look: 'select' },
    { key: 'ACCOUNT_NUMBER', label: 'Account', look: 'text' },
    { key: 'REG_DATE', label: 'Registered', look: 'range' },
    { key: 'ST_PERIOD_START', label: 'Begins', look: 'from' },
  ],
  first: { header: 'Group', sortKey: 'GROUP' },
  columns: [],
  phoneLines: [],
  actions: [],
  checkAfterReading: false,
  texts: { noDate: 'Which date?', wrongDate: 'Another date' },
};

/** The form of a list that was not narrowed. */
const open = (props: Partial<FilterFormProps> = {}): void =>
  void show(
    <FilterForm
      plan={plan}
      applied={{ period: 'LAST_3_MONTHS', filters: [] }}
      sort={[]}
      optionsOf={() => []}
      onApply={() => undefined}
      onSort={() => undefined}
      {...props}
    />,
  );

beforeEach(() => freshTab('EN'));

test('every filter sorts the list as its column would, and says in which direction it is sorted (E3)', async () => {
  const asked: string[] = [];
  open({ sort: [{ by: 'ACCOUNT_NUMBER', order: 'desc' }], onSort: (key) => void asked.push(key) });
  const names = page
    .getByRole('button', { name: /^Sort by: / })
    .elements()
    .map((button) => button.getAttribute('aria-label') ?? button.textContent);
  expect(names).toEqual(['Sort by: Group', 'Sort by: Account, descending', 'Sort by: Registered', 'Sort by: Begins']);
  await userEvent.click(page.getByRole('button', { name: 'Sort by: Account, descending' }));
  await userEvent.click(page.getByRole('button', { name: 'Sort by: Registered' }));
  expect(asked).toEqual(['ACCOUNT_NUMBER', 'REG_DATE']);
});

test('the years of the period stand under a name of their own', async () => {
  open();
  await userEvent.click(page.getByRole('button', { name: /period$/ }));
  const years = page.getByRole('group', { name: 'a specific year' });
  await expect.element(years.getByRole('option', { name: '2018', exact: true })).toBeVisible();
  expect(years.getByRole('option', { name: 'current year' }).elements()).toEqual([]);
  await userEvent.click(years.getByRole('option', { name: '2018', exact: true }));
  await expect.element(page.getByRole('button', { name: /2018.*period$/ })).toBeVisible();
});

test('a field that the list cannot be sorted by has no sign for it', () => {
  open({ plan: { ...plan, fields: plan.fields.map((field) => ({ ...field, unsortable: field.key !== 'GROUP' })) } });
  const signs = page.getByRole('button', { name: /^Sort by: / });
  expect(signs.elements()).toHaveLength(1);
});

test('on a phone the order is chosen in words, and applied with the filters', async () => {
  const asked: unknown[] = [];
  open({ onApply: () => void asked.push('applied'), onOrder: (sort) => void asked.push(...sort) });
  expect(page.getByRole('button', { name: /^Sort by: / }).elements()).toEqual([]);
  await userEvent.click(page.getByRole('button', { name: /Order$/ }));
  await userEvent.click(page.getByRole('option', { name: 'Registered: oldest first' }));
  expect(asked).toEqual([]);
  await userEvent.click(page.getByRole('button', { name: 'apply' }));
  expect(asked).toEqual([{ by: 'REG_DATE', order: 'asc' }, 'applied']);
});

test('of two days the one that is none is marked and gets the focus; two that contradict each other are both wrong', async () => {
  open();
  const [from, to] = [page.getByRole('textbox', { name: 'Registered: from' }), page.getByRole('textbox', { name: 'Registered: to' })];
  await from.fill('01-02-2026');
  await to.fill('31-02-2026');
  await page.getByRole('button', { name: 'apply' }).click();
  await expect.element(to).toHaveFocus();
  await expect.element(to).toHaveAttribute('aria-invalid', 'true');
  await expect.element(from).not.toHaveAttribute('aria-invalid');
  await to.fill('31-01-2026');
  await page.getByRole('button', { name: 'apply' }).click();
  await expect.element(from).toHaveFocus();
  await expect.element(from).toHaveAttribute('aria-invalid', 'true');
  await expect.element(to).toHaveAttribute('aria-invalid', 'true');
});
