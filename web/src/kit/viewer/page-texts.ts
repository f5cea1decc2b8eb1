import type { PageText } from '@pergamin/contract';
import type { PageSource } from './page-source.ts';

export type TextState = { readonly state: 'waiting' } | { readonly state: 'failed' } | { readonly state: 'read'; readonly text: PageText };

export interface PageTexts {
  readonly isAvailable: boolean;
  /** Pages whose text is to be there now, nearest first. */
  readonly hold: (pages: readonly number[]) => void;
  readonly textOf: (page: number) => TextState;
  /** The text of any page, for whoever looks through all of them. */
  readonly read: (page: number, signal: AbortSignal) => Promise<PageText>;
  readonly subscribe: (listener: () => void) => () => void;
  readonly close: () => void;
}

const waiting: TextState = { state: 'waiting' };
/** Texts are small, but a document may have thousands of them: those that were used last stay. */
const mostKept = 200;
/** A browser has six connections to a host over HTTP/1.1, and pictures come first. */
const mostAtOnce = 2;

/** What the pages say: read around the page that is being read, and kept for a while. */
export const createPageTexts = (load: PageSource['text']): PageTexts => {
  const kept = new Map<number, TextState>();
  const underWay = new Map<number, AbortController>();
  const listeners = new Set<() => void>();
  let wanted: readonly number[] = [];
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const keep = (page: number, state: TextState): void => {
    kept.delete(page);
    kept.set(page, state);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  };

  const fetchText = async (page: number, ask: NonNullable<PageSource['text']>): Promise<void> => {
    const stop = new AbortController();
    underWay.set(page, stop);
    try {
      keep(page, { state: 'read', text: await ask(page, stop.signal) });
    } catch {
      if (stop.signal.aborted) return;
      keep(page, { state: 'failed' });
    } finally {
      if (underWay.get(page) === stop) underWay.delete(page);
      goOn();
    }
    tell();
  };

  /** Asks for what is nearest. */
  const goOn = (): void => {
    if (load === undefined) return;
    for (const page of wanted) {
      if (underWay.size >= mostAtOnce) return;
      if (!kept.has(page) && !underWay.has(page)) void fetchText(page, load);
    }
  };

  return {
    isAvailable: load !== undefined,
    hold(pages) {
      wanted = pages;
      for (const [page, stop] of underWay)
        if (!pages.includes(page)) {
          stop.abort();
          underWay.delete(page);
        }
      goOn();
    },
    textOf: (page) => kept.get(page) ?? waiting,
    async read(page, signal) {
      const known = kept.get(page);
      if (known?.state === 'read') return known.text;
      if (load === undefined) return { language: null, lines: [] };
      return load(page, signal);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      wanted = [];
      for (const stop of underWay.values()) stop.abort();
      underWay.clear();
      kept.clear();
    },
  };
};

/** Something can be read aloud. */
export const hasWords = ({ lines, figures = [] }: PageText): boolean => lines.length > 0 || figures.length > 0;

/** The document's own word; without one, letters that no other language of the trade has. */
export const languageOf = ({ language, lines }: PageText): string | undefined => {
  if (language !== null) return language;
  return lines.some(({ runs }) => runs.some(({ text }) => /[ąęłńśźż]/i.test(text))) ? 'pl' : undefined;
};
