import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useLatest } from '#kit/hooks/useLatest.ts';
import type { PageLayout } from './page-layout.ts';
import { type Scrolling, usePagesInView } from './usePagesInView.ts';
import { useReading } from './useReading.ts';
import { useRoom } from './useRoom.ts';
import type { Viewer } from './useViewer.ts';
import { useZoom, type Zooming } from './useZoom.ts';
import { useZoomGestures } from './useZoomGestures.ts';
import { boundedPercent } from './zoom.ts';

interface PageViewOptions {
  readonly viewer: Viewer;
  /** Null until it stands where it will. */
  readonly surface: HTMLElement | null;
  /** There is something to read, and it is not being read as text. */
  readonly isShown: boolean;
  readonly startPage: number;
}

export interface PageView {
  readonly zooming: Zooming;
  readonly scrolling: Scrolling;
  /** Undefined while no pages are shown. */
  readonly layout: PageLayout | undefined;
  /** Scrolls there, as soon as the pages are shown. */
  readonly goTo: (page: number) => void;
  readonly onDrawn: (page: number, picture: HTMLImageElement) => void;
  /** Besides those around the reader: pages whose images are to be there. */
  readonly onSeeThumbnails: (pages: readonly number[]) => void;
}

/** Its dots are made beside the page's own work, which is not to come between them and the screen. */
const untilPainted = async (picture: HTMLImageElement): Promise<void> => {
  await picture.decode().catch(() => undefined);
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
};

/** Pages kept loaded around the one that is read. */
const pagesAhead = 5;
const pagesBehind = 2;
const noPages: readonly number[] = [];

const nearestFirst = (current: number, count: number): number[] => {
  const pages = [current];
  for (let distance = 1; distance <= pagesAhead; distance += 1) {
    pages.push(current + distance);
    if (distance <= pagesBehind) pages.push(current - distance);
  }
  return pages.filter((page) => page >= 1 && page <= count);
};

/** The pages as pictures: how large, where scrolled to, and which of them are there. */
export function usePageView({ viewer, surface, isShown, startPage }: PageViewOptions): PageView {
  const { count, sizes, images, words, urls, sharpen, reach, lookAt, isBeginning, begin } = viewer;
  const zooming = useZoom({ count, sizes, room: useRoom(surface) });
  const layout = isShown ? zooming.layout : undefined;
  const scrolling = usePagesInView(surface, layout, startPage);
  const { current, seen, goTo: scrollTo } = scrolling;
  const isLaidOut = layout !== undefined;
  useEffect(() => lookAt(current), [lookAt, current]);
  const noteDrawn = useReading({ images, seen, onReach: reach });
  const onDrawn = useCallback(
    (page: number, picture: HTMLImageElement): void => {
      noteDrawn(page, picture.src);
      if (isBeginning) void untilPainted(picture).then(begin);
    },
    [noteDrawn, isBeginning, begin],
  );

  const [inStrip, setInStrip] = useState(noPages);
  // Before the pages are drawn: one that is at hand is in the first picture.
  useLayoutEffect(() => {
    images.hold([...new Set([...nearestFirst(current, count), ...inStrip])], urls);
  }, [images, current, count, urls, inStrip]);
  const hasTexts = isLaidOut && !isBeginning;
  useEffect(() => {
    if (hasTexts) words.hold(nearestFirst(current, count));
  }, [words, hasTexts, current, count]);
  const shownWidth = layout?.boxes[current - 1]?.width ?? 0;
  useEffect(() => sharpen(shownWidth * globalThis.devicePixelRatio), [sharpen, shownWidth]);

  const wanted = useRef<number | undefined>(startPage);
  const showWanted = useEffectEvent(() => {
    if (wanted.current !== undefined) scrollTo(wanted.current);
    wanted.current = undefined;
  });
  useLayoutEffect(() => {
    if (isLaidOut) showWanted();
  }, [isLaidOut]);
  const goTo = useLatest((page: number): void => {
    if (isLaidOut) scrollTo(page);
    else wanted.current = page;
  });

  useZoomGestures(isShown ? surface : null, {
    percent: zooming.percentOn(current),
    onZoom: (percent, place) => {
      scrolling.holdPlace(place);
      zooming.setZoom(boundedPercent(percent, zooming.percentOn(current, 'width')));
    },
  });
  const onSeeThumbnails = useCallback((pages: readonly number[]) => setInStrip(pages.length === 0 ? noPages : pages), []);
  return { zooming, scrolling, layout, goTo, onDrawn, onSeeThumbnails };
}
