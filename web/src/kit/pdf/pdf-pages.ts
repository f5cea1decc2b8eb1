import type { PageText } from '@pergamin/contract';
import { getDocument, PDFWorker, type PDFDocumentProxy, RenderingCancelledException, TextLayer } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- Vite answers with the address of the file.
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import type { PageSize } from '#kit/viewer/page-source.ts';
import { workerAddress } from '#platform/worker-address.ts';
import { readText } from './pdf-text.ts';

/** Pages of a PDF whose bytes are here, drawn by the browser. */
export interface PdfPages {
  readonly count: number;
  /** As the document itself names it. */
  readonly language: string | undefined;
  /** Of the first page, which most pages have; in points. */
  readonly usualSize: PageSize;
  readonly sizeOf: (page: number) => Promise<PageSize>;
  /** The page as a canvas so wide, in CSS pixels, with as many dots to each as the screen has unless told. Undefined when the signal broke it off. */
  readonly draw: (page: number, how: Drawing) => Promise<HTMLCanvasElement | undefined>;
  /** Writes what the page says at its places, to be read out, marked and copied; it grows with `--total-scale-factor`. */
  readonly write: (page: number, onto: { readonly text: HTMLElement; readonly signal: AbortSignal }) => Promise<void>;
  readonly textOf: (page: number) => Promise<PageText>;
  readonly close: () => void;
}

interface Drawing {
  readonly widthPx: number;
  readonly density?: number;
  readonly signal: AbortSignal;
}

let address: string | undefined;

/** More dots than a screen can show only cost memory. */
const mostDensity = 2;

/** Each document has a worker of its own: what one of them costs ends with it, and none can hurt another. Throws what pdf.js throws. */
export const openPdf = async (bytes: Blob): Promise<PdfPages> => {
  const port = new Worker((address ??= workerAddress('pdf-worker', workerUrl)), { type: 'module' });
  const worker = PDFWorker.create({ port });
  // WebAssembly and fonts from elsewhere are not allowed to this page.
  const task = getDocument({
    data: await bytes.arrayBuffer(),
    worker,
    useWasm: false,
    enableXfa: false,
    useSystemFonts: true,
  });
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
    const [usualSize, language] = await Promise.all([sizeOf(pdf, 1), languageOf(pdf)]);
    return {
      count: pdf.numPages,
      language,
      usualSize,
      sizeOf: (page) => sizeOf(pdf, page),
      draw: (page, how) => draw(pdf, page, how),
      write: (page, onto) => write(pdf, page, onto),
      textOf: async (page) => readText(await pdf.getPage(page), language),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};

const sizeOf = async (pdf: PDFDocumentProxy, number: number): Promise<PageSize> => {
  const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
  return { width, height };
};

const languageOf = async (pdf: PDFDocumentProxy): Promise<string | undefined> => {
  const { info } = await pdf.getMetadata();
  const named: unknown = Reflect.get(info, 'Language');
  return typeof named === 'string' && named !== '' ? named : undefined;
};

const draw = async (
  pdf: PDFDocumentProxy,
  number: number,
  { widthPx, density = Math.min(devicePixelRatio, mostDensity), signal }: Drawing,
): Promise<HTMLCanvasElement | undefined> => {
  const page = await pdf.getPage(number);
  if (signal.aborted) return undefined;
  const viewport = page.getViewport({ scale: (widthPx * density) / page.getViewport({ scale: 1 }).width });
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  const rendering = page.render({ canvas, viewport });
  return (await isDone({ work: rendering, done: rendering.promise, signal })) ? canvas : undefined;
};

const write = async (pdf: PDFDocumentProxy, number: number, { text, signal }: Parameters<PdfPages['write']>[1]): Promise<void> => {
  const page = await pdf.getPage(number);
  if (signal.aborted) return;
  text.replaceChildren();
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport: page.getViewport({ scale: 1 }) });
  await isDone({ work: layer, done: layer.render(), signal });
};

interface Cancellable {
  readonly work: { readonly cancel: () => void };
  readonly done: Promise<unknown>;
  readonly signal: AbortSignal;
}

/** Whether pdf.js came to the end; false when the signal broke it off. Throws what it throws otherwise. */
const isDone = async ({ work, done, signal }: Cancellable): Promise<boolean> => {
  const stop = (): void => work.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await done;
    return !signal.aborted;
  } catch (error) {
    if (signal.aborted || error instanceof RenderingCancelledException) return false;
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
};
