import { assert, constantFrom, date, integer, option, property, record } from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  addDays,
  addMonths,
  createDayOf,
  daysOfPeriod,
  endOfDay,
  isPeriod,
  momentsOf,
  offeredPeriods,
  searchedDays,
  startOfDay,
} from './periods.ts';

const warsaw = 'Europe/Warsaw';
const open = { from: null, to: null };
const zones = constantFrom(
  warsaw,
  'UTC',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
);
const moments = date({ min: new Date('1990-01-01T00:00:00Z'), max: new Date('2060-12-31T00:00:00Z'), noInvalidDate: true });
const days = moments.map((moment) => moment.toISOString().slice(0, 10));
const periods = days.chain((today) => constantFrom(...offeredPeriods(today, { withEmpty: true })).map((period) => ({ today, period })));
const ranges = record({ from: option(days), to: option(days) });

describe('a period', () => {
  test.each([
    ['CURRENT_MONTH', '2026-03-31', '2026-02-28', null],
    ['CURRENT_MONTH', '2028-03-30', '2028-02-29', null],
    ['CURRENT_MONTH', '2026-01-15', '2025-12-15', null],
    ['LAST_3_MONTHS', '2026-11-20', '2026-08-20', null],
    ['LAST_3_MONTHS', '2026-05-31', '2026-02-28', null],
    ['LAST_6_MONTHS', '2024-08-31', '2024-02-29', null],
    ['LAST_6_MONTHS', '2026-02-10', '2025-08-10', null],
    ['CURRENT_YEAR', '2026-02-10', '2026-01-01', '2026-12-31'],
    ['CALC_2018', '2026-02-10', '2018-01-01', '2018-12-31'],
    ['EMPTY', '2026-02-10', null, null],
  ] as const)('%s on %s begins on %s', (period, today, from, to) => {
    expect(daysOfPeriod(period, today)).toEqual({ from, to });
  });

  test('is offered from the last month to the year 2018; without a period only where that is allowed', () => {
    expect(offeredPeriods('2021-06-01', { withEmpty: true })).toEqual([
      'EMPTY',
      'CURRENT_MONTH',
      'LAST_3_MONTHS',
      'LAST_6_MONTHS',
      'CURRENT_YEAR',
      'CALC_2020',
      'CALC_2019',
      'CALC_2018',
    ]);
    expect(offeredPeriods('2018-06-01', { withEmpty: false })).toEqual(['CURRENT_MONTH', 'LAST_3_MONTHS', 'LAST_6_MONTHS', 'CURRENT_YEAR']);
  });

  test('is one of ours by its name', () => {
    expect(['CALC_2020', 'EMPTY', 'LAST_3_MONTHS'].every(isPeriod)).toBe(true);
    expect(['CALC_20', 'CALC_', 'LAST_2_MONTHS', '', 'empty'].some(isPeriod)).toBe(false);
  });

  test('a period never ends before it begins, and one that is longer begins earlier', () => {
    assert(
      property(days, (today) => {
        const [month, quarter, half] = (['CURRENT_MONTH', 'LAST_3_MONTHS', 'LAST_6_MONTHS'] as const).map(
          (period) => daysOfPeriod(period, today).from ?? '',
        );
        expect(String(half) < String(quarter) && String(quarter) < String(month) && String(month) < today).toBe(true);
        const { from, to } = daysOfPeriod('CURRENT_YEAR', today);
        expect(String(from) <= today && today <= String(to)).toBe(true);
      }),
    );
  });
});

describe('a month back', () => {
  test('is the same day, or the last of a shorter month', () => {
    assert(
      property(days, integer({ min: 1, max: 24 }), (day, months) => {
        const back = addMonths(day, -months);
        const monthOf = (of: string): number => Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7));
        expect(monthOf(day) - monthOf(back)).toBe(months);
        if (back.slice(8) !== day.slice(8)) {
          expect(back < addDays(back, 1) && addDays(back, 1).endsWith('-01')).toBe(true);
          expect(back.slice(8) < day.slice(8)).toBe(true);
        }
      }),
    );
  });
});

