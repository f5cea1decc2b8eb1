import type { SentDocument } from '@pergamin/contract';
import { useEffect, useId, useRef, useState } from 'react';
import { useKeptFocus } from '#desktop/useKeptFocus.ts';
import { announce } from '#kit/Announcer.tsx';
import { Button } from '#kit/Button.tsx';
import { DataTable } from '#kit/DataTable.tsx';
import { ListFailed } from '#lists/ListStates.tsx';
import { ListBar } from '#lists/ListBar.tsx';
import { pagerTexts, tableTexts } from '#lists/list-texts.ts';
import { PhoneBar } from '#lists/PhoneBar.tsx';
import { Pager } from '#kit/Pager.tsx';
import { useLatest } from '#kit/useLatest.ts';
import { useNarrow } from '#kit/useNarrow.ts';
import { usePhone } from '#kit/usePhone.ts';
import { t } from '#platform/language.ts';
import { NothingSent } from './NothingSent.tsx';
import { SentChips } from './SentChips.tsx';
import css from './SentDocumentsWindow.module.css';
import { SentFilterForm } from './SentFilterForm.tsx';
import { countFilters, firstView, type SentView } from './sent-view.ts';
import { useSentChoices, useSentList } from './sent.queries.ts';
import { useSentTable } from './useSentTable.tsx';

interface SentDocumentsWindowProps {
  /** Where a sent document can be found by itself. */
  readonly hrefOf: (id: string) => string;
  readonly onShow: (document: { readonly id: string; readonly title: string; readonly opener: HTMLElement | null }) => void;
  readonly onSend: () => void;
}

/** With less room than this the filters take the place of the rows, with less than that they are closed at first. */
const drawerFromPx = 720;
const drawerOpenFromPx = 1_200;
const noMenu = [] as const;
const nothing = (): void => undefined;

/** What the person has sent to the organisation (I). */
export function SentDocumentsWindow({ hrefOf, onShow, onSend }: SentDocumentsWindowProps) {
  const phone = usePhone();
  const filtersId = useId();
  const [root, setRoot] = useState<HTMLElement | null>(null);
  const cramped = useNarrow(root, drawerFromPx) || phone;
  const small = useNarrow(root, drawerOpenFromPx) || phone;
  const [chosenOpen, setChosenOpen] = useState<boolean>();
  const [view, setView] = useState<SentView>(firstView);
  const [texts] = useState(() => ({ table: tableTexts(), pager: pagerTexts(t('sent.title')) }));
  const { rows, total, state, error, refresh } = useSentList(view);
  const choices = useSentChoices();
  const filtersOpen = chosenOpen ?? (root !== null && !small);
  useKeptFocus(state === 'ready');
  useFoundVoice(state === 'ready' ? total : undefined, view);

  const lastPage = Math.max(0, Math.ceil(total / view.pageSize) - 1);
  if (state === 'ready' && view.page > lastPage) setView({ ...view, page: lastPage });

  const change = useLatest((part: Partial<SentView>) => setView((now) => ({ ...now, page: 0, ...part })));
  const handleSort = useLatest(() => {
    const order = view.order === 'desc' ? 'asc' : 'desc';
    announce(`${t('list.sortBy', { column: t('sent.sendDate') })}, ${t(order === 'asc' ? 'list.ascending' : 'list.descending')}`);
    change({ order });
  });
  const table = useSentTable({ roomy: !(filtersOpen && small), hrefOf, onShow });
  const handleFilters = () => setChosenOpen(!filtersOpen);
  const send = (
    <Button kind="primary" icon="upload-simple" wide={phone} onClick={onSend}>
      {t('sending.send')}
    </Button>
  );
  const search = { searchLabel: t('sent.search'), text: view.text, onSearch: (text: string) => change({ text }), filtersOpen, filtersId };
  return (
    <div ref={setRoot} className={css['list']} data-phone={phone || undefined}>
      {phone && (
        <PhoneBar
          {...search}
          filterCount={countFilters(view.filters)}
          summary=""
          onFilters={handleFilters}
          menu={noMenu}
          onMenu={nothing}
        />
      )}
      {!phone && cramped && filtersOpen && (
        <div className={css['back']}>
          <Button kind="quiet" aria-expanded="true" aria-controls={filtersId} onClick={handleFilters}>
            {t('filters.backToList')}
          </Button>
        </div>
      )}
      <div className={css['parts']}>
        <aside
          id={filtersId}
          className={css['drawer']}
          data-whole={cramped || undefined}
          hidden={!filtersOpen}
          aria-label={t('filters.title')}
        >
          <SentFilterForm
            applied={view.filters}
            choices={choices}
            order={view.order}
            onSort={handleSort}
            onApply={(filters) => {
              change({ filters });
              if (cramped) setChosenOpen(false);
            }}
          />
        </aside>
        {!(cramped && filtersOpen) && (
          <div className={css['main']}>
            {!phone && (
              <div className={css['bar']}>
                {send}
                <ListBar
                  {...search}
                  onFilters={handleFilters}
                  chips={<SentChips filters={view.filters} choices={choices} onChange={(filters) => change({ filters })} />}
                >
                  {null}
                </ListBar>
              </div>
            )}
            <DataTable<SentDocument>
              {...table}
              label={t('sent.title')}
              texts={texts.table}
              rows={state === 'failed' ? [] : rows}
              sort={{ columnId: 'createdOn', descending: view.order === 'desc' }}
              onSort={handleSort}
              viewId={`${view.page} ${view.pageSize} ${view.order}`}
              state={state === 'failed' ? 'ready' : state}
              empty={
                state === 'failed' ? (
                  <ListFailed error={error} onRetry={refresh} />
                ) : (
                  <NothingSent
                    isNarrowed={view.text !== '' || countFilters(view.filters) > 0}
                    onWiden={() => change({ text: '', filters: firstView.filters })}
                    onSend={onSend}
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
                texts={texts.pager}
              />
            )}
            {phone && <div className={css['foot']}>{send}</div>}
          </div>
        )}
      </div>
    </div>
  );
}

/** Says how much a search found: whoever does not see the rows hears of them. */
function useFoundVoice(total: number | undefined, { text, filters }: SentView): void {
  const heard = useRef({ text, filters });
  useEffect(() => {
    const before = heard.current;
    if (total === undefined || (before.text === text && before.filters === filters)) return;
    heard.current = { text, filters };
    announce(t('list.found', { count: total }));
  }, [total, text, filters]);
}
