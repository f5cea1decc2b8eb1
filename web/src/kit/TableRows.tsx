import { memo } from 'react';
import type { ReactNode } from 'react';
import { TableRow, type TableRowProps } from './TableRow.tsx';
import type { RowState } from './useRowsInSight.ts';

interface TableRowsProps<Row> extends Omit<TableRowProps<Row>, 'row' | 'slotId' | 'state' | 'selected'> {
  readonly rows: readonly Row[];
  readonly ids: readonly string[];
  readonly keys: readonly (number | undefined)[];
  readonly states: readonly RowState[];
  readonly selection: Readonly<Record<string, boolean>>;
  readonly tableId: string;
  /** All of them are out of sight and may stay as they are. */
  readonly isLate: boolean;
}

function PlainTableRows<Row>({ rows, ids, keys, states, selection, tableId, isLate: _, ...shared }: TableRowsProps<Row>): ReactNode {
  return rows.map((row, index) => {
    const id = ids[index] ?? '';
    return (
      <TableRow<Row>
        key={keys[index]}
        row={row}
        state={states[index] ?? 'whole'}
        selected={selection[id] === true}
        slotId={`${tableId}-${keys[index]}`}
        {...shared}
      />
    );
  });
}

/**
 * Rows that are late together cost nothing at all, as long as they are as many as before; nor do those of which nothing has changed, as while
 * another page is waited for.
 */
const areToStay = (before: TableRowsProps<unknown>, next: TableRowsProps<unknown>): boolean => {
  if (next.isLate && before.rows.length === next.rows.length) return true;
  const known = new Map<string, unknown>(Object.entries(before));
  return Object.entries(next).every(([name, value]) => isSame(known.get(name), value));
};
const isSame = (one: unknown, other: unknown): boolean =>
  one === other ||
  (Array.isArray(one) && Array.isArray(other) && one.length === other.length && one.every((item, index) => item === other[index]));

/** The rows of one group of a table. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo() forgets that the component is generic
export const TableRows = memo(PlainTableRows, areToStay) as typeof PlainTableRows;
