import type { DocumentRow } from '@pergamin/contract';
import { useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '#platform/language.ts';
import { titleOf } from '#platform/metadata.ts';
import type { OwnMetadata } from '#platform/metadata.queries.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { DataTable } from '#kit/table/DataTable.tsx';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { Pager } from '#kit/table/Pager.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { ContentResults } from './ContentResults.tsx';
import { ColumnsPanel } from './ColumnsPanel.tsx';
import { columnsOf } from './columns.ts';
import { ExportProgress } from './ExportProgress.tsx';
import { FilterChips, narrowedBy } from './FilterChips.tsx';
import { FilterForm } from './FilterForm.tsx';
import { ListFrame } from './ListFrame.tsx';
import { ListFailed, NotAsked, NothingFound } from './ListStates.tsx';
import type { ListPlan, ListView } from './list-plan.ts';
import { countFilters, firstView, nextSort } from './list-rules.ts';
import { pagerTexts, tableTexts } from './list-texts.ts';
import type { ListSource } from './list-source.ts';
import { nameOfRow } from './row-cells.tsx';
import { SavedViews } from './SavedViews.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { useDocuments } from './useDocuments.ts';
import { mostInCsv, useExports } from './useExports.ts';
import { drawerPx, useFiltersDrawer } from './useFiltersDrawer.ts';
import { useFilterOptions } from './useFilterOptions.ts';
import { useFoundVoice } from './useFoundVoice.ts';
import { useListTable } from './useListTable.tsx';

export interface DocumentListProps {
  readonly plan: ListPlan;
  readonly source: ListSource;
  readonly metadata: OwnMetadata;
  /** What it begins with, where that is not the usual. */
  readonly begins?: Partial<ListView> | undefined;
  /** Whether the filters are open beside the rows at first, where there is room. */
  readonly filtersFirst?: boolean;
  /** On a phone the search is seen from the first, not behind its sign. */
  readonly searchFirst?: boolean;
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
  /** Asks what happened to a document; for lists whose plan has that action. */
  readonly onHistory?: (document: { readonly id: string; readonly title: string; readonly opener: HTMLElement | null }) => void;
  /** Another page was asked for. */
  readonly onPage?: () => void;
  /** Told whether the rows are those that were asked for last: then a focus that was lost with the old rows can be placed. */
  readonly onSettled?: (settled: boolean) => void;
}

/** The boxes for picking rows, the buttons of a row. */
const besidesPx = 208;
const scrollBarPx = 12;

/** With less room than this the filters are closed at first: beside them the columns would be squeezed. */
const drawerOpenFromPx = ({ first, columns }: ListPlan): number =>
  columns.reduce((sum, { width }) => sum + width, (first.width ?? 220) + besidesPx + drawerPx);

/** With as much room every column takes its widest: a name is read whole, a remark in one line. */
const wideFromPx = ({ first, columns }: ListPlan): number =>
  columns.reduce((sum, { width, wideWidth = width }) => sum + wideWidth, (first.width ?? 380) + besidesPx + scrollBarPx);

/** What the columns need at their narrowest, without those that have left. */
const fitsFromPx = ({ first, columns }: ListPlan, left: number): number =>
  columns
    .filter(({ leaves = Infinity }) => leaves > left)
    .reduce((sum, { width, narrowWidth = width }) => sum + narrowWidth, (first.narrowWidth ?? 160) + besidesPx + scrollBarPx);

/** A list of documents: search, filters, saved views, rows, pages, exports; told by its plan. */
export function DocumentList(props: DocumentListProps) {
  const { plan, source, metadata } = props;
  const drawer = useFiltersDrawer({
    openFromPx: drawerOpenFromPx(plan),
    wideFromPx: wideFromPx(plan),
    fitsFromPx: [fitsFromPx(plan, 0), fitsFromPx(plan, 1)],
    closedFirst: props.filtersFirst === false,
  });
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
  const sought = inContents ? view.text.trim() : '';
  const optionsOf = useFilterOptions(plan, { source, metadata, wanted: drawer.isOpen });
  const { onSettled } = props;
  const settled = state === 'ready';
  useEffect(() => onSettled?.(settled), [onSettled, settled]);
  // What was found on pages says its number itself.
  useFoundVoice(state === 'ready' && sought === '' ? total : undefined, [view.text, view.period, view.filters]);

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
  const handleOrder = useLatest((wanted: ListView['sort']) => change({ sort: wanted }));
  const handleColumns = useLatest((columns: ListView['columns']) => setView({ ...view, columns }));
  const table = useListTable(plan, {
    source,
    view,
    texts: metadata.texts,
    ignoreMarkers: documents.ignoreMarkers,
    selected,
    wide: drawer.isWide,
    lacking: drawer.lacking,
    hrefOf: props.hrefOf,
    onShow: (row) => props.onShow({ ...openingOf(row, nameOfRow(plan, row)), row }),
    onHistory: (row) => props.onHistory?.(openingOf(row, nameOfRow(plan, row))),
    onSelect: setSelected,
    onColumns: handleColumns,
  });
  const csvColumns = [...new Set(['FILE_NAME', ...columnsOf(plan, view.columns).flatMap(({ key, shown }) => (shown ? [key] : []))])];
  const handleExport = useLatest(() => {
    if (documents.query !== undefined) exports.csv({ query: documents.query }, csvColumns);
  });
  const handleClear = useLatest((list: HTMLElement | null): void => {
    flushSync(() => setSelected([]));
    // The bar with the button has gone; from here all rows are selected again with one press.
    list?.querySelector<HTMLElement>('thead input[type="checkbox"]')?.focus();
  });
  const handleSearch = useLatest((text: string) => change({ text }));
  const handlePage = useLatest((wanted: number) => {
    setPage(wanted);
    props.onPage?.();
  });
  const handlePageSize = useLatest((pageSize: number) => change({ pageSize }));
  const handleApply = useLatest((wanted: Pick<ListView, 'period' | 'filters'>) => {
    change(wanted);
    drawer.makeRoom();
  });
  // Kept, so that another page or order renders the rows and little else.
  const { isOwn } = source;
  const { text, period, filters, sort, columns } = view;
  const search = useMemo(
    () => ({ label: plan.searchLabel, text, onSearch: handleSearch, place: isOwn ? { inContents, onChange: setInContents } : undefined }),
    [plan, text, handleSearch, isOwn, inContents],
  );
  const applied = useMemo(() => ({ period, filters }), [period, filters]);
  const chips = useMemo(
    () => <FilterChips plan={plan} view={applied} texts={metadata.texts} onChange={change} />,
    [plan, applied, metadata.texts, change],
  );
  const exportEntries = useMemo(() => entriesFor(total, exports.progress), [total, exports.progress]);
  const tools = useMemo(
    () => (
      <>
        <ColumnsPanel plan={plan} columns={columns} onChange={handleColumns} />
        {isOwn && exports.kind !== undefined && <ExportProgress exports={exports} />}
        {isOwn && (
          <MenuButton icon="export" name={t('export.title')} placement="bottom end" entries={exportEntries} onAction={handleExport} />
        )}
      </>
    ),
    [plan, columns, handleColumns, isOwn, exports, exportEntries, handleExport],
  );
  return (
    <ListFrame
      drawer={drawer}
      search={search}
      searchFirst={props.searchFirst === true}
      filters={
        <>
          {isOwn && <SavedViews plan={plan} view={view} onOpen={change} />}
          <FilterForm
            {...{ plan, applied, sort, optionsOf }}
            onSort={handleSort}
            onOrder={drawer.phone ? handleOrder : undefined}
            onApply={handleApply}
          />
        </>
      }
      filterCount={countFilters(plan, view)}
      chips={sought === '' && chips}
      summary={sought === '' ? narrowedBy(plan, view, metadata.texts) : ''}
      {...(isOwn ? { menu: { entries: exportEntries, onAction: handleExport } } : {})}
      tools={tools}
      selection={
        selected.length > 0 ? (
          <SelectionBar ids={selected} drawer={drawer} exports={exports} columns={csvColumns} onClear={handleClear} />
        ) : undefined
      }
    >
      {sought !== '' && (
        <ContentResults
          text={sought}
          hrefOf={props.hrefOf}
          onShow={(row, at) => props.onShow({ ...openingOf(row, titleOf(row)), row, page: at })}
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
        <Pager page={page} pageSize={view.pageSize} total={total} onPage={handlePage} onPageSize={handlePageSize} texts={texts.pager} />
      )}
    </ListFrame>
  );
}

/** What is opened, by what it is called here, and from where. */
const openingOf = ({ id }: DocumentRow, title: string) => ({
  id,
  title,
  opener: document.activeElement instanceof HTMLElement ? document.activeElement : null,
});

const entriesFor = (total: number, underway: string | undefined): readonly MenuEntry[] => [
  {
    id: 'csv',
    label: t('export.csvOfAll', { count: total }),
    icon: 'export',
    disabledReason:
      underway ?? (total > mostInCsv ? t('export.tooManyRows', { count: mostInCsv }) : total === 0 ? t('list.emptyLead') : undefined),
  },
];

const sortOf = ({ sort }: ListView) => {
  const [first] = sort;
  return first === undefined ? undefined : { columnId: first.by, descending: first.order === 'desc' };
};
