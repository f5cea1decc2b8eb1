import type { SentDocument } from '@pergamin/contract';
import { useState } from 'react';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { DataTable } from '#kit/table/DataTable.tsx';
import { ChipRow } from '#lists/ChipRow.tsx';
import { EmptyList, ListFailed } from '#lists/ListStates.tsx';
import { ListFrame } from '#lists/ListFrame.tsx';
import { useFiltersDrawer } from '#lists/useFiltersDrawer.ts';
import { useResultAnnouncement } from '#lists/useResultAnnouncement.ts';
import type { Opening } from '#lists/useRowActions.ts';
import { Pager } from '#kit/table/Pager.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { t } from '#platform/language.ts';
import { SentFilterForm } from './SentFilterForm.tsx';
import { countFilters, firstView, noFilters, sentFields, type SentView, withFilter } from './sent-view.ts';
import { useSentList, useSentOptions } from './sent.queries.ts';
import { useSentTable } from './useSentTable.tsx';

export interface SentDocumentsWindowProps {
  readonly hrefOf: (id: string) => string;
  readonly onShow: (document: Opening) => void;
  readonly onSend: () => void;
}

/** With less room than this the filters are closed at first. */
const drawerOpenFromPx = 1_200;
/** With less room than this one column leaves. */
const allColumnsFromPx = 912;

/** What the person has sent to the organisation (I). */
export function SentDocumentsWindow({ hrefOf, onShow, onSend }: SentDocumentsWindowProps) {
  const drawer = useFiltersDrawer({ openFromPx: drawerOpenFromPx, fitsFromPx: [allColumnsFromPx] });
  const [view, setView] = useState<SentView>(firstView);
  const { rows, total, state, error, refresh } = useSentList(view);
  const optionsOf = useSentOptions();
  useKeptFocus(state === 'ready');
  useResultAnnouncement(state === 'ready' ? total : undefined, [view.text, view.filters]);

  const lastPage = Math.max(0, Math.ceil(total / view.pageSize) - 1);
  if (state === 'ready' && view.page > lastPage) setView({ ...view, page: lastPage });

  const change = useLatest((part: Partial<SentView>) => setView((now) => ({ ...now, page: 0, ...part })));
  const handleSort = useLatest(() => {
    const order = view.order === 'desc' ? 'asc' : 'desc';
    announce(`${t('list.sortBy', { column: t('sent.sendDate') })}, ${t(order === 'asc' ? 'list.ascending' : 'list.descending')}`);
    change({ order });
  });
  const table = useSentTable({ roomy: drawer.lacking === 0, hrefOf, onShow });
  const filterCount = countFilters(view.filters);
  const isNarrowed = view.text !== '' || filterCount > 0;
  const chips = sentFields
    .filter(({ key }) => view.filters[key] !== '')
    .map(({ key, label }) => ({
      key,
      label: t(label),
      value: optionsOf(key, view.filters).find(({ id }) => id === view.filters[key])?.label ?? view.filters[key],
      onRemove: () => change({ filters: withFilter(view.filters, key, '') }),
    }));
  return (
    <ListFrame
      drawer={drawer}
      search={{ label: t('sent.search'), text: view.text, onSearch: (text) => change({ text }) }}
      filters={
        <SentFilterForm
          applied={view.filters}
          optionsOf={optionsOf}
          order={view.order}
          onSort={handleSort}
          onApply={(filters) => {
            change({ filters });
            drawer.makeRoom();
          }}
        />
      }
      filterCount={filterCount}
      chips={<ChipRow chips={chips} />}
      lead={
        <Button kind="primary" icon="upload-simple" wide={drawer.phone} onClick={onSend}>
          {t('sending.send')}
        </Button>
      }
    >
      <DataTable<SentDocument>
        {...table}
        label={t('sent.title')}
        asList={drawer.phone}
        rows={rows}
        sort={{ by: 'createdOn', order: view.order }}
        onSort={handleSort}
        viewId={`${view.page} ${view.pageSize} ${view.order}`}
        state={state}
        empty={
          state === 'failed' ? (
            <ListFailed error={error} onRetry={refresh} />
          ) : (
            <EmptyList text={t(isNarrowed ? 'list.emptyLead' : 'sent.emptyLead')} onRefresh={refresh}>
              {isNarrowed ? (
                <Button kind="primary" onClick={() => change({ text: '', filters: noFilters })}>
                  {t('list.withoutFilters')}
                </Button>
              ) : (
                <Button icon="upload-simple" onClick={onSend}>
                  {t('sending.send')}
                </Button>
              )}
            </EmptyList>
          )
        }
      />
      {state !== 'failed' && total > 0 && (
        <Pager
          page={view.page}
          pageSize={view.pageSize}
          total={total}
          onPage={(page) => change({ page })}
          onPageSize={(pageSize) => change({ pageSize })}
          name={t('sent.title')}
        />
      )}
    </ListFrame>
  );
}
