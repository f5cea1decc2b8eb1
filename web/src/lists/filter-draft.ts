import type { Period, SavedFilter } from '@pergamin/contract';
import type { WrittenDays } from '#kit/forms/DayField.tsx';
import { readDay } from './day-text.ts';
import type { ListPlan, ListView } from './list-plan.ts';
import { isDayField, periodOf, tidyFilters } from './list-rules.ts';

/** What is written in one field: a text, or days. */
export interface Written extends WrittenDays {
  readonly value: string;
}

/** The filter form as it is being filled in. */
export interface Draft {
  readonly period: Period;
  readonly fields: Readonly<Record<string, Written>>;
}

type Sought = Pick<ListView, 'period' | 'filters'>;

export const nothingWritten: Written = { value: '', from: '', to: '' };

export const draftOf = (plan: ListPlan, { period, filters }: Sought): Draft => ({
  period: periodOf(plan, { period, filters }),
  fields: Object.fromEntries(filters.map((filter) => [filter.key, writtenOf(filter)])),
});

const writtenOf = (filter: SavedFilter): Written =>
  'value' in filter ? { ...nothingWritten, value: filter.value } : { value: '', from: filter.from ?? '', to: filter.to ?? '' };

/** The filters that a form says, and the keys of fields in which something else than a day is written. */
export const filtersOf = (plan: ListPlan, draft: Draft): { readonly filters: SavedFilter[]; readonly unreadable: readonly string[] } => {
  const unreadable: string[] = [];
  const filters = plan.fields.map((field): SavedFilter => {
    const { key } = field;
    const written = draft.fields[key] ?? nothingWritten;
    if (!isDayField(field)) return { key, value: written.value };
    const [from, to] = [readDay(written.from), readDay(written.to)];
    if (from === undefined || to === undefined) unreadable.push(key);
    return { key, from: from ?? null, to: to ?? null };
  });
  return { filters: tidyFilters(plan, filters), unreadable };
};

/** Whether applying the form would change anything, or is needed to be told what is wrong in it (D9). */
export const isChanged = (plan: ListPlan, draft: Draft, applied: Sought): boolean => {
  const { filters, unreadable } = filtersOf(plan, draft);
  return (
    unreadable.length > 0 ||
    draft.period !== periodOf(plan, applied) ||
    JSON.stringify(filters) !== JSON.stringify(tidyFilters(plan, applied.filters))
  );
};
