import { listLimits, momentsOf, type SentQuery } from '@pergamin/contract';
import { readDay } from '#lists/day-text.ts';

/** What narrows the list. Days are `yyyy-mm-dd` where the organisation is. */
export interface SentFilters {
  readonly filename: string;
  readonly categoryId: string | undefined;
  readonly typeId: string | undefined;
  readonly after: string | null;
  readonly before: string | null;
}

export interface SentView {
  readonly text: string;
  readonly filters: SentFilters;
  readonly order: 'asc' | 'desc';
  readonly page: number;
  readonly pageSize: number;
}

export const noFilters: SentFilters = { filename: '', categoryId: undefined, typeId: undefined, after: null, before: null };

export const firstView: SentView = { text: '', filters: noFilters, order: 'desc', page: 0, pageSize: listLimits.defaultPageSize };

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Days reach from their first moment to their last in the organisation's zone (I1). */
export const queryOf = ({ text, filters, order, page, pageSize }: SentView, timeZone: string): SentQuery => {
  const { start, end } = momentsOf({ from: filters.after, to: filters.before }, timeZone);
  return {
    text: orNull(text),
    criteria: {
      filename: orNull(filters.filename),
      categoryId: filters.categoryId ?? null,
      typeId: filters.typeId ?? null,
      createdOnAfter: start,
      createdOnBefore: end,
    },
    sort: [{ by: 'createdOn', order }],
    page,
    size: pageSize,
  };
};

/** The form as it is being filled in: days as they were written. */
export interface SentDraft extends Omit<SentFilters, 'after' | 'before'> {
  readonly after: string;
  readonly before: string;
}

export const draftOf = (filters: SentFilters): SentDraft => ({
  ...filters,
  after: filters.after ?? '',
  before: filters.before ?? '',
});

/** The filters that a form says, or the fields that say no day, or an end before the beginning. */
export const readDraft = (
  draft: SentDraft,
): { readonly filters: SentFilters } | { readonly unreadable: readonly ('after' | 'before')[] } | { readonly isReversed: true } => {
  const [after, before] = [readDay(draft.after), readDay(draft.before)];
  if (after === undefined || before === undefined)
    return { unreadable: [...(after === undefined ? ['after' as const] : []), ...(before === undefined ? ['before' as const] : [])] };
  if (after !== null && before !== null && before < after) return { isReversed: true };
  return { filters: { ...draft, filename: draft.filename.trim(), after, before } };
};

/** Whether applying a form changes anything, or is needed to be told what is wrong in it. */
export const isChanged = (draft: SentDraft, applied: SentFilters): boolean => {
  const read = readDraft(draft);
  return !('filters' in read) || filterKeys.some((key) => read.filters[key] !== applied[key]);
};

export const filterKeys = ['filename', 'categoryId', 'typeId', 'after', 'before'] as const;

export const countFilters = (filters: SentFilters): number => filterKeys.filter((key) => filters[key] !== noFilters[key]).length;

/** Without one of them; a type cannot stay without its category. */
export const withoutFilter = (filters: SentFilters, key: (typeof filterKeys)[number]): SentFilters => ({
  ...filters,
  [key]: noFilters[key],
  ...(key === 'categoryId' ? { typeId: undefined } : {}),
});
