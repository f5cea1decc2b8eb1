import { createSignal } from '#platform/store.ts';

export type Loaded<Value> =
  | { readonly state: 'waiting' }
  | { readonly state: 'failed' }
  | { readonly state: 'shown'; readonly value: Value };

export type PageLoader<Value> = ReturnType<typeof createPageLoader<Value>>;

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
export const createPageLoader = <Value>(options: LoaderOptions<Value>) => {
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
