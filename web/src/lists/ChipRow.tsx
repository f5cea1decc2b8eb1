import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { t } from '#platform/language.ts';
import css from './FilterChips.module.css';

interface ChipRowProps {
  /** Another one where other chips are shown. */
  readonly summary: string;
  readonly count: number;
  readonly children: ReactNode;
}

/** The chips of a list in one row, each whole; where they have no room together, how many there are. */
export function ChipRow({ summary, count, children }: ChipRowProps) {
  const room = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [crowded, setCrowded] = useState<string>();
  const isCrowded = crowded === summary;
  useLayoutEffect(() => {
    const [box, chips] = [room.current, list.current];
    if (box === null || chips === null) return undefined;
    const measure = () => {
      // The search beside them makes room only for chips that are there.
      const was = chips.dataset['crowded'];
      delete chips.dataset['crowded'];
      setCrowded(chips.offsetWidth > box.clientWidth ? summary : undefined);
      if (was !== undefined) chips.dataset['crowded'] = was;
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const element of [box, box.parentElement]) if (element !== null) observer.observe(element);
    return () => observer.disconnect();
  }, [summary]);
  return (
    <div ref={room} className={css['room']}>
      <ul ref={list} className={css['chips']} aria-label={t('filters.active')} data-crowded={isCrowded || undefined}>
        {children}
      </ul>
      {isCrowded && (
        <span className={css['chip']} data-fixed="" title={summary}>
          {t('filters.count', { count })}
          <span className="visually-hidden">{`: ${summary}`}</span>
        </span>
      )}
    </div>
  );
}
