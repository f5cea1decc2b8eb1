import { listLimits } from '@pergamin/contract';
import { columnSizingFeature, rowSelectionFeature, tableFeatures, useTable } from '@tanstack/react-table';
import type { ColumnDef, ColumnSizingState, RowSelectionState } from '@tanstack/react-table';
import { useId, useMemo, useRef, useState } from 'react';
import type { ChangeEvent, CSSProperties, ReactNode } from 'react';
import css from './DataTable.module.css';
import type { MenuEntry } from './menu-entry.ts';
import { PhoneList } from './PhoneList.tsx';
import { menuNamedBy } from './RowControls.tsx';
import { RowMenu } from './RowMenu.tsx';
import { Skeleton } from './Skeleton.tsx';
import { TableHead } from './TableHead.tsx';
import { TableRows } from './TableRows.tsx';
import { rowsPerGroup } from './row-groups.ts';
import { roles } from './table-roles.ts';
import {
  describeRow,
  type HeadColumn,
  type RowAction,
  type RowLook,
  type TableColumn,
  type TableSort,
  type TableTexts,
} from './table-parts.ts';
import { actionsWidth, columnTracks, pickColumn, rem, roomyWidth, scrollingWidth, widthBesides } from './table-widths.ts';
import { useLatest } from './useLatest.ts';
import { useNarrow } from './useNarrow.ts';
import { usePhone } from './usePhone.ts';
import { headRows, rowIndexOf, useRowEvents } from './useRowEvents.ts';
import { useRowSlots } from './useRowSlots.ts';
import { useRowsInSight } from './useRowsInSight.ts';
import { useRowTooltips } from './useRowTooltips.tsx';
import { useFocusOfView, useTopOfView } from './useTableView.ts';

/** Of the functions, those of `RowLook` are the same from one rendering to the next unless what they show has changed. */
export interface DataTableProps<Row extends object> extends RowLook<Row> {
  /** The accessible name. */
  readonly label: string;
  readonly texts: TableTexts;
  /** The header of the first column, which `identity` fills. */
  readonly identityColumn: HeadColumn;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** The lines under the title in the phone's list. */
  readonly phoneLines: (row: Row) => readonly ReactNode[];
  readonly onAction?: (row: Row, actionId: string) => void;
  /** Double click anywhere on the row; click or Enter on its title. */
  readonly onOpen: (row: Row) => void;
  /** The menu of a row: right click, Shift+F10, and a button in the last column. */
  readonly menu?: { readonly entries: (row: Row) => readonly MenuEntry[]; readonly onAction: (row: Row, id: string) => void };
  readonly sort?: TableSort | undefined;
  readonly onSort?: (columnId: string) => void;
  readonly selection?: { readonly ids: readonly string[]; readonly onChange: (ids: readonly string[]) => void };
  /** Widths that the customer chose, in px by column, where whoever shows the table keeps them. `undefined` is the first width again. */
  readonly sizing?: {
    readonly widths: Readonly<Record<string, number>>;
    readonly onWidth: (columnId: string, width: number | undefined) => void;
  };
  /** `loading` shows bones in the shape of rows; `busy` keeps the rows while newer ones are fetched. */
  readonly state?: 'ready' | 'loading' | 'busy';
  readonly loadingRows?: number;
  /** The buttons of a row before there is one: the columns stay where they are when the rows come. */
  readonly loadingActions?: readonly Pick<RowAction, 'worded'>[];
  /** Another page or another order has another one, and begins at its top. */
  readonly viewId?: string;
  /** Shown instead of rows when there are none, or when loading failed. */
  readonly empty?: ReactNode;
}

const noRows: readonly never[] = [];
const features = tableFeatures({ columnSizingFeature, rowSelectionFeature });

