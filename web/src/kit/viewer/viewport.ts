import { viewerLimits } from '@pergamin/contract';
import { movedY, pageAt, type PageLayout, type PageArea } from './page-layout.ts';
import { percentOf, type ViewerParts, type VisiblePages } from './viewer.state.ts';
import { listenForZoom, oncePerFrame, type Place } from './zoom-gestures.ts';
import { boundedPercent, type PagePart } from './zoom.ts';

export type Viewport = ReturnType<typeof createViewport>;

interface Placed {
  readonly layout: PageLayout;
  /** Where it was scrolled to; the browser forgets that when the pages shrink. */
  scroll: Place;
}

/**
 * The part of the pages that is on the screen. `attach` follows an element, and `place` says how the pages lie in it, both until the function that
 * they answer is called; what was in view stays in view. `goTo`, and `reveal` by as little as is needed, scroll at once or when the pages are there.
 */
export const createViewport = ({ sizes, getState, update }: ViewerParts) => {
  let surface: HTMLElement | undefined;
  let placed: Placed | undefined;
  let isPlaced = false;
  /** Stays where it is when the layout changes next; otherwise the top of the view does. */
  let held: Place | undefined;
  let wanted: ((surface: HTMLElement, layout: PageLayout) => void) | undefined;

  const measure = (): void => {
    const { layout, visible } = getState();
    const next = surface && layout && isPlaced ? visiblePages(surface, layout) : undefined;
    if (surface === undefined || placed === undefined || next === undefined) return;
    placed.scroll = scrollOf(surface);
    if (!isSame(next, visible)) update({ visible: next });
  };
  const { schedule, cancel } = oncePerFrame(measure);
  const whenPlaced = (act: NonNullable<typeof wanted>): void => {
    if (surface !== undefined && placed !== undefined && isPlaced) act(surface, placed.layout);
    else wanted = act;
  };
  return {
    attach: (element: HTMLElement) => {
      surface = element;
      const attached = new AbortController();
      const { signal } = attached;
      signal.addEventListener('abort', cancel);
      followArea(element, (area) => update({ area }), signal);
      followView(element, schedule, signal);
      const zoomTo = (percent: number, place: Place): void => {
        if (getState().layout === undefined) return;
        held = place;
        update({ zoom: boundedPercent(percent, percentOf(getState(), sizes, 'width')) });
      };
      listenForZoom(element, { percentNow: () => percentOf(getState(), sizes), zoomTo, signal });
      schedule();
      return () => attached.abort();
    },
    place: (layout: PageLayout) => {
      if (surface === undefined) return () => undefined;
      if (placed !== undefined && placed.layout !== layout) keepInView(surface, { before: placed, layout, place: held });
      held = undefined;
      placed = { layout, scroll: scrollOf(surface) };
      isPlaced = true;
      wanted?.(surface, layout);
      wanted = undefined;
      schedule();
      return () => void (isPlaced = false);
    },
    goTo: (page: number) => {
      if (getState().textPage !== undefined) surface?.querySelector(`[data-text-page="${page}"]`)?.scrollIntoView();
      else
        whenPlaced((within, layout) => {
          scrollToPage(within, layout, page);
          // Not with the next frame: nothing is asked for that was only left behind.
          measure();
        });
    },
    reveal: (page: number, part: () => PagePart) => whenPlaced((within, layout) => scrollToPart(within, layout, { page, ...part() })),
  };
};

/** Rounding of scroll positions. */
const slackPx = 2;

/** The page that fills the upper part of the view; at the very end the last one, however short it is. */
const visiblePages = (surface: HTMLElement, layout: PageLayout): VisiblePages | undefined => {
  const { clientHeight: height, scrollTop: top } = surface;
  // Hidden, out of reach or not laid out yet: nothing can be seen, and nothing has been reached.
  if (height === 0 || !surface.checkVisibility({ visibilityProperty: true }) || surface.closest('[inert]') !== null) return undefined;
  const bottom = top + height;
  const boxOf = (page: number) => layout.boxes[page - 1] ?? { top: 0, width: 0, height: 0 };
  const above = pageAt(layout, top);
  const first = boxOf(above).top + boxOf(above).height > top ? above : Math.min(above + 1, layout.boxes.length);
  const last = pageAt(layout, bottom - 1);
  const isAtEnd = top + height >= surface.scrollHeight - slackPx;
  const current = isAtEnd && top > 0 ? layout.boxes.length : pageAt(layout, top + height * (1 - viewerLimits.nextPageThreshold) * 0.5);
  const isReached = (page: number): boolean => {
    const end = boxOf(page).top + boxOf(page).height;
    // A single page is reached as soon as it is seen (F5); at the end of the document every page in view is.
    return isAtEnd || layout.boxes.length === 1 || (end <= bottom + slackPx && end >= top + height * passedShare);
  };
  const seen = [];
  for (let page = first; page <= last; page += 1) if (isReached(page)) seen.push(page);
  return { current, seen, first, last };
};

