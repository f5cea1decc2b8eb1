import type { Period, SavedFilter } from '@pergamin/contract';
import type { WrittenDays } from '#kit/forms/DayField.tsx';
import { readDay } from './day-text.ts';
import type { ListPlan, ListView } from './list-plan.ts';
import { firstPeriod, isDayField, periodOf, rangeOf, textOfFilter, tidyFilters } from './list-rules.ts';

/** The filter form as it is being filled in. */
export interface Draft {
  readonly period: Period;
  readonly values: Readonly<Record<string, string>>;
  readonly days: Readonly<Record<string, WrittenDays>>;
}

type Sought = Pick<ListView, 'period' | 'filters'>;

export const nothingWritten: WrittenDays = { from: '', to: '' };

export const draftOf = (plan: ListPlan, { period, filters }: Sought): Draft => ({
  period: periodOf(plan, { period, filters }),
  values: Object.fromEntries(plan.fields.map(({ key }) => [key, textOfFilter(filters, key)])),
  days: Object.fromEntries(
    plan.fields.map(({ key }) => {
      const { from, to } = rangeOf(filters, key);
      return [key, { from: from ?? '', to: to ?? '' }];
    }),
  ),
});

export const emptyDraft = (plan: ListPlan): Draft => draftOf(plan, { period: firstPeriod(plan), filters: [] });

/** The filters that a form says, and the keys of fields in which something else than a day is written. */
export const filtersOf = (plan: ListPlan, draft: Draft): { readonly filters: SavedFilter[]; readonly unreadable: readonly string[] } => {
  const unreadable: string[] = [];
  const filters = plan.fields.map((field): SavedFilter => {
    const { key } = field;
    if (!isDayField(field)) return { key, value: draft.values[key] ?? '' };
    const written = draft.days[key] ?? nothingWritten;
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
