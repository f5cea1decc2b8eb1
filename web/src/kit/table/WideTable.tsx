import { listLimits } from '@pergamin/contract';
import { useId, useState } from 'react';
import type { CSSProperties, KeyboardEvent } from 'react';
import { t } from '#platform/language.ts';
import { Skeleton } from '#kit/feedback/Skeleton.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { sizedWidth, type ColumnsBeside } from './column-tracks.ts';
import type { DataTableProps } from './DataTable.tsx';
import css from './DataTable.module.css';
import { RowMenu } from './RowMenu.tsx';
import { selectedAmong, withRow, withRows } from './row-selection.ts';
import { TableHead } from './TableHead.tsx';
import { TableRow } from './TableRow.tsx';
import { roles } from './table-roles.ts';
import type { Point, RowLook, TableSizing } from './table-parts.ts';
import type { TableTexts } from './table-texts.ts';
import { useColumnLayout } from './useColumnLayout.ts';

type Shared = 'label' | 'identityColumn' | 'columns' | 'rows' | 'rowId' | 'menu' | 'sort' | 'onSort' | 'selection' | 'loadingActions';

interface WideTableProps<Row extends object> extends Pick<DataTableProps<Row>, Shared> {
  readonly scroller: HTMLElement | null;
  readonly onScroller: (scroller: HTMLElement | null) => void;
  readonly look: RowLook<Row>;
  readonly texts: TableTexts;
  readonly state: 'ready' | 'loading' | 'busy';
  readonly sizing: TableSizing;
  /* Kept from one rendering to the next, as the rows are only rendered again with something new. */
  readonly onOpen: (row: Row) => void;
  readonly onAction: (row: Row, actionId: string) => void;
}

const noRows: readonly never[] = [];

/** A <table> that scrolls within its window: rows by document, columns that the customer sizes, one menu for all rows. */
export function WideTable<Row extends object>(props: WideTableProps<Row>) {
  const { scroller, onScroller, look, texts, columns, rowId, menu, selection, sizing, state, onOpen, onAction } = props;
  const isLoading = state === 'loading';
  const rows = isLoading ? noRows : props.rows;
  const tableId = useId();
  const [openMenu, setOpenMenu] = useState<Point & { readonly id: string }>();
  const allColumns = [props.identityColumn, ...columns];
  const { template, offset, minWidth, isNarrow, scrolling } = useColumnLayout({
    scroller,
    columns: allColumns,
    chosen: sizing.widths,
    beside: besideOf(props, rows[0]),
    hasMenu: menu !== undefined,
  });
  const handleMenu = useLatest((row: Row, { x, y }: Point) => setOpenMenu({ id: rowId(row), x, y }));
  const selectedIds = selection?.ids ?? [];
  const ids = rows.map(rowId);
  const handleSelect = useLatest((row: Row, isSelected: boolean) =>
    selection?.onChange(withRow(selectedIds, { id: rowId(row), isSelected })),
  );
  // The rows are not rendered again until the edge is let go.
  const handleDrag = (index: number, width: number): void =>
    scroller?.querySelector('table')?.style.setProperty('--columns', template.with(offset + index, `${width}px`).join(' '));
  const menuRow = rows.find((row) => rowId(row) === openMenu?.id);
  const domIdOf = (id: string): string => `${tableId}-${id}`;
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
        style={styleOf(template, minWidth)}
      >
        <TableHead
          columns={allColumns}
          texts={texts}
          sort={props.sort}
          onSort={props.onSort}
          onDrag={handleDrag}
          onWidth={(columnId, width) => sizing.onWidth(columnId, width === undefined ? undefined : sizedWidth(width))}
          selected={selection && selectedAmong(ids, selectedIds)}
          onSelectAll={(isSelected) => selection?.onChange(withRows(selectedIds, { rows: ids, isSelected }))}
          hasActions={look.actions !== undefined || menu !== undefined}
        />
        <tbody {...roles.group}>
          {rows.map((row, index) => {
            const id = ids[index] ?? '';
            return (
              <TableRow<Row>
                key={id}
                row={row}
                domId={domIdOf(id)}
                isSelected={selectedIds.includes(id)}
                look={look}
                columns={columns}
                texts={texts}
                onOpen={onOpen}
                onAction={onAction}
                onMenu={menu && handleMenu}
                onSelect={selection && handleSelect}
              />
            );
          })}
        </tbody>
      </table>
      {isLoading && (
        <Skeleton
          look="table"
          rows={listLimits.defaultPageSize}
          label={t('list.loading')}
          columns={{ template, minWidth, canSelect: selection !== undefined, count: allColumns.length }}
        />
      )}
      {menu !== undefined && menuRow !== undefined && openMenu !== undefined && (
        <RowMenu
          at={openMenu}
          domId={domIdOf(openMenu.id)}
          entries={menu.entries(menuRow)}
          onAction={(actionId) => menu.onAction(menuRow, actionId)}
          onClose={() => setOpenMenu(undefined)}
        />
      )}
    </div>
  );
}

/** All rows have as many buttons as the first one, or as those that are still loading will have. */
const besideOf = <Row extends object>(props: WideTableProps<Row>, first: Row | undefined): ColumnsBeside => {
  const { look, menu, selection, loadingActions = [] } = props;
  const actions = first && look.actions ? look.actions(first) : loadingActions;
  return {
    canSelect: selection !== undefined,
    buttons: look.actions === undefined && menu === undefined ? undefined : actions.length + (menu ? 1 : 0),
    words: actions.filter(({ worded }) => worded === true).length,
  };
};

/** With a custom property, which React's own type of styles does not know. */
const styleOf = (template: readonly string[], minWidth: string): CSSProperties & { readonly '--columns': string } => ({
  '--columns': template.join(' '),
  minWidth,
});

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
