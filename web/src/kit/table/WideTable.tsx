import { listLimits } from '@pergamin/contract';
import { useId, useState } from 'react';
import type { CSSProperties, KeyboardEvent } from 'react';
import { t } from '#platform/language.ts';
import { Skeleton } from '#kit/feedback/Skeleton.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { useColumnLayout } from './column-layout.ts';
import type { DataTableProps } from './DataTable.tsx';
import css from './DataTable.module.css';
import { RowMenu } from './RowMenu.tsx';
import { TableHead } from './TableHead.tsx';
import { TableRow } from './TableRow.tsx';
import { roles } from './table-roles.ts';
import type { MenuPlace, ShownRows, TableSizing } from './table-parts.ts';

type Shared = 'label' | 'identityColumn' | 'columns' | 'rows' | 'rowId' | 'menu' | 'sort' | 'onSort' | 'selection' | 'loadingActions';
type WideTableProps<Row extends object> = Pick<DataTableProps<Row>, Shared> & ShownRows<Row> & { readonly sizing: TableSizing };

const none: readonly never[] = [];

/** A <table> that scrolls within its window: rows by document, columns that the customer sizes, one menu for all rows. */
export function WideTable<Row extends object>(props: WideTableProps<Row>) {
  const { scroller, onScroller, look, columns, rowId, menu, selection, sizing, state, onOpen, onAction } = props;
  const isLoading = state === 'loading';
  const rows = isLoading ? none : props.rows;
  const tableId = useId();
  const [openMenu, setOpenMenu] = useState<{ readonly id: string; readonly at: MenuPlace }>();
  const allColumns = [props.identityColumn, ...columns];
  const hasActions = look.actions !== undefined || menu !== undefined;
  const { template, offset, minWidth, isNarrow, scrolling } = useColumnLayout({
    scroller,
    columns: allColumns,
    chosen: sizing.widths,
    canSelect: selection !== undefined,
    // All rows have as many buttons as the first one, or as those that are still loading will have.
    actions: (rows[0] && look.actions?.(rows[0])) ?? props.loadingActions ?? none,
    hasActions,
    hasMenu: menu !== undefined,
  });
  const handleMenu = useLatest((row: Row, at: MenuPlace) => setOpenMenu({ id: rowId(row), at }));
  const ids = rows.map(rowId);
  const selectedIds = selection?.ids ?? none;
  const select = (changed: readonly string[], isSelected: boolean): void => {
    // What is selected may stand on other pages, too.
    const others = selectedIds.filter((id) => !changed.includes(id));
    selection?.onChange(isSelected ? [...others, ...changed] : others);
  };
  const handleSelect = useLatest((row: Row, isSelected: boolean) => select([rowId(row)], isSelected));
  // The rows are not rendered again until the edge is let go.
  const handleDrag = (index: number, width: number): void =>
    scroller?.querySelector('table')?.style.setProperty('--columns', template.with(offset + index, `${width}px`).join(' '));
  const menuRow = rows.find((row) => rowId(row) === openMenu?.id);
  const menuIdOf = (id: string): string => `${tableId}-${id}-menu`;
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
          sort={props.sort}
          onSort={props.onSort}
          onDrag={handleDrag}
          onWidth={sizing.onWidth}
          selected={selection && ids.filter((id) => selectedIds.includes(id)).length / ids.length}
          onSelectAll={(isSelected) => select(ids, isSelected)}
          hasActions={hasActions}
        />
        <tbody {...roles.group}>
          {(isLoading ? none : props.shownRows).map((row) => (
            <TableRow<Row>
              key={rowId(row)}
              row={row}
              menuId={menuIdOf(rowId(row))}
              isSelected={selectedIds.includes(rowId(row))}
              look={look}
              columns={columns}
              onOpen={onOpen}
              onAction={onAction}
              onMenu={menu && handleMenu}
              onSelect={selection && handleSelect}
            />
          ))}
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
          at={openMenu.at}
          labelledBy={menuIdOf(openMenu.id)}
          entries={menu.entries(menuRow)}
          onAction={(actionId) => menu.onAction(menuRow, actionId)}
          onClose={() => setOpenMenu(undefined)}
        />
      )}
    </div>
  );
}

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
