import { listLimits, type DocumentRow } from '@pergamin/contract';
import { useState } from 'react';
import { formatDeepLink } from '#desktop/deep-link.ts';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { announce } from '#kit/Announcer.tsx';
import { Button } from '#kit/Button.tsx';
import { DataTable } from '#kit/DataTable.tsx';
import { EmptyState, ErrorState } from '#kit/EmptyState.tsx';
import { Pager } from '#kit/Pager.tsx';
import { sentenceOf } from '#platform/errors.ts';
import { t } from '#platform/language.ts';
import { titleOf } from '#platform/metadata.ts';
import { pagerTexts, tableTexts } from './list-texts.ts';
import { groupId, identityOf, phoneLines, receivedColumns } from './received.columns.tsx';
import { useReceivedDocuments, type ListView } from './received.queries.ts';
import { isDownloadOnly, isUnread } from './received.rules.ts';
import { useRowActions } from './useRowActions.ts';

interface ReceivedDocumentsWindowProps {
  readonly onOpen: (documentId: string, title: string, opener: HTMLElement | null) => void;
}

const newestFirst: ListView = { page: 0, pageSize: listLimits.defaultPageSize, sort: { by: 'PUBLICATION_DATE', order: 'desc' } };

/** The documents delivered to the caller: a table, on a phone a list. */
export function ReceivedDocumentsWindow({ onOpen }: ReceivedDocumentsWindowProps) {
  const [view, setView] = useState(newestFirst);
  const { metadata, rows, total, ignoreMarkers, state, error, refresh } = useReceivedDocuments(view);
  const [columns] = useState(receivedColumns);
  const [texts] = useState(() => ({ table: tableTexts(), pager: pagerTexts() }));
  const handleShow = (row: DocumentRow) =>
    onOpen(row.id, titleOf(row), document.activeElement instanceof HTMLElement ? document.activeElement : null);
  const { actionsOf, act, open } = useRowActions({ ignoreMarkers, onShow: handleShow });
  useKeptFocus(state === 'ready');

  // Documents may have been taken away since the page was chosen.
  const lastPage = Math.max(0, Math.ceil(total / view.pageSize) - 1);
  if (state === 'ready' && view.page > lastPage) setView({ ...view, page: lastPage });

  const handleSort = (columnId: string) => {
    const isSame = view.sort.by === columnId;
    const order = isSame && view.sort.order === 'desc' ? 'asc' : 'desc';
    const column = columnId === groupId ? t('column.productGroup') : (columns.find(({ id }) => id === columnId)?.header ?? columnId);
    announce(`${t('list.sortBy', { column })}, ${t(order === 'asc' ? 'list.ascending' : 'list.descending')}`);
    setView({ ...view, page: 0, sort: { by: columnId, order } });
  };
  return (
    <>
      <DataTable<DocumentRow>
        label={t('documents.received')}
        texts={texts.table}
        identityColumn={{ id: groupId, header: t('column.productGroup'), sortable: true }}
        columns={columns}
        rows={state === 'failed' ? [] : rows}
        rowId={(row) => row.id}
        identity={(row) => identityOf(row, metadata.texts, `./${formatDeepLink({ kind: 'document', id: row.id })}`)}
        phoneLines={(row) => phoneLines(row, metadata.texts)}
        isUnread={isUnread}
        isMuted={(row) => isDownloadOnly(row, ignoreMarkers)}
        actions={actionsOf}
        onAction={act}
        onOpen={open}
        sort={{ columnId: view.sort.by, descending: view.sort.order === 'desc' }}
        onSort={handleSort}
        viewId={`${view.page} ${view.pageSize} ${view.sort.by} ${view.sort.order}`}
        state={state === 'failed' ? 'ready' : state}
        empty={state === 'failed' ? <Failed error={error} onRetry={refresh} /> : <Nothing onRefresh={refresh} />}
      />
      {state !== 'failed' && total > 0 && (
        <Pager
          page={view.page}
          pageSize={view.pageSize}
          total={total}
          onPage={(page) => setView({ ...view, page })}
          onPageSize={(pageSize) => setView({ ...view, page: 0, pageSize })}
          texts={texts.pager}
        />
      )}
    </>
  );
}

function Nothing({ onRefresh }: { readonly onRefresh: () => void }) {
  return (
    <EmptyState
      title={t('list.empty')}
      text={t('list.emptyLead')}
      action={
        <Button icon="arrow-clockwise" onClick={onRefresh}>
          {t('list.refresh')}
        </Button>
      }
    />
  );
}

function Failed({ error, onRetry }: { readonly error: Error | null; readonly onRetry: () => void }) {
  return (
    <ErrorState
      title={t('list.failed')}
      text={sentenceOf(error)}
      action={
        <Button icon="arrow-clockwise" onClick={onRetry}>
          {t('error.tryAgain')}
        </Button>
      }
    />
  );
}
