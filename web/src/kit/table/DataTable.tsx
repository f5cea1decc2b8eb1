import { listLimits } from '@pergamin/contract';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { t } from '#platform/language.ts';
import { Skeleton } from '#kit/feedback/Skeleton.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { useColumnLayout } from './column-layout.ts';
import css from './DataTable.module.css';
import { PhoneList } from './PhoneList.tsx';
import { TableHead } from './TableHead.tsx';
import { roles, type HeadColumn, type RowAction, type RowIdentity, type TableColumn } from './table-parts.ts';
import { TableRow } from './TableRow.tsx';

/** What a table shows and does. A new `identity`, `actions`, `menu`, `columns` or `phoneLines` renders all rows again: each is kept until what it shows changes. */
export interface DataTableProps<Row extends object> {
  /** The accessible name. */
  readonly label: string;
  /** The header of the first column, which `identity` fills. */
  readonly identityColumn: HeadColumn;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly identity: (row: Row) => RowIdentity;
  readonly actions?: ((row: Row) => readonly RowAction[]) | undefined;
  /** The menu of a row: right click, Shift+F10, and a button at its end; it also selects the row where that can be done. On a phone it has the `actions` where this is left out. */
  readonly menu?: ((row: Row) => readonly MenuEntry[]) | undefined;
  readonly phoneLines: (row: Row) => readonly ReactNode[];
  /** A button of a row was pressed, or an entry of its menu. */
  readonly onAction: (row: Row, actionId: string) => void;
  /** Double click anywhere on the row; click or Enter on its title. */
  readonly onOpen: (row: Row) => void;
  readonly sort?: { readonly by: string; readonly order: 'asc' | 'desc' } | undefined;
  readonly onSort?: ((columnId: string) => void) | undefined;
  readonly selection?: { readonly ids: readonly string[]; readonly onChange: (ids: readonly string[]) => void } | undefined;
  /** Where the caller keeps the widths that the customer chose. Without it the table does, as long as it is shown. */
  readonly sizing?: TableSizing;
  /** `loading` shows a skeleton of the rows; `busy` keeps the rows while newer ones are fetched; `failed` has none. */
  readonly state?: 'ready' | 'loading' | 'busy' | 'failed';
  /** The buttons of a row before there is one: the columns stay where they are when the rows come. */
  readonly loadingActions?: readonly Pick<RowAction, 'worded'>[];
  /** Another page or another order has another one, and begins at its top. */
  readonly viewId?: string;
  /** The list instead of the table, on a phone or in a window as narrow. */
  readonly asList?: boolean;
  /** Shown instead of rows when there are none, or when loading failed. */
  readonly empty?: ReactNode;
}

interface TableSizing {
  /** px by column. */
  readonly widths: Readonly<Record<string, number | undefined>>;
  /** `undefined` is the first width again. */
  readonly onWidth: (columnId: string, width: number | undefined) => void;
}

/** The same on a wide screen and on a phone, with what scrolls it; `onOpen` and `onAction` are the same for the life of the table. */
export interface TableViewProps<Row extends object> extends DataTableProps<Row> {
  readonly shownRows: readonly Row[];
  readonly sizing: TableSizing;
  readonly scroller: HTMLElement | null;
  readonly onScroller: (scroller: HTMLElement | null) => void;
}

const none: readonly never[] = [];

/** A table told by data: a native <table>, or a list of the same rows. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { viewId, state } = props;
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  useEffect(() => {
    // With the next frame, which lays the rows out anyway: scrolling would do it once more.
    if (viewId !== undefined) requestAnimationFrame(() => scroller?.scrollTo({ top: 0 }));
  }, [scroller, viewId]);
  const [widths, setWidths] = useState<TableSizing['widths']>({});
  const rows = state === 'loading' || state === 'failed' ? none : props.rows;
  const view: TableViewProps<Row> = {
    ...props,
    rows,
    shownRows: useRowsInSightFirst(rows, props.rowId),
    sizing: props.sizing ?? { widths, onWidth: (id, width) => setWidths({ ...widths, [id]: width }) },
    scroller,
    onScroller: setScroller,
    onOpen: useLatest(props.onOpen),
    onAction: useLatest(props.onAction),
  };
  if (rows.length === 0 && state !== 'loading') return props.empty;
  if (props.asList !== true) return <WideTable<Row> {...view} />;
  if (state === 'loading') return <Skeleton look="table" rows={listLimits.defaultPageSize} label={t('list.loading')} />;
  return <PhoneList<Row> {...view} />;
}

/** px: no row is lower. */
const lowestRow = 36;

