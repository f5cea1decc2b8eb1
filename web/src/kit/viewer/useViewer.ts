import { viewerLimits } from '@pergamin/contract';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { createPageImages, type PageImages } from './page-images.ts';
import type { PageSize, PageSource } from './page-source.ts';
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
  readonly images: PageImages;
  readonly reached: ReadonlySet<number>;
  /** Every page was reached and every image is there (F5). */
  readonly isFinished: boolean;
  readonly reach: (page: number) => void;
  /** After a failure: asks anew. */
  readonly retry: () => void;
}

/** Sharper images for dense screens. */
const renderWidth = (): number => {
  const [normal, dense] = viewerLimits.renderWidthsPx;
  return globalThis.devicePixelRatio >= 1.5 ? dense : normal;
};

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
  const retry = useCallback(() => setAttempt((number) => number + 1), []);
  const isFinished = rendering.status === 'done' && count > 0 && reached.size >= count;
  return { count, sizes, rendering, images, reached, isFinished, reach, retry };
}
