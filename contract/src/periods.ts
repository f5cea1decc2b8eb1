/**
 * Periods and days of the lists (D7, D8, D13-D15), for client and server alike. A day is `yyyy-mm-dd`, without a zone; what moments it holds
 * depends on the organisation's time zone.
 */

/** Days, both included; null is open. */
export interface DayRange {
  readonly from: string | null;
  readonly to: string | null;
}

export const rollingPeriods = ['CURRENT_MONTH', 'LAST_3_MONTHS', 'LAST_6_MONTHS', 'CURRENT_YEAR'] as const;
type FixedPeriod = 'EMPTY' | (typeof rollingPeriods)[number];
export type Period = FixedPeriod | `CALC_${number}`;

export const periodPattern = /^(EMPTY|CURRENT_MONTH|LAST_3_MONTHS|LAST_6_MONTHS|CURRENT_YEAR|CALC_(?!0000)\d{4})$/;
export const isPeriod = (text: string): text is Period => periodPattern.test(text);

/** D7. */
export const defaultPeriod: Period = 'LAST_3_MONTHS';
/** The earliest year that is offered. */
export const firstPeriodYear = 2018;

const yearOf = (day: string): number => Number(day.slice(0, 4));

/** The specific years from the last one back. */
export const periodYears = (today: string): readonly Period[] =>
  Array.from({ length: Math.max(0, yearOf(today) - firstPeriodYear) }, (_, i): Period => `CALC_${yearOf(today) - 1 - i}`);

/** In the order of a select. Statements are never searched without a period (D15). */
export const offeredPeriods = (today: string, { withEmpty }: { readonly withEmpty: boolean }): readonly Period[] => [
  ...(withEmpty ? (['EMPTY'] as const) : []),
  ...rollingPeriods,
  ...periodYears(today),
];

/** The days of a period as of `today`. Those that reach back from now have no end: a document may bear the date of tomorrow. */
export const daysOfPeriod = (period: Period, today: string): DayRange => {
  switch (period) {
    case 'EMPTY':
      return { from: null, to: null };
    case 'CURRENT_MONTH':
      return { from: addMonths(today, -1), to: null };
    case 'LAST_3_MONTHS':
      return { from: addMonths(today, -3), to: null };
    case 'LAST_6_MONTHS':
      return { from: addMonths(today, -6), to: null };
    case 'CURRENT_YEAR':
      return wholeYear(today.slice(0, 4));
    default:
      return wholeYear(period.slice('CALC_'.length));
  }
};

const wholeYear = (year: string): DayRange => ({ from: `${year}-01-01`, to: `${year}-12-31` });

/** The range of a search, or why there is none: no date was chosen, or none lies in both the period and the range (D8). */
export type SearchedDays = ({ readonly kind: 'days' } & DayRange) | { readonly kind: 'none' } | { readonly kind: 'wrong' };

/** A period and a range of days narrow one another. A search without either is made only where `unbounded` allows it. */
export const searchedDays = ({
  period,
  range,
  today,
  unbounded = false,
}: {
  readonly period: Period;
  readonly range: DayRange;
  readonly today: string;
  readonly unbounded?: boolean;
}): SearchedDays => {
  const isOpen = range.from === null && range.to === null;
  if (period === 'EMPTY' && isOpen && !unbounded) return { kind: 'none' };
  const days = daysOfPeriod(period, today);
  const from = later(days.from, range.from);
  const to = earlier(days.to, range.to);
  return from !== null && to !== null && to < from ? { kind: 'wrong' } : { kind: 'days', from, to };
};

const later = (a: string | null, b: string | null): string | null => (a === null ? b : b === null ? a : a > b ? a : b);
const earlier = (a: string | null, b: string | null): string | null => (a === null ? b : b === null ? a : a < b ? a : b);

/** The same day of another month; of a month that lacks it, the last one. */
export const addMonths = (day: string, months: number): string => {
  const at = new Date(`${day}T00:00:00Z`);
  const wanted = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(wanted, last));
  return at.toISOString().slice(0, 10);
};

/** A calendar day, counted without a zone. */
export const addDays = (day: string, days: number): string => {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
};

/** The day that a moment belongs to in a time zone; years before 1 begin with `-`, those beyond four digits with `+`. */
export const createDayOf = (timeZone: string): ((epochMs: number) => string) => {
  const format = formatOf(timeZone);
  return (epochMs) => {
    const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, value]));
    const year = Number(parts.get('year'));
    const before = parts.get('era')?.startsWith('B') === true;
    const sign = before ? '-' : year > 9_999 ? '+' : '';
    return `${sign}${String(year).padStart(sign === '' ? 4 : 6, '0')}-${parts.get('month')}-${parts.get('day')}`;
  };
};

/** Making a format takes longer than writing a hundred days with it. */
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const made = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, era: 'short', ...calendar });
  formats.set(timeZone, made);
  return made;
};
const formats = new Map<string, Intl.DateTimeFormat>();
const calendar = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** Zones are at most 14 hours before and 12 behind UTC, and were a little more when clocks followed the sun. */
const farthestMs = 16 * 3_600_000;

/** The first moment of a day in a time zone: midnight, or later where the clocks skip it. */
export const startOfDay = (day: string, timeZone: string): number => {
  const dayOf = createDayOf(timeZone);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Bisection between a moment before the day and one in it needs no rules of the zone.
  let before = midnight - farthestMs;
  let within = midnight + farthestMs;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (dayOf(middle) < day) before = middle;
    else within = middle;
  }
  return within;
};

/** The last millisecond of a day in a time zone: 23:59:59.999. */
export const endOfDay = (day: string, timeZone: string): number => startOfDay(addDays(day, 1), timeZone) - 1;

/** A range of days as a query has it (D13): from the start of the first day to the end of the last. */
export const momentsOf = ({ from, to }: DayRange, timeZone: string): { readonly start: number | null; readonly end: number | null } => ({
  start: from === null ? null : startOfDay(from, timeZone),
  end: to === null ? null : endOfDay(to, timeZone),
});
