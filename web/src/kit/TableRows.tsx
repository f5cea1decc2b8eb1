import { memo } from 'react';
import type { ReactNode } from 'react';
import { TableRow, type TableRowProps } from './TableRow.tsx';
import type { RowState } from './useRowsInSight.ts';

interface TableRowsProps<Row> extends Omit<TableRowProps<Row>, 'row' | 'slotId' | 'state' | 'selected'> {
  readonly rows: readonly Row[];
  readonly ids: readonly string[];
  readonly keys: readonly (number | undefined)[];
  readonly states: readonly RowState[];
  readonly isSelected: (id: string) => boolean;
  readonly tableId: string;
  /** All of them are out of sight and may stay as they are. */
  readonly isLate: boolean;
}

function PlainTableRows<Row>({ rows, ids, keys, states, isSelected, tableId, isLate: _, ...shared }: TableRowsProps<Row>): ReactNode {
  return rows.map((row, index) => {
    const id = ids[index] ?? '';
    return (
      <TableRow<Row>
        key={keys[index]}
        row={row}
        state={states[index] ?? 'whole'}
        selected={isSelected(id)}
        slotId={`${tableId}-${keys[index]}`}
        {...shared}
      />
    );
  });
}

/** Rows that are late together cost nothing at all, as long as they are as many as before. */
const areToStay = ({ rows }: TableRowsProps<unknown>, next: TableRowsProps<unknown>): boolean =>
  next.isLate && rows.length === next.rows.length;
/** The rows of one group of a table. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- memo() forgets that the component is generic
export const TableRows = memo(PlainTableRows, areToStay) as typeof PlainTableRows;
