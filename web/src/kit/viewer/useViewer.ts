import { viewerLimits } from '@pergamin/contract';
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { createPageImages, type PageImages } from './page-images.ts';
import type { PageSize, PageSource } from './page-source.ts';
import { createPageTexts, type PageTexts } from './page-texts.ts';
import { createImpatience, type Impatience, nothingRendered, pollRendering, type RenderState } from './render-poll.ts';

export interface ViewerOptions {
  /** Undefined until it is known that the document may be shown. */
  readonly source: PageSource | undefined;
  readonly count: number;
  readonly sizes: readonly PageSize[];
  /** Pages this client had reached before (F11). */
  readonly reachedBefore: readonly number[];
  /** Told once for each further page. */
  readonly onReach: (page: number) => void;
}

export interface Viewer {
  readonly count: number;
  readonly sizes: readonly PageSize[];
  readonly rendering: RenderState;
  /** Of the images to show: the sharper ones where they are there. */
  readonly urls: RenderState['urls'];
  readonly images: PageImages;
  readonly words: PageTexts;
  readonly reached: ReadonlySet<number>;
  /** Every page was reached and every image is there (F5). */
  readonly isFinished: boolean;
  readonly reach: (page: number) => void;
  /** A page that came with the document is about to be seen: until then everything else waits. */
  readonly isBeginning: boolean;
  readonly begin: () => void;
  /** This page is the one that is looked at: its image is asked for before those of others. */
  readonly lookAt: (page: number) => void;
  /** Pages are shown this wide, in the screen's own pixels: asks for sharper images when those there are would be blurred. */
  readonly sharpen: (widthPx: number) => void;
  /** After a failure: asks anew. */
  readonly retry: () => void;
}

const [normalWidth, denseWidth] = viewerLimits.renderWidthsPx;
/** Sharper images for dense screens. */
export const renderWidth = (): number => (globalThis.devicePixelRatio >= 1.5 ? denseWidth : normalWidth);
/** An image enlarged by more than this looks blurred. */
const blurredFrom = 1.15;

const noSource: PageSource['load'] = () => Promise.reject(new Error('There is no document yet'));

/** Everything a viewer of page images knows besides where it is scrolled to. */
export function useViewer({ source, count, sizes, reachedBefore, onReach }: ViewerOptions): Viewer {
  const [attempt, setAttempt] = useState(0);
  const task = useMemo(() => (source === undefined ? undefined : { source, attempt }), [source, attempt]);
  const [told, setTold] = useState<{ readonly task: object; readonly state: RenderState }>();
  // What an earlier source or attempt told is no state of this one.
  const rendering = told !== undefined && told.task === task ? told.state : nothingRendered;
  const [reachedNow, setReachedNow] = useState<ReadonlySet<number>>(new Set());
  const images = useMemo(() => createPageImages(source?.load ?? noSource, source?.atHand), [source]);
  useEffect(() => () => images.close(), [images]);
  const words = useMemo(() => createPageTexts(source?.text), [source]);
  useEffect(() => () => words.close(), [words]);
  const { looked, lookAt, impatience } = useLooking(rendering.urls);
  const { isBeginning, begin } = useBeginning(source?.atHand !== undefined);
  const [isSharp, setIsSharp] = useState(false);
  const sharpUrls = useSharpImages(rendering.status === 'done' && isSharp ? source : undefined, looked);

  useEffect(() => {
    if (task === undefined || isBeginning) return undefined;
    const stop = new AbortController();
    const width = renderWidth();
    void pollRendering({
      poll: (signal) => task.source.poll({ width, page: looked.current ?? 1 }, signal),
      tell: (state) => setTold({ task, state }),
      signal: stop.signal,
      impatience,
    });
    return () => stop.abort();
  }, [task, looked, impatience, isBeginning]);

  const reached = useMemo(() => new Set([...reachedBefore, ...reachedNow]), [reachedBefore, reachedNow]);
  const reach = useCallback(
    (page: number) => {
      if (reached.has(page)) return;
      setReachedNow((pages) => new Set([...pages, page]));
      onReach(page);
    },
    [reached, onReach],
  );
  const sharpen = useCallback((widthPx: number) => {
    if (renderWidth() < denseWidth && widthPx > renderWidth() * blurredFrom) setIsSharp(true);
  }, []);
  const urls = useMemo(() => new Map([...handedUrls(source), ...rendering.urls, ...sharpUrls]), [source, rendering.urls, sharpUrls]);
  const retry = useCallback(() => setAttempt((number) => number + 1), []);
  const isFinished = rendering.status === 'done' && count > 0 && reached.size >= count;
  return { count, sizes, rendering, urls, images, words, reached, isFinished, reach, isBeginning, begin, lookAt, sharpen, retry };
}

const handedUrls = (source: PageSource | undefined): readonly (readonly [number, string])[] =>
  source?.atHand === undefined ? [] : [[source.atHand.page, source.atHand.url]];

/** A window that is not in front draws nothing, and may wait as long as it likes to be. */
const beginsAtLatestMs = 1_000;

function useBeginning(isAtHand: boolean): Pick<Viewer, 'isBeginning' | 'begin'> {
  const [isBeginning, setIsBeginning] = useState(isAtHand);
  const begin = useCallback(() => startTransition(() => setIsBeginning(false)), []);
  useEffect(() => {
    if (!isBeginning) return undefined;
    const timer = setTimeout(begin, beginsAtLatestMs);
    return () => clearTimeout(timer);
  }, [isBeginning, begin]);
  return { isBeginning, begin };
}

interface Looking extends Pick<Viewer, 'lookAt'> {
  readonly looked: { readonly current: number | undefined };
  readonly impatience: Impatience;
}

/** A page that is only passed is not asked for. */
const restMs = 200;

/** Whoever has gone to a page that is not there yet does not wait for the next time to ask. */
function useLooking(urls: RenderState['urls']): Looking {
  const [impatience] = useState(createImpatience);
  const looked = useRef<number>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isThere = useLatest((page: number) => urls.has(page));
  const lookAt = useCallback(
    (page: number) => {
      const before = looked.current;
      looked.current = page;
      clearTimeout(timer.current);
      if (before !== undefined && before !== page && !isThere(page)) timer.current = setTimeout(impatience.hurry, restMs);
    },
    [impatience, isThere],
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  return { looked, lookAt, impatience };
}

const noUrls: RenderState['urls'] = new Map();

/** Of a document whose pages are there already; that they cannot be had leaves those. */
function useSharpImages(source: PageSource | undefined, looked: Looking['looked']): RenderState['urls'] {
  const [told, setTold] = useState<{ readonly source: PageSource; readonly urls: RenderState['urls'] }>();
  useEffect(() => {
    if (source === undefined) return undefined;
    const stop = new AbortController();
    void pollRendering({
      poll: (signal) => source.poll({ width: denseWidth, page: looked.current ?? 1 }, signal),
      tell: ({ status, urls }) => {
        if (status !== 'failed') setTold({ source, urls });
      },
      signal: stop.signal,
    });
    return () => stop.abort();
  }, [source, looked]);
  return told !== undefined && told.source === source ? told.urls : noUrls;
}
