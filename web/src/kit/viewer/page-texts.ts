import type { PageText } from '@pergamin/contract';
import { createPageLoader } from './page-loader.ts';
import type { PageSource } from './page-source.ts';

export type PageTexts = ReturnType<typeof createPageTexts>;

/** Texts are small, but a document may have thousands of them: those that came last stay. */
const mostKept = 200;
/** A browser has six connections to a host over HTTP/1.1, and pictures come first. */
const mostAtOnce = 2;

/** The texts of the pages: loaded around the page that is being read, and kept for a while. */
export const createPageTexts = (source: PageSource['text']) => {
  const load = source ?? (async (): Promise<PageText> => ({ language: null, lines: [] }));
  const loader = createPageLoader({ load: (page, signal) => load(Number(page), signal), mostAtOnce, mostKept });
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

/** Something can be read aloud. */
export const hasWords = ({ lines, figures = [] }: PageText): boolean => lines.length > 0 || figures.length > 0;

/** The document's own word; without one, letters that no other language of the trade has. */
export const languageOf = ({ language, lines }: PageText): string | undefined => {
  if (language !== null) return language;
  return lines.some(({ runs }) => runs.some(({ text }) => /[ąęłńśźż]/i.test(text))) ? 'pl' : undefined;
};
