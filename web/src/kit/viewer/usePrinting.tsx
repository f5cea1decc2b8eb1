import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { t } from '#platform/language.ts';
import { mostPrintedPages, type PrintedPage, printPages } from './print-pages.ts';
import type { RenderState } from './render-poll.ts';
import { useViewerState } from './useViewer.ts';
import type { ViewerAction } from './ViewerBar.tsx';
import type { Viewer } from './viewer.store.ts';

// Comes with the first document that is too long to be printed at once.
const PrintDialog = lazy(async () => ({ default: (await import('./PrintDialog.tsx')).PrintDialog }));

interface PrintingOptions {
  readonly viewer: Viewer;
  readonly onFailure: (error: unknown) => void;
}

interface Printing {
  readonly action: ViewerAction;
  /** Where pages are chosen of a document that is too long to be printed at once. */
  readonly dialog: ReactNode;
}

/** The action that prints the pages as they are seen; it says why it cannot be used yet. */
export function usePrinting({ viewer, onFailure }: PrintingOptions): Printing {
  const [busy, setBusy] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const { count } = viewer;
  const rendering = useViewerState(viewer, (state) => state.rendering);
  const isLong = count > mostPrintedPages;

  const print = async (pages: readonly PrintedPage[], onProgress?: (pages: number) => void): Promise<boolean> => {
    const { signal } = (stop.current = new AbortController());
    setBusy(true);
    try {
      await printPages(viewer.source.load, { pages, signal, ...(onProgress === undefined ? {} : { onProgress }) });
      return true;
    } catch (error) {
      if (!signal.aborted) onFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const hindrance = (): string | undefined => {
    if (rendering.status !== 'done') return t('viewer.stillLoading');
    return busy ? t('viewer.printing') : undefined;
  };
  const handleClose = (): void => {
    stop.current?.abort();
    setIsChoosing(false);
  };
  return {
    action: {
      id: 'print',
      icon: 'printer',
      name: t('viewer.print'),
      disabledReason: hindrance(),
      onClick: () => (isLong ? setIsChoosing(true) : void print(printedPages(rendering, 1, count))),
    },
    dialog: isChoosing && (
      <Suspense>
        <PrintDialog
          count={count}
          most={mostPrintedPages}
          onPrint={({ from, to }, onProgress) => print(printedPages(rendering, from, to), onProgress)}
          onClose={handleClose}
        />
      </Suspense>
    ),
  };
}

const printedPages = ({ urls }: RenderState, from: number, to: number): PrintedPage[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ page: from + index, url: urls.get(from + index) }));
