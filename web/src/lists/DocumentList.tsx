import type { DocumentRow } from '@pergamin/contract';
import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { useLatest } from '#kit/hooks/useLatest.ts';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { on } from '#platform/events.ts';
import { t } from '#platform/language.ts';
import type { OwnMetadata } from '#platform/metadata.queries.ts';
import { columnsOf } from './columns.ts';
import { ColumnsPanel } from './ColumnsPanel.tsx';
import { ExportProgress } from './ExportProgress.tsx';
import { FilterChips, narrowedBy } from './FilterChips.tsx';
import { FilterForm } from './FilterForm.tsx';
import { wordsInContents } from './list.state.ts';
import { createList, type List } from './list.store.ts';
import { ListFrame } from './ListFrame.tsx';
import type { ListPlan, ListView } from './list-plan.ts';
import { roomOf } from './list-room.ts';
import { countFilters, unreadView } from './list-rules.ts';
import type { ListSource } from './list-source.ts';
import { ListRows } from './ListRows.tsx';
import { SavedViews } from './SavedViews.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { organisationToday, useDocuments } from './useDocuments.ts';
import { type Exports, mostInCsv, useExports } from './useExports.ts';
import { useFiltersDrawer } from './useFiltersDrawer.ts';
import { useFilterOptions } from './useFilterOptions.ts';
import { useResultAnnouncement } from './useResultAnnouncement.ts';

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
        list.setInContents(false);
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
  useEffect(() => onSettled?.(settled), [onSettled, settled]);
  // What was found on pages announces its number itself.
  useResultAnnouncement(settled && isListed ? total : undefined, [view.text, view.period, view.filters]);
  const lastPage = Math.max(0, Math.ceil(total / view.pageSize) - 1);
  useLayoutEffect(() => {
    // Documents may have been taken away since the page was chosen.
    if (settled && page > lastPage) list.setPage(lastPage);
  }, [list, settled, page, lastPage]);

  const csvColumns = [
    ...new Set(['FILE_NAME', ...columnsOf(plan, view.columns).flatMap(({ key, shown: isShown }) => (isShown ? [key] : []))]),
  ];
  const handleExport = useLatest(() => {
    if (query !== undefined) exports.csv({ query }, csvColumns);
  });
  const handleApply = useLatest((wanted: Pick<ListView, 'period' | 'filters'>) => {
    list.change(wanted);
    drawer.makeRoom();
  });
  const handleClear = (element: HTMLElement | null): void => {
    flushSync(() => list.select([]));
    // The bar with the button has gone; from here all rows are selected again with one press.
    element?.querySelector<HTMLElement>('thead input[type="checkbox"]')?.focus();
  };
  // Kept, so that another page or order renders the rows and little else.
  const { text, period, filters, columns } = view;
  const { lacking } = drawer;
  const search = useMemo(() => {
    const place = isOwn ? { inContents, onChange: list.setInContents } : undefined;
    return { label: plan.searchLabel, text, onSearch: (wanted: string) => list.change({ text: wanted }), place };
  }, [plan, list, text, isOwn, inContents]);
  const applied = useMemo(() => ({ period, filters }), [period, filters]);
  const chips = useMemo(
    () => <FilterChips plan={plan} view={applied} texts={metadata.texts} onChange={list.change} />,
    [plan, applied, metadata.texts, list],
  );
  const entries = useMemo(() => entriesFor(total, exports.progress), [total, exports.progress]);
  const tools = useMemo(
    () => <ListTools {...{ plan, list, columns, lacking, isOwn, exports, entries }} onExport={handleExport} />,
    [plan, list, columns, lacking, isOwn, exports, entries, handleExport],
  );
  return (
    <ListFrame
      drawer={drawer}
      search={search}
      searchFirst={props.searchFirst === true}
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
      chips={isListed && chips}
      summary={isListed ? narrowedBy(plan, view, metadata.texts) : ''}
      {...(isOwn ? { menu: { entries, onAction: handleExport } } : {})}
      tools={tools}
      selection={
        selected.length > 0 ? (
          <SelectionBar ids={selected} drawer={drawer} exports={exports} columns={csvColumns} onClear={handleClear} />
        ) : undefined
      }
    >
      <ListRows
        {...props}
        list={list}
        shown={shown}
        documents={documents}
        isWide={drawer.isWide}
        lacking={drawer.lacking}
        phone={drawer.phone}
      />
    </ListFrame>
  );
}

interface ListToolsProps {
  readonly plan: ListPlan;
  readonly list: List;
  readonly columns: ListView['columns'];
  readonly lacking: number;
  readonly isOwn: boolean;
  readonly exports: Exports;
  readonly entries: readonly MenuEntry[];
  readonly onExport: () => void;
}

function ListTools({ plan, list, columns, lacking, isOwn, exports, entries, onExport }: ListToolsProps) {
  return (
    <>
      <ColumnsPanel plan={plan} columns={columns} lacking={lacking} onChange={list.setColumns} />
      {isOwn && exports.kind !== undefined && <ExportProgress exports={exports} />}
      {isOwn && <MenuButton icon="export" name={t('export.title')} placement="bottom end" entries={entries} onAction={onExport} />}
    </>
  );
}

const entriesFor = (total: number, underway: string | undefined): readonly MenuEntry[] => [
  {
    id: 'csv',
    label: t('export.csvOfAll', { count: total }),
    icon: 'export',
    disabledReason:
      underway ?? (total > mostInCsv ? t('export.tooManyRows', { count: mostInCsv }) : total === 0 ? t('list.emptyLead') : undefined),
  },
];
