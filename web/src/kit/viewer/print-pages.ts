import { t } from '#platform/language.ts';
import type { PageSource } from './page-source.ts';
import css from './PrintedPages.module.css';

/** Handed to the browser at once: as files they take some 30 MB, and it decodes one after another (60 pages cost it 240 MB, 300 cost 320). */
export const mostPrintedPages = 200;

/** Pages, both counted. */
export interface PrintedPart {
  readonly from: number;
  readonly to: number;
}

interface Bounds {
  readonly count: number;
  readonly most: number;
}

/** Pages are numbered from 1; `printedTo` is 0 before the first part. */
export const nextPart = (printedTo: number, { count, most }: Bounds): PrintedPart => ({
  from: printedTo + 1,
  to: Math.min(printedTo + most, count),
});

export const wrongPart = ({ from, to }: PrintedPart, { count, most }: Bounds): 'pages' | 'tooMany' | undefined => {
  if (from < 1 || to > count || from > to) return 'pages';
  return to - from + 1 > most ? 'tooMany' : undefined;
};

interface PagesToPrint extends PrintedPart {
  /** A page without an image cannot be shown, and says so on paper. */
  readonly urls: ReadonlyMap<number, string>;
  readonly signal: AbortSignal;
  readonly onProgress: ((pages: number) => void) | undefined;
}

/** Prints the page images alone. Resolves when the browser's dialog is closed. Throws what loading a page throws, or the signal's reason. */
export const printPages = async (load: PageSource['load'], { from, to, urls, signal, onProgress }: PagesToPrint): Promise<void> => {
  const place = document.createElement('div');
  place.className = css['printed'] ?? '';
  const held: string[] = [];
  try {
    for (let page = from; page <= to; page += 1) {
      const url = urls.get(page);
      if (url === undefined) place.append(sheetWithout(page));
      else {
        const image = new Image();
        image.src = URL.createObjectURL(await load(url, signal));
        held.push(image.src);
        await arrival(image);
        if (image.naturalWidth > image.naturalHeight) image.dataset['wide'] = '';
        place.append(image);
      }
      onProgress?.(place.childElementCount);
    }
    signal.throwIfAborted();
    document.body.append(place);
    // Where the dialog does not keep the page waiting, it says when it is closed.
    const { promise, resolve } = Promise.withResolvers<void>();
    addEventListener('afterprint', () => resolve(), { once: true });
    print();
    await promise;
  } finally {
    place.remove();
    for (const url of held) URL.revokeObjectURL(url);
  }
};

const sheetWithout = (page: number): HTMLElement => {
  const sheet = document.createElement('p');
  sheet.textContent = t('viewer.pageNotShown', { page });
  return sheet;
};

/** Its size is known; its dots are not made until the browser draws it, and not kept. */
const arrival = (image: HTMLImageElement): Promise<void> =>
  new Promise((resolve, reject) => {
    image.addEventListener('load', () => resolve(), { once: true });
    image.addEventListener('error', () => reject(new Error('A page could not be read as a picture')), { once: true });
  });
