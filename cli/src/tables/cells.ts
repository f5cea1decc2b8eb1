export interface Cell {
  readonly text: string;
  /** A workbook keeps it as a number: what was typed there may have been another text. A day or a moment is such a number. */
  readonly keptAs?: 'number' | 'date';
  /** Why a workbook does not say what the cell is. */
  readonly problem?: string;
}

/** A row with something in it, by the number of its line. */
export type TableRow = { readonly line: number } & ({ readonly cells: readonly Cell[] } | { readonly problem: string });

export const isBlank = ({ text, problem }: Cell): boolean => text.trim() === '' && problem === undefined;

/** Empty columns at the end of a table are none. */
export const withoutBlankEnd = (cells: readonly Cell[]): readonly Cell[] =>
  cells.slice(0, cells.findLastIndex((cell) => !isBlank(cell)) + 1);
