import {
  type Criterion,
  daysOfPeriod,
  defaultPeriod,
  type DayRange,
  type DocumentQuery,
  isPeriod,
  listLimits,
  momentsOf,
  offeredPeriods,
  type Period,
  type SavedFilter,
  searchedDays,
  unreadFilter,
} from '@pergamin/contract';
import type { ListField, ListPlan, ListView, Sought } from './list-plan.ts';

/** Rows are fetched in windows of this many; the pages of the list are cut from them (E2). */
export const windowRows = listLimits.maxPageSize;

const newestFirst = { by: 'PUBLICATION_DATE', order: 'desc' } as const;
const openRange: DayRange = { from: null, to: null };

type SoughtPeriod = Pick<Sought, 'period'> & Partial<Sought>;

export const firstPeriod = (plan: ListPlan): Period => (plan.period === 'none' ? 'EMPTY' : defaultPeriod);

/** The list as it is first shown (D7, E3). */
export const firstView = (plan: ListPlan): ListView => ({
  text: '',
  period: firstPeriod(plan),
  filters: [],
  sort: [],
  columns: [],
  pageSize: listLimits.defaultPageSize,
});

/** The period of a view; one that the list does not offer gives way to the usual one. Days since take the place of a required one. */
export const periodOf = (plan: ListPlan, { period, filters = [] }: SoughtPeriod): Period => {
  const lacks = plan.period === 'required' && period === 'EMPTY' && rangeOf(filters, plan.dateKey).from === null;
  return isPeriod(period) && plan.period !== 'none' && !lacks ? period : firstPeriod(plan);
};

/** Whether days are written in a field. */
export const isDayField = ({ look }: ListField): boolean => look === 'range' || look === 'from' || look === 'to';

const rangeOf = (filters: readonly SavedFilter[], key: string): DayRange => {
  const found = filters.find((filter) => filter.key === key);
  return found !== undefined && 'from' in found ? { from: found.from, to: found.to } : openRange;
};

interface Asking {
  readonly statementMarker: string;
  readonly today: string;
  readonly timeZone: string;
  readonly window: number;
}

/** Why a search cannot be made; undefined when it can (D8). */
export const refusalOf = (plan: ListPlan, view: Sought, today: string): 'none' | 'wrong' | undefined => {
  const days = daysOf(plan, view, today);
  return days.kind === 'days' ? undefined : days.kind;
};

/** The fields whose days contradict each other: a range that ends before it begins, or an end before another field's beginning. */
export const crossedFields = (plan: ListPlan, filters: readonly SavedFilter[]): readonly string[] => {
  const keys = plan.fields.filter(isDayField).map(({ key }) => key);
  const isCrossed = (begins: string | null, ends: string | null) => begins !== null && ends !== null && ends < begins;
  const own = keys.filter((key) => isCrossed(rangeOf(filters, key).from, rangeOf(filters, key).to));
  if (own.length > 0) return own;
  const others = keys.filter((key) => key !== plan.dateKey);
  const pair = others.flatMap((start) => others.map((end) => [start, end] as const));
  return pair.find(([start, end]) => isCrossed(rangeOf(filters, start).from, rangeOf(filters, end).to)) ?? [];
};

const daysOf = (plan: ListPlan, { period, filters }: Sought, today: string) => {
  const dates = plan.fields.filter((field) => isDayField(field) && field.key !== plan.dateKey);
  const ranges = dates.map(({ key }) => rangeOf(filters, key));
  const starts = ranges.flatMap((range) => range.from ?? []).toSorted();
  const ends = ranges.flatMap((range) => range.to ?? []).toSorted();
  const [from, to] = [starts.at(-1), ends.at(0)];
  if (from !== undefined && to !== undefined && to < from) return { kind: 'wrong' } as const;
  return searchedDays({
    period: periodOf(plan, { period, filters }),
    range: rangeOf(filters, plan.dateKey),
    today,
    unbounded: plan.period === 'none' || from !== undefined || to !== undefined,
  });
};

/** What a list asks the server for, or why it asks nothing. */
export const queryOf = (
  plan: ListPlan,
  view: ListView,
  { statementMarker, today, timeZone, window }: Asking,
): { readonly query: DocumentQuery } | { readonly refused: 'none' | 'wrong' } => {
  const days = daysOf(plan, view, today);
  if (days.kind !== 'days') return { refused: days.kind };
  const text = withoutCountry(view.text.trim());
  return {
    query: {
      text: text === '' ? null : text,
      criteria: {
        metadata: [...plan.criteria(statementMarker), ...view.filters.flatMap((filter) => criteriaOf(plan, filter, timeZone))],
        period: days.from === null && days.to === null ? null : momentsOf(days, timeZone),
        ...(isOnlyUnread(plan, view) ? { unread: true } : {}),
      },
      sort: view.sort.length === 0 ? [{ ...newestFirst }] : view.sort.map((one) => ({ ...one })),
      page: window,
      size: windowRows,
    },
  };
};

const isOnlyUnread = ({ fields }: ListPlan, { filters }: Sought): boolean =>
  fields.some(({ key }) => key === unreadFilter.key) && filters.some(({ key }) => key === unreadFilter.key);

/** An account number is kept without its country, and its spaces mean nothing; customers copy it with both. */
const accountKey = 'ACCOUNT_NUMBER';

const withoutCountry = (text: string): string => text.replace(/^PL\s*(?=\d[\d\s]*$)/i, '');

