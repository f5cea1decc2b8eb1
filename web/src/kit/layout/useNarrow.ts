import { useLayoutEffect, useState } from 'react';

const usualTextPx = 16;

/** Whether an element has less room than `belowPx`, counted at the usual text size: larger text needs more of it. */
export function useNarrow(element: HTMLElement | null, belowPx: number): boolean {
  return useShortOf(element, [belowPx]) > 0;
}

/** How many of these widths are more than an element has, counted as for `useNarrow`. */
export function useShortOf(element: HTMLElement | null, widthsPx: readonly number[]): number {
  const widths = widthsPx.join(' ');
  const [counted, setCounted] = useState<Counted>({ element: null, widths, count: 0 });
  let { count } = counted;
  if (element !== null && (counted.element !== element || counted.widths !== widths)) {
    // Measured while rendering: what depends on the room is right at once, and is not rendered and laid out a second time.
    count = countShort(element, widths) ?? count;
    setCounted({ element, widths, count });
  }
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() =>
      setCounted((known) => {
        const now = countShort(element, widths) ?? known.count;
        return now === known.count ? known : { element, widths, count: now };
      }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, widths]);
  return count;
}

interface Counted {
  readonly element: HTMLElement | null;
  readonly widths: string;
  readonly count: number;
}

/** Undefined for what is not shown: it has no room to be measured. */
const countShort = (element: HTMLElement, widths: string): number | undefined => {
  if (element.clientWidth === 0) return undefined;
  const textPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const roomPx = (element.clientWidth * usualTextPx) / textPx;
  return widths.split(' ').filter((widthPx) => roomPx < Number(widthPx)).length;
};
