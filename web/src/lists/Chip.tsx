import { t } from '#platform/language.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import css from './FilterChips.module.css';

interface ChipProps {
  /** Left out where the value says all. */
  readonly label: string | undefined;
  readonly value: string;
  /** Left out: it stays, so that it is always seen. */
  readonly onRemove?: () => void;
}

/** One thing that narrows a list. */
export function Chip({ label, value, onRemove }: ChipProps) {
  const text = label === undefined ? value : t('filters.chip', { label, value });
  return (
    <li className={css['chip']} data-fixed={onRemove === undefined || undefined}>
      <span className={css['words']} title={text}>
        <span>{text}</span>
      </span>
      {onRemove !== undefined && (
        <button type="button" aria-label={t('filters.remove', { filter: text })} onClick={onRemove}>
          <Icon name="x" size="s" />
        </button>
      )}
    </li>
  );
}
