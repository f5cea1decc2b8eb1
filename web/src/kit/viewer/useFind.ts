import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { createFinder, type FindState } from './find-search.ts';
import type { Hit } from './find-text.ts';
import type { PageTexts } from './page-texts.ts';

interface FindOptions {
  readonly words: PageTexts;
  readonly count: number;
  readonly current: number;
  /** What a search among documents was for: the bar is open with it, and its first place from `startPage` on is shown. */
  readonly wordsSearched: string | undefined;
  readonly startPage: number;
  readonly onShow: (hit: Hit) => void;
  /** Once a search is over, and at each step. */
  readonly onTell: (at: number, hits: readonly Hit[]) => void;
}

export interface Find extends FindState {
  readonly isOpen: boolean;
  readonly query: string;
  /** Index of the hit that is shown. */
  readonly at: number;
  readonly setQuery: (query: string) => void;
  readonly open: () => void;
  readonly close: () => void;
  readonly go: (step: 1 | -1) => void;
}

const nothing: FindState = { hits: [], isSearching: false, unread: 0 };
const debounceMs = 250;

/** Find in the document: everything but how it looks. */
export function useFind({ words, count, current, wordsSearched, startPage, onShow, onTell }: FindOptions): Find {
  const [isOpen, setIsOpen] = useState(wordsSearched !== undefined);
  const [asked, setAsked] = useState({ query: wordsSearched ?? '', isOfWords: wordsSearched !== undefined });
  const [found, setFound] = useState<FindState>(nothing);
  const [chosen, setChosen] = useState<Hit>();
  const search = useMemo(() => createFinder(words), [words]);
  const begin = useRef(startPage);
  const { hits } = found;
  const at = chosen === undefined ? -1 : hits.findIndex((hit) => isSameHit(hit, chosen));

  const show = useEffectEvent(onShow);
  const tellAll = useEffectEvent(onTell);
  const fromHere = useEffectEvent(() => (asked.isOfWords ? begin.current : current));
  useEffect(() => {
    const stop = new AbortController();
    const { query, isOfWords } = asked;
    if (!isOpen || query.trim() === '') return undefined;
    const start = (): void => {
      const from = fromHere();
      let shown: Hit | undefined;
      const tell = (state: FindState): void => {
        // Shown as soon as it is certain that none stands before it: pages are looked through from here on.
        const first = state.hits.find(({ page }) => page >= from) ?? (state.isSearching ? undefined : state.hits[0]);
        const isBetter = first !== undefined && (shown === undefined || !state.hits.includes(shown));
        setFound(state);
        if (isBetter) {
          shown = first;
          setChosen(first);
          show(first);
        }
        if (!state.isSearching) tellAll(shown === undefined ? -1 : state.hits.indexOf(shown), state.hits);
      };
      void search({ query, count, startPage: from, isOfWords }, tell, stop.signal);
    };
    const timer = setTimeout(start, isOfWords ? 0 : debounceMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
      setFound(nothing);
      setChosen(undefined);
    };
  }, [isOpen, asked, count, search]);

  const go = (step: 1 | -1): void => {
    const next = hits[(at + step + hits.length) % hits.length];
    if (next === undefined) return;
    setChosen(next);
    onShow(next);
    onTell(hits.indexOf(next), hits);
  };
  const setQuery = useCallback((query: string) => setAsked({ query, isOfWords: false }), []);
  const open = useCallback(() => setIsOpen(true), []);
  const close = useCallback(() => setIsOpen(false), []);
  return { ...found, isOpen, query: asked.query, at, setQuery, open, close, go };
}

const isSameHit = (left: Hit, right: Hit): boolean => {
  const [a, b] = [left.parts[0], right.parts[0]];
  return left.page === right.page && a?.line === b?.line && a?.run === b?.run && a?.from === b?.from;
};
