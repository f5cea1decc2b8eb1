import { listLimits } from '@pergamin/contract';
import { t } from '#platform/language.ts';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Select } from '#kit/forms/Select.tsx';
import css from './Pager.module.css';

interface PagerProps {
  /** From 0. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
  readonly onPageSize: (pageSize: number) => void;
  /** Of the list: several stand on one desk. */
  readonly name: string;
}

/** The pages of a list. On a phone its style sheet hides the page size, first and last page. */
export function Pager({ page, pageSize, total, onPage, onPageSize, name }: PagerProps) {
  const lastPage = Math.max(0, Math.ceil(total / pageSize) - 1);
  const from = total === 0 ? 0 : page * pageSize + 1;
  const to = Math.min(total, (page + 1) * pageSize);
  const atStart = page <= 0 ? t('list.atStart') : undefined;
  const atEnd = page >= lastPage ? t('list.atEnd') : undefined;
  return (
    <nav className={css['pager']} aria-label={t('list.pages', { name })}>
      <span className={css['label']} aria-hidden="true">
        {t('list.rowsPerPage')}
      </span>
      <div className={css['size']}>
        <Select
          label={t('list.rowsPerPage')}
          labelHidden
          size="s"
          options={sizes}
          value={String(pageSize)}
          onChange={(id) => onPageSize(Number(id))}
        />
      </div>
      <output className={css['range']}>{t('list.range', { from, to, total })}</output>
      <span className={css['end']}>
        <IconButton icon="caret-line-left" name={t('list.firstPage')} disabledReason={atStart} onClick={() => onPage(0)} />
      </span>
      <IconButton icon="caret-left" name={t('list.previousPage')} disabledReason={atStart} onClick={() => onPage(page - 1)} />
      <IconButton icon="caret-right" name={t('list.nextPage')} disabledReason={atEnd} onClick={() => onPage(page + 1)} />
      <span className={css['end']}>
        <IconButton icon="caret-line-right" name={t('list.lastPage')} disabledReason={atEnd} onClick={() => onPage(lastPage)} />
      </span>
    </nav>
  );
}

const sizes = listLimits.pageSizes.map((size) => ({ id: String(size), label: String(size) }));
