import { viewerLimits } from '@pergamin/contract';
import { useEffect, useState } from 'react';

interface InView {
  /** What the page navigator shows. */
  readonly current: number;
  /** Pages that have come into the view far enough to count as reached. */
  readonly seen: readonly number[];
}

/** Rounding of scroll positions. */
const slackPx = 2;

/** The page that fills the upper part of the view; at the very end the last one, however short it is. */
const measure = (surface: HTMLElement): InView | undefined => {
  const { top, height, bottom } = surface.getBoundingClientRect();
  // Hidden, out of reach or not laid out yet: nothing can be seen, and nothing has been reached.
  if (height === 0 || !surface.checkVisibility({ visibilityProperty: true }) || surface.closest('[inert]') !== null) return undefined;
  const pages = [...surface.querySelectorAll<HTMLElement>('[data-page]')].map((element) => ({
    page: Number(element.dataset['page']),
    box: element.getBoundingClientRect(),
  }));
  const visible = pages.filter(({ box }) => box.bottom > top && box.top < bottom);
  const threshold = bottom - height * viewerLimits.nextPageThreshold;
  const isAtEnd = surface.scrollTop + surface.clientHeight >= surface.scrollHeight - slackPx;
  const upper = top + height * (1 - viewerLimits.nextPageThreshold) * 0.5;
  const filling = isAtEnd && surface.scrollTop > 0 ? pages.at(-1) : pages.findLast(({ box }) => box.top <= upper);
  // At the end every page that shows at all has been reached: a short last page never gets above the threshold.
  const seen = isAtEnd ? visible : visible.filter(({ box }) => box.top < threshold);
  return { current: filling?.page ?? 1, seen: seen.map(({ page }) => page) };
};

const isSame = (left: InView, right: InView): boolean => left.current === right.current && left.seen.join() === right.seen.join();

/**
 * Follows scrolling and resizing, at most once a frame; renders anew only when a page comes or goes. When the sheets grow or shrink, the
 * same line stays in view.
 */
export function usePagesInView(surface: HTMLElement | null, sheets: HTMLElement | null): InView {
  const [inView, setInView] = useState<InView>({ current: 1, seen: [] });
  useEffect(() => {
    if (surface === null || sheets === null) return undefined;
    let frame = 0;
    let height = sheets.offsetHeight;
    const look = (): void => {
      frame = 0;
      const next = measure(surface);
      if (next !== undefined) setInView((before) => (isSame(before, next) ? before : next));
    };
    const schedule = (): void => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    const handleResize = (): void => {
      if (sheets.offsetHeight > 0 && sheets.offsetHeight !== height) {
        if (height > 0) surface.scrollTop *= sheets.offsetHeight / height;
        height = sheets.offsetHeight;
      }
      schedule();
    };
    surface.addEventListener('scroll', schedule, { passive: true });
    const observer = new ResizeObserver(handleResize);
    observer.observe(surface);
    observer.observe(sheets);
    // Coming back into reach moves no box, but it moves the focus.
    document.addEventListener('focusin', schedule);
    return () => {
      document.removeEventListener('focusin', schedule);
      cancelAnimationFrame(frame);
      surface.removeEventListener('scroll', schedule);
      observer.disconnect();
    };
  }, [surface, sheets]);
  return inView;
}
