import { startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { whenIdle } from '#platform/when-idle.ts';
import { inGroups, rowsPerGroup } from './row-groups.ts';
import { useLatest } from './useLatest.ts';

/** So few are always whole. */
const fewRows = 25;
/** Whoever scrolls finds so many more of them whole already. */
const aheadRows = 8;
/** So long after a view began, and then turn by turn whenever there is nothing else to do, the rest becomes whole. */
const restMs = 1_000;
const turnAtLatestMs = 150;
/** As many rows as a usual screen shows, until it has been measured. */
const usualRows = 16;
/** Keys with which the browser looks at all of the page: find, find again, select all, print. */
const lookingKeys = new Set(['a', 'f', 'g', 'p']);
/** Keys that go from row to row. */
const goingKeys = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);

export type RowState = 'whole' | 'named' | 'late';

export interface RowsInSight {
  /**
   * `whole` is shown with all its cells. Of the first view, `named` is a row that nobody sees: its name is enough. Of any other view, such a row
   * is `late`: it still holds what it held before, and must be neither seen nor read nor gone to.
   */
  readonly stateOf: (index: number) => RowState;
  readonly onScroll: () => void;
}

interface Shown {
  readonly viewId: string | undefined;
  /** Whether the rows have shown another view before. */
  readonly isLater: boolean;
  /** So many rows are in sight at the top of the list. */
  readonly atTop: number;
  /** By index. */
  readonly whole: ReadonlySet<number>;
}

/**
 * Of many rows, first those that are in sight. The others keep their place; they become whole before they come into sight, before a key can
 * go to them, when the browser is asked to look for a text, to print, or to select everything, and bit by bit once the page rests: a screen
 * reader reads on where nobody scrolls.
 */
export function useRowsInSight(
  scroller: HTMLElement | null,
  { total, viewId }: { total: number; viewId: string | undefined },
): RowsInSight {
  const [shown, setShown] = useState<Shown>(() => ({ viewId, isLater: false, atTop: usualRows, whole: firstRows(usualRows) }));
  if (shown.viewId !== viewId) setShown({ viewId, isLater: true, atTop: shown.atTop, whole: firstRows(shown.atTop) });
  const rowPx = useRef(0);
  const hasMany = total > fewRows;
  const isAll = !hasMany || shown.whole.size >= total;

  /** `ahead` of what is in sight now, as long as the view is the same. */
  const look = useLatest((ahead: number): void => {
    if (scroller === null) return;
    const { clientHeight, scrollTop } = scroller;
    if (!hasMany || rowPx.current === 0) return;
    const rowsWithin = (beyond: number): readonly number[] => {
      const first = Math.max(0, Math.floor(scrollTop / rowPx.current) - beyond);
      const end = Math.min(total, inGroups(Math.ceil((scrollTop + clientHeight) / rowPx.current) + beyond));
      return Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
    };
    const wanted = rowsWithin(ahead);
    const atTop = inGroups(Math.ceil(clientHeight / rowPx.current));
    const show = () =>
      setShown((now) =>
        now.atTop === atTop && wanted.every((row) => now.whole.has(row))
          ? now
          : { ...now, atTop, whole: new Set([...now.whole, ...wanted]) },
      );
    // What is in sight already is whole in the very frame that shows it.
    if (isAll || rowsWithin(0).every((row) => shown.whole.has(row))) show();
    else flushSync(show);
  });
  const revealAll = useLatest((): void => {
    if (!isAll) setShown((now) => ({ ...now, whole: firstRows(total) }));
  });

  useEffect(() => {
    const table = scroller?.querySelector('table');
    if (!hasMany || !scroller || !table) return undefined;
    // Its sizes come with it: to ask an element for them costs a layout of all rows.
    const observer = new ResizeObserver((entries) => {
      for (const { target, contentRect } of entries)
        if (target === table) rowPx.current = (contentRect.height - (table.tHead?.offsetHeight ?? 0)) / total;
      look(0);
    });
    observer.observe(scroller);
    observer.observe(table);
    return () => observer.disconnect();
  }, [scroller, hasMany, total, look]);

  // At once: the key may be the next thing that happens.
  useLayoutEffect(() => {
    if (isAll) return undefined;
    const reveal = () => flushSync(revealAll);
    const handleKey = ({ key, ctrlKey, metaKey, target }: KeyboardEvent) => {
      const goes = key === 'Tab' || (goingKeys.has(key) && target instanceof Node && scroller?.contains(target) === true);
      if (key === 'F3' || ((ctrlKey || metaKey) && lookingKeys.has(key.toLowerCase())) || (shown.isLater && goes)) reveal();
    };
    addEventListener('keydown', handleKey, { capture: true });
    addEventListener('beforeprint', reveal);
    return () => {
      removeEventListener('keydown', handleKey, { capture: true });
      removeEventListener('beforeprint', reveal);
    };
  }, [isAll, revealAll, scroller, shown.isLater]);

  // Each turn makes the next one due; a new view begins anew.
  const { whole } = shown;
  useEffect(() => {
    if (isAll) return undefined;
    const next = () => startTransition(() => setShown((now) => ({ ...now, whole: withMissing(now.whole, rowsPerGroup) })));
    let callOff = () => {};
    const timer = setTimeout(() => (callOff = whenIdle(next, turnAtLatestMs)), whole.size <= Math.max(shown.atTop, usualRows) ? restMs : 0);
    return () => {
      clearTimeout(timer);
      callOff();
    };
  }, [isAll, whole, shown.atTop]);

  return {
    stateOf: (index) => (isAll || whole.has(index) ? 'whole' : shown.isLater ? 'late' : 'named'),
    onScroll: () => look(aheadRows),
  };
}

const firstRows = (count: number): ReadonlySet<number> => new Set(Array.from({ length: count }, (_, row) => row));

const withMissing = (rows: ReadonlySet<number>, count: number): ReadonlySet<number> => {
  const more = new Set(rows);
  for (let row = 0; more.size < rows.size + count; row += 1) more.add(row);
  return more;
};
