import type { PageText } from '@pergamin/contract';
import { createSignal, type Signal } from '#platform/store.ts';
import type { PageSource } from './page-source.ts';

export type TextState = { readonly state: 'waiting' } | { readonly state: 'failed' } | { readonly state: 'read'; readonly text: PageText };

export interface PageTexts {
  readonly isAvailable: boolean;
  /** Pages whose text is to be there now, nearest first. */
  readonly hold: (pages: readonly number[]) => void;
  readonly textOf: (page: number) => TextState;
  /** The text of any page, for a search through all of them. */
  readonly read: (page: number, signal: AbortSignal) => Promise<PageText>;
  readonly subscribe: Signal['subscribe'];
  readonly close: () => void;
}

const waiting: TextState = { state: 'waiting' };
/** Texts are small, but a document may have thousands of them: those that were used last stay. */
const mostKept = 200;
/** A browser has six connections to a host over HTTP/1.1, and pictures come first. */
const mostAtOnce = 2;

/** The texts of the pages: loaded around the page that is being read, and kept for a while. */
export const createPageTexts = (load: PageSource['text']): PageTexts => {
  const kept = new Map<number, TextState>();
  const loading = new Map<number, AbortController>();
  const changed = createSignal();
  let wanted: readonly number[] = [];

  const loadText = async (page: number, ask: NonNullable<PageSource['text']>): Promise<void> => {
    const stop = new AbortController();
    loading.set(page, stop);
    const state: TextState = await ask(page, stop.signal).then(
      (text) => ({ state: 'read', text }),
      () => ({ state: 'failed' }),
    );
    if (loading.get(page) === stop) loading.delete(page);
    if (state.state === 'read' || !stop.signal.aborted) keep(kept, page, state);
    loadNext();
    changed.tell();
  };
  /** Asks for what is nearest. */
  const loadNext = (): void => {
    if (load === undefined) return;
    for (const page of wanted) {
      if (loading.size >= mostAtOnce) return;
      if (!kept.has(page) && !loading.has(page)) void loadText(page, load);
    }
  };
  const hold = (pages: readonly number[]): void => {
    wanted = pages;
    for (const [page, stop] of loading) {
      if (pages.includes(page)) continue;
      stop.abort();
      loading.delete(page);
    }
    loadNext();
  };
  return {
    isAvailable: load !== undefined,
    hold,
    textOf: (page) => kept.get(page) ?? waiting,
    async read(page, signal) {
      const known = kept.get(page);
      if (known?.state === 'read') return known.text;
      return load === undefined ? { language: null, lines: [] } : load(page, signal);
    },
    subscribe: changed.subscribe,
    close() {
      hold([]);
      kept.clear();
    },
  };
};

const keep = (kept: Map<number, TextState>, page: number, state: TextState): void => {
  kept.delete(page);
  kept.set(page, state);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
};

/** Something can be read aloud. */
export const hasWords = ({ lines, figures = [] }: PageText): boolean => lines.length > 0 || figures.length > 0;

/** The document's own word; without one, letters that no other language of the trade has. */
export const languageOf = ({ language, lines }: PageText): string | undefined => {
  if (language !== null) return language;
  return lines.some(({ runs }) => runs.some(({ text }) => /[ąęłńśźż]/i.test(text))) ? 'pl' : undefined;
};