describe('what is searched', () => {
  test('needs a date: neither a period nor a range is nothing', () => {
    expect(searchedDays({ period: 'EMPTY', range: open, today: '2026-11-20' })).toEqual({ kind: 'none' });
    expect(searchedDays({ period: 'EMPTY', range: open, today: '2026-11-20', unbounded: true })).toEqual({ kind: 'days', ...open });
    expect(searchedDays({ period: 'EMPTY', range: { from: '2020-01-01', to: null }, today: '2026-11-20' })).toEqual({
      kind: 'days',
      from: '2020-01-01',
      to: null,
    });
  });

  test('is what lies in the period and in the range', () => {
    const search = (from: string | null, to: string | null) =>
      searchedDays({ period: 'LAST_3_MONTHS', range: { from, to }, today: '2026-11-20' });
    expect(search(null, null)).toEqual({ kind: 'days', from: '2026-08-20', to: null });
    expect(search('2026-01-01', '2026-09-30')).toEqual({ kind: 'days', from: '2026-08-20', to: '2026-09-30' });
    expect(search('2026-10-01', null)).toEqual({ kind: 'days', from: '2026-10-01', to: null });
    expect(search(null, '2026-08-20')).toEqual({ kind: 'days', from: '2026-08-20', to: '2026-08-20' });
    expect(search(null, '2026-08-19')).toEqual({ kind: 'wrong' });
    expect(search('2026-10-02', '2026-10-01')).toEqual({ kind: 'wrong' });
  });

  test('holds a day exactly when the period and the range both do', () => {
    assert(
      property(periods, ranges, days, ({ period, today }, range, day) => {
        const holds = ({ from, to }: { from: string | null; to: string | null }): boolean =>
          (from === null || from <= day) && (to === null || day <= to);
        const searched = searchedDays({ period, range, today, unbounded: true });
        expect(searched.kind === 'days' && holds(searched)).toBe(holds(daysOfPeriod(period, today)) && holds(range));
      }),
    );
  });
});

describe('a day in a time zone', () => {
  test.each([
    // The clocks go forward in that night, and back in the other.
    ['2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
    ['2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    ['2024-02-29', '2024-02-28T23:00:00.000Z', '2024-02-29T22:59:59.999Z'],
  ])('%s in Warsaw has 23, 24 or 25 hours', (day, start, end) => {
    expect(new Date(startOfDay(day, warsaw)).toISOString()).toBe(start);
    expect(new Date(endOfDay(day, warsaw)).toISOString()).toBe(end);
  });

  test('a day whose midnight is skipped begins at one o’clock', () => {
    expect(new Date(startOfDay('2018-11-04', 'America/Sao_Paulo')).toISOString()).toBe('2018-11-04T03:00:00.000Z');
  });

  test('holds exactly its own moments', () => {
    assert(
      property(zones, days, (timeZone, day) => {
        const dayOf = createDayOf(timeZone);
        const { start, end } = momentsOf({ from: day, to: day }, timeZone);
        if (start === null || end === null || end < start) throw new Error('a day has moments');
        expect([dayOf(start), dayOf(end)]).toEqual([day, day]);
        expect([dayOf(start - 1) < day, dayOf(end + 1) > day]).toEqual([true, true]);
      }),
    );
  });

  test('is found for every moment', () => {
    assert(
      property(zones, moments, (timeZone, moment) => {
        const day = createDayOf(timeZone)(moment.getTime());
        expect(startOfDay(day, timeZone)).toBeLessThanOrEqual(moment.getTime());
        expect(endOfDay(day, timeZone)).toBeGreaterThanOrEqual(moment.getTime());
      }),
    );
  });

  test('is told by one format for each time zone, however often it is asked for', () => {
    const made = vi.spyOn(Intl, 'DateTimeFormat');
    onTestFinished(() => made.mockRestore());
    for (let i = 0; i < 3; i += 1) startOfDay('2026-11-20', 'Asia/Tokyo');
    expect(made).toHaveBeenCalledOnce();
  });

  test('outside four-digit years is told by its sign', () => {
    const dayOf = createDayOf('UTC');
    expect(dayOf(-8.64e15).startsWith('-')).toBe(true);
    expect(dayOf(8.64e15).startsWith('+')).toBe(true);
    expect(dayOf(Date.parse('0044-03-15T12:00:00Z')).length).toBe(10);
  });
});
