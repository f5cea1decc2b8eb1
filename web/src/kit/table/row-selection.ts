/* What is selected may stand on other pages, too: those ids stay. */

export const withRow = (selected: readonly string[], { id, isSelected }: { id: string; isSelected: boolean }): readonly string[] =>
  isSelected ? [...selected, id] : selected.filter((other) => other !== id);

export const withRows = (
  selected: readonly string[],
  { rows, isSelected }: { rows: readonly string[]; isSelected: boolean },
): readonly string[] => {
  const others = selected.filter((id) => !rows.includes(id));
  return isSelected ? [...others, ...rows] : others;
};

export const selectedAmong = (rows: readonly string[], selected: readonly string[]): 'none' | 'some' | 'all' => {
  const count = rows.filter((id) => selected.includes(id)).length;
  return count === 0 ? 'none' : count === rows.length ? 'all' : 'some';
};
