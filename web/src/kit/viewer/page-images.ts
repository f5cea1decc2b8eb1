import type { PageAtHand, PageSource } from './page-source.ts';

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
  isAsked: boolean;
  isUnderWay: boolean;
  image: PageImage;
}

const waiting: PageImage = { state: 'waiting' };
/** A browser has six connections to a host over HTTP/1.1: the page that is looked at, and the polling, always find one. */
const mostAtOnce = 4;

/**
 * The images around the page that is being read, as blob URLs: a document of a thousand pages holds a handful. Nothing outlives the viewer,
 * for the bytes are private.
 */
export const createPageImages = (load: PageSource['load'], atHand?: PageAtHand): PageImages => {
  let handed = atHand;
  const entries = new Map<number, Entry>();
  const listeners = new Set<() => void>();
  let wanted: readonly number[] = [];
  const tell = (): void => {
    for (const listener of listeners) listener();
  };

  const drop = (page: number, entry: Entry): void => {
    entry.stop.abort();
    if (entry.image.state === 'shown') URL.revokeObjectURL(entry.image.url);
    entries.delete(page);
  };

  const fetchImage = async (entry: Entry): Promise<void> => {
    entry.isAsked = true;
    entry.isUnderWay = true;
    try {
      const bytes = await load(entry.source, entry.stop.signal);
      if (entry.stop.signal.aborted) return;
      if (entry.image.state === 'shown') URL.revokeObjectURL(entry.image.url);
      entry.image = { state: 'shown', url: URL.createObjectURL(bytes) };
    } catch {
      if (entry.stop.signal.aborted) return;
      // A sharper image that does not come leaves the one that is there.
      if (entry.image.state !== 'shown') entry.image = { state: 'failed' };
    } finally {
      entry.isUnderWay = false;
      goOn();
    }
    tell();
  };

  /** Asks for what is nearest; for the very page that is looked at however many are under way. */
  const goOn = (): void => {
    let underWay = 0;
    for (const entry of entries.values()) if (entry.isUnderWay) underWay += 1;
    for (const [index, page] of wanted.entries()) {
      const entry = entries.get(page);
      if (entry === undefined || entry.isAsked || (index > 0 && underWay >= mostAtOnce)) continue;
      underWay += 1;
      void fetchImage(entry);
    }
  };

  const place = (page: number, source: string, image: PageImage = waiting): void => {
    const here = handed?.url === source ? handed : undefined;
    // Given up like any other image, and asked for when it is wanted again.
    if (here !== undefined) handed = undefined;
    entries.set(page, {
      source,
      stop: new AbortController(),
      isAsked: here !== undefined,
      isUnderWay: false,
      image: here === undefined ? image : { state: 'shown', url: URL.createObjectURL(here.bytes) },
    });
  };

  return {
    hold(pages, urls) {
      wanted = pages;
      for (const [page, entry] of entries) if (!pages.includes(page)) drop(page, entry);
      for (const page of pages) {
        const source = urls.get(page);
        const entry = entries.get(page);
        if (source === undefined || entry?.source === source) continue;
        // The image of another width stays until this one has come.
        entry?.stop.abort();
        place(page, source, entry?.image.state === 'shown' ? entry.image : waiting);
      }
      goOn();
      tell();
    },
    imageOf: (page) => entries.get(page)?.image ?? waiting,
    retry(page) {
      const entry = entries.get(page);
      if (entry?.image.state !== 'failed') return;
      place(page, entry.source);
      goOn();
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      wanted = [];
      for (const [page, entry] of entries) drop(page, entry);
      listeners.clear();
    },
  };
};
