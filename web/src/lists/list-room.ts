import { identityNarrow } from '#kit/table/column-layout.ts';
import type { ListPlan } from './list-plan.ts';
import { drawerPx } from './useFiltersDrawer.ts';

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
