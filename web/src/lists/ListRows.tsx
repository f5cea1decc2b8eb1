import type { DocumentRow } from '@pergamin/contract';
import { DataTable } from '#kit/table/DataTable.tsx';
import { Pager } from '#kit/table/Pager.tsx';
import { titleOf } from '#platform/metadata.ts';
import { ContentResults } from './ContentResults.tsx';
import type { DocumentListProps } from './DocumentList.tsx';
import { type ListState, wordsInContents } from './list.state.ts';
import type { List } from './list.store.ts';
import { ListFailed, NotAsked, NothingFound } from './ListStates.tsx';
import { nameOfRow } from './row-cells.tsx';
import type { Documents } from './useDocuments.ts';
import { useListTable } from './useListTable.tsx';

interface ListRowsProps extends DocumentListProps {
  readonly list: List;
  readonly shown: ListState;
  readonly documents: Documents;
  readonly isWide: boolean;
  /** How many of the columns that may leave have to. */
  readonly lacking: number;
  /** Laid out as on a phone. */
  readonly phone: boolean;
}

/** The rows of a list and its pages, or what was found on the pages of documents. */
export function ListRows(props: ListRowsProps) {
  const { plan, source, metadata, list, shown, documents, hrefOf } = props;
  const { view, page } = shown;
  const { rows, total, state, refresh } = documents;
  const isAsked = state !== 'failed' && state !== 'unasked';
  const table = useListTable(plan, {
    source,
    list,
    shown,
    texts: metadata.texts,
    ignoreMarkers: documents.ignoreMarkers,
    wide: props.isWide,
    lacking: props.lacking,
    phone: props.phone,
    hrefOf,
    onShow: (row) => props.onShow({ ...openingOf(row, nameOfRow(plan, row)), row }),
    onHistory: (row) => props.onHistory?.(openingOf(row, nameOfRow(plan, row))),
  });
  const handlePage = (wanted: number): void => {
    list.setPage(wanted);
    props.onPage?.();
  };
  const words = wordsInContents(shown);
  if (words !== '')
    return (
      <ContentResults
        text={words}
        hrefOf={hrefOf}
        onShow={(row, at) => props.onShow({ ...openingOf(row, titleOf(row)), row, page: at })}
        menu={{ entries: table.menu, onAction: table.onAction }}
      />
    );
  return (
    <>
      <DataTable<DocumentRow>
        {...table}
        label={plan.label}
        asList={props.phone}
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
          onPage={handlePage}
          onPageSize={(pageSize) => list.change({ pageSize })}
          name={plan.label}
        />
      )}
    </>
  );
}

/** What is opened, by what it is called here, and from where. */
const openingOf = ({ id }: DocumentRow, title: string) => ({
  id,
  title,
  opener: document.activeElement instanceof HTMLElement ? document.activeElement : null,
});
