import { windowLimits } from '@pergamin/contract';
import { useEffect, useState, type RefObject } from 'react';
import { isStill } from './motion.ts';

export interface TabScroll {
  /** The tabs are wider than the window less 60 px. */
  readonly overflows: boolean;
  readonly atStart: boolean;
  readonly atEnd: boolean;
}

const still: TabScroll = { overflows: false, atStart: true, atEnd: true };

/** How far the tabs are scrolled, measured 100 ms after the last change. */
export function useTabScroll(scroller: RefObject<HTMLElement | null>): TabScroll {
  const [scroll, setScroll] = useState(still);
  useEffect(() => {
    const element = scroller.current;
    const list = element?.firstElementChild;
    if (!element || !list) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let width = element.clientWidth;
    const measure = () => {
      // The scroll buttons came or the browser became narrower: the tab in front stays in view.
      if (element.clientWidth !== width)
        element.querySelector('li:has([aria-current])')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      width = element.clientWidth;
      const next = {
        overflows: list.scrollWidth > innerWidth - windowLimits.tabScrollReservePx,
        // Half a pixel: a scroll position need not be a whole number.
        atStart: element.scrollLeft < 1,
        atEnd: element.scrollLeft > element.scrollWidth - element.clientWidth - 1,
      };
      setScroll((now) => (now.overflows === next.overflows && now.atStart === next.atStart && now.atEnd === next.atEnd ? now : next));
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(measure, windowLimits.tabScrollDebounceMs);
    };
    measure();
    const observer = new ResizeObserver(later);
    for (const watched of [list, element, document.documentElement]) observer.observe(watched);
    element.addEventListener('scroll', later, { passive: true });
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      element.removeEventListener('scroll', later);
    };
  }, [scroller]);
  return scroll;
}

export function scrollTabs(scroller: HTMLElement | null, steps: 1 | -1): void {
  scroller?.scrollBy({ left: steps * windowLimits.tabScrollStepPx, behavior: isStill() ? 'auto' : 'smooth' });
}
