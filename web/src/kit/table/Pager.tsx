import { listLimits } from '@pergamin/contract';
import { memo } from 'react';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import css from './Pager.module.css';
import { Select } from '#kit/forms/Select.tsx';
import { usePhone } from '#kit/layout/usePhone.ts';

export interface PagerProps {
  /** From 0. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
  readonly onPageSize: (pageSize: number) => void;
  readonly texts: {
    readonly label: string;
    readonly rowsPerPage: string;
    /** '1–10 of 37' */
    readonly range: (from: number, to: number, total: number) => string;
    readonly first: string;
    readonly previous: string;
    readonly next: string;
    readonly last: string;
    /** Why going on is impossible: 'This is the first page', 'This is the last page'. */
    readonly atStart: string;
    readonly atEnd: string;
  };
}

export function Pager({ page, pageSize, total, onPage, onPageSize, texts }: PagerProps) {
  const phone = usePhone();
  const lastPage = Math.max(0, Math.ceil(total / pageSize) - 1);
  const from = total === 0 ? 0 : page * pageSize + 1;
  const to = Math.min(total, (page + 1) * pageSize);
  const atStart = page <= 0 ? texts.atStart : undefined;
  const atEnd = page >= lastPage ? texts.atEnd : undefined;
  return (
    <nav className={css['pager']} aria-label={texts.label}>
      {!phone && <PageSize label={texts.rowsPerPage} value={pageSize} onChange={onPageSize} />}
      <output className={css['range']}>{texts.range(from, to, total)}</output>
      {!phone && (
        <span className={css['end']}>
          <IconButton icon="caret-line-left" name={texts.first} disabledReason={atStart} onClick={() => onPage(0)} />
        </span>
      )}
      <IconButton icon="caret-left" name={texts.previous} disabledReason={atStart} onClick={() => onPage(page - 1)} />
      <IconButton icon="caret-right" name={texts.next} disabledReason={atEnd} onClick={() => onPage(page + 1)} />
      {!phone && (
        <span className={css['end']}>
          <IconButton icon="caret-line-right" name={texts.last} disabledReason={atEnd} onClick={() => onPage(lastPage)} />
        </span>
      )}
    </nav>
  );
}

interface PageSizeProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (pageSize: number) => void;
}

/** Another page does not concern it. */
const PageSize = memo(function PageSize({ label, value, onChange }: PageSizeProps) {
  return (
    <>
      <span className={css['label']} aria-hidden="true">
        {label}
      </span>
      <div className={css['size']}>
        <Select label={label} labelHidden size="s" options={sizes} value={String(value)} onChange={(id) => onChange(Number(id))} />
      </div>
    </>
  );
});

const sizes = listLimits.pageSizes.map((size) => ({ id: String(size), label: String(size) }));
