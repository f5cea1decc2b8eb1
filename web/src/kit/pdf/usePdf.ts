import { useEffect, useMemo, useState } from 'react';
import { openPdf, type PdfPages } from './pdf-pages.ts';

interface OpenedPdf {
  /** Undefined until it is open. */
  readonly pdf: PdfPages | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Opens these bytes for as long as they are shown. */
export function usePdf(bytes: Blob | undefined): OpenedPdf {
  const [attempt, setAttempt] = useState(0);
  const task = useMemo(() => (bytes === undefined ? undefined : { bytes, attempt }), [bytes, attempt]);
  const [told, setTold] = useState<{ readonly task: object; readonly pdf?: PdfPages; readonly error: Error | null }>();
  useEffect(() => {
    if (task === undefined) return undefined;
    let gone = false;
    let opened: PdfPages | undefined;
    openPdf(task.bytes).then(
      (pdf) => {
        if (gone) pdf.close();
        else setTold({ task, pdf: (opened = pdf), error: null });
      },
      (error: unknown) => {
        if (!gone) setTold({ task, error: error instanceof Error ? error : new Error(String(error)) });
      },
    );
    return () => {
      gone = true;
      opened?.close();
    };
  }, [task]);
  // What was opened before is closed already.
  const now = told !== undefined && told.task === task ? told : undefined;
  return { pdf: now?.pdf, error: now?.error ?? null, retry: () => setAttempt((number) => number + 1) };
}
