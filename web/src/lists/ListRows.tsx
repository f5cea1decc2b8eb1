import type { DocumentRow } from '@pergamin/contract';
import { useCallback, useMemo } from 'react';
import { DataTable, type DataTableProps } from '#kit/table/DataTable.tsx';
import { Pager } from '#kit/table/Pager.tsx';
import type { TableColumn } from '#kit/table/table-parts.ts';
import { titleOf } from '#platform/metadata.ts';
import { columnsOf, columnsWithoutRoom, withColumn } from './columns.ts';
import { ContentResults } from './ContentResults.tsx';
import type { DocumentListProps } from './DocumentList.tsx';
import { type List, type ListState, wordsInContents } from './list.store.ts';
import { ListFailed, NotAsked, NothingFound } from './ListStates.tsx';
import { identityOfRow, phoneLinesOf, valueOf } from './row-cells.tsx';
import { isDownloadOnly, isUnread } from './row-rules.ts';
import type { Documents } from './useDocuments.ts';
import type { FiltersDrawer } from './useFiltersDrawer.ts';
import { openingOf, useRowActions } from './useRowActions.ts';

export interface ListRowsProps extends DocumentListProps {
  readonly list: List;
  readonly shown: ListState;
  readonly documents: Documents;
  readonly drawer: FiltersDrawer;
}

/** The rows of a list and its pages, or what was found on the pages of documents. */
export function ListRows(props: ListRowsProps) {
  const { plan, list, shown, documents } = props;
  const { view, page } = shown;
  const { rows, total, state, refresh } = documents;
  const table = useListTable(props);
  const words = wordsInContents(shown);
  if (words !== '')
    return (
      <ContentResults
        text={words}
        hrefOf={props.hrefOf}
        onShow={(row, at) => props.onShow({ ...openingOf(row, titleOf(row)), row, page: at })}
        menu={{ entries: table.menu, onAction: table.onAction }}
      />
    );
  return (
    <>
      <DataTable<DocumentRow>
        {...table}
        label={plan.label}
        asList={props.drawer.phone}
        rows={rows}
        sort={view.sort[0]}
        onSort={list.sort}
        viewId={`${page} ${view.pageSize} ${JSON.stringify(view.sort)}`}
        state={state === 'unasked' ? 'failed' : state}
        empty={
          state === 'failed' ? (
            <ListFailed error={documents.error} onRetry={refresh} />
          ) : state === 'unasked' ? (
            <NotAsked plan={plan} onChange={list.change} />
          ) : (
            <NothingFound plan={plan} view={view} onChange={list.change} onRefresh={refresh} />
          )
        }
      />
      {(state === 'ready' || state === 'busy') && total > 0 && (
        <Pager
          page={page}
          pageSize={view.pageSize}
          total={total}
          onPage={(wanted) => {
            list.set({ page: wanted });
            props.onPage?.();
          }}
          onPageSize={(pageSize) => list.change({ pageSize })}
          name={plan.label}
        />
      )}
    </>
  );
}

const idOf = (row: DocumentRow): string => row.id;

/** The props of the table for a plan and a view. Its functions are kept until what they show changes, so that rows are not rendered again. */
function useListTable(props: ListRowsProps) {
  const { plan, list, drawer, hrefOf } = props;
  const { view, selected } = props.shown;
  const { isOwn } = props.source;
  const { texts } = props.metadata;
  const { ignoreMarkers } = props.documents;
  const { first } = plan;
  const { actionsOf, menuActionsOf, act, open, verdicts } = useRowActions(props);
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
          cell: (row) => valueOf(row, { key, look, texts }),
        })),
    [plan, shownKeys, texts, isWide],
  );
  return {
    identityColumn: { id: first.sortKey, header: first.header, sortable: true, width: first.width, narrowWidth: first.narrowWidth },
    columns,
    rowId: idOf,
    identity: useCallback(
      (row: DocumentRow) => ({
        ...identityOfRow(plan, row, { texts, href: hrefOf(row.id), verdict: verdicts.get(row.id) }),
        // What a visitor has read is not known.
        unread: isOwn && isUnread(row),
        muted: isDownloadOnly(row, ignoreMarkers),
      }),
      [plan, texts, hrefOf, verdicts, isOwn, ignoreMarkers],
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
  } satisfies Partial<DataTableProps<DocumentRow>>;
}
