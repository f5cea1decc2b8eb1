import { flushSync } from 'react-dom';
import { announce } from '#kit/feedback/Announcer.tsx';
import { t } from '#platform/language.ts';
import { createStore, type Store } from '#platform/store.ts';
import { createFinder, type FoundState } from './find-search.ts';
import { boxesOf, type Hit } from './find-text.ts';
import { type PageSize, sizeOf } from './page-source.ts';
import type { PageTexts } from './page-texts.ts';
import type { ShownState } from './viewer.state.ts';
import type { Viewport } from './viewport.ts';
import { partOf } from './zoom.ts';

export interface FindState extends FoundState {
  readonly isOpen: boolean;
  readonly query: string;
  /** The query is words of a search among documents: they need not stand together. */
  readonly isOfWords: boolean;
  /** The hit that is shown. */
  readonly chosen: Hit | undefined;
}

export interface Find extends Pick<Store<FindState>, 'getState' | 'subscribe'> {
  /** The bar hands over its field, which takes the focus. */
  readonly setField: (field: HTMLInputElement | null) => void;
  /** Searches for the words that it began with. */
  readonly open: () => void;
  /** Opens the bar, or takes the focus back to it. */
  readonly showBar: () => void;
  /** Hides the bar; a focus that was in it goes back to where it came from. */
  readonly hideBar: () => void;
  readonly setQuery: (query: string) => void;
  readonly go: (step: 1 | -1) => void;
  readonly close: () => void;
}

interface FindOptions {
  readonly words: PageTexts;
  readonly count: number;
  readonly sizes: readonly PageSize[];
  readonly startPage: number;
  readonly wordsSearched?: string | undefined;
  readonly getState: () => ShownState;
  readonly showPicture: (page: number) => void;
  readonly reveal: Viewport['reveal'];
}

const nothing: FoundState & Pick<FindState, 'chosen'> = { hits: [], isSearching: false, unread: 0, chosen: undefined };
const debounceMs = 250;

/** Finding in the document; a document that a search led to begins with the words that were searched. */
export const createFind = (options: FindOptions): Find => {
  const { wordsSearched, getState, showPicture } = options;
  const isOfWords = wordsSearched !== undefined;
  const store = createStore<FindState>({ ...nothing, isOpen: isOfWords, query: wordsSearched ?? '', isOfWords });
  const set = (part: Partial<FindState>): void => store.setState({ ...store.getState(), ...part });
  const { restart, choose, close } = createSearch(options, store.getState, set);
  let field: HTMLInputElement | null = null;
  let opener: HTMLElement | undefined;
  return {
    getState: store.getState,
    subscribe: store.subscribe,
    setField: (input) => void (field = input),
    close,
    open: () => restart(0),
    showBar: () => {
      const { isOpen } = store.getState();
      if (!isOpen && document.activeElement instanceof HTMLElement) opener = document.activeElement;
      flushSync(() => {
        if (getState().textPage !== undefined) showPicture(getState().page);
        set({ isOpen: true });
      });
      if (!isOpen) restart(debounceMs);
      field?.focus();
      field?.select();
    },
    hideBar: () => {
      const isWithin = field?.closest('[role="search"]')?.contains(document.activeElement) ?? false;
      set({ isOpen: false });
      restart(0);
      if (isWithin && opener?.isConnected) opener.focus();
      else if (isWithin) document.querySelector<HTMLElement>('[data-focused] [data-surface]')?.focus();
      opener = undefined;
    },
    setQuery: (query) => {
      set({ query, isOfWords: false });
      restart(debounceMs);
    },
    go: (step) => {
      const { hits } = store.getState();
      const next = hits[(indexOfChosen(store.getState()) + step + hits.length) % hits.length];
      if (next === undefined) return;
      choose(next);
      tell(store.getState());
    },
  };
};

const createSearch = (options: FindOptions, find: () => FindState, set: (part: Partial<FindState>) => void) => {
  const { words, count, startPage, getState } = options;
  const search = createFinder(words);
  const reveal = revealer(options);
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const choose = (chosen: Hit): void => {
    set({ chosen });
    reveal(chosen);
  };
  const run = (): void => {
    const { query, isOfWords } = find();
    const from = isOfWords ? startPage : getState().page;
    const { signal } = (running = new AbortController());
    const handleFound = (found: FoundState): void => {
      const { chosen } = find();
      // Shown as soon as it is certain that none stands before it: pages are searched from here on.
      const first = found.hits.find(({ page }) => page >= from) ?? (found.isSearching ? undefined : found.hits[0]);
      set(found);
      if (first !== undefined && (chosen === undefined || !found.hits.includes(chosen))) choose(first);
      if (!found.isSearching) tell(find());
    };
    void search({ query, count, startPage: from, isOfWords }, handleFound, signal);
  };
  const close = (): void => {
    clearTimeout(timer);
    running?.abort();
  };
  const restart = (delayMs: number): void => {
    close();
    set(nothing);
    const { isOpen, query } = find();
    if (isOpen && query.trim() !== '') timer = setTimeout(run, delayMs);
  };
  return { choose, restart, close };
};

/** Of the hit that is shown, which a later state of the search may tell as another object; -1 without one. */
export const indexOfChosen = ({ hits, chosen }: Pick<FindState, 'hits' | 'chosen'>): number =>
  chosen === undefined ? -1 : hits.findIndex((hit) => isSameHit(hit, chosen));

const isSameHit = (left: Hit, right: Hit): boolean => {
  const [a, b] = [left.parts[0], right.parts[0]];
  return left.page === right.page && a?.line === b?.line && a?.run === b?.run && a?.from === b?.from;
};

const tell = (state: FindState): void => {
  const at = indexOfChosen(state);
  const hit = state.hits[at];
  announce(hit === undefined ? t('viewer.findNothing') : t('viewer.findTold', { at: at + 1, total: state.hits.length, page: hit.page }));
};

/** Scrolls to a hit. A page that was read a moment ago and cannot be read now is not shown; the next hit may be. */
const revealer =
  ({ words, sizes, getState, reveal }: FindOptions) =>
  (hit: Hit): void => {
    const show = async (): Promise<void> => {
      const [box] = boxesOf(hit, await words.read(hit.page, new AbortController().signal));
      if (box !== undefined) reveal(hit.page, () => partOf(box, sizeOf(sizes, hit.page), getState().rotation));
    };
    show().catch(() => undefined);
  };
