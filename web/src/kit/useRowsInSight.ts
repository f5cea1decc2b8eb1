import { startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { whenIdle } from '#platform/when-idle.ts';
import { useLatest } from './useLatest.ts';

/** So few are always whole. */
const fewRows = 25;
/** Rows become whole by so many at once. */
const groupRows = 4;
/** Whoever scrolls finds so many more of them whole already. */
const aheadRows = 8;
/** So long after a view began, and then group by group whenever there is nothing else to do, the rest becomes whole. */
const restMs = 1_000;
const groupAtLatestMs = 150;
/** As many groups as a usual screen shows, until it has been measured. */
const usualGroups = 4;
/** Keys with which the browser looks at all of the page: find, find again, select all, print. */
const lookingKeys = new Set(['a', 'f', 'g', 'p']);

export interface RowsInSight {
  /** Whether a row is to be shown with all its cells. Otherwise its name is enough: nobody sees it. */
  readonly isWhole: (index: number) => boolean;
  readonly revealAll: () => void;
  readonly onScroll: () => void;
}

interface Shown {
  readonly viewId: string | undefined;
  /** So many groups are in sight at the top of the list. */
  readonly atTop: number;
  readonly groups: ReadonlySet<number>;
}

/**
 * Of many rows, first those that are in sight. The others have their place, their name and their link, so that keys, screen readers and the
 * bar at the side meet every row; they become whole before they come into sight, when the browser is asked to look for a text, to print, or to
 * select everything, and bit by bit once the page rests: a screen reader reads on where nobody scrolls.
 */
export function useRowsInSight(
  scroller: HTMLElement | null,
  { total, viewId }: { total: number; viewId: string | undefined },
): RowsInSight {
  const [shown, setShown] = useState<Shown>(() => ({ viewId, atTop: usualGroups, groups: firstGroups(usualGroups) }));
  if (shown.viewId !== viewId) setShown({ viewId, atTop: shown.atTop, groups: firstGroups(shown.atTop) });
  const rowPx = useRef(0);
  const hasMany = total > fewRows;
  const isAll = !hasMany || shown.groups.size >= Math.ceil(total / groupRows);

  /** `ahead` of what is in sight now, as long as the view is the same. */
  const look = useLatest((ahead: number): void => {
    if (scroller === null) return;
    const { clientHeight, scrollTop } = scroller;
    if (!hasMany || rowPx.current === 0) return;
    const groupPx = rowPx.current * groupRows;
    const aheadPx = ahead * rowPx.current;
    const [first, last] = [Math.max(0, scrollTop - aheadPx), Math.min(total * rowPx.current - 1, scrollTop + clientHeight + aheadPx)];
    const wanted: number[] = [];
    for (let group = Math.floor(first / groupPx); group <= Math.floor(last / groupPx); group += 1) wanted.push(group);
    const atTop = Math.ceil(clientHeight / groupPx);
    setShown((now) =>
      now.atTop === atTop && wanted.every((group) => now.groups.has(group))
        ? now
        : { ...now, atTop, groups: new Set([...now.groups, ...wanted]) },
    );
  });
  const revealAll = useLatest((): void => {
    if (!isAll) setShown((now) => ({ ...now, groups: firstGroups(Math.ceil(total / groupRows)) }));
  });

  useEffect(() => {
    const body = scroller?.querySelector('tbody');
    if (!hasMany || !scroller || !body) return undefined;
    // Its sizes come with it: to ask an element for them costs a layout of all rows.
    const observer = new ResizeObserver((entries) => {
      for (const { target, contentRect } of entries) if (target === body) rowPx.current = contentRect.height / total;
      look(0);
    });
    observer.observe(scroller);
    observer.observe(body);
    return () => observer.disconnect();
  }, [scroller, hasMany, total, look]);

  // At once: the key may be the next thing that happens.
  useLayoutEffect(() => {
    if (isAll) return undefined;
    const reveal = () => flushSync(revealAll);
    const handleKey = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
      if (key === 'F3' || ((ctrlKey || metaKey) && lookingKeys.has(key.toLowerCase()))) reveal();
    };
    addEventListener('keydown', handleKey, { capture: true });
    addEventListener('beforeprint', reveal);
    return () => {
      removeEventListener('keydown', handleKey, { capture: true });
      removeEventListener('beforeprint', reveal);
    };
  }, [isAll, revealAll]);

  // Each group makes the next one due; a new view begins anew.
  const { groups } = shown;
  useEffect(() => {
    if (isAll) return undefined;
    const next = () => startTransition(() => setShown((now) => ({ ...now, groups: new Set([...now.groups, firstMissing(now.groups)]) })));
    let callOff = () => {};
    const timer = setTimeout(
      () => (callOff = whenIdle(next, groupAtLatestMs)),
      groups.size <= Math.max(shown.atTop, usualGroups) ? restMs : 0,
    );
    return () => {
      clearTimeout(timer);
      callOff();
    };
  }, [isAll, groups, shown.atTop]);

  return {
    isWhole: (index) => isAll || shown.groups.has(Math.floor(index / groupRows)),
    revealAll,
    onScroll: () => look(aheadRows),
  };
}

const firstGroups = (count: number): ReadonlySet<number> => new Set(Array.from({ length: count }, (_, group) => group));

const firstMissing = (groups: ReadonlySet<number>): number => {
  let group = 0;
  while (groups.has(group)) group += 1;
  return group;
};
