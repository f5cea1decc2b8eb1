/** What the parts of a table are. Rows are laid out as grids, and some browsers then forget it: it is said to them again. */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
