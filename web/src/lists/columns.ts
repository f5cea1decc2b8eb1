import { identityNarrow } from '#kit/table/column-layout.ts';
import type { ListColumn, ListPlan, ListView } from './list-plan.ts';
import { drawerPx } from './useFiltersDrawer.ts';

export interface ShownColumn extends Pick<ListColumn, 'key' | 'header'> {
  readonly shown: boolean;
  /** Chosen by the customer. */
  readonly widthPx: number | null;
  /** Where it begins. */
  readonly startPx: number;
  /** When it gives its place to the others. */
  readonly leaves: number;
}

const firstColumnPx = 260;

/** All columns of a list, the first one always shown, with what the customer chose about them. */
export const columnsOf = ({ first, columns }: ListPlan, chosen: ListView['columns']): readonly ShownColumn[] => {
  const firstColumn = { key: first.sortKey, header: first.header, width: first.width ?? firstColumnPx, leaves: undefined };
  return [firstColumn, ...columns].map(({ key, header, width, leaves = Infinity }) => {
    const choice = chosen.find((column) => column.key === key);
    const shown = key === first.sortKey || (choice?.shown ?? true);
    return { key, header, shown, widthPx: choice?.widthPx ?? null, startPx: width, leaves };
  });
};

/** The columns that the customer would see if there were room for them; the first `lacking` to leave have left, unless columns were chosen. */
export const columnsWithoutRoom = (plan: ListPlan, chosen: ListView['columns'], lacking: number): readonly ShownColumn[] =>
  chosen.length > 0 ? [] : columnsOf(plan, chosen).filter(({ leaves }) => leaves <= lacking);

/** What the customer chose, with another choice about one column. */
export const withColumn = (
  plan: ListPlan,
  chosen: ListView['columns'],
  { key: changed, ...choice }: { readonly key: string } & Partial<Pick<ShownColumn, 'shown' | 'widthPx'>>,
): ListView['columns'] =>
  columnsOf(plan, chosen).map(({ key, shown, widthPx }) => ({ key, shown, widthPx, ...(key === changed ? choice : {}) }));

/** The boxes for picking rows, the buttons of a row. */
const besidesPx = 208;
const scrollBarPx = 12;

/** How much room a list needs for what, in px at the usual text size. */
export const roomOf = ({ first, columns }: ListPlan) => {
  const leaving = columns.flatMap(({ leaves }) => leaves ?? []).toSorted((a, b) => a - b);
  /** The rows at their narrowest, once these columns have left and those that leave before them. */
  const narrowestPx = (gone: number): number =>
    columns
      .filter(({ leaves = Infinity }) => leaves > gone)
      .reduce((sum, { width, narrowWidth = width }) => sum + narrowWidth, (first.narrowWidth ?? identityNarrow) + besidesPx + scrollBarPx);
  return {
    // Beside open filters the columns would be squeezed in less.
    openFromPx: columns.reduce((sum, { width }) => sum + width, (first.width ?? 220) + besidesPx + drawerPx),
    // Every column takes its widest: a name is read whole, a remark in one line.
    wideFromPx: columns.reduce((sum, { width, wideWidth = width }) => sum + wideWidth, (first.width ?? 380) + besidesPx + scrollBarPx),
    // With all columns, then without the first that leaves, without the first two, and so on; the last to leave need not.
    fitsFromPx: [0, ...leaving].slice(0, leaving.length).map(narrowestPx),
  };
};
