import type { DocumentRow } from '@pergamin/contract';
import { useCallback, useMemo } from 'react';
import type { TableContent } from '#kit/table/DataTable.tsx';
import type { TableColumn } from '#kit/table/table-parts.ts';
import { columnsOf, columnsWithoutRoom, withColumn } from './columns.ts';
import type { ListRowsProps } from './ListRows.tsx';
import { identityOfRow, phoneLinesOf, valueOf } from './row-cells.tsx';
import { isDownloadOnly, isUnread } from './row-rules.ts';
import { useRowActions } from './useRowActions.ts';

const idOf = (row: DocumentRow): string => row.id;

/** The props of the table for a plan and a view. Its functions are kept until what they show changes, so that rows are not rendered again. */
export function useListTable(props: ListRowsProps) {
  const { plan, list, drawer, hrefOf } = props;
  const { view, selected } = props.shown;
  const { isOwn } = props.source;
  const { texts } = props.metadata;
  const { ignoreMarkers } = props.documents;
  const { first } = plan;
  const { actionsOf, menuActionsOf, act, open, verdictOf } = useRowActions(props);
  const { isWide } = drawer;
  const gone = new Set(columnsWithoutRoom(plan, view.columns, drawer.lacking).map(({ key }) => key));
  const shownKeys = columnsOf(plan, view.columns)
    .filter(({ key, shown }) => shown && !gone.has(key))
    .map(({ key }) => key)
    .join(' ');
  const columns = useMemo(
    () =>
      plan.columns
        .filter(({ key }) => shownKeys.split(' ').includes(key))
        .map(({ key, header, look, width, narrowWidth, wideWidth = width }): TableColumn<DocumentRow> => ({
          id: key,
          header,
          sortable: true,
          width: isWide ? wideWidth : width,
          narrowWidth,
          cell: (row) => valueOf({ id: key, value: row.metadata[key], look, texts }),
        })),
    [plan, shownKeys, texts, isWide],
  );
  return {
    identityColumn: { id: first.sortKey, header: first.header, sortable: true, width: first.width, narrowWidth: first.narrowWidth },
    columns,
    rowId: idOf,
    identity: useCallback(
      (row: DocumentRow) => ({
        ...identityOfRow(plan, row, { texts, href: hrefOf(row.id), verdict: verdictOf(row) }),
        // What a visitor has read is not known.
        unread: isOwn && isUnread(row),
        muted: isDownloadOnly(row, ignoreMarkers),
      }),
      [plan, texts, hrefOf, verdictOf, isOwn, ignoreMarkers],
    ),
    phoneLines: useCallback((row: DocumentRow) => phoneLinesOf(plan, row, texts), [plan, texts]),
    actions: actionsOf,
    loadingActions: plan.actions.filter(({ onlyInMenu }) => onlyInMenu !== true),
    menu: menuActionsOf,
    onAction: act,
    onOpen: open,
    sizing: {
      widths: Object.fromEntries(view.columns.map(({ key, widthPx }) => [key, widthPx ?? undefined])),
      onWidth: (key, px) => list.setColumns(withColumn(plan, view.columns, { key, widthPx: px ?? null })),
    },
    selection: isOwn ? { ids: selected, onChange: (ids: readonly string[]) => list.set({ selected: ids }) } : undefined,
  } satisfies TableContent<DocumentRow>;
}
