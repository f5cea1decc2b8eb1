import { viewerLimits } from '@pergamin/contract';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { movedY, pageAt, type PageLayout } from './page-layout.ts';

interface InView {
  /** What the page navigator shows. */
  readonly current: number;
  /** Pages whose end is in the view: reached. A single page is reached as soon as it is seen (F5). */
  readonly seen: readonly number[];
  /** Pages of which anything shows. */
  readonly first: number;
  readonly last: number;
}

/** A place in the surface, in CSS pixels from its top left corner. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Scrolling extends InView {
  readonly goTo: (page: number) => void;
  /** Scrolls as little as is needed for this part of a page, as shares of its height, to be well in view. */
  readonly reveal: (page: number, part: { readonly top: number; readonly bottom: number; readonly left: number }) => void;
  /** The next change of the layout keeps this place where it is, instead of the top of the view. */
  readonly holdPlace: (place: Place) => void;
}

/** Rounding of scroll positions. */
const slackPx = 2;
/** A jump to a page leaves the end of the one before at the upper edge, where it is not read; a key that turns pages leaves more. */
const passedShare = 0.1;
/** What is revealed keeps clear of the edges, and of what floats over them. */
const revealMarginPx = 96;

/** The page that fills the upper part of the view; at the very end the last one, however short it is. */
const measure = (surface: HTMLElement, layout: PageLayout): InView | undefined => {
  const { clientHeight: height, scrollTop: top } = surface;
  // Hidden, out of reach or not laid out yet: nothing can be seen, and nothing has been reached.
  if (height === 0 || !surface.checkVisibility({ visibilityProperty: true }) || surface.closest('[inert]') !== null) return undefined;
  const bottom = top + height;
  const boxOf = (page: number) => layout.boxes[page - 1] ?? { top: 0, width: 0, height: 0 };
  const above = pageAt(layout, top);
  const first = boxOf(above).top + boxOf(above).height > top ? above : Math.min(above + 1, layout.boxes.length);
  const last = pageAt(layout, bottom - 1);
  const isAtEnd = top + height >= surface.scrollHeight - slackPx;
  const filling = isAtEnd && top > 0 ? layout.boxes.length : pageAt(layout, top + height * (1 - viewerLimits.nextPageThreshold) * 0.5);
  const isReached = (page: number): boolean => {
    const end = boxOf(page).top + boxOf(page).height;
    return isAtEnd || (end <= bottom + slackPx && end >= top + height * passedShare);
  };
  const seen = [];
  for (let page = first; page <= last; page += 1) if (layout.boxes.length === 1 || isReached(page)) seen.push(page);
  return { current: filling, seen, first, last };
};

const isSame = (left: InView, right: InView): boolean =>
  left.current === right.current && left.first === right.first && left.last === right.last && left.seen.join() === right.seen.join();

/**
 * Follows scrolling and resizing, at most once a frame; renders anew only when a page comes or goes. When the pages grow, shrink or turn, the
 * same line stays in view. `startPage` counts as looked at until there is something to be seen.
 */
export function usePagesInView(surface: HTMLElement | null, layout: PageLayout | undefined, startPage: number): Scrolling {
  const [inView, setInView] = useState<InView>({ current: startPage, seen: [], first: startPage, last: startPage });
  const shown = useRef<{ readonly surface: HTMLElement; readonly layout: PageLayout; scroll: Place }>(undefined);
  const held = useRef<Place>(undefined);

  useLayoutEffect(() => {
    if (surface === null || layout === undefined) return;
    const before = shown.current;
    if (before !== undefined && before.surface === surface && before.layout !== layout) {
      const place = held.current ?? { x: surface.clientWidth / 2, y: 0 };
      const widthOf = (which: PageLayout): number => Math.max(surface.clientWidth, which.width);
      const fromMiddle = before.scroll.x + place.x - widthOf(before.layout) / 2;
      const page = pageAt(before.layout, before.scroll.y + place.y) - 1;
      const growth = (layout.boxes[page]?.width ?? 1) / (before.layout.boxes[page]?.width ?? 1);
      surface.scrollTo({
        top: movedY(before.layout, layout, before.scroll.y + place.y) - place.y,
        left: widthOf(layout) / 2 + fromMiddle * growth - place.x,
      });
    }
    held.current = undefined;
    shown.current = { surface, layout, scroll: { x: surface.scrollLeft, y: surface.scrollTop } };
  }, [surface, layout]);

  useEffect(() => {
    if (surface === null || layout === undefined) return undefined;
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const next = measure(surface, layout);
      if (next !== undefined) setInView((before) => (isSame(before, next) ? before : next));
    };
    const schedule = (): void => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    const handleScroll = (): void => {
      if (shown.current?.layout === layout) shown.current.scroll = { x: surface.scrollLeft, y: surface.scrollTop };
      schedule();
    };
    surface.addEventListener('scroll', handleScroll, { passive: true });
    const observer = new ResizeObserver(schedule);
    observer.observe(surface);
    // Coming back into reach moves no box, but it moves the focus.
    document.addEventListener('focusin', schedule);
    schedule();
    return () => {
      document.removeEventListener('focusin', schedule);
      cancelAnimationFrame(frame);
      surface.removeEventListener('scroll', handleScroll);
      observer.disconnect();
    };
  }, [surface, layout]);

  const goTo = useCallback(
    (page: number): void => {
      const box = layout?.boxes[page - 1];
      // As far below the edge as the first page is at the start.
      if (surface === null || layout === undefined || box === undefined) return;
      surface.scrollTo({ top: box.top - (layout.boxes[0]?.top ?? 0) });
      // At once, and not with the next frame: nothing is asked for that was only left behind.
      const next = measure(surface, layout);
      if (next !== undefined) setInView((before) => (isSame(before, next) ? before : next));
    },
    [surface, layout],
  );
  const reveal = useCallback<Scrolling['reveal']>(
    (page, { top, bottom, left }) => {
      const box = layout?.boxes[page - 1];
      if (surface === null || layout === undefined || box === undefined) return;
      const [from, to] = [box.top + top * box.height, box.top + bottom * box.height];
      const { scrollTop, clientHeight, scrollLeft, clientWidth } = surface;
      const isInView = from >= scrollTop + revealMarginPx && to <= scrollTop + clientHeight - revealMarginPx;
      const x = (Math.max(clientWidth, layout.width) - box.width) / 2 + left * box.width;
      const isBeside = x < scrollLeft + slackPx || x > scrollLeft + clientWidth - revealMarginPx;
      surface.scrollTo({
        ...(isInView ? {} : { top: from - clientHeight / 3 }),
        ...(isBeside ? { left: x - clientWidth / 2 } : {}),
      });
    },
    [surface, layout],
  );
  const holdPlace = useCallback((place: Place) => void (held.current = place), []);
  return { ...inView, goTo, reveal, holdPlace };
}
