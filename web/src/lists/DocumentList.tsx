import type { DocumentRow } from '@pergamin/contract';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { t } from '#platform/language.ts';
import { titleOf } from '#platform/metadata.ts';
import type { OwnMetadata } from '#platform/metadata.queries.ts';
import { announce } from '#kit/Announcer.tsx';
import { DataTable } from '#kit/DataTable.tsx';
import { MenuButton } from '#kit/MenuButton.tsx';
import type { MenuEntry } from '#kit/menu-entry.ts';
import { Pager } from '#kit/Pager.tsx';
import { useLatest } from '#kit/useLatest.ts';
import { useNarrow } from '#kit/useNarrow.ts';
import { usePhone } from '#kit/usePhone.ts';
import { ContentResults } from './ContentResults.tsx';
import { ColumnsPanel } from './ColumnsPanel.tsx';
import { columnsOf } from './columns.ts';
import css from './DocumentList.module.css';
import { ExportProgress } from './ExportProgress.tsx';
import { FilterChips } from './FilterChips.tsx';
import { FilterForm } from './FilterForm.tsx';
import { ListBar } from './ListBar.tsx';
import { ListFailed, NotAsked, NothingFound } from './ListStates.tsx';
import type { ListPlan, ListView } from './list-plan.ts';
import { countFilters, firstView, nextSort, periodOf } from './list-rules.ts';
import { pagerTexts, periodText, tableTexts } from './list-texts.ts';
import type { ListSource } from './list-source.ts';
import { PhoneBar } from './PhoneBar.tsx';
import { nameOfRow } from './row-cells.tsx';
import { SavedViews } from './SavedViews.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { useDocuments } from './useDocuments.ts';
import { mostInCsv, useExports } from './useExports.ts';
import { useFilterOptions } from './useFilterOptions.ts';
import { useListTable } from './useListTable.tsx';

export interface DocumentListProps {
  readonly plan: ListPlan;
  readonly source: ListSource;
  readonly metadata: OwnMetadata;
  /** What it begins with, where that is not the usual. */
  readonly begins?: Partial<ListView> | undefined;
  /** Whether the filters are open beside the rows at first, where there is room. */
  readonly filtersFirst?: boolean;
  /** The address of a document, where it has one. */
  readonly hrefOf: (id: string) => string | undefined;
  readonly onShow: (document: {
    readonly id: string;
    readonly title: string;
    readonly opener: HTMLElement | null;
    readonly row: DocumentRow;
    /** Where something was found in it. */
    readonly page?: number;
  }) => void;
  /** Whether the rows are those that were asked for last: whoever minds a focus that went with them waits for that. */
  readonly onSettled?: (settled: boolean) => void;
}

/** With less room than this the filters take the place of the rows. */
const drawerFromPx = 720;
const drawerPx = 272;
/** Boxes for picking rows, and the buttons of a row. */
const besidesPx = 208;

/** With less room than this the filters are closed at first: beside them the columns would be squeezed. */
const drawerOpenFromPx = ({ first, columns }: ListPlan): number =>
  columns.reduce((sum, { width }) => sum + width, (first.width ?? 220) + besidesPx + drawerPx);

