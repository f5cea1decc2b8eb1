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
  /** Laid out as on a phone. */
  readonly phone: boolean;
  readonly hrefOf: (id: string) => string | undefined;
  readonly onShow: (row: DocumentRow) => void;
  readonly onHistory: (row: DocumentRow) => void;
}

const idOf = (row: DocumentRow): string => row.id;

/** The props of the table for a plan and a view. Its functions are kept until what they show changes, so that rows are not rendered again. */
export function useListTable(plan: ListPlan, options: ListTableOptions) {
  const { source, list, texts, ignoreMarkers, wide, hrefOf, onShow, onHistory } = options;
  const { view, selected } = options.shown;
  const { first } = plan;
  const { actionsOf, menuActionsOf, act, open, verdictOf } = useRowActions(plan, {
    source,
    ignoreMarkers,
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
  const { isOwn } = source;
  const canSelect = isOwn && !options.phone;
  const menu = useCallback(
    (row: DocumentRow): readonly MenuEntry[] => {
      if (!canSelect) return menuActionsOf(row);
      const label = t(list.getState().selected.includes(row.id) ? 'list.deselectRow' : 'list.selectRow');
      return [...menuActionsOf(row), { separator: 'select' }, { id: 'select', label, icon: 'check' }];
    },
    [list, menuActionsOf, canSelect],
  );
  return {
    identityColumn: { id: first.sortKey, header: first.header, sortable: true, width: first.width, narrowWidth: first.narrowWidth },
    columns,
    rowId: idOf,
    identity: useCallback(
      (row: DocumentRow) => ({
        ...identityOfRow(plan, row, { texts, href: hrefOf(row.id), verdict: verdictOf(row) }),
        // What a visitor has read is not known.
        unread: isOwn && isUnread(row),
        muted: isDownloadOnly(row, ignoreMarkers),
      }),
      [plan, texts, hrefOf, verdictOf, isOwn, ignoreMarkers],
    ),
    phoneLines: useCallback((row: DocumentRow) => phoneLinesOf(plan, row, texts), [plan, texts]),
    actions: actionsOf,
    loadingActions: plan.actions.filter(({ onlyInMenu }) => onlyInMenu !== true),
    menu,
    onAction: (row, id) => (id === 'select' ? list.toggleSelected(row.id) : act(row, id)),
    onOpen: open,
    sizing: {
      widths: widthsOf(view.columns),
      onWidth: (key, px) => list.setColumns(withWidth(plan, view.columns, { key, px })),
    },
    selection: canSelect ? { ids: selected, onChange: list.select } : undefined,
  } satisfies TableContent<DocumentRow>;
}
