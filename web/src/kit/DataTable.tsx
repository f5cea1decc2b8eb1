import { listLimits } from '@pergamin/contract';
import { columnSizingFeature, rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table';
import type { ColumnDef, ColumnSizingState, RowSelectionState } from '@tanstack/react-table';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import css from './DataTable.module.css';
import { PhoneList } from './PhoneList.tsx';
import { Skeleton } from './Skeleton.tsx';
import { TableHead } from './TableHead.tsx';
import { TableRow } from './TableRow.tsx';
import type { HeadColumn, RowAction, RowIdentity, TableColumn, TableModel, TableSort, TableTexts } from './table-parts.ts';
import { actionsWidth, columnWidths, rem, roomyWidth, scrollingWidth, widthBesides } from './table-widths.ts';
import { useNarrow } from './useNarrow.ts';
import { usePhone } from './usePhone.ts';

export interface DataTableProps<Row extends object> {
  /** The accessible name. */
  readonly label: string;
  readonly texts: TableTexts;
  /** The header of the first column, which `identity` fills. */
  readonly identityColumn: HeadColumn;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly identity: (row: Row) => RowIdentity;
  /** The lines under the title in the phone's list. */
  readonly phoneLines: (row: Row) => readonly ReactNode[];
  readonly isUnread?: (row: Row) => boolean;
  /** Rows that can only be downloaded: second ink. */
  readonly isMuted?: (row: Row) => boolean;
  readonly actions?: (row: Row) => readonly RowAction[];
  readonly onAction?: (row: Row, actionId: string) => void;
  /** Double click anywhere on the row; click or Enter on its title. */
  readonly onOpen: (row: Row) => void;
  readonly sort?: TableSort | undefined;
  readonly onSort?: (columnId: string) => void;
  readonly selection?: { readonly ids: readonly string[]; readonly onChange: (ids: readonly string[]) => void };
  /** `loading` shows bones in the shape of rows; `busy` keeps the rows while newer ones are fetched. */
  readonly state?: 'ready' | 'loading' | 'busy';
  readonly loadingRows?: number;
  /** Another page or another order has another one, and begins at its top. */
  readonly viewId?: string;
  /** Shown instead of rows when there are none, or when loading failed. */
  readonly empty?: ReactNode;
}

const features = tableFeatures({ columnSizingFeature, rowSelectionFeature });

/** A table told by data: native <table> from 870 px on, below it a list of the same rows. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, selection, texts, viewId, state = 'ready' } = props;
  const phone = usePhone();
  const [wrap, setWrap] = useState<HTMLElement | null>(null);
  const [columnSizing, setColumnSizing] = useState<ColumnSizingState>({});
  const rowSelection = useMemo<RowSelectionState>(
    () => Object.fromEntries((selection?.ids ?? []).map((id) => [id, true])),
    [selection?.ids],
  );
  const allColumns: readonly HeadColumn[] = [props.identityColumn, ...columns];
  const ids = allColumns.map((column) => column.id).join(' ');
  const definitions = useMemo(
    () => ids.split(' ').map((id): ColumnDef<typeof features, Row> => ({ id, minSize: listLimits.columnMinWidthPx })),
    [ids],
  );
  const shownView = useRef(viewId);
  useEffect(() => {
    if (shownView.current === viewId) return;
    shownView.current = viewId;
    wrap?.scrollTo({ top: 0 });
  }, [wrap, viewId]);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowId,
    enableRowSelection: selection !== undefined,
    state: { columnSizing, rowSelection },
    onColumnSizingChange: setColumnSizing,
    onRowSelectionChange: (updater) => {
      const next = typeof updater === 'function' ? updater(rowSelection) : updater;
      selection?.onChange(Object.keys(next));
    },
  });

  const models = table
    .getRowModel()
    .rows.map((row): TableModel<Row> => describe(props, { id: row.id, row: row.original, selected: row.getIsSelected() }));
  const buttons = props.actions && Math.max(0, ...models.map((model) => model.actions.length));
  const besides = widthBesides({ picks: selection !== undefined, buttons });
  const narrow = useNarrow(wrap, roomyWidth(allColumns, besides));
  const scrolling = useNarrow(wrap, scrollingWidth(allColumns, besides));

  if (state === 'loading') return <Skeleton look="table" rows={props.loadingRows ?? listLimits.defaultPageSize} label={texts.loading} />;
  if (rows.length === 0) return props.empty;
  const handleAction = (row: Row, actionId: string) => props.onAction?.(row, actionId);
  if (phone)
    return (
      <PhoneList
        scroller={setWrap}
        label={props.label}
        texts={texts}
        models={models}
        lines={props.phoneLines}
        busy={state === 'busy'}
        onOpen={props.onOpen}
        onAction={handleAction}
      />
    );

  const { widths, least } = columnWidths({ columns: allColumns, chosen: columnSizing, narrow, besides });
  return (
    <div ref={setWrap} className={css['wrap']} aria-busy={state === 'busy' || undefined}>
      <table
        className={css['table']}
        aria-label={props.label}
        data-narrow={narrow || undefined}
        data-scrolling={scrolling || undefined}
        style={{ minWidth: least }}
      >
        <TableHead
          columns={allColumns}
          widths={widths}
          actionsWidth={buttons === undefined ? undefined : rem(actionsWidth(buttons))}
          texts={texts}
          sort={props.sort}
          {...(props.onSort ? { onSort: props.onSort } : {})}
          onWidth={(index, width) =>
            table.setColumnSizing((sizes) => {
              const id = allColumns[index]?.id ?? '';
              const { [id]: _, ...others } = sizes;
              return width === undefined ? others : { ...others, [id]: Math.max(listLimits.columnMinWidthPx, Math.round(width)) };
            })
          }
          {...(selection
            ? {
                selectAll: {
                  checked: table.getIsAllRowsSelected(),
                  mixed: table.getIsSomeRowsSelected(),
                  onChange: (checked: boolean) => table.toggleAllRowsSelected(checked),
                },
              }
            : {})}
        />
        <tbody>
          {models.map((model) => (
            <TableRow
              key={model.id}
              model={model}
              columns={columns}
              texts={texts}
              withActions={buttons !== undefined}
              onOpen={props.onOpen}
              onAction={handleAction}
              {...(selection ? { onSelect: (checked: boolean) => table.getRow(model.id).toggleSelected(checked) } : {})}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function describe<Row extends object>(
  props: DataTableProps<Row>,
  { id, row, selected }: { readonly id: string; readonly row: Row; readonly selected: boolean },
): TableModel<Row> {
  return {
    id,
    row,
    selected,
    identity: props.identity(row),
    unread: props.isUnread?.(row) ?? false,
    muted: props.isMuted?.(row) ?? false,
    actions: props.actions?.(row) ?? [],
  };
}