/** A table told by data: native <table> from 870 px on, below it a list of the same rows. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rowId, selection, sizing, texts, viewId, state = 'ready' } = props;
  const isLoading = state === 'loading';
  const rows = isLoading ? noRows : props.rows;
  const phone = usePhone();
  const tableId = useId();
  const [wrap, setWrap] = useState<HTMLElement | null>(null);
  const [ownSizing, setOwnSizing] = useState<ColumnSizingState>({});
  const columnSizing = sizing?.widths ?? ownSizing;
  const rowSelection = useMemo<RowSelectionState>(
    () => Object.fromEntries((selection?.ids ?? []).map((id) => [id, true])),
    [selection?.ids],
  );
  const { identityColumn } = props;
  const allColumns = useMemo<readonly HeadColumn[]>(() => [identityColumn, ...columns], [identityColumn, columns]);
  const definitions = useMemo(
    () => allColumns.map(({ id }): ColumnDef<typeof features, Row> => ({ id, minSize: listLimits.columnMinWidthPx })),
    [allColumns],
  );
  const tableElement = useRef<HTMLTableElement>(null);
  const handleScroll = useTopOfView(wrap, viewId);
  const data = useMemo(() => [...rows], [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowId,
    enableRowSelection: selection !== undefined,
    state: { columnSizing, rowSelection },
    onRowSelectionChange: (updater) => {
      const next = typeof updater === 'function' ? updater(rowSelection) : updater;
      selection?.onChange(Object.keys(next));
    },
  });

  const { identity, isUnread, isMuted, actions, menu } = props;
  const look = useMemo<RowLook<Row>>(() => ({ identity, isUnread, isMuted, actions }), [identity, isUnread, isMuted, actions]);
  const first = rows[0];
  const firstActions = first && actions ? actions(first) : (props.loadingActions ?? []);
  const buttons = actions === undefined && menu === undefined ? undefined : firstActions.length + (menu ? 1 : 0);
  const words = firstActions.filter(({ worded }) => worded === true).length;
  const besides = widthBesides({ picks: selection !== undefined, buttons, words });
  const narrow = useNarrow(wrap, roomyWidth(allColumns, besides));
  const scrolling = useNarrow(wrap, scrollingWidth(allColumns, besides));
  const rowOf = (id: string): Row => table.getRow(id).original;
  const ids = useMemo(() => rows.map(rowId), [rows, rowId]);
  const events = useRowEvents({
    ids,
    withMenu: menu !== undefined,
    onOpen: (id) => props.onOpen(rowOf(id)),
    onAction: (id, actionId) => props.onAction?.(rowOf(id), actionId),
  });
  const tips = useRowTooltips();
  const { keys, sections } = useRowSlots(ids, { viewId, settled: state === 'ready' });
  const sight = useRowsInSight(wrap, { total: rows.length, viewId });
  useFocusOfView(wrap, viewId);
  const handleAction = useLatest((row: Row, actionId: string) => props.onAction?.(row, actionId));
  const handlePick = useLatest(({ target }: ChangeEvent<HTMLInputElement>) => {
    const id = ids[rowIndexOf(target) ?? -1];
    if (id !== undefined) table.getRow(id).toggleSelected(target.checked);
  });
  // Where the columns scroll, all buttons would cover most of them: the one of the menu, which has the same actions, is enough.
  const inMenu = scrolling && menu !== undefined;
  const shown = { picks: selection !== undefined, buttons: inMenu ? 1 : buttons, words: narrow ? 0 : words };
  const { tracks, isFilled, least } = columnTracks({
    columns: allColumns,
    chosen: columnSizing,
    narrow,
    besides: widthBesides(shown),
  });
  const before = selection === undefined ? [] : [rem(pickColumn)];
  const actionsRem = shown.buttons === undefined ? undefined : rem(actionsWidth(shown.buttons, shown.words));
  const after = actionsRem === undefined ? [] : [isFilled ? actionsRem : `minmax(${actionsRem}, 1fr)`];
  const template = [...before, ...tracks, ...after];
  const handleSort = useLatest((columnId: string) => props.onSort?.(columnId));
  const handleDrag = useLatest((index: number, width: number) => {
    const dragged = template.with(before.length + index, `${width}px`);
    tableElement.current?.style.setProperty('--columns', dragged.join(' '));
  });
  const handleWidth = useLatest((index: number, width: number | undefined) => {
    const id = allColumns[index]?.id ?? '';
    const px = width === undefined ? undefined : Math.max(listLimits.columnMinWidthPx, Math.round(width));
    if (sizing !== undefined) sizing.onWidth(id, px);
    else setOwnSizing(({ [id]: _, ...others }) => (px === undefined ? others : { ...others, [id]: px }));
  });
  const handlePickAll = useLatest((checked: boolean) => table.toggleAllRowsSelected(checked));

  const bones = { rows: props.loadingRows ?? listLimits.defaultPageSize, label: texts.loading };
  if (rows.length === 0 && !isLoading) return props.empty;
  if (phone && isLoading) return <Skeleton look="table" {...bones} />;
  if (phone)
    return (
      <PhoneList
        scroller={setWrap}
        onScroll={handleScroll}
        label={props.label}
        texts={texts}
        rows={rows}
        model={(row) => describeRow(look, { id: rowId(row), row })}
        viewId={viewId}
        lines={props.phoneLines}
        busy={state === 'busy'}
        onOpen={props.onOpen}
        onAction={handleAction}
      />
    );

  const picked = rows.reduce((count, row) => (rowSelection[rowId(row)] === true ? count + 1 : count), 0);
  const menuRow = events.menu === undefined ? undefined : rows.find((row) => rowId(row) === events.menu?.id);
  return (
    <div
      ref={setWrap}
      className={css['wrap']}
      onScroll={() => {
        handleScroll();
        sight.onScroll();
      }}
      aria-busy={state === 'busy' || undefined}
    >
      {/* Laid out as grids, so that rows which nobody sees cost nothing; browsers then forget what it is, hence their roles. */}
      {/* Its rows have the controls; what all of them do is minded here once. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events */}
      <table
        ref={tableElement}
        {...roles.table}
        {...tips.trigger}
        {...events.handlers}
        onKeyDown={(event) => {
          if (!tips.takeKey(event)) events.handlers.onKeyDown(event);
        }}
        className={css['table']}
        aria-label={props.label}
        data-narrow={narrow || undefined}
        data-scrolling={scrolling ? (inMenu ? 'menu' : '') : undefined}
        style={styleOf(template, least)}
      >
        <TableHead
          columns={allColumns}
          withActions={buttons !== undefined}
          texts={texts}
          sortedBy={props.sort?.columnId}
          descending={props.sort?.descending === true}
          onSort={props.onSort === undefined ? undefined : handleSort}
          onDrag={handleDrag}
          onWidth={handleWidth}
          picked={selection === undefined ? undefined : picked === 0 ? 'none' : picked === rows.length ? 'all' : 'some'}
          onPickAll={handlePickAll}
        />
        {sections.map(({ key, start, end }) => {
          const states = rows.slice(start, end).map((_, index) => sight.stateOf(start + index));
          const isLate = states.every((one) => one === 'late');
          return (
            <tbody key={key} {...roles.group} data-late={isLate || undefined} style={groupStyleOf(end - start)}>
              <TableRows<Row>
                rows={rows.slice(start, end)}
                ids={ids.slice(start, end)}
                keys={keys.slice(start, end)}
                states={states}
                isLate={isLate}
                selection={rowSelection}
                look={look}
                columns={columns}
                tableId={tableId}
                texts={texts}
                withMenu={menu !== undefined}
                onPick={selection === undefined ? undefined : handlePick}
              />
            </tbody>
          );
        })}
      </table>
      {isLoading && (
        <Skeleton look="table" {...bones} columns={{ template, least, picks: selection !== undefined, count: tracks.length }} />
      )}
      {tips.tooltip}
      {menu !== undefined && menuRow !== undefined && events.menu !== undefined && (
        <RowMenu
          at={events.menu}
          labelledBy={menuNamedBy(`${tableId}-${keys[rows.indexOf(menuRow)]}`, {
            name: texts.more(identity(menuRow).title),
            title: identity(menuRow).title,
          })}
          entries={menu.entries(menuRow)}
          onAction={(id) => {
            focusOpener(wrap, ids.indexOf(rowId(menuRow)));
            menu.onAction(menuRow, id);
          }}
          onClose={() => {
            const { id } = events.menu ?? {};
            events.closeMenu();
            // A pointer opened it where nothing had the focus: it is on the row afterwards.
            requestAnimationFrame(() => {
              if (document.activeElement === document.body && id !== undefined) focusOpener(wrap, ids.indexOf(id));
            });
          }}
        />
      )}
    </div>
  );
}

/* Custom properties, which React's own type of styles does not know. */

const styleOf = (
  template: readonly string[],
  least: string,
): CSSProperties & { readonly '--columns': string; readonly '--group-rows': number } => ({
  '--columns': template.join(' '),
  '--group-rows': rowsPerGroup,
  minWidth: least,
});

/** Of a group that is not as large as most, the height until it is seen. */
const groupStyleOf = (count: number): (CSSProperties & { readonly '--group-rows': number }) | undefined =>
  count === rowsPerGroup ? undefined : { '--group-rows': count };

function focusOpener(wrap: HTMLElement | null, index: number): void {
  wrap?.querySelector('table')?.rows[index + headRows]?.querySelector<HTMLElement>('[data-row-opener]')?.focus({ preventScroll: true });
}
