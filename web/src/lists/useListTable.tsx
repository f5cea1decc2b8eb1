import type { DocumentRow } from '@pergamin/contract';
import { useCallback, useMemo } from 'react';
import { t } from '#platform/language.ts';
import type { MetadataTexts } from '#platform/metadata.ts';
import type { TableContent } from '#kit/table/DataTable.tsx';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import type { TableColumn } from '#kit/table/table-parts.ts';
import { columnsOf, columnsWithoutRoom, withWidth, widthsOf } from './columns.ts';
import type { ListPlan } from './list-plan.ts';
import type { ListState } from './list.state.ts';
import type { List } from './list.store.ts';
import type { ListSource } from './list-source.ts';
import { identityOfRow, phoneLinesOf, valueOf } from './row-cells.tsx';
import { isDownloadOnly, isUnread } from './row-rules.ts';
import { useRowActions } from './useRowActions.ts';

interface ListTableOptions {
  readonly source: ListSource;
  readonly list: List;
  readonly shown: ListState;
  readonly texts: MetadataTexts;
  readonly ignoreMarkers: readonly string[];
  /** There is room for the widest columns. */
  readonly wide: boolean;
  /** How many of the columns that may leave have to. */
  readonly lacking: number;
  /** All actions of a row are in its menu. */
  readonly inMenu: boolean;
  readonly hrefOf: (id: string) => string | undefined;
  readonly onShow: (row: DocumentRow) => void;
  readonly onHistory: (row: DocumentRow) => void;
}

const never = (): boolean => false;
const idOf = (row: DocumentRow): string => row.id;

/** The props of the table for a plan and a view. Its functions are kept until what they show changes, so that rows are not rendered again. */
export function useListTable(plan: ListPlan, options: ListTableOptions): TableContent<DocumentRow> {
  const { source, list, texts, ignoreMarkers, wide, hrefOf, onShow, onHistory } = options;
  const { view, selected } = options.shown;
  const { first } = plan;
  const { actionsOf, menuActionsOf, act, open, verdictOf } = useRowActions(plan, {
    source,
    ignoreMarkers,
    inMenu: options.inMenu,
    onShow,
    onHistory,
  });
  const gone = new Set(columnsWithoutRoom(plan, view.columns, options.lacking).map(({ key }) => key));
  const shownKeys = columnsOf(plan, view.columns)
    .filter(({ key, shown }) => shown && !gone.has(key))
    .map(({ key }) => key)
    .join(' ');
  const columns = useMemo(
    () =>
      plan.columns
        .filter(({ key }) => shownKeys.split(' ').includes(key))
        .map(({ key, header, look, width, narrowWidth, wideWidth = width }): TableColumn<DocumentRow> => ({
          id: key,
          header,
          sortable: true,
          width: wide ? wideWidth : width,
          narrowWidth,
          cell: (row) => valueOf({ id: key, value: row.metadata[key], look, texts }),
        })),
    [plan, shownKeys, texts, wide],
  );
  const canSelect = source.isOwn;
  const menuEntries = (row: DocumentRow): readonly MenuEntry[] => [
    ...menuActionsOf(row),
    ...(canSelect
      ? [
          { separator: 'select' },
          { id: 'select', label: t(selected.includes(row.id) ? 'list.deselectRow' : 'list.selectRow'), icon: 'check' as const },
        ]
      : []),
  ];
  const handleMenu = (row: DocumentRow, id: string): void => {
    if (id === 'select') list.toggleSelected(row.id);
    else act(row, id);
  };
  return {
    identityColumn: { id: first.sortKey, header: first.header, sortable: true, width: first.width, narrowWidth: first.narrowWidth },
    columns,
    rowId: idOf,
    identity: useCallback(
      (row: DocumentRow) => identityOfRow(plan, row, { texts, href: hrefOf(row.id), verdict: verdictOf(row) }),
      [plan, texts, hrefOf, verdictOf],
    ),
    phoneLines: useCallback((row: DocumentRow) => phoneLinesOf(plan, row, texts), [plan, texts]),
    // What a visitor has read is not known.
    isUnread: source.isOwn ? isUnread : never,
    isMuted: useCallback((row: DocumentRow) => isDownloadOnly(row, ignoreMarkers), [ignoreMarkers]),
    actions: actionsOf,
    loadingActions: plan.actions.filter(({ onlyInMenu }) => onlyInMenu !== true),
    onAction: act,
    onOpen: open,
    menu: { entries: menuEntries, onAction: handleMenu },
    sizing: {
      widths: widthsOf(view.columns),
      onWidth: (key, px) => list.setColumns(withWidth(plan, view.columns, { key, px })),
    },
    selection: canSelect ? { ids: selected, onChange: list.select } : undefined,
  };
}
