import { flushSync } from 'react-dom';
import { announce } from '#kit/feedback/Announcer.tsx';
import { t } from '#platform/language.ts';
import { boxesOf, findOnPage, foldPage, foldQuery, type FoldedPage, type Hit } from './find-text.ts';
import { sizeOf } from './page-source.ts';
import type { PageTexts } from './page-loader.ts';
import { type FindState, nothingFound, type ViewerParts } from './viewer.state.ts';
import type { Viewport } from './viewport.ts';
import { partOf } from './zoom.ts';

interface FindOptions extends ViewerParts, Pick<Viewport, 'reveal'> {
  readonly words: PageTexts;
  readonly showPicture: (page: number) => void;
}

const debounceMs = 250;

export const createFind = (options: FindOptions) => {
  const { getState, showPicture } = options;
  const { set, restart, choose, close } = createSearch(options);
  let field: HTMLInputElement | null = null;
  let opener: HTMLElement | undefined;
  return {
    close,
    /** The bar hands over its field, which takes the focus. */
    setField: (input: HTMLInputElement | null): void => void (field = input),
    /** Searches for the words that it began with. */
    open: () => restart(0),
    /** Opens the bar, or takes the focus back to it. */
    showBar: () => {
      const { isOpen } = getState().find;
      if (!isOpen && document.activeElement instanceof HTMLElement) opener = document.activeElement;
      flushSync(() => {
        if (getState().textPage !== undefined) showPicture(getState().page);
        set({ isOpen: true });
      });
      if (!isOpen) restart(debounceMs);
      field?.focus();
      field?.select();
    },
    /** Hides the bar; a focus that was in it goes back to where it came from. */
    hideBar: () => {
      const isWithin = field?.closest('[role="search"]')?.contains(document.activeElement) ?? false;
      set({ isOpen: false });
      restart(0);
      if (isWithin && opener?.isConnected) opener.focus();
      else if (isWithin) document.querySelector<HTMLElement>('[data-focused] [data-surface]')?.focus();
      opener = undefined;
    },
    setQuery: (query: string) => {
      set({ query, isOfWords: false });
      restart(debounceMs);
    },
    go: (step: 1 | -1) => {
      const { hits } = getState().find;
      const next = hits[(indexOfChosen(getState().find) + step + hits.length) % hits.length];
      if (next === undefined) return;
      choose(next);
      tell(getState().find);
    },
  };
};

/** Looks through all pages: first the one that is read, then those after it, then those before; showing what was found on the way. */
const createSearch = (options: FindOptions) => {
  const { count, startPage, getState, update } = options;
  const foldedPage = createFolding(options.words);
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const set = (part: Partial<FindState>): void => update({ find: { ...getState().find, ...part } });
  const choose = (chosen: Hit): void => {
    set({ chosen });
    revealHit(options, chosen).catch(() => undefined);
  };
  const run = async (): Promise<void> => {
    const { query, isOfWords } = getState().find;
    const from = isOfWords ? startPage : getState().page;
    const { signal } = (running = new AbortController());
    const needle = foldQuery(query);
    const single = isOfWords ? needle.split(' ').filter((word) => word !== needle) : [];
    const [whole, parts]: [Hit[], Hit[]] = [[], []];
    let unread = 0;
    const show = (isSearching: boolean): void => {
      if (signal.aborted) return;
      const { chosen } = getState().find;
      const hits = (whole.length > 0 ? whole : parts).toSorted(inReadingOrder);
      // Shown as soon as it is certain that none stands before it: pages are searched from here on.
      const first = hits.find(({ page }) => page >= from) ?? (isSearching ? undefined : hits[0]);
      set({ hits, isSearching, unread });
      if (first !== undefined && (chosen === undefined || !hits.includes(chosen))) choose(first);
      if (!isSearching) tell(getState().find);
    };
    const order = Array.from({ length: count }, (_, index) => ((from - 1 + index) % count) + 1).values();
    const lookOn = async (): Promise<void> => {
      for (const page of order) {
        if (signal.aborted || whole.length >= mostHits) return;
        try {
          const onPage = await foldedPage(page, signal);
          whole.push(...findOnPage(onPage, page, needle));
          for (const word of single) parts.push(...findOnPage(onPage, page, word));
        } catch {
          unread += 1;
        }
        show(true);
      }
    };
    await Promise.all(Array.from({ length: readAtOnce }, lookOn));
    show(false);
  };
  const close = (): void => {
    clearTimeout(timer);
    running?.abort();
  };
  const restart = (delayMs: number): void => {
    close();
    set(nothingFound);
    const { isOpen, query } = getState().find;
    if (isOpen && query.trim() !== '') timer = setTimeout(() => void run(), delayMs);
  };
  return { set, choose, restart, close };
};

const readAtOnce = 4;
/** More are of no use. */
const mostHits = 2_000;

/** Texts that were folded are kept for the next query. */
const createFolding = (words: PageTexts) => {
  const folded = new Map<number, FoldedPage>();
  return async (page: number, signal: AbortSignal): Promise<FoldedPage> => {
    const known = folded.get(page);
    if (known !== undefined) return known;
    const fresh = foldPage(await words.read(page, signal));
    folded.set(page, fresh);
    return fresh;
  };
};

/** Scrolls to a hit. A page that was read a moment ago and cannot be read now is not shown; the next hit may be. */
const revealHit = async ({ words, sizes, getState, reveal }: FindOptions, hit: Hit): Promise<void> => {
  const [box] = boxesOf(hit, await words.read(hit.page, new AbortController().signal));
  if (box !== undefined) reveal(hit.page, () => partOf(box, sizeOf(sizes, hit.page), getState().rotation));
};

/** -1 while none is shown. */
export const indexOfChosen = ({ hits, chosen }: FindState): number => hits.findIndex((hit) => hit === chosen);

const tell = (state: FindState): void => {
  const at = indexOfChosen(state);
  const hit = state.hits[at];
  announce(hit === undefined ? t('viewer.findNothing') : t('viewer.findTold', { at: at + 1, total: state.hits.length, page: hit.page }));
};

const inReadingOrder = (left: Hit, right: Hit): number => {
  const [a, b] = [left.parts[0], right.parts[0]];
  if (left.page !== right.page || a === undefined || b === undefined) return left.page - right.page;
  return a.line - b.line || a.run - b.run || a.from - b.from;
};
