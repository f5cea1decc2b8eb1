import { exportLimits } from '@pergamin/contract';
import { useEffect } from 'react';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import css from './ListBar.module.css';
import type { Exports } from './useExports.ts';
import type { FiltersDrawer } from './useFiltersDrawer.ts';

interface SelectionBarProps {
  readonly ids: readonly string[];
  readonly drawer: Pick<FiltersDrawer, 'id' | 'isOpen' | 'toggle'>;
  readonly exports: Exports;
  readonly columns: readonly string[];
  /** Told what the bar stands in. */
  readonly onClear: (list: HTMLElement | null) => void;
}

/** In the place of the list's bar, and as high, while rows are selected. */
export function SelectionBar({ ids, drawer, exports, columns, onClear }: SelectionBarProps) {
  const text = t('list.selected', { count: ids.length });
  useEffect(() => announce(text), [text]);
  const most = exportLimits.maxZipDocuments;
  const tooMany = ids.length > most ? t('export.tooManyFiles', { count: most }) : undefined;
  // One at a time: the other button says what is under way.
  const stateOf = (kind: 'ZIP' | 'CSV') => (exports.kind === kind ? { busy: true } : { disabledReason: exports.progress ?? tooMany });
  return (
    <div className={css['bar']} role="toolbar" aria-label={t('list.selection')} data-selection="">
      <IconButton
        icon="x"
        name={t('list.clearSelection')}
        onClick={({ currentTarget }) => onClear(currentTarget.closest('[role="toolbar"]')?.parentElement ?? null)}
      />
      <strong className={css['selected']}>{text}</strong>
      {/* They stay while one is under way: the focus is on one of them. */}
      <Button icon="download-simple" {...stateOf('ZIP')} onClick={() => exports.zip(ids)}>
        {t('export.zip')}
      </Button>
      <Button icon="export" {...stateOf('CSV')} onClick={() => exports.csv({ ids }, columns)}>
        {t('export.csv')}
      </Button>
      {exports.kind !== undefined && <ExportProgress exports={exports} />}
      <span className={css['end']}>
        <IconButton
          icon="funnel-simple"
          name={t('filters.title')}
          aria-expanded={drawer.isOpen}
          aria-controls={drawer.id}
          onClick={drawer.toggle}
        />
      </span>
    </div>
  );
}

/** How far an export is, with a way out. */
export function ExportProgress({ exports: { progress, part, cancel } }: { readonly exports: Exports }) {
  return (
    <span className={css['progress']}>
      <progress aria-label={progress} {...(part === undefined ? {} : { value: part })} />
      <span>{progress}</span>
      <Button size="s" onClick={cancel}>
        {t('export.cancel')}
      </Button>
    </span>
  );
}