/** A list of documents: search, filters, saved views, rows, pages, exports; told by its plan. */
export function DocumentList(props: DocumentListProps) {
  const { plan, source, metadata } = props;
  const phone = usePhone();
  const filtersId = useId();
  const [root, setRoot] = useState<HTMLElement | null>(null);
  const cramped = useNarrow(root, drawerFromPx) || phone;
  const small = useNarrow(root, drawerOpenFromPx(plan)) || phone;
  const [chosenOpen, setChosenOpen] = useState<boolean>();
  const [view, setView] = useState<ListView>(() => ({ ...firstView(plan), ...props.begins }));
  const [page, setPage] = useState(0);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const [texts] = useState(() => ({ table: tableTexts(), pager: pagerTexts(plan.label) }));
  const [inContents, setInContents] = useState(false);
  // What is sought on pages is not sought in details at the same time.
  const listed = useMemo(() => (inContents ? { ...view, text: '' } : view), [inContents, view]);
  const documents = useDocuments(plan, { source, metadata, view: listed, page });
  const { rows, total, state, refresh } = documents;
  const exports = useExports();
  const place = source.isOwn ? { inContents, onChange: setInContents } : undefined;
  const sought = inContents ? view.text.trim() : '';
  const filtersOpen = chosenOpen ?? (root !== null && !small && (props.filtersFirst ?? true));
  const optionsOf = useFilterOptions(plan, { source, metadata, wanted: filtersOpen });
  const { onSettled } = props;
  const settled = state === 'ready';
  useEffect(() => onSettled?.(settled), [onSettled, settled]);
  useFoundVoice(state === 'ready' ? total : undefined, view);

  // Documents may have been taken away since the page was chosen.
  const lastPage = Math.max(0, Math.ceil(total / view.pageSize) - 1);
  if (state === 'ready' && page > lastPage) setPage(lastPage);

  const change = useLatest((part: Partial<ListView>): void => {
    setView((now) => ({ ...now, ...part }));
    setPage(0);
    // What was picked may not be among what is found now.
    if ('text' in part || 'filters' in part || 'period' in part) setSelected([]);
  });
  const handleSort = useLatest((key: string): void => {
    const sort = nextSort(view.sort, key);
    const [now] = sort;
    const columns = columnsOf(plan, view.columns);
    const column = columns.find((one) => one.key === key)?.header ?? plan.fields.find((field) => field.key === key)?.label ?? key;
    announce(
      now === undefined
        ? t('list.unsorted')
        : `${t('list.sortBy', { column })}, ${t(now.order === 'asc' ? 'list.ascending' : 'list.descending')}`,
    );
    change({ sort });
  });
  const table = useListTable(plan, {
    source,
    view,
    texts: metadata.texts,
    ignoreMarkers: documents.ignoreMarkers,
    selected,
    hrefOf: props.hrefOf,
    onShow: (row) =>
      props.onShow({
        id: row.id,
        title: nameOfRow(plan, row),
        opener: document.activeElement instanceof HTMLElement ? document.activeElement : null,
        row,
      }),
    onSelect: setSelected,
    onColumns: (columns) => setView({ ...view, columns }),
  });
  const csvColumns = [...new Set(['FILE_NAME', ...columnsOf(plan, view.columns).flatMap(({ key, shown }) => (shown ? [key] : []))])];
  const exportEntries: readonly MenuEntry[] = [
    {
      id: 'csv',
      label: t('export.csvOfAll', { count: total }),
      icon: 'export',
      disabledReason: total > mostInCsv ? t('export.tooManyRows', { count: mostInCsv }) : total === 0 ? t('list.emptyLead') : undefined,
    },
  ];
  const handleExport = () => {
    if (documents.query !== undefined) exports.csv({ query: documents.query }, csvColumns);
  };
  const handleFilters = () => setChosenOpen(!filtersOpen);
  const chips = <FilterChips plan={plan} view={view} texts={metadata.texts} onChange={change} />;
  const drawer = (
    <aside id={filtersId} className={css['drawer']} data-whole={cramped || undefined} hidden={!filtersOpen} aria-label={t('filters.panel')}>
      {source.isOwn && <SavedViews plan={plan} view={view} onOpen={change} />}
      <FilterForm
        plan={plan}
        applied={view}
        sort={view.sort}
        optionsOf={optionsOf}
        onSort={handleSort}
        onApply={(sought) => {
          change(sought);
          if (cramped) setChosenOpen(false);
        }}
      />
    </aside>
  );
  const rowsShown = !(cramped && filtersOpen);
  return (
    <div ref={setRoot} className={css['list']} data-phone={phone || undefined}>
      {phone && (
        <PhoneBar
          searchLabel={plan.searchLabel}
          text={view.text}
          onSearch={(text) => change({ text })}
          place={place}
          filtersOpen={filtersOpen}
          filtersId={filtersId}
          filterCount={countFilters(plan, view)}
          summary={plan.period === 'none' ? '' : periodText(periodOf(plan, view))}
          onFilters={handleFilters}
          menu={source.isOwn ? exportEntries : []}
          onMenu={handleExport}
        />
      )}
      {!phone && cramped && filtersOpen && <BackBar onBack={handleFilters} filtersId={filtersId} />}
      <div className={css['parts']}>
        {drawer}
        {rowsShown && (
          <div className={css['main']}>
            {!phone && selected.length > 0 && (
              <SelectionBar ids={selected} exports={exports} columns={csvColumns} onClear={() => setSelected([])} />
            )}
            {!phone && selected.length === 0 && (
              <ListBar
                searchLabel={plan.searchLabel}
                text={view.text}
                onSearch={(text) => change({ text })}
                place={place}
                filtersOpen={filtersOpen}
                filtersId={filtersId}
                onFilters={handleFilters}
                chips={chips}
              >
                <ColumnsPanel plan={plan} columns={view.columns} onChange={(columns) => setView({ ...view, columns })} />
                {source.isOwn &&
                  (exports.progress === undefined ? (
                    <MenuButton
                      icon="export"
                      name={t('export.title')}
                      placement="bottom end"
                      entries={exportEntries}
                      onAction={handleExport}
                    />
                  ) : (
                    <ExportProgress exports={exports} />
                  ))}
              </ListBar>
            )}
            {sought !== '' && (
              <ContentResults
                text={sought}
                hrefOf={props.hrefOf}
                onShow={(row, at) =>
                  props.onShow({
                    id: row.id,
                    title: titleOf(row),
                    opener: document.activeElement instanceof HTMLElement ? document.activeElement : null,
                    row,
                    page: at,
                  })
                }
              />
            )}
            {sought === '' && (
              <DataTable<DocumentRow>
                {...table}
                label={plan.label}
                texts={texts.table}
                rows={state === 'failed' || state === 'unasked' ? [] : rows}
                sort={sortOf(view)}
                onSort={handleSort}
                viewId={`${page} ${view.pageSize} ${JSON.stringify(view.sort)}`}
                state={state === 'failed' || state === 'unasked' ? 'ready' : state}
                empty={
                  state === 'failed' ? (
                    <ListFailed error={documents.error} onRetry={refresh} />
                  ) : state === 'unasked' ? (
                    <NotAsked plan={plan} onChange={change} />
                  ) : (
                    <NothingFound plan={plan} view={view} onChange={change} onRefresh={refresh} />
                  )
                }
              />
            )}
            {sought === '' && (state === 'ready' || state === 'busy') && total > 0 && (
              <Pager
                page={page}
                pageSize={view.pageSize}
                total={total}
                onPage={setPage}
                onPageSize={(pageSize) => change({ pageSize })}
                texts={texts.pager}
              />
            )}
          </div>
        )}
      </div>
    </div>
  );
}

const sortOf = ({ sort }: ListView) => {
  const [first] = sort;
  return first === undefined ? undefined : { columnId: first.by, descending: first.order === 'desc' };
};

/** Says how much a search found: whoever does not see the rows hears of them. */
function useFoundVoice(total: number | undefined, { text, period, filters }: ListView): void {
  const heard = useRef({ text, period, filters });
  useEffect(() => {
    const before = heard.current;
    if (total === undefined || (before.text === text && before.period === period && before.filters === filters)) return;
    heard.current = { text, period, filters };
    announce(t('list.found', { count: total }));
  }, [total, text, period, filters]);
}

function BackBar({ onBack, filtersId }: { readonly onBack: () => void; readonly filtersId: string }) {
  return (
    <div className={css['back']}>
      <button type="button" aria-expanded="true" aria-controls={filtersId} onClick={onBack}>
        {t('filters.backToList')}
      </button>
    </div>
  );
}