const isSame = (left: VisiblePages, right: VisiblePages): boolean =>
  left.current === right.current && left.first === right.first && left.last === right.last && left.seen.join() === right.seen.join();

const scrollOf = ({ scrollLeft: x, scrollTop: y }: HTMLElement): Place => ({ x, y });

/** As far below the edge as the first page is at the start. */
const scrollToPage = (surface: HTMLElement, { boxes }: PageLayout, page: number): void => {
  const box = boxes[page - 1];
  if (box !== undefined) surface.scrollTo({ top: box.top - (boxes[0]?.top ?? 0) });
};

/** A jump to a page leaves the end of the one before at the upper edge, where it is not read; a key that turns pages leaves more. */
const passedShare = 0.1;
/** What is revealed keeps clear of the edges, and of what floats over them. */
const revealMarginPx = 96;

const scrollToPart = (surface: HTMLElement, layout: PageLayout, part: PagePart & { readonly page: number }): void => {
  const box = layout.boxes[part.page - 1];
  if (box === undefined) return;
  const [from, to] = [box.top + part.top * box.height, box.top + part.bottom * box.height];
  const { scrollTop, clientHeight, scrollLeft, clientWidth } = surface;
  const isInView = from >= scrollTop + revealMarginPx && to <= scrollTop + clientHeight - revealMarginPx;
  const x = (Math.max(clientWidth, layout.width) - box.width) / 2 + part.left * box.width;
  const isBeside = x < scrollLeft + slackPx || x > scrollLeft + clientWidth - revealMarginPx;
  surface.scrollTo({ ...(isInView ? {} : { top: from - clientHeight / 3 }), ...(isBeside ? { left: x - clientWidth / 2 } : {}) });
};

/** When the pages grow, shrink or turn, the same line stays in view, or what is at `place`. */
const keepInView = (
  surface: HTMLElement,
  { before, layout, place = { x: surface.clientWidth / 2, y: 0 } }: { before: Placed; layout: PageLayout; place: Place | undefined },
): void => {
  const widthOf = (which: PageLayout): number => Math.max(surface.clientWidth, which.width);
  const fromMiddle = before.scroll.x + place.x - widthOf(before.layout) / 2;
  const page = pageAt(before.layout, before.scroll.y + place.y) - 1;
  const growth = (layout.boxes[page]?.width ?? 1) / (before.layout.boxes[page]?.width ?? 1);
  surface.scrollTo({
    top: movedY(before.layout, layout, before.scroll.y + place.y) - place.y,
    left: widthOf(layout) / 2 + fromMiddle * growth - place.x,
  });
};

/** Tells that other pages may be in view. */
const followView = (surface: HTMLElement, onChange: () => void, signal: AbortSignal): void => {
  const observer = new ResizeObserver(onChange);
  observer.observe(surface);
  signal.addEventListener('abort', () => observer.disconnect());
  surface.addEventListener('scroll', onChange, { passive: true, signal });
  // A surface that comes back into reach moves no box, but it moves the focus.
  document.addEventListener('focusin', onChange, { signal });
};

const sideMarginPx = 24;
const phoneSideMarginPx = 12;
/** Narrower than this the pages' margins are a phone's. */
const narrowPx = 520;

/** Tells the room for a page inside the margins: at once, and when resizing has rested (F3). A hidden surface keeps the room it had. */
const followArea = (surface: HTMLElement, onArea: (area: PageArea) => void, signal: AbortSignal): void => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let measured: PageArea | undefined;
  const measure = (): void => {
    const { clientWidth, clientHeight } = surface;
    if (clientWidth === 0) return;
    const gap = clientWidth < narrowPx ? phoneSideMarginPx : sideMarginPx;
    const area = { width: Math.max(1, clientWidth - 2 * gap), height: Math.max(1, clientHeight - 2 * viewerLimits.bottomMarginPx), gap };
    if (measured?.width === area.width && measured.height === area.height && measured.gap === gap) return;
    measured = area;
    onArea(area);
  };
  measure();
  const observer = new ResizeObserver(() => {
    clearTimeout(timer);
    if (measured === undefined) measure();
    else timer = setTimeout(measure, viewerLimits.resizeDebounceMs);
  });
  observer.observe(surface);
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    observer.disconnect();
  });
};
