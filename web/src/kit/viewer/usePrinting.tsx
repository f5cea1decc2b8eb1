import { useEffect, useRef, useState } from 'react';
import { LoadBoundary } from '#kit/feedback/LoadBoundary.tsx';
import { onDemand } from '#platform/code-on-demand.ts';
import { t } from '#platform/language.ts';
import { mostPrintedPages, type PrintedPart, printPages } from './print-pages.ts';
import { useViewerState, type Viewer } from './useViewer.ts';
import type { ViewerAction } from './ViewerBar.tsx';

// Comes with the first document that is too long to be printed at once.
const PrintDialog = onDemand(async () => (await import('./PrintDialog.tsx')).PrintDialog);

/** The action that prints the pages as they are seen, which says why it cannot be used yet; and where pages of a long document are chosen. */
export function usePrinting(viewer: Viewer, onFailure: (error: unknown) => void) {
  const [busy, setBusy] = useState(false);
  const [isChoosing, setIsChoosing] = useState(false);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const { count } = viewer;
  const { status, urls } = useViewerState(viewer, ({ rendering }) => rendering);

  const print = async (part: PrintedPart, onProgress?: (pages: number) => void): Promise<boolean> => {
    const { signal } = (stop.current = new AbortController());
    setBusy(true);
    try {
      await printPages(viewer.source.load, { ...part, urls, signal, onProgress });
      return true;
    } catch (error) {
      if (!signal.aborted) onFailure(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  const handleClose = (): void => {
    stop.current?.abort();
    setIsChoosing(false);
  };
  const action: ViewerAction = {
    id: 'print',
    icon: 'printer',
    name: t('viewer.print'),
    disabledReason: status === 'done' ? (busy ? t('viewer.printing') : undefined) : t('viewer.stillLoading'),
    onClick: () => (count > mostPrintedPages ? setIsChoosing(true) : void print({ from: 1, to: count })),
  };
  const dialog = isChoosing && (
    <LoadBoundary onFailed={handleClose}>
      <PrintDialog.Component count={count} onPrint={print} onClose={handleClose} />
    </LoadBoundary>
  );
  return { action, dialog };
}
