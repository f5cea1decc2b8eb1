import { listLimits } from '@pergamin/contract';
import type { CSSProperties, KeyboardEvent } from 'react';
import { t } from '#platform/language.ts';
import { Skeleton } from '#kit/feedback/Skeleton.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { useColumnLayout } from './column-layout.ts';
import type { TableViewProps } from './DataTable.tsx';
import css from './DataTable.module.css';
import { TableHead } from './TableHead.tsx';
import { roles } from './table-parts.ts';
import { TableRow } from './TableRow.tsx';

/** A <table> that scrolls within its window: rows by document, columns that the customer sizes. */
export function WideTable<Row extends object>(props: TableViewProps<Row>) {
  const { shownRows, columns, rowId, identity, actions, menu, selection, sizing, state, onScroller, onOpen, onAction } = props;
  const allColumns = [props.identityColumn, ...columns];
  const hasActions = actions !== undefined || menu !== undefined;
  const { template, minWidth, isNarrow, scrolling } = useColumnLayout({
    scroller: props.scroller,
    columns: allColumns,
    chosen: sizing.widths,
    canSelect: selection !== undefined,
    // All rows have as many buttons as the first one, or as those that are still loading will have.
    actions: hasActions ? ((shownRows[0] && actions?.(shownRows[0])) ?? props.loadingActions ?? []) : undefined,
    hasMenu: menu !== undefined,
  });
  const ids = (state === 'loading' ? [] : props.rows).map(rowId);
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
          columns={allColumns}
          sort={props.sort}
          onSort={props.onSort}
          onWidth={sizing.onWidth}
          selected={selection && ids.filter((id) => selectedIds.includes(id)).length / ids.length}
          onSelectAll={(isSelected) => select(ids, isSelected)}
          hasActions={hasActions}
        />
        <tbody {...roles.group}>
          {shownRows.map((row) => (
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