/** Renders the rows in sight at once and those further down right after. Until then their places keep the rows that were there, so that nothing moves. */
function useRowsInSightFirst<Row>(rows: readonly Row[], rowId: (row: Row) => string): readonly Row[] {
  const before = useDeferredValue(rows);
  const inSight = Math.ceil(innerHeight / lowestRow);
  if (before === rows || rows.length <= inSight) return rows;
  const first = rows.slice(0, inSight);
  const ids = new Set(first.map(rowId));
  return [...first, ...before.slice(inSight, rows.length).filter((row) => !ids.has(rowId(row)))];
}

/** A <table> that scrolls within its window: rows by document, columns that the customer sizes. */
function WideTable<Row extends object>(props: TableViewProps<Row>) {
  const { columns, rowId, identity, actions, menu, selection, sizing, state, onScroller, onOpen, onAction } = props;
  const allColumns = [props.identityColumn, ...columns];
  const { template, minWidth, isNarrow, scrolling, hasActions } = useColumnLayout(allColumns, props);
  const ids = props.rows.map(rowId);
  const selectedIds = selection?.ids ?? [];
  const select = (changed: readonly string[], isSelected: boolean): void => {
    // What is selected may stand on other pages, too.
    const others = selectedIds.filter((id) => !changed.includes(id));
    selection?.onChange(isSelected ? [...others, ...changed] : others);
  };
  const handleSelect = useLatest((row: Row, isSelected: boolean) => select([rowId(row)], isSelected));
  const style: CSSProperties & Record<'--columns', string> = { '--columns': template, minWidth };
  return (
    <div ref={onScroller} className={css['scroller']} aria-busy={state === 'busy' || undefined}>
      {/* Its rows have the controls; arrow keys are the same for all of them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <table
        {...roles.table}
        onKeyDown={moveBetweenRows}
        className={css['table']}
        aria-label={props.label}
        data-narrow={isNarrow || undefined}
        data-scrolling={scrolling}
        style={style}
      >
        <TableHead
          {...{ columns: allColumns, sort: props.sort, onSort: props.onSort, onWidth: sizing.onWidth, hasActions }}
          selected={selection && ids.filter((id) => selectedIds.includes(id)).length / ids.length}
          onSelectAll={(isSelected) => select(ids, isSelected)}
        />
        <tbody {...roles.group}>
          {props.shownRows.map((row) => (
            <TableRow<Row>
              key={rowId(row)}
              {...{ row, columns, identity, actions, menu, onOpen, onAction }}
              isSelected={selectedIds.includes(rowId(row))}
              onSelect={selection && handleSelect}
            />
          ))}
        </tbody>
      </table>
      {state === 'loading' && (
        <Skeleton
          look="table"
          rows={listLimits.defaultPageSize}
          label={t('list.loading')}
          columns={{ template, minWidth, canSelect: selection !== undefined, count: allColumns.length }}
        />
      )}
    </div>
  );
}

/** Arrow keys, Home and End go from title to title; Tab still walks through everything. */
const moveBetweenRows = (event: KeyboardEvent): void => {
  if (!(event.target instanceof HTMLElement) || !event.target.matches('[data-row-opener]')) return;
  const openers = [...(event.target.closest('table')?.querySelectorAll<HTMLElement>('[data-row-opener]') ?? [])];
  const at = openers.indexOf(event.target);
  const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: openers.length - 1 };
  const target = openers[to[event.key] ?? -1];
  if (!target) return;
  event.preventDefault();
  target.focus();
};
