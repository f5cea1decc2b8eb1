import { useLayoutEffect, useState } from 'react';

const usualTextPx = 16;

/** Whether an element has less room than `belowPx`, counted at the usual text size: larger text needs more of it. */
export function useNarrow(element: HTMLElement | null, belowPx: number): boolean {
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    if (element === null) return undefined;
    const measure = () => {
      const textPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setNarrow(element.clientWidth < (belowPx * textPx) / usualTextPx);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, belowPx]);
  return narrow;
}
