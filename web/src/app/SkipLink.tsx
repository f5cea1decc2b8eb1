import { t } from '#platform/language.ts';
import css from './SkipLink.module.css';

/** From the top of the page past the toolbar: to the window in front, else to the first tile. */
export function SkipLink() {
  return (
    <button type="button" className={css['skip']} onClick={skip}>
      {t('page.skipToContent')}
    </button>
  );
}

const skip = () => {
  const target =
    document.querySelector<HTMLElement>('[data-window][data-focused] [data-region-entry]') ??
    document.querySelector<HTMLElement>('[data-desk-start]');
  target?.focus();
};
