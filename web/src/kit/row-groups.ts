/**
 * A table has its rows in groups, and those that nobody sees are left out of everything together. Where a screen ends they are so small that a
 * group is either in sight or not: to hide single rows of one that is seen takes the browser longer than all other styles of another page.
 */
export const rowsPerGroup = 4;
/** No screen shows more rows than this at once; those behind stand in large groups, as each group has its price. */
const rowsOnScreen = 40;
const rowsPerLargeGroup = 20;
/** A group grows by what comes in within a view, up to so many. */
const mostPerGroup = 40;

/** The least number of whole groups that holds so many rows. */
export const inGroups = (rows: number): number => Math.ceil(rows / rowsPerGroup) * rowsPerGroup;

export interface RowGroup {
  /** Of the element. */
  readonly key: number;
  readonly start: number;
  readonly end: number;
}

/** The groups of a view that begins, by index. */
export const firstGroups = (ids: readonly string[]): readonly number[] =>
  ids.map((_, index) =>
    index < rowsOnScreen
      ? Math.floor(index / rowsPerGroup)
      : rowsOnScreen / rowsPerGroup + Math.floor((index - rowsOnScreen) / rowsPerLargeGroup),
  );

/** Within a view whoever stays keeps the group, whatever comes in before: in another one it would be another element, without the focus. */
export const nextGroups = (
  before: { readonly ids: readonly string[]; readonly groups: readonly number[] },
  ids: readonly string[],
): readonly number[] => {
  const known = new Map(before.ids.map((id, index) => [id, before.groups[index] ?? 0]));
  let last = 0;
  const groups = ids.map((id) => (last = Math.max(last, known.get(id) ?? last)));
  // As after another search: so many are new that hardly anyone stays where they were.
  return groupsIn(groups).some(({ start, end }) => end - start > mostPerGroup) ? firstGroups(ids) : groups;
};

export const groupsIn = (groups: readonly number[]): readonly RowGroup[] => {
  const found: RowGroup[] = [];
  for (const [index, key] of groups.entries()) {
    const last = found.at(-1);
    if (last?.key === key) found[found.length - 1] = { ...last, end: index + 1 };
    else found.push({ key, start: index, end: index + 1 });
  }
  return found;
};
