import type { Period } from '@pergamin/contract';
import { t } from '#platform/language.ts';
import type { DayFieldProps } from '#kit/forms/DayField.tsx';
import type { PagerProps } from '#kit/table/Pager.tsx';
import type { TableTexts } from '#kit/table/table-parts.ts';
import { sentenceAround } from './sentence-around.ts';

export const tableTexts = (): TableTexts => ({
  loading: t('list.loading'),
  unread: t('list.unread'),
  actions: t('column.actions'),
  more: sentenceAround('list.moreNamed'),
  resize: sentenceAround('list.columnResize', 'column'),
  select: sentenceAround('list.select'),
  selectAll: t('list.selectPage'),
});

/** Several lists stand on one desk: each says whose pages these are. */
export const pagerTexts = (name: string): PagerProps['texts'] => ({
  label: t('list.pages', { name }),
  rowsPerPage: t('list.rowsPerPage'),
  range: (from, to, total) => t('list.range', { from, to, total }),
  first: t('list.firstPage'),
  previous: t('list.previousPage'),
  next: t('list.nextPage'),
  last: t('list.lastPage'),
  atStart: t('list.atStart'),
  atEnd: t('list.atEnd'),
});

export const dayTexts = (): DayFieldProps['texts'] => ({
  from: t('filters.from'),
  to: t('filters.to'),
  form: t('filters.dayForm'),
  openCalendar: t('filters.openCalendar'),
});

/** A period by its name; a specific year is its number (D15). */
export const periodText = (period: Period): string => {
  switch (period) {
    case 'EMPTY':
      return t('period.EMPTY');
    case 'CURRENT_MONTH':
      return t('period.CURRENT_MONTH');
    case 'LAST_3_MONTHS':
      return t('period.LAST_3_MONTHS');
    case 'LAST_6_MONTHS':
      return t('period.LAST_6_MONTHS');
    case 'CURRENT_YEAR':
      return t('period.CURRENT_YEAR');
    default:
      return period.slice('CALC_'.length);
  }
};
