import { findOnPage, foldPage, foldQuery, type FoldedPage, type Hit } from './find-text.ts';
import type { PageTexts } from './page-texts.ts';

export interface FoundState {
  /** In page order. */
  readonly hits: readonly Hit[];
  readonly isSearching: boolean;
  /** Pages that could not be read, so that there may be more. */
  readonly unread: number;
}

export interface Search {
  readonly query: string;
  readonly count: number;
  /** Looked through first, then those after it, then those before. */
  readonly startPage: number;
  /** What comes from a search among documents is words in any order: when they do not stand together, each is found by itself. */
  readonly isOfWords: boolean;
}

const readAtOnce = 4;
/** More are of no use. */
const mostHits = 2_000;

/** Looks through all pages of a document, telling what was found on the way; texts that were folded are kept for the next query. */
export const createFinder = (words: Pick<PageTexts, 'read'>) => {
  const folded = new Map<number, FoldedPage>();

  const foldedPage = async (page: number, signal: AbortSignal): Promise<FoldedPage> => {
    const known = folded.get(page);
    if (known !== undefined) return known;
    const fresh = foldPage(await words.read(page, signal));
    folded.set(page, fresh);
    return fresh;
  };

  return async ({ query, count, startPage, isOfWords }: Search, tell: (state: FoundState) => void, signal: AbortSignal): Promise<void> => {
    const needle = foldQuery(query);
    const single = isOfWords ? needle.split(' ').filter((word) => word !== needle) : [];
    const [whole, parts]: [Hit[], Hit[]] = [[], []];
    let unread = 0;
    const order = Array.from({ length: count }, (_, index) => ((startPage - 1 + index) % count) + 1).values();
    const sorted = (): readonly Hit[] => (whole.length > 0 ? whole : parts).toSorted(inReadingOrder);

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
        if (!signal.aborted) tell({ hits: sorted(), isSearching: true, unread });
      }
    };
    await Promise.all(Array.from({ length: readAtOnce }, lookOn));
    if (!signal.aborted) tell({ hits: sorted(), isSearching: false, unread });
  };
};

const inReadingOrder = (left: Hit, right: Hit): number => {
  const [a, b] = [left.parts[0], right.parts[0]];
  if (left.page !== right.page || a === undefined || b === undefined) return left.page - right.page;
  return a.line - b.line || a.run - b.run || a.from - b.from;
};