/** Part of a text is sought anywhere in it; its own signs mean nothing (D6). */
const containing = (value: string): string => `%${value.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const criteriaOf = (plan: ListPlan, filter: SavedFilter, timeZone: string): readonly Criterion[] => {
  if (filter.key === unreadFilter.key || !plan.fields.some(({ key }) => key === filter.key)) return [];
  if ('value' in filter) {
    const value = filter.key === accountKey ? withoutCountry(filter.value.trim()) : filter.value.trim();
    return value === '' ? [] : [{ id: filter.key, operator: 'LIKE', value: containing(value) }];
  }
  // The list's own date is part of the period.
  if (filter.key === plan.dateKey) return [];
  const { start, end } = momentsOf(filter, timeZone);
  return [
    ...(start === null ? [] : [{ id: filter.key, operator: 'GQ', value: start } as const]),
    ...(end === null ? [] : [{ id: filter.key, operator: 'LQ', value: end } as const]),
  ];
};

/** The next period that reaches further back, for a search that found nothing (D20). */
export const longerPeriod = (plan: ListPlan, view: SoughtPeriod, today: string): Period | undefined => {
  const from = daysOfPeriod(periodOf(plan, view), today).from;
  if (from === null) return undefined;
  return offeredPeriods(today, { withEmpty: false })
    .map((period) => ({ period, begins: daysOfPeriod(period, today).from ?? '' }))
    .filter(({ begins }) => begins < from)
    .toSorted((a, b) => (a.begins < b.begins ? 1 : -1))
    .at(0)?.period;
};

/**
 * The view without its period: the usual one where that reaches as far back, else all days since the first one of the period. Undefined where
 * the list cannot show more: a search needs a date (D8).
 */
export const withoutPeriod = (plan: ListPlan, view: Sought, today: string): Sought | undefined => {
  const period = periodOf(plan, view);
  const usual = firstPeriod(plan);
  const { from, to } = daysOfPeriod(period, today);
  const usualFrom = daysOfPeriod(usual, today).from;
  if (period === usual || from === null || usualFrom === null) return undefined;
  if (usualFrom <= from) return { ...view, period: usual };
  if (plan.period !== 'optional' || to === null || to >= today) return undefined;
  // Its days take the place of those that were written.
  return { period: 'EMPTY', filters: tidyFilters(plan, [{ key: plan.dateKey, from, to: null }, ...view.filters]) };
};

/** The view without one of its filters; undefined where it is the only date that is left, and the list needs one (D8). */
export const withoutFilter = (plan: ListPlan, view: Sought, key: string, today: string): Sought | undefined => {
  const next = { period: view.period, filters: view.filters.filter((filter) => filter.key !== key) };
  if (refusalOf(plan, next, today) !== 'none') return next;
  const range = rangeOf(view.filters, key);
  // Days since are all that can be widened to: an end goes, a beginning stays.
  return range.from !== null && range.to !== null
    ? { ...next, filters: [...next.filters, { key, from: range.from, to: null }] }
    : undefined;
};

/** Without any filter; its period never reaches less far back than before. */
export const cleared = (plan: ListPlan, view: Sought, today: string): Sought => {
  const period = periodOf(plan, view);
  const { from } = period === 'EMPTY' ? rangeOf(view.filters, plan.dateKey) : daysOfPeriod(period, today);
  const usual = { period: firstPeriod(plan), filters: [] };
  const usualFrom = daysOfPeriod(usual.period, today).from;
  if (from === null || usualFrom === null || usualFrom <= from) return usual;
  return { period, filters: period === 'EMPTY' ? [{ key: plan.dateKey, from, to: null }] : [] };
};

/** No sort, then downwards, then upwards, then none again. */
export const nextSort = (sort: ListView['sort'], by: string): ListView['sort'] => {
  const [now] = sort;
  if (now?.by !== by) return [{ by, order: 'desc' }];
  return now.order === 'desc' ? [{ by, order: 'asc' }] : [];
};

/** Filters in the order of the form, empty ones left out. */
export const tidyFilters = (plan: ListPlan, filters: readonly SavedFilter[]): SavedFilter[] =>
  plan.fields.flatMap(({ key }): SavedFilter[] => {
    const filter = filters.find((one) => one.key === key);
    if (filter === undefined) return [];
    if ('value' in filter) return filter.value.trim() === '' ? [] : [{ key, value: filter.value.trim() }];
    return filter.from === null && filter.to === null ? [] : [filter];
  });

/** How many things narrow the list: the period is one of them. */
export const countFilters = (plan: ListPlan, view: Sought): number => view.filters.length + (periodOf(plan, view) === 'EMPTY' ? 0 : 1);

/** A view that leads to the day: with the shortest period that reaches back to it, or none and the days since (D20). */
export const viewReaching = (plan: ListPlan, day: string, today: string): Partial<ListView> => {
  const rolling = (['LAST_3_MONTHS', 'LAST_6_MONTHS', 'CURRENT_YEAR'] as const).find((period) => {
    const { from } = daysOfPeriod(period, today);
    return from !== null && from <= day;
  });
  return rolling === undefined ? { period: 'EMPTY', filters: [{ key: plan.dateKey, from: day, to: null }] } : { period: rolling };
};

/** A view of all that is unread, the oldest of which is of this day. */
export const unreadView = (plan: ListPlan, since: string, today: string): Partial<ListView> => {
  const { filters = [], ...view } = viewReaching(plan, since, today);
  return { ...view, text: '', filters: tidyFilters(plan, [...filters, unreadFilter]) };
};
