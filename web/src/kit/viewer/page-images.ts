import type { PageSource } from './page-source.ts';

export type PageImage = { readonly state: 'waiting' } | { readonly state: 'failed' } | { readonly state: 'shown'; readonly url: string };

export interface PageImages {
  /** Pages to hold now, nearest first, and where their images are; images of other pages are given up. */
  readonly hold: (pages: readonly number[], urls: ReadonlyMap<number, string>) => void;
  readonly imageOf: (page: number) => PageImage;
  readonly retry: (page: number) => void;
  readonly subscribe: (listener: () => void) => () => void;
  /** Ends what is under way and revokes every blob URL. */
  readonly close: () => void;
}

interface Entry {
  readonly source: string;
  readonly stop: AbortController;
  image: PageImage;
}

const waiting: PageImage = { state: 'waiting' };

/**
 * The images around the page that is being read, as blob URLs: a document of a thousand pages holds a handful. Nothing outlives the viewer,
 * for the bytes are private.
 */
export const createPageImages = (load: PageSource['load']): PageImages => {
  const entries = new Map<number, Entry>();
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };

  const drop = (page: number, entry: Entry): void => {
    entry.stop.abort();
    if (entry.image.state === 'shown') URL.revokeObjectURL(entry.image.url);
    entries.delete(page);
  };

  const fetchImage = async (entry: Entry): Promise<void> => {
    try {
      const bytes = await load(entry.source, entry.stop.signal);
      if (entry.stop.signal.aborted) return;
      if (entry.image.state === 'shown') URL.revokeObjectURL(entry.image.url);
      entry.image = { state: 'shown', url: URL.createObjectURL(bytes) };
    } catch {
      if (entry.stop.signal.aborted) return;
      // A sharper image that does not come leaves the one that is there.
      if (entry.image.state !== 'shown') entry.image = { state: 'failed' };
    }
    tell();
  };

  const begin = (page: number, source: string, image: PageImage = waiting): void => {
    const entry: Entry = { source, stop: new AbortController(), image };
    entries.set(page, entry);
    void fetchImage(entry);
  };

  return {
    hold(pages, urls) {
      for (const [page, entry] of entries) if (!pages.includes(page)) drop(page, entry);
      for (const page of pages) {
        const source = urls.get(page);
        const entry = entries.get(page);
        if (source === undefined || entry?.source === source) continue;
        // The image of another width stays until this one has come.
        entry?.stop.abort();
        begin(page, source, entry?.image.state === 'shown' ? entry.image : waiting);
      }
      tell();
    },
    imageOf: (page) => entries.get(page)?.image ?? waiting,
    retry(page) {
      const entry = entries.get(page);
      if (entry?.image.state !== 'failed') return;
      begin(page, entry.source);
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      for (const [page, entry] of entries) drop(page, entry);
      listeners.clear();
    },
  };
};
