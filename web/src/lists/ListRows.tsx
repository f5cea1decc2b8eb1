import type { DocumentRow } from '@pergamin/contract';
import { DataTable } from '#kit/table/DataTable.tsx';
import { Pager } from '#kit/table/Pager.tsx';
import { titleOf } from '#platform/metadata.ts';
import { ContentResults } from './ContentResults.tsx';
import type { DocumentListProps } from './DocumentList.tsx';
import { type List, type ListState, wordsInContents } from './list.store.ts';
import { ListFailed, NotAsked, NothingFound } from './ListStates.tsx';
import type { Documents } from './useDocuments.ts';
import type { FiltersDrawer } from './useFiltersDrawer.ts';
import { useListTable } from './useListTable.tsx';
import { openingOf } from './useRowActions.ts';

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
  const isAsked = state !== 'failed' && state !== 'unasked';
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
        rows={isAsked ? rows : []}
        sort={view.sort[0]}
        onSort={list.sort}
        viewId={`${page} ${view.pageSize} ${JSON.stringify(view.sort)}`}
        state={isAsked ? state : 'ready'}
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
