import { createSignal, type Signal } from '#platform/store.ts';
import type { EmbeddedPage, PageSource } from './page-source.ts';

export type PageImage = { readonly state: 'waiting' } | { readonly state: 'failed' } | { readonly state: 'shown'; readonly url: string };

export interface PageImages {
  /** Pages to hold now, nearest first, and where their images are; images of other pages are given up. */
  readonly hold: (pages: readonly number[], urls: ReadonlyMap<number, string>) => void;
  readonly imageOf: (page: number) => PageImage;
  readonly retry: (page: number) => void;
  readonly subscribe: Signal['subscribe'];
  /** Ends what is under way and revokes every blob URL. */
  readonly close: () => void;
}

interface Entry {
  readonly source: string;
  readonly stop: AbortController;
  isAsked: boolean;
  isLoading: boolean;
  image: PageImage;
}

const waiting: PageImage = { state: 'waiting' };
/** A browser has six connections to a host over HTTP/1.1: the page that is read, and the polling, always find one. */
const mostAtOnce = 4;

/**
 * The images around the page that is being read, as blob URLs: a document of a thousand pages holds a handful. Nothing outlives the viewer,
 * for the bytes are private.
 */
export const createPageImages = (load: PageSource['load'], embedded?: EmbeddedPage): PageImages => {
  const entries = new Map<number, Entry>();
  const changed = createSignal();
  let unused = embedded;
  let wanted: readonly number[] = [];

  /** Asks for what is nearest; for the very page that is read however many are loading. */
  const loadNext = (): void => {
    let loading = [...entries.values()].filter(({ isLoading }) => isLoading).length;
    for (const [index, page] of wanted.entries()) {
      const entry = entries.get(page);
      if (entry === undefined || entry.isAsked || (index > 0 && loading >= mostAtOnce)) continue;
      loading += 1;
      void loadImage(entry, load).then(loadNext).then(changed.tell);
    }
  };
  const place = (page: number, source: string, image: PageImage = waiting): void => {
    const bytes = unused?.url === source ? unused.bytes : undefined;
    // Given up like any other image, and asked for when it is wanted again.
    if (bytes !== undefined) unused = undefined;
    const shown = bytes && ({ state: 'shown', url: URL.createObjectURL(bytes) } as const);
    entries.set(page, { source, stop: new AbortController(), isAsked: shown !== undefined, isLoading: false, image: shown ?? image });
  };
  const dropAllBut = (pages: readonly number[]): void => {
    wanted = pages;
    for (const [page, { stop, image }] of entries) {
      if (pages.includes(page)) continue;
      stop.abort();
      if (image.state === 'shown') URL.revokeObjectURL(image.url);
      entries.delete(page);
    }
  };
  return {
    hold(pages, urls) {
      dropAllBut(pages);
      for (const page of pages) {
        const source = urls.get(page);
        const entry = entries.get(page);
        if (source === undefined || entry?.source === source) continue;
        // The image of another width stays until this one has come.
        entry?.stop.abort();
        place(page, source, entry?.image.state === 'shown' ? entry.image : waiting);
      }
      loadNext();
      changed.tell();
    },
    imageOf: (page) => entries.get(page)?.image ?? waiting,
    retry(page) {
      const entry = entries.get(page);
      if (entry?.image.state !== 'failed') return;
      place(page, entry.source);
      loadNext();
      changed.tell();
    },
    subscribe: changed.subscribe,
    close: () => dropAllBut([]),
  };
};

const loadImage = async (entry: Entry, load: PageSource['load']): Promise<void> => {
  entry.isAsked = true;
  entry.isLoading = true;
  try {
    const bytes = await load(entry.source, entry.stop.signal);
    if (entry.stop.signal.aborted) return;
    if (entry.image.state === 'shown') URL.revokeObjectURL(entry.image.url);
    entry.image = { state: 'shown', url: URL.createObjectURL(bytes) };
  } catch {
    // A sharper image that does not come leaves the one that is there.
    if (!entry.stop.signal.aborted && entry.image.state !== 'shown') entry.image = { state: 'failed' };
  } finally {
    entry.isLoading = false;
  }
};
