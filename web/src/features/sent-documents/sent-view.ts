import { listLimits, momentsOf, type SentQuery } from '@pergamin/contract';
import { readDay } from '#lists/day-text.ts';

/** The fields of the filter form, in their order; each is one filter. */
export const sentFields = [
  { key: 'filename', label: 'column.fileName', look: 'text' },
  { key: 'categoryId', label: 'sending.category', look: 'select' },
  { key: 'typeId', label: 'sending.type', look: 'select' },
  { key: 'after', label: 'sent.sentAfter', look: 'from' },
  { key: 'before', label: 'sent.sentBefore', look: 'to' },
] as const;

/** What narrows the list, '' for nothing. Days are `yyyy-mm-dd` where the organisation is, and in a form as they were written. */
export type SentFilters = Readonly<Record<(typeof sentFields)[number]['key'], string>>;

export interface SentView {
  readonly text: string;
  readonly filters: SentFilters;
  readonly order: 'asc' | 'desc';
  readonly page: number;
  readonly pageSize: number;
}

export const noFilters: SentFilters = { filename: '', categoryId: '', typeId: '', after: '', before: '' };

export const firstView: SentView = { text: '', filters: noFilters, order: 'desc', page: 0, pageSize: listLimits.defaultPageSize };

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Days reach from their first moment to their last in the organisation's zone (I1). */
export const queryOf = ({ text, filters, order, page, pageSize }: SentView, timeZone: string): SentQuery => {
  const { start, end } = momentsOf({ from: orNull(filters.after), to: orNull(filters.before) }, timeZone);
  return {
    text: orNull(text),
    criteria: {
      filename: orNull(filters.filename),
      categoryId: orNull(filters.categoryId),
      typeId: orNull(filters.typeId),
      createdOnAfter: start,
      createdOnBefore: end,
    },
    sort: [{ by: 'createdOn', order }],
    page,
    size: pageSize,
  };
};

type Read = { readonly filters: SentFilters } | { readonly unreadable: readonly ('after' | 'before')[] } | { readonly isReversed: true };

/** The filters that a form says, or the fields that say no day, or an end before the beginning. */
export const readDraft = (draft: SentFilters): Read => {
  const [after, before] = [readDay(draft.after), readDay(draft.before)];
  const unreadable = (['after', 'before'] as const).filter((end) => readDay(draft[end]) === undefined);
  if (unreadable.length > 0) return { unreadable };
  if (after && before && before < after) return { isReversed: true };
  return { filters: { ...draft, filename: draft.filename.trim(), after: after ?? '', before: before ?? '' } };
};

/** Whether applying a form changes anything, or is needed to be told what is wrong in it. */
export const isChanged = (draft: SentFilters, applied: SentFilters): boolean => {
  const read = readDraft(draft);
  return !('filters' in read) || sentFields.some(({ key }) => read.filters[key] !== applied[key]);
};

export const countFilters = (filters: SentFilters): number => sentFields.filter(({ key }) => filters[key] !== '').length;

/** With another value of one of them, '' for none; a type cannot stay without its category. */
export const withFilter = (filters: SentFilters, key: keyof SentFilters, value: string): SentFilters => ({
  ...filters,
  ...(key === 'categoryId' ? { typeId: '' } : {}),
  [key]: value,
});
