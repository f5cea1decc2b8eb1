import { documentQuery, savedViewContent } from '@pergamin/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDay } from './day-text.ts';
import type { ListPlan, ListView } from './list-plan.ts';
import {
  countFilters,
  firstView,
  longerPeriod,
  nextSort,
  queryOf,
  periodOf,
  refusalOf,
  tidyFilters,
  unreadView,
  viewReaching,
} from './list-rules.ts';

const plan: ListPlan = {
  kind: 'received',
  label: 'Received',
  searchLabel: 'Search',
  criteria: (marker) => [{ id: marker, operator: 'NOT_EQUALS', value: 'STATEMENTS' }],
  dateKey: 'REG_DATE',
  period: 'optional',
  fields: [
    { key: 'GROUP', label: 'Group', look: 'select' },
    { key: 'ACCOUNT', label: 'Account', look: 'text' },
    { key: 'REG_DATE', label: 'Registered', look: 'range' },
    { key: 'STARTS', label: 'Start', look: 'from' },
    { key: 'ENDS', label: 'End', look: 'to' },
  ],
  first: { header: 'Group', sortKey: 'GROUP' },
  columns: [],
  phoneLines: [],
  actions: [],
  checkAfterReading: true,
  texts: { noDate: '', wrongDate: '' },
};
const today = '2026-11-20';
const asking = { statementMarker: 'MARKER', today, timeZone: 'Europe/Warsaw', window: 0 };
const view = (part: Partial<ListView> = {}): ListView => ({ ...firstView(plan), ...part });
const ask = (part: Partial<ListView>) => queryOf(plan, view(part), asking);
const criteria = (part: Partial<ListView>) => {
  const asked = ask(part);
  return 'query' in asked ? asked.query.criteria : asked;
};
const day = fc
  .date({ min: new Date('2010-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));

describe('the first search', () => {
  test('goes three months back, the newest first', () => {
    expect(ask({})).toEqual({
      query: {
        text: null,
        criteria: {
          metadata: [{ id: 'MARKER', operator: 'NOT_EQUALS', value: 'STATEMENTS' }],
          period: { start: Date.parse('2026-08-19T22:00:00Z'), end: null },
        },
        sort: [{ by: 'PUBLICATION_DATE', order: 'desc' }],
        page: 0,
        size: 100,
      },
    });
  });
});

describe('an account number', () => {
  test('is found by its digits when it is searched as it is shown, with its country', () => {
    expect(ask({ text: 'PL61 1090' })).toMatchObject({ query: { text: '61 1090' } });
    expect(ask({ text: 'PL61/2026' })).toMatchObject({ query: { text: 'PL61/2026' } });
  });
});

describe('a filter', () => {
  test('of a text is sought anywhere, its own signs taken for themselves', () => {
    expect(criteria({ filters: [{ key: 'ACCOUNT', value: String.raw`50%_\ ` }] })).toMatchObject({
      metadata: [{}, { id: 'ACCOUNT', operator: 'LIKE', value: String.raw`%50\%\_\\%` }],
    });
  });

  test('of the list’s own date narrows the period instead of being a criterion', () => {
    const { metadata, period } = documentQuery.shape.criteria.parse(
      criteria({ filters: [{ key: 'REG_DATE', from: '2026-10-25', to: '2026-10-25' }] }),
    );
    expect(metadata).toHaveLength(1);
    // The day on which the clocks go back has 25 hours.
    expect(Number(period?.end) + 1 - Number(period?.start)).toBe(25 * 3_600_000);
  });

  test('of another date is compared with the start of its first day and the end of its last', () => {
    expect(
      criteria({
        filters: [
          { key: 'STARTS', from: '2026-03-29', to: null },
          { key: 'ENDS', from: null, to: '2026-03-29' },
        ],
      }),
    ).toMatchObject({
      metadata: [
        {},
        { id: 'STARTS', operator: 'GQ', value: Date.parse('2026-03-28T23:00:00Z') },
        { id: 'ENDS', operator: 'LQ', value: Date.parse('2026-03-29T21:59:59.999Z') },
      ],
    });
  });

  test('that the list does not have is left out', () => {
    expect(criteria({ filters: [{ key: 'CIF', value: 'x' }] })).toMatchObject({ metadata: [{ id: 'MARKER' }] });
  });
});

describe('a search is not made', () => {
  test('without any date', () => {
    expect(ask({ period: 'EMPTY' })).toEqual({ refused: 'none' });
    expect(ask({ period: 'EMPTY', filters: [{ key: 'STARTS', from: '2026-01-01', to: null }] })).toHaveProperty('query');
  });

  test('when no day lies in both the period and the range, or a range ends before it begins', () => {
    const refused = (from: string | null, to: string | null) =>
      refusalOf(plan, { period: 'LAST_3_MONTHS', filters: [{ key: 'REG_DATE', from, to }] }, today);
    expect([refused(null, '2026-08-19'), refused('2026-11-02', '2026-11-01'), refused('2026-11-01', '2026-11-02')]).toEqual([
      'wrong',
      'wrong',
      undefined,
    ]);
    expect(
      ask({
        filters: [
          { key: 'STARTS', from: '2026-11-02', to: null },
          { key: 'ENDS', from: null, to: '2026-11-01' },
        ],
      }),
    ).toEqual({ refused: 'wrong' });
  });
});

test('a list without a period searches all documents', () => {
  const asked = queryOf({ ...plan, period: 'none' }, { ...firstView({ ...plan, period: 'none' }) }, asking);
  expect(asked).toMatchObject({ query: { criteria: { period: null } } });
});

test('a list that needs a period takes its usual one instead of none', () => {
  expect(refusalOf({ ...plan, period: 'required' }, { period: 'EMPTY', filters: [] }, today)).toBeUndefined();
});

test('every view that can be saved gives a query that the contract takes, or none', () => {
  const filter = fc.oneof(
    fc.record({ key: fc.constantFrom('GROUP', 'ACCOUNT'), value: fc.string({ maxLength: 120 }) }),
    fc.record({
      key: fc.constantFrom('REG_DATE', 'STARTS', 'ENDS'),
      from: fc.option(day),
      to: fc.option(day),
    }),
  );
  const views = fc.record({
    text: fc.string({ maxLength: 256 }),
    period: fc.constantFrom('EMPTY', 'CURRENT_MONTH', 'LAST_6_MONTHS', 'CURRENT_YEAR', 'CALC_2019'),
    filters: fc.array(filter, { maxLength: 5 }),
    sort: fc.constantFrom<ListView['sort'][]>([], [{ by: 'GROUP', order: 'asc' }]),
  });
  fc.assert(
    fc.property(views, (part) => {
      const whole = savedViewContent.parse({ ...firstView(plan), ...part });
      const asked = queryOf(plan, whole, asking);
      if ('refused' in asked) return;
      expect(documentQuery.safeParse(asked.query).success).toBe(true);
      const { period } = asked.query.criteria;
      if (period?.start != null && period.end !== null) expect(period.end).toBeGreaterThan(period.start);
    }),
  );
});

test('a sort goes downwards, upwards, and away', () => {
  const down = nextSort([{ by: 'B', order: 'asc' }], 'A');
  const up = nextSort(down, 'A');
  expect([down, up, nextSort(up, 'A')]).toEqual([[{ by: 'A', order: 'desc' }], [{ by: 'A', order: 'asc' }], []]);
});

test('the period after an empty one reaches further back', () => {
  const longer = (period: string, at = today) => longerPeriod(plan, { period }, at);
  expect([longer('CURRENT_MONTH'), longer('LAST_3_MONTHS'), longer('LAST_6_MONTHS'), longer('CURRENT_YEAR')]).toEqual([
    'LAST_3_MONTHS',
    'LAST_6_MONTHS',
    'CURRENT_YEAR',
    'CALC_2025',
  ]);
  expect([longer('LAST_6_MONTHS', '2026-02-01'), longer('CALC_2018'), longer('EMPTY')]).toEqual(['CALC_2025', undefined, undefined]);
});

test('the list opened for an old document reaches back to it', () => {
  const reaching = (of: string) => viewReaching(plan, of, today);
  expect([reaching('2026-09-01'), reaching('2026-06-01'), reaching('2026-02-01')].map(({ period }) => period)).toEqual([
    'LAST_3_MONTHS',
    'LAST_6_MONTHS',
    'CURRENT_YEAR',
  ]);
  expect(reaching('2019-02-01')).toEqual({ period: 'EMPTY', filters: [{ key: 'REG_DATE', from: '2019-02-01', to: null }] });
});

describe('all that is unread', () => {
  const unreadPlan: ListPlan = { ...plan, fields: [...plan.fields, { key: 'UNREAD', label: 'Unread', look: 'flag' }] };

  test('is asked for by the server’s own criterion, as far back as the oldest of it', () => {
    const begins = unreadView(unreadPlan, '2026-09-01', today);
    expect(begins).toEqual({ text: '', period: 'LAST_3_MONTHS', filters: [{ key: 'UNREAD', value: 'true' }] });
    expect(queryOf(unreadPlan, view(begins), asking)).toMatchObject({
      query: { criteria: { metadata: [{ id: 'MARKER' }], unread: true, period: { start: Date.parse('2026-08-19T22:00:00Z') } } },
    });
  });

  test('of years ago is found in a list that needs a period, too', () => {
    const statements: ListPlan = { ...unreadPlan, period: 'required' };
    const old = view(unreadView(statements, '2019-02-01', today));
    expect(queryOf(statements, old, asking)).toMatchObject({
      query: { criteria: { unread: true, period: { start: Date.parse('2019-01-31T23:00:00Z'), end: null } } },
    });
    expect(periodOf(statements, { ...old, filters: [] })).toBe('LAST_3_MONTHS');
  });

  test('is no criterion of a list that cannot tell it', () => {
    expect(criteria({ filters: [{ key: 'UNREAD', value: 'true' }] })).toEqual(criteria({}));
  });
});

test('filters are counted with the period, without empty ones', () => {
  const filters = tidyFilters(plan, [
    { key: 'STARTS', from: null, to: null },
    { key: 'ACCOUNT', value: ' 61 ' },
    { key: 'GROUP', value: ' ' },
  ]);
  expect(filters).toEqual([{ key: 'ACCOUNT', value: '61' }]);
  expect(countFilters(plan, { period: 'LAST_3_MONTHS', filters })).toBe(2);
});

describe('a written day', () => {
  test.each([
    ['20-08-2026', '2026-08-20'],
    [' 1.2.2026 ', '2026-02-01'],
    ['29/02/2024', '2024-02-29'],
    ['20082026', '2026-08-20'],
    ['2026-08-20', '2026-08-20'],
    ['2026.8.2', '2026-08-02'],
    ['', null],
    ['29-02-2026', undefined],
    ['31-04-2026', undefined],
    ['20-08-26', undefined],
    ['tomorrow', undefined],
  ])('%s is read as %s', (text, expected) => {
    expect(readDay(text)).toBe(expected);
  });

  test('is read again as it is shown', () => {
    fc.assert(
      fc.property(day, (one) => {
        expect(readDay(one)).toBe(one);
      }),
    );
  });
});
