/** The page to draw next: the one nearest to the page that is viewed, the following one before the preceding one. */
export function nextPage(missing: Iterable<number>, viewed: number): number | undefined {
  let next: number | undefined;
  for (const page of missing) if (next === undefined || distance(page, viewed) < distance(next, viewed)) next = page;
  return next;
}

const distance = (page: number, viewed: number): number => (page >= viewed ? 2 * (page - viewed) : 2 * (viewed - page) + 1);
