/** A table has its rows in groups of so many: a usual screen shows one, and those that nobody sees are left out of everything together. */
export const rowsPerGroup = 20;

export interface RowGroup {
  /** Of the element. */
  readonly key: number;
  readonly start: number;
  readonly end: number;
}

/** The groups of a view that begins, by index. */
export const firstGroups = (ids: readonly string[]): readonly number[] => ids.map((_, index) => Math.floor(index / rowsPerGroup));

/** Within a view whoever stays keeps the group, whatever comes in before: in another one it would be another element, without the focus. */
export const nextGroups = (
  before: { readonly ids: readonly string[]; readonly groups: readonly number[] },
  ids: readonly string[],
): readonly number[] => {
  const known = new Map(before.ids.map((id, index) => [id, before.groups[index] ?? 0]));
  let last = 0;
  const groups = ids.map((id) => (last = Math.max(last, known.get(id) ?? last)));
  // As after another search: so many are new that hardly anyone stays where they were.
  return groupsIn(groups).some(({ start, end }) => end - start > rowsPerGroup * 2) ? firstGroups(ids) : groups;
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
