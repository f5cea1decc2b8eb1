import { listLimits } from '@pergamin/contract';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { t } from '#platform/language.ts';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { Skeleton } from '#kit/feedback/Skeleton.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { PhoneList } from './PhoneList.tsx';
import type { HeadColumn, RowAction, RowLook, TableColumn, TableSizing, TableSort } from './table-parts.ts';
import { WideTable } from './WideTable.tsx';

export interface DataTableProps<Row extends object> extends RowLook<Row> {
  /** The accessible name. */
  readonly label: string;
  /** The header of the first column, which `identity` fills. */
  readonly identityColumn: HeadColumn;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** The lines under the title in the phone's list. Kept, as the functions of `RowLook` are. */
  readonly phoneLines: (row: Row) => readonly ReactNode[];
  readonly onAction?: (row: Row, actionId: string) => void;
  /** Double click anywhere on the row; click or Enter on its title. */
  readonly onOpen: (row: Row) => void;
  /** The menu of a row: right click, Shift+F10, and a button in the last column. */
  readonly menu?: { readonly entries: (row: Row) => readonly MenuEntry[]; readonly onAction: (row: Row, id: string) => void };
  readonly sort?: TableSort | undefined;
  readonly onSort?: (columnId: string) => void;
  readonly selection?: { readonly ids: readonly string[]; readonly onChange: (ids: readonly string[]) => void } | undefined;
  /** Where the caller keeps the widths. Without it the table does, as long as it is shown. */
  readonly sizing?: TableSizing;
  /** `loading` shows a skeleton of the rows; `busy` keeps the rows while newer ones are fetched. */
  readonly state?: 'ready' | 'loading' | 'busy';
  /** The buttons of a row before there is one: the columns stay where they are when the rows come. */
  readonly loadingActions?: readonly Pick<RowAction, 'worded'>[];
  /** Another page or another order has another one, and begins at its top. */
  readonly viewId?: string;
  /** The list instead of the table, on a phone or in a window as narrow. */
  readonly asList?: boolean;
  /** Shown instead of rows when there are none, or when loading failed. */
  readonly empty?: ReactNode;
}

/** What the rows of a list show and do, whichever of them are shown. */
export type TableContent<Row extends object> = Omit<
  DataTableProps<Row>,
  'label' | 'rows' | 'sort' | 'onSort' | 'viewId' | 'asList' | 'empty'
>;

/** A table told by data: a native <table>, or a list of the same rows. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { identity, isUnread, isMuted, actions, viewId, state = 'ready' } = props;
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  useEffect(() => {
    // With the next frame, which lays the rows out anyway: scrolling would do it once more.
    if (viewId !== undefined) requestAnimationFrame(() => scroller?.scrollTo({ top: 0 }));
  }, [scroller, viewId]);
  const [widths, setWidths] = useState<TableSizing['widths']>({});
  const ownSizing = { widths, onWidth: (columnId: string, width: number | undefined) => setWidths({ ...widths, [columnId]: width }) };
  const shared = {
    scroller,
    onScroller: setScroller,
    shownRows: useRowsInSightFirst(props.rows, props.rowId),
    state,
    look: useMemo<RowLook<Row>>(() => ({ identity, isUnread, isMuted, actions }), [identity, isUnread, isMuted, actions]),
    onOpen: useLatest(props.onOpen),
    onAction: useLatest((row: Row, actionId: string) => props.onAction?.(row, actionId)),
  };
  if (props.rows.length === 0 && state !== 'loading') return props.empty;
  if (props.asList !== true) return <WideTable<Row> {...props} {...shared} sizing={props.sizing ?? ownSizing} />;
  if (state === 'loading') return <Skeleton look="table" rows={listLimits.defaultPageSize} label={t('list.loading')} />;
  return <PhoneList<Row> {...props} {...shared} />;
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
