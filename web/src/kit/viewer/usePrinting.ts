import { useEffect, useRef, useState } from 'react';
import type { PageSource } from './page-source.ts';
import { mostPrintedPages, printPages } from './print-pages.ts';
import type { Viewer } from './useViewer.ts';
import type { ViewerAction } from './viewer-action.ts';

interface PrintingOptions {
  readonly viewer: Pick<Viewer, 'rendering' | 'count'>;
  readonly source: PageSource;
  readonly texts: {
    readonly print: string;
    readonly printing: string;
    readonly stillLoading: string;
    readonly tooLong: (most: number) => string;
  };
  readonly onFailure: (error: unknown) => void;
}

/** The action that prints the pages as they are seen; it says why it cannot be used yet, or at all. */
export function usePrinting({ viewer, source, texts, onFailure }: PrintingOptions): ViewerAction {
  const [busy, setBusy] = useState(false);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const { rendering, count } = viewer;
  const print = async (): Promise<void> => {
    const { signal } = (stop.current = new AbortController());
    setBusy(true);
    try {
      await printPages(source.load, { urls: [...rendering.urls.values()], signal });
    } catch (error) {
      if (!signal.aborted) onFailure(error);
    }
    setBusy(false);
  };
  const hindrance = (): string | undefined => {
    if (count > mostPrintedPages) return texts.tooLong(mostPrintedPages);
    if (rendering.status !== 'done') return texts.stillLoading;
    return busy ? texts.printing : undefined;
  };
  return { id: 'print', icon: 'printer', name: texts.print, disabledReason: hindrance(), onClick: () => void print() };
}
