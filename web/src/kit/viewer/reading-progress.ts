import { t } from '#platform/language.ts';

/** Pages that are named when so few are missing. */
const namedPages = 2;

/** How far the reading is, near its end what is missing, and at its end what could not be shown. */
export const readingTexts = (count: number, reached: ReadonlySet<number>, failed: ReadonlyMap<number, unknown>) => {
  const text = t('viewer.pagesRead', { read: reached.size, count });
  const missing = reached.size >= count - namedPages ? missingPages(count, reached) : [];
  if (reached.size >= count && failed.size > 0) return { text, hint: notShownText([...failed.keys()]) };
  if (missing.length === 0 || reached.size === 0) return { text, hint: undefined };
  const [page = 0] = missing;
  return {
    text,
    hint: missing.length === 1 ? t('viewer.missingPage', { page }) : t('viewer.missingPages', { pages: missing.join(', ') }),
  };
};

export const notShownText = (pages: readonly number[]): string =>
  t('viewer.pagesNotShown', { count: pages.length, pages: rangesOf(pages.toSorted((one, other) => one - other)) });

/** Where reading goes on: the first page that was not reached, the first of all when there is none. */
export const nextPageToRead = (count: number, reached: readonly number[]): number => missingPages(count, new Set(reached))[0] ?? 1;

/** The pages that were not reached, as `2–4, 7`. */
export const pagesLeft = (count: number, reached: ReadonlySet<number>): string => rangesOf(missingPages(count, reached));

const rangesOf = (pages: readonly number[]): string => {
  const ranges: { from: number; to: number }[] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last?.to === page - 1) last.to = page;
    else ranges.push({ from: page, to: page });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
};

const missingPages = (count: number, reached: ReadonlySet<number>): number[] =>
  Array.from({ length: count }, (_, index) => index + 1).filter((page) => !reached.has(page));
