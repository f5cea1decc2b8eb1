import type { PageText } from '@pergamin/contract';
import { createSignal } from '#platform/store.ts';
import type { EmbeddedPage, PageSource } from './page-source.ts';

export type Loaded<Value> =
  | { readonly state: 'waiting' }
  | { readonly state: 'failed' }
  | { readonly state: 'shown'; readonly value: Value };

export type PageImages = ReturnType<typeof createPageImages>;

export type PageTexts = ReturnType<typeof createPageTexts>;

/** Blob URLs of the images around the page that is being read. Nothing outlives the viewer, for the bytes are private. */
export const createPageImages = (load: PageSource['load'], embedded?: EmbeddedPage) => {
  let unused = embedded;
  const loadBytes = async (url: string, signal: AbortSignal): Promise<Blob> => {
    if (unused?.url !== url) return load(url, signal);
    const { bytes } = unused;
    // Given up like any other image, and asked for when it is wanted again.
    unused = undefined;
    return bytes;
  };
  return createPageLoader({
    load: async (url, signal) => URL.createObjectURL(await loadBytes(url, signal)),
    release: (url) => URL.revokeObjectURL(url),
    // A browser has six connections to a host over HTTP/1.1: the page that is read, and the polling, always find one.
    mostAtOnce: 4,
    mostKept: 0,
  });
};

/** The texts of the pages: they are small, but a document may have thousands of them, so that only those that came last stay. */
export const createPageTexts = (source: PageSource['text']) => {
  const load = source ?? (async (): Promise<PageText> => ({ language: null, lines: [] }));
  // Pictures come first.
  const loader = createPageLoader({ load: (page, signal) => load(Number(page), signal), mostAtOnce: 2, mostKept: 200 });
  return {
    ...loader,
    isAvailable: source !== undefined,
    /** Pages whose text is to be there now, nearest first. */
    hold: (pages: readonly number[]): void => loader.hold(pages, new Map(pages.map((page) => [page, String(page)]))),
    /** The text of any page, for a search through all of them. */
    read: async (page: number, signal: AbortSignal): Promise<PageText> => {
      const known = loader.pageOf(page);
      return known.state === 'shown' ? known.value : load(page, signal);
    },
  };
};

interface LoaderOptions<Value> {
  readonly load: (source: string, signal: AbortSignal) => Promise<Value>;
  readonly release?: (value: Value) => void;
  readonly mostAtOnce: number;
  /** So many pages that were loaded stay, while they are not held. */
  readonly mostKept: number;
}

interface Entry<Value> {
  readonly source: string;
  readonly stop: AbortController;
  progress: 'queued' | 'loading' | 'over';
  loaded: Loaded<Value>;
}

const waiting = { state: 'waiting' } as const;

/** Loads something of the pages around the one that is read, and breaks off what is left again. */
const createPageLoader = <Value>(options: LoaderOptions<Value>) => {
  const { release, mostAtOnce, mostKept } = options;
  const entries = new Map<number, Entry<Value>>();
  const changed = createSignal();
  let wanted: readonly number[] = [];

  /** Asks for what is nearest; for the very page that is read however many are loading. */
  const loadNext = (): void => {
    let loading = [...entries.values()].filter(({ progress }) => progress === 'loading').length;
    for (const [index, page] of wanted.entries()) {
      const entry = entries.get(page);
      if (entry?.progress !== 'queued' || (index > 0 && loading >= mostAtOnce)) continue;
      loading += 1;
      void loadEntry(entry, options).then(loadNext).then(changed.tell);
    }
  };
  const place = (page: number, source: string, loaded: Loaded<Value> = waiting): void =>
    void entries.set(page, { source, stop: new AbortController(), progress: 'queued', loaded });
  const dropUnwanted = (): void => {
    for (const [page, { stop, loaded }] of entries) {
      if (wanted.includes(page) || (loaded.state === 'shown' && entries.size <= mostKept)) continue;
      stop.abort();
      if (loaded.state === 'shown') release?.(loaded.value);
      entries.delete(page);
    }
  };
  /** Pages to hold now, nearest first, and what each is loaded from. */
  const hold = (pages: readonly number[], sources: ReadonlyMap<number, string>): void => {
    wanted = pages;
    dropUnwanted();
    for (const page of pages) {
      const source = sources.get(page);
      const entry = entries.get(page);
      if (source === undefined || entry?.source === source) continue;
      // What came from another source stays until this has come.
      entry?.stop.abort();
      place(page, source, entry?.loaded.state === 'shown' ? entry.loaded : waiting);
    }
    loadNext();
    changed.tell();
  };
  return {
    hold,
    pageOf: (page: number): Loaded<Value> => entries.get(page)?.loaded ?? waiting,
    retry: (page: number): void => {
      const entry = entries.get(page);
      if (entry?.loaded.state !== 'failed') return;
      place(page, entry.source);
      loadNext();
      changed.tell();
    },
    subscribe: changed.subscribe,
    close: () => hold([], new Map()),
  };
};

const loadEntry = async <Value>(entry: Entry<Value>, { load, release }: LoaderOptions<Value>): Promise<void> => {
  entry.progress = 'loading';
  const { signal } = entry.stop;
  try {
    const value = await load(entry.source, signal);
    if (signal.aborted) release?.(value);
    else {
      if (entry.loaded.state === 'shown') release?.(entry.loaded.value);
      entry.loaded = { state: 'shown', value };
    }
  } catch {
    // A sharper image that does not come leaves the one that is there.
    if (!signal.aborted && entry.loaded.state !== 'shown') entry.loaded = { state: 'failed' };
  } finally {
    entry.progress = 'over';
  }
};
