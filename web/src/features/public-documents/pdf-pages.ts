import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, TextLayer } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- Vite answers with the address of the file.
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

/** Pages of a PDF whose bytes are here, drawn by the browser. */
export interface PdfPages {
  readonly count: number;
  /** Height by width of a page. */
  readonly ratioOf: (page: number) => Promise<number>;
  /** Draws a page as wide as its canvas is, with its text above it to be read out, marked and copied. */
  readonly draw: (
    page: number,
    onto: { readonly canvas: HTMLCanvasElement; readonly text: HTMLElement; readonly widthPx: number },
  ) => Promise<void>;
  readonly close: () => void;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): string };
}

const isPolicyFactory = (value: unknown): value is PolicyFactory => value !== null && typeof value === 'object' && 'createPolicy' in value;

let worker: Worker | undefined;

/** The page's policy lets one script be named for a worker: that of pdf.js. */
const startWorker = (): Worker => {
  const factory: unknown = Reflect.get(globalThis, 'trustedTypes');
  const url = isPolicyFactory(factory)
    ? factory.createPolicy('pdf-worker', { createScriptURL: () => workerUrl }).createScriptURL(workerUrl)
    : workerUrl;
  return new Worker(url, { type: 'module' });
};

/** More dots than a screen can show only cost memory. */
const mostDensity = 2;

export const openPdf = async (bytes: Blob): Promise<PdfPages> => {
  worker ??= startWorker();
  GlobalWorkerOptions.workerPort = worker;
  // WebAssembly and fonts from elsewhere are not allowed to this page.
  const task = getDocument({ data: await bytes.arrayBuffer(), useWasm: false, enableXfa: false, useSystemFonts: true });
  const pdf: PDFDocumentProxy = await task.promise;
  return {
    count: pdf.numPages,
    ratioOf: async (page) => {
      const { width, height } = (await pdf.getPage(page)).getViewport({ scale: 1 });
      return height / width;
    },
    draw: async (number, { canvas, text, widthPx }) => {
      const page = await pdf.getPage(number);
      const scale = widthPx / page.getViewport({ scale: 1 }).width;
      const density = Math.min(devicePixelRatio, mostDensity);
      const dots = page.getViewport({ scale: scale * density });
      canvas.width = Math.round(dots.width);
      canvas.height = Math.round(dots.height);
      await page.render({ canvas, viewport: dots }).promise;
      text.replaceChildren();
      text.style.setProperty('--total-scale-factor', String(scale));
      await new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport: page.getViewport({ scale }) }).render();
    },
    close: () => void task.destroy(),
  };
};
