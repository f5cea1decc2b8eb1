import { useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import css from './DataTable.module.css';
import { roles } from './table-roles.ts';
import type { TableColumn } from './table-parts.ts';

interface KeptCell {
  readonly align: TableColumn<unknown>['align'];
  readonly value: ReactNode;
  readonly cell: ReactElement;
}

/**
 * The cells of one row. One whose value is the same as before is the very same element, and React looks no further: of the documents of two
 * pages many have a day, a state or a sender in common.
 */
export function useKeptCells<Row>(): (column: TableColumn<Row>, row: Row) => ReactElement {
  const [kept] = useState(() => new Map<string, KeptCell>());
  return (column, row) => {
    const { id, align } = column;
    const value = column.cell(row);
    const known = kept.get(id);
    if (known !== undefined && known.value === value && known.align === align) return known.cell;
    const cell = (
      <td key={id} {...roles.cell} className={css['cut']} data-align={align}>
        {value}
      </td>
    );
    kept.set(id, { align, value, cell });
    return cell;
  };
}
