import { PortalError } from '#platform/http/errors.ts';

interface Reached {
  readonly pageCount: number;
  /** In any order. */
  readonly pages: readonly number[];
}

/** Longer lists end with an ellipsis. */
const maxRanges = 100;

/** The pages that are not among these, as ranges: `1-3, 7`. Empty: none is missing. */
export const missingPages = ({ pageCount, pages }: Reached): string => {
  const reached = new Set(pages);
  const ranges: string[] = [];
  for (let page = 1; page <= pageCount; page += 1) {
    if (reached.has(page)) continue;
    const first = page;
    while (page < pageCount && !reached.has(page + 1)) page += 1;
    ranges.push(first === page ? String(page) : `${first}-${page}`);
  }
  return ranges.length <= maxRanges ? ranges.join(', ') : `${ranges.slice(0, maxRanges).join(', ')}, …`;
};

/** Throws INVALID_STATUS that names the missing pages in `fields.pages`. */
export const requireAllPages = (reached: Reached): void => {
  const pages = missingPages(reached);
  if (pages !== '') throw new PortalError('INVALID_STATUS', { fields: { pages } });
};
