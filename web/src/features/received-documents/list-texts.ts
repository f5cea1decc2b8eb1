import type { PagerProps } from '#kit/Pager.tsx';
import type { TableTexts } from '#kit/table-parts.ts';
import { t } from '#platform/language.ts';

export const tableTexts = (): TableTexts => ({
  loading: t('list.loading'),
  unread: t('list.unread'),
  actions: t('column.actions'),
  more: (name) => t('list.moreNamed', { name }),
  resize: (column) => t('list.columnResize', { column }),
});

export const pagerTexts = (): PagerProps['texts'] => ({
  label: t('list.pages'),
  rowsPerPage: t('list.rowsPerPage'),
  range: (from, to, total) => t('list.range', { from, to, total }),
  first: t('list.firstPage'),
  previous: t('list.previousPage'),
  next: t('list.nextPage'),
  last: t('list.lastPage'),
  atStart: t('list.atStart'),
  atEnd: t('list.atEnd'),
});
