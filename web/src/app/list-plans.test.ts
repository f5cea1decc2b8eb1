import { beforeEach, describe, expect, test } from 'vitest';
import { publicPlan } from '#features/public-documents/public.plan.ts';
import { receivedPlan } from '#features/received-documents/received.plan.ts';
import { statementsPlan } from '#features/received-documents/statements.plan.ts';
import type { ListPlan } from '#lists/list-plan.ts';
import { freshTab } from '#platform/page.fixture.tsx';

beforeEach(() => freshTab('EN'));

/** What the specification says of each list, its columns and buttons from left to right, its fields from top to bottom. */
const lists = [
  {
    kind: 'received',
    plan: receivedPlan,
    columns: ['product group', 'account number', 'case number', 'registration date'],
    buttons: ['check', 'download', 'show'],
    fields: ['document group', 'account number', 'registration date', 'Unread only'],
    sortable: ['document group', 'account number', 'registration date'],
    period: 'optional',
    documents: [
      ['TYPE', 'NOT_EQUALS', 'PUBLIC'],
      ['MARKER', 'NOT_EQUALS', 'STATEMENTS'],
    ],
  },
  {
    kind: 'statements',
    plan: statementsPlan,
    columns: ['statement number', 'document type', 'statement date', 'account number', 'period start', 'period end'],
    buttons: ['download', 'show', 'verify'],
    fields: ['statement number', 'document type', 'account number', 'statement date', 'period start', 'period end', 'Unread only'],
    sortable: ['statement number', 'document type', 'account number', 'statement date', 'period start', 'period end'],
    period: 'required',
    documents: [
      ['TYPE', 'EQUALS', 'PRIVATE'],
      ['MARKER', 'EQUALS', 'STATEMENTS'],
    ],
  },
  {
    kind: 'public',
    plan: publicPlan,
    columns: ['file name', 'duration description', 'registration date'],
    buttons: ['check', 'download', 'show'],
    fields: ['file name', 'duration description', 'registration date', 'product group'],
    sortable: ['file name', 'duration description', 'registration date'],
    period: 'none',
    documents: [['TYPE', 'EQUALS', 'PUBLIC']],
  },
] as const;

/** Buttons of every row; the menu of a row has more. */
const buttonsOf = ({ actions }: ListPlan) => actions.filter(({ onlyInMenu }) => onlyInMenu !== true);
const headersOf = ({ first, columns }: ListPlan): string[] => [first.header, ...columns.map(({ header }) => header)];

describe('the list', () => {
  test.each(lists)('of $kind has the columns and buttons of the specification', ({ plan, columns, buttons }) => {
    expect(headersOf(plan())).toEqual(columns);
    expect(
      buttonsOf(plan())
        .map(({ label }) => label)
        .toSorted(),
    ).toEqual(buttons);
  });

  test.each(lists)('of $kind is narrowed by these fields, in this order', ({ plan, fields, period }) => {
    expect(plan().fields.map(({ label }) => label)).toEqual(fields);
    expect(plan().period).toBe(period);
  });

  test.each(lists)('of $kind is sorted by these fields of its filters', ({ plan, sortable }) => {
    expect(
      plan()
        .fields.filter(({ unsortable }) => unsortable !== true)
        .map(({ label }) => label),
    ).toEqual(sortable);
  });

  test.each(lists)('of $kind holds these documents and no others', ({ plan, documents }) => {
    expect(
      plan()
        .criteria('MARKER')
        .map(({ id, operator, value }) => [id, operator, value]),
    ).toEqual(documents);
  });
});

test('show and download come before what has to wait for reading; of public documents, download is the last', () => {
  const ids = (plan: ListPlan) => buttonsOf(plan).map(({ id }) => id);
  expect([receivedPlan, statementsPlan, publicPlan].map((plan) => ids(plan()))).toEqual([
    ['show', 'download', 'check'],
    ['show', 'download', 'check'],
    ['show', 'check', 'download'],
  ]);
});

test('the menu of a row leads to the history of a document, where it has one of its own', () => {
  const inMenu = (plan: ListPlan) => plan.actions.filter(({ onlyInMenu }) => onlyInMenu === true).map(({ id }) => id);
  expect([receivedPlan, statementsPlan, publicPlan].map((plan) => inMenu(plan()))).toEqual([['history'], ['history'], []]);
});
