import type { SentDocument } from '@pergamin/contract';
import { useState } from 'react';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { Button } from '#kit/buttons/Button.tsx';
import { EmptyState } from '#kit/feedback/EmptyState.tsx';
import { DataTable } from '#kit/table/DataTable.tsx';
import { ListFailed } from '#lists/ListStates.tsx';
import statesCss from '#lists/ListStates.module.css';
import { ListFrame } from '#lists/ListFrame.tsx';
import { useFiltersDrawer } from '#lists/useFiltersDrawer.ts';
import { useResultAnnouncement } from '#lists/useResultAnnouncement.ts';
import { Pager } from '#kit/table/Pager.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { t } from '#platform/language.ts';
import { SentChips } from './SentChips.tsx';
import { SentFilterForm } from './SentFilterForm.tsx';
import { countFilters, firstView, type SentView } from './sent-view.ts';
import { useSentChoices, useSentList } from './sent.queries.ts';
import { useSentTable } from './useSentTable.tsx';

export interface SentDocumentsWindowProps {
  /** Where a sent document can be found by itself. */
  readonly hrefOf: (id: string) => string;
  readonly onShow: (document: { readonly id: string; readonly title: string; readonly opener: HTMLElement | null }) => void;
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
  const choices = useSentChoices();
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
  const isNarrowed = view.text !== '' || countFilters(view.filters) > 0;
  return (
    <ListFrame
      drawer={drawer}
      search={{ label: t('sent.search'), text: view.text, onSearch: (text) => change({ text }) }}
      filters={
        <SentFilterForm
          applied={view.filters}
          choices={choices}
          order={view.order}
          onSort={handleSort}
          onApply={(filters) => {
            change({ filters });
            drawer.makeRoom();
          }}
        />
      }
      filterCount={countFilters(view.filters)}
      chips={<SentChips filters={view.filters} choices={choices} onChange={(filters) => change({ filters })} />}
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
        rows={state === 'failed' ? [] : rows}
        sort={{ by: 'createdOn', order: view.order }}
        onSort={handleSort}
        viewId={`${view.page} ${view.pageSize} ${view.order}`}
        state={state === 'failed' ? 'ready' : state}
        empty={
          state === 'failed' ? (
            <ListFailed error={error} onRetry={refresh} />
          ) : (
            <NothingSent
              onWiden={isNarrowed ? () => change({ text: '', filters: firstView.filters }) : undefined}
              {...{ onSend, refresh }}
            />
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

interface NothingSentProps extends Pick<SentDocumentsWindowProps, 'onSend'> {
  /** Where something narrows the list. */
  readonly onWiden: (() => void) | undefined;
  readonly refresh: () => void;
}

/** In place of rows: what can be done about there being none. */
function NothingSent({ onWiden, onSend, refresh }: NothingSentProps) {
  return (
    <EmptyState
      title={t('list.empty')}
      text={t(onWiden === undefined ? 'sent.emptyLead' : 'list.emptyLead')}
      action={
        <span className={statesCss['ways']}>
          {onWiden === undefined ? (
            <Button icon="upload-simple" onClick={onSend}>
              {t('sending.send')}
            </Button>
          ) : (
            <Button kind="primary" onClick={onWiden}>
              {t('list.withoutFilters')}
            </Button>
          )}
          <Button icon="arrow-clockwise" onClick={refresh}>
            {t('list.refresh')}
          </Button>
        </span>
      }
    />
  );
}
