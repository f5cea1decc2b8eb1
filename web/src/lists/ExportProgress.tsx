import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import css from './ListBar.module.css';
import type { Exports } from './useExports.ts';

/** How far an export is, with a way out. */
export function ExportProgress({ exports }: { readonly exports: Exports }) {
  const { progress, part } = exports;
  return (
    <span className={css['progress']}>
      <progress aria-label={progress} {...(part === undefined ? {} : { value: part })} />
      <span>{progress}</span>
      <Button size="s" onClick={exports.cancel}>
        {t('export.cancel')}
      </Button>
    </span>
  );
}
