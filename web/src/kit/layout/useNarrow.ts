import { useLayoutEffect, useState } from 'react';

const usualTextPx = 16;

/** Whether an element has less room than `belowPx`, counted at the usual text size: larger text needs more of it. */
export function useNarrow(element: HTMLElement | null, belowPx: number): boolean {
  return useShortOf(element, [belowPx]) > 0;
}

/** How many of these widths are more than an element has, counted as for `useNarrow`. */
export function useShortOf(element: HTMLElement | null, widthsPx: readonly number[]): number {
  const [count, setCount] = useState(0);
  const widths = widthsPx.join(' ');
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const measure = () => {
      const textPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      // What is not shown has no room to be measured.
      if (element.clientWidth === 0) return;
      const roomPx = (element.clientWidth * usualTextPx) / textPx;
      setCount(widths.split(' ').filter((widthPx) => roomPx < Number(widthPx)).length);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, widths]);
  return count;
}
