import { viewerLimits } from '@pergamin/contract';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { createPageImages, type PageImages } from './page-images.ts';
import type { PageSize, PageSource } from './page-source.ts';
import { createPageTexts, type PageTexts } from './page-texts.ts';
import { nothingRendered, pollRendering, type RenderState } from './render-poll.ts';

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
  /** Pages are shown this wide, in the screen's own pixels: asks for sharper images when those there are would be blurred. */
  readonly sharpen: (widthPx: number) => void;
  /** After a failure: asks anew. */
  readonly retry: () => void;
}

const [normalWidth, denseWidth] = viewerLimits.renderWidthsPx;
/** Sharper images for dense screens. */
const renderWidth = (): number => (globalThis.devicePixelRatio >= 1.5 ? denseWidth : normalWidth);
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
  const images = useMemo(() => createPageImages(source?.load ?? noSource), [source]);
  useEffect(() => () => images.close(), [images]);
  const words = useMemo(() => createPageTexts(source?.text), [source]);
  useEffect(() => () => words.close(), [words]);
  const [isSharp, setIsSharp] = useState(false);
  const sharpUrls = useSharpImages(rendering.status === 'done' && isSharp ? source : undefined);

  useEffect(() => {
    if (task === undefined) return undefined;
    const stop = new AbortController();
    const width = renderWidth();
    void pollRendering(
      (signal) => task.source.poll(width, signal),
      (state) => setTold({ task, state }),
      stop.signal,
    );
    return () => stop.abort();
  }, [task]);

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
  const urls = useMemo(() => new Map([...rendering.urls, ...sharpUrls]), [rendering.urls, sharpUrls]);
  const retry = useCallback(() => setAttempt((number) => number + 1), []);
  const isFinished = rendering.status === 'done' && count > 0 && reached.size >= count;
  return { count, sizes, rendering, urls, images, words, reached, isFinished, reach, sharpen, retry };
}

const noUrls: RenderState['urls'] = new Map();

/** Of a document whose pages are there already; that they cannot be had leaves those. */
function useSharpImages(source: PageSource | undefined): RenderState['urls'] {
  const [told, setTold] = useState<{ readonly source: PageSource; readonly urls: RenderState['urls'] }>();
  useEffect(() => {
    if (source === undefined) return undefined;
    const stop = new AbortController();
    void pollRendering(
      (signal) => source.poll(denseWidth, signal),
      ({ status, urls }) => {
        if (status !== 'failed') setTold({ source, urls });
      },
      stop.signal,
    );
    return () => stop.abort();
  }, [source]);
  return told !== undefined && told.source === source ? told.urls : noUrls;
}
