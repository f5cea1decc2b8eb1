import type { PageSource } from './page-source.ts';
import css from './PrintedPages.module.css';

/** Decoded, a page takes some 20 MB: a longer document is better printed from its file. */
export const mostPrintedPages = 60;

/**
 * Prints the page images and nothing else of the screen; marks nothing. Resolves when the browser's dialog is closed. Throws what loading a
 * page throws, or the signal's reason.
 */
export const printPages = async (
  load: PageSource['load'],
  { urls, signal }: { readonly urls: readonly string[]; readonly signal: AbortSignal },
): Promise<void> => {
  const place = document.createElement('div');
  place.className = css['printed'] ?? '';
  const held: string[] = [];
  try {
    for (const url of urls) {
      const image = new Image();
      image.src = URL.createObjectURL(await load(url, signal));
      held.push(image.src);
      await image.decode();
      if (image.naturalWidth > image.naturalHeight) image.dataset['wide'] = '';
      place.append(image);
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
