import { viewerLimits } from '@pergamin/contract';
import { useQuery } from '@tanstack/react-query';
import { getDocument, PDFWorker, type PDFDocumentProxy } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- Vite answers with the address of the file.
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useId } from 'react';
import type { PageSource } from '#kit/viewer/page-source.ts';
import { workerAddress } from '#platform/worker-address.ts';
import { readText } from './pdf-text.ts';

export type PdfPages = Awaited<ReturnType<typeof openPdf>>;

/** Opens these bytes for as long as they are shown. */
export function usePdf(documentId: string, bytes: Blob | undefined) {
  const { data, error, isFetching, refetch } = useQuery({
    // Each component opens its own, as it closes it.
    queryKey: ['pdf', documentId, useId()],
    queryFn: ({ signal }) => openPdf(bytes ?? new Blob(), signal),
    enabled: bytes !== undefined,
    structuralSharing: false,
    // The bytes are here: no line is needed.
    networkMode: 'always',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useEffect(() => () => data?.close(), [data]);
  return { pdf: data, error: isFetching ? null : error, retry: () => void refetch() };
}

let address: string | undefined;

/** Pages are drawn when they are looked at. Each document has a worker of its own, which ends with it: none can hurt another. */
const openPdf = async (bytes: Blob, signal: AbortSignal) => {
  const port = new Worker((address ??= workerAddress('pdf-worker', workerUrl)), { type: 'module' });
  const worker = PDFWorker.create({ port });
  // WebAssembly and fonts from elsewhere are not allowed to this page.
  const task = getDocument({ data: await bytes.arrayBuffer(), worker, useWasm: false, enableXfa: false, useSystemFonts: true });
  const close = (): void => {
    void task.destroy().catch(() => undefined);
    worker.destroy();
    port.terminate();
  };
  try {
    // A worker whose script did not come never answers.
    const broken = new Promise<never>((_, reject) =>
      port.addEventListener('error', () => reject(new Error('The script that reads PDFs did not start')), { once: true }),
    );
    const pdf: PDFDocumentProxy = await Promise.race([task.promise, broken]);
    const language = await languageOf(pdf);
    signal.throwIfAborted();
    return { count: pdf.numPages, source: sourceOf(pdf, language), close };
  } catch (error) {
    close();
    throw error;
  }
};

const languageOf = async (pdf: PDFDocumentProxy): Promise<string | undefined> => {
  const { info } = await pdf.getMetadata();
  const named: unknown = Reflect.get(info, 'Language');
  return typeof named === 'string' && named !== '' ? named : undefined;
};

const sourceOf = (pdf: PDFDocumentProxy, language: string | undefined): PageSource => ({
  poll: async ({ width }) => ({
    done: true,
    progress: 100,
    sources: Array.from({ length: pdf.numPages }, (_, index) => ({ page: index + 1, url: `pdf:${index + 1}:${width}` })),
  }),
  load: drawingOf(pdf),
  text: async (page) => readText(await pdf.getPage(page), language),
});

const drawingOf =
  (pdf: PDFDocumentProxy): PageSource['load'] =>
  async (url, signal) => {
    const [number = 1, width = viewerLimits.defaultRenderWidthPx] = url.split(':').slice(1).map(Number);
    const page = await pdf.getPage(number);
    signal.throwIfAborted();
    const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width });
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(viewport.width);
    canvas.height = Math.round(viewport.height);
    const rendering = page.render({ canvas, viewport });
    const stop = (): void => rendering.cancel();
    signal.addEventListener('abort', stop, { once: true });
    await rendering.promise.finally(() => signal.removeEventListener('abort', stop));
    const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    // Gives its memory back at once.
    canvas.width = 0;
    signal.throwIfAborted();
    if (picture === null) throw new Error('The page could not be drawn');
    return picture;
  };
