import { type DocumentRow, exportLimits } from '@pergamin/contract';
import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import { on } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import type { OwnMetadata } from '#platform/metadata.queries.ts';
import { columnsOf, roomOf } from './columns.ts';
import { ColumnsPanel } from './ColumnsPanel.tsx';
import { ChipRow, summaryOf } from './ChipRow.tsx';
import { chipsOf } from './filter-chips.ts';
import { FilterForm } from './FilterForm.tsx';
import { createList, wordsInContents } from './list.store.ts';
import { ListFrame } from './ListFrame.tsx';
import type { ListPlan, ListView, Sought } from './list-plan.ts';
import { countFilters, unreadView } from './list-rules.ts';
import type { ListSource } from './list-source.ts';
import { ListRows } from './ListRows.tsx';
import { SavedViews } from './SavedViews.tsx';
import { ExportProgress, SelectionBar } from './SelectionBar.tsx';
import { organisationToday, useDocuments } from './useDocuments.ts';
import { useExports } from './useExports.ts';
import { useFiltersDrawer } from './useFiltersDrawer.ts';
import { useFilterOptions } from './useFilterOptions.ts';
import type { Opening } from './useRowActions.ts';
import { useResultAnnouncement } from './useResultAnnouncement.ts';

export interface DocumentListProps {
  readonly plan: ListPlan;
  readonly source: ListSource;
  readonly metadata: OwnMetadata;
  readonly begins?: Partial<ListView> | undefined;
  /** Whether the filters are open beside the rows at first, where there is room. */
  readonly filtersFirst?: boolean;
  /** On a phone the search is seen from the first, not behind its sign. */
  readonly searchFirst?: boolean;
  readonly hrefOf: (id: string) => string | undefined;
  /** `page` is where something was found in it. */
  readonly onShow: (document: Opening & { readonly row: DocumentRow; readonly page?: number }) => void;
  /** Asks what happened to a document; for lists whose plan has that action. */
  readonly onHistory?: (document: Opening) => void;
  readonly onPage?: () => void;
  /** Told whether the rows are those that were asked for last: then a focus that was lost with the old rows can be placed. */
  readonly onSettled?: (settled: boolean) => void;
}

/** A list of documents: search, filters, saved views, rows, pages, exports; told by its plan. */
export function DocumentList(props: DocumentListProps) {
  const { plan, source, metadata, onSettled } = props;
  const { isOwn } = source;
  const [list] = useState(() => createList(plan, props.begins));
  const shown = useSyncExternalStore(list.subscribe, list.getState);
  const { view, page, selected, inContents } = shown;
  useEffect(
    () =>
      on('unreadAsked', ({ kind, since }) => {
        if (kind !== plan.kind) return;
        list.set({ inContents: false });
        list.change(unreadView(plan, since, organisationToday()));
      }),
    [plan, list],
  );
  const drawer = useFiltersDrawer({ ...roomOf(plan), closedFirst: props.filtersFirst === false });
  // What is searched on pages is not searched in details at the same time.
  const listed = useMemo(() => (inContents ? { ...view, text: '' } : view), [inContents, view]);
  const documents = useDocuments(plan, { source, metadata, view: listed, page });
  const { total, state, query } = documents;
  const exports = useExports();
  const isListed = wordsInContents(shown) === '';
  const optionsOf = useFilterOptions(plan, { source, metadata, wanted: drawer.isOpen });
  const settled = state === 'ready';
  useEffect(() => {
    onSettled?.(settled);
  }, [onSettled, settled]);
  // What was found on pages announces its number itself.
  useResultAnnouncement(settled && isListed ? total : undefined, [view.text, view.period, view.filters]);
  const lastPage = Math.max(0, Math.ceil(total / view.pageSize) - 1);
  useLayoutEffect(() => {
    // Documents may have been taken away since the page was chosen.
    if (settled && page > lastPage) list.set({ page: lastPage });
  }, [list, settled, page, lastPage]);

  const csvColumns = [
    ...new Set(['FILE_NAME', ...columnsOf(plan, view.columns).flatMap(({ key, shown: isShown }) => (isShown ? [key] : []))]),
  ];
  const handleApply = useLatest((wanted: Sought) => {
    list.change(wanted);
    drawer.makeRoom();
  });
  const handleClear = (element: HTMLElement | null): void => {
    flushSync(() => list.set({ selected: [] }));
    // The bar with the button has gone; from here all rows are selected again with one press.
    element?.querySelector<HTMLElement>('thead input[type="checkbox"]')?.focus();
  };
  // Kept, so that another page or order does not render the search and the filters again.
  const { period, filters } = view;
  const applied = useMemo(() => ({ period, filters }), [period, filters]);
  const chips = chipsOf(plan, { view, texts: metadata.texts, onChange: list.change });
  const exportMenu = isOwn && (
    <MenuButton
      // On a phone not three dots: those right above it are the window's, those below it the rows'.
      icon="export"
      name={t('export.title')}
      placement="bottom end"
      entries={[
        { id: 'csv', label: t('export.csvOfAll', { count: total }), icon: 'export', disabledReason: exports.progress ?? noCsvOf(total) },
      ]}
      onAction={() => query && exports.csv({ query }, csvColumns)}
    />
  );
  return (
    <ListFrame
      drawer={drawer}
      search={{
        label: plan.searchLabel,
        text: view.text,
        onSearch: list.search,
        place: isOwn ? { inContents, onChange: list.setInContents } : undefined,
      }}
      searchFirst={props.searchFirst}
      filters={
        <>
          {isOwn && <SavedViews plan={plan} view={view} onOpen={list.change} />}
          <FilterForm
            {...{ plan, applied, sort: view.sort, optionsOf }}
            onSort={list.sort}
            onOrder={drawer.phone ? (sort) => list.change({ sort }) : undefined}
            onApply={handleApply}
          />
        </>
      }
      filterCount={countFilters(plan, view)}
      chips={isListed && <ChipRow chips={chips} />}
      summary={isListed ? summaryOf(chips) : ''}
      menu={exportMenu}
      tools={
        <>
          <ColumnsPanel plan={plan} columns={view.columns} lacking={drawer.lacking} onChange={list.setColumns} />
          {exports.kind !== undefined && <ExportProgress exports={exports} />}
          {exportMenu}
        </>
      }
      selection={
        selected.length > 0 ? (
          <SelectionBar ids={selected} drawer={drawer} exports={exports} columns={csvColumns} onClear={handleClear} />
        ) : undefined
      }
    >
      <ListRows {...props} {...{ list, shown, documents, drawer }} />
    </ListFrame>
  );
}

const noCsvOf = (total: number): string | undefined => {
  if (total > exportLimits.maxCsvRows) return t('export.tooManyRows', { count: exportLimits.maxCsvRows });
  return total === 0 ? t('list.emptyLead') : undefined;
};
