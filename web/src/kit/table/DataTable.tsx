import { listLimits } from '@pergamin/contract';
import { useDeferredValue, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { t } from '#platform/language.ts';
import { Skeleton } from '#kit/feedback/Skeleton.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { PhoneList } from './PhoneList.tsx';
import type { HeadColumn, RowAction, RowLook, TableColumn, TableSizing } from './table-parts.ts';
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
  /** A button of a row was pressed, or an entry of its menu. */
  readonly onAction: (row: Row, actionId: string) => void;
  /** Double click anywhere on the row; click or Enter on its title. */
  readonly onOpen: (row: Row) => void;
  readonly sort?: { readonly by: string; readonly order: 'asc' | 'desc' } | undefined;
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

/** The same on a wide screen and on a phone, with what scrolls it. */
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
  const view = {
    ...props,
    shownRows: useRowsInSightFirst(state === 'loading' ? none : props.rows, props.rowId),
    sizing: props.sizing ?? { widths, onWidth: (id: string, width: number | undefined) => setWidths({ ...widths, [id]: width }) },
    scroller,
    onScroller: setScroller,
    onOpen: useLatest(props.onOpen),
    onAction: useLatest(props.onAction),
  };
  if (props.rows.length === 0 && state !== 'loading') return props.empty;
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
