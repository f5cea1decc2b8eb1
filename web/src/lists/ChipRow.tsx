import { useLayoutEffect, useRef, useState } from 'react';
import { t } from '#platform/language.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import css from './FilterChips.module.css';

/** One thing that narrows a list. */
export interface Chip {
  readonly key: string;
  /** Left out where the value says all. */
  readonly label?: string | undefined;
  readonly value: string;
  /** Left out: it stays, so that it is always seen. */
  readonly onRemove?: (() => void) | undefined;
}

export const summaryOf = (chips: readonly Chip[]): string => chips.map(({ value }) => value).join(', ');

/** The chips of a list in one row, each whole; where they have no room together, how many there are. */
export function ChipRow({ chips }: { readonly chips: readonly Chip[] }) {
  const room = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [crowded, setCrowded] = useState<string>();
  const summary = summaryOf(chips);
  const isCrowded = crowded === summary;
  useLayoutEffect(() => {
    const [box, row] = [room.current, list.current];
    if (box === null || row === null) return undefined;
    const measure = () => {
      // The search beside them makes room only for chips that are there.
      const was = row.dataset['crowded'];
      delete row.dataset['crowded'];
      setCrowded(row.offsetWidth > box.clientWidth ? summary : undefined);
      if (was !== undefined) row.dataset['crowded'] = was;
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const element of [box, box.parentElement]) if (element !== null) observer.observe(element);
    return () => observer.disconnect();
  }, [summary]);
  return (
    <div ref={room} className={css['room']}>
      <ul ref={list} className={css['chips']} aria-label={t('filters.active')} data-crowded={isCrowded || undefined}>
        {chips.map((chip) => (
          <ChipItem {...chip} key={chip.key} />
        ))}
      </ul>
      {isCrowded && (
        <span className={css['chip']} data-fixed="" title={summary}>
          {t('filters.count', { count: chips.length })}
          <span className="visually-hidden">{`: ${summary}`}</span>
        </span>
      )}
    </div>
  );
}

function ChipItem({ label, value, onRemove }: Chip) {
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
