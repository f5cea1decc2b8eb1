import { viewerLimits } from '@pergamin/contract';
import type { PageSource } from '#kit/viewer/page-source.ts';
import type { PdfPages } from './pdf-pages.ts';

const addressOf = (page: number, width: number): string => `pdf:${page}:${width}`;
const numbersIn = (address: string): number[] => address.split(':').slice(1).map(Number);

/** The pages of a PDF that is here already, for the viewer: drawn by the browser when they are looked at. */
export const pdfPageSource = (pdf: PdfPages): PageSource => ({
  poll: async ({ width }) => ({
    done: true,
    progress: 100,
    sources: Array.from({ length: pdf.count }, (_, index) => ({ page: index + 1, url: addressOf(index + 1, width) })),
  }),
  load: async (address, signal) => {
    const [page = 1, width = viewerLimits.defaultRenderWidthPx] = numbersIn(address);
    const canvas = await pdf.draw(page, { widthPx: width, density: 1, signal });
    signal.throwIfAborted();
    return pictureOf(canvas);
  },
  text: (page) => pdf.textOf(page),
});

const pictureOf = async (canvas: HTMLCanvasElement | undefined): Promise<Blob> => {
  const picture = await new Promise<Blob | null>((resolve) => (canvas === undefined ? resolve(null) : canvas.toBlob(resolve)));
  // Gives its memory back at once.
  if (canvas !== undefined) canvas.width = 0;
  if (picture === null) throw new Error('The page could not be drawn');
  return picture;
};
