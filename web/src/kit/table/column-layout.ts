import { useShortOf } from '#kit/layout/useNarrow.ts';
import type { HeadColumn, RowAction, TableSizing } from './table-parts.ts';

// px at the usual text size, like the widths of the columns.
const identityRoomy = 300;
/** The seal, and a name of some thirty letters in each of its two lines. */
export const identityNarrow = 268;
const otherColumn = 150;
const selectColumn = 44;
const actionsPadding = 20;
const actionButton = matchMedia('(pointer: coarse)').matches ? 48 : 36;
const actionWord = 60;

interface ColumnLayoutOptions {
  /** What scrolls the table and limits its width. */
  readonly scroller: HTMLElement | null;
  /** The identity first. */
  readonly columns: readonly HeadColumn[];
  /** px that the customer chose, by column; they do not grow with the text. */
  readonly chosen: TableSizing['widths'];
  readonly canSelect: boolean;
  /** The buttons of each row, without that of its menu. */
  readonly actions: readonly Pick<RowAction, 'worded'>[];
  /** Whether there is a column for them. */
  readonly hasActions: boolean;
  /** Whether a row has a menu with all its actions. */
  readonly hasMenu: boolean;
}

export interface ColumnLayout {
  /** All columns from left to right, as `grid-template-columns` has them. */
  readonly template: readonly string[];
  /** Where the first of `columns` stands in `template`. */
  readonly offset: number;
  /** Below this the table scrolls sideways instead of squeezing its columns. */
  readonly minWidth: string;
  readonly isNarrow: boolean;
  /** The columns scroll sideways; with `menu`, of the buttons of a row only that of the menu is left. */
  readonly scrolling: 'all' | 'menu' | undefined;
}

/** The widths of the columns in the room that the table has now. */
export function useColumnLayout({ scroller, columns, chosen, canSelect, actions, hasActions, hasMenu }: ColumnLayoutOptions): ColumnLayout {
  const select = canSelect ? selectColumn : 0;
  const buttons = actions.length + (hasMenu ? 1 : 0);
  const words = actions.filter(({ worded }) => worded === true).length;
  const roomy = select + (hasActions ? actionsWidth(buttons, words) : 0);
  const shortOf = useShortOf(scroller, [neededWidth(columns, false) + roomy, neededWidth(columns, true) + roomy]);
  const isNarrow = shortOf > 0;
  const scrolling = shortOf < 2 ? undefined : hasMenu ? 'menu' : 'all';
  // All buttons would cover most of the columns that scroll under them.
  const actionsPx = hasActions ? actionsWidth(scrolling === 'menu' ? 1 : buttons, isNarrow ? 0 : words) : 0;
  const widths = columns.map((column, index) => {
    const own = chosen[column.id];
    const start = startOf(column, isNarrow);
    return { own, start, min: own === undefined ? rem(start ?? defaultOf(index, isNarrow)) : `${own}px` };
  });
  // Columns without a width share what is left; if there are none, those that the customer has not sized do, by their widths.
  const hasOpen = widths.some(({ own, start }) => own === undefined && start === undefined);
  const tracks = widths.map(({ own, start, min }) => {
    if (own !== undefined || (hasOpen && start !== undefined)) return min;
    return `minmax(${min}, ${start ?? 1}fr)`;
  });
  const last = widths.every(({ own }) => own !== undefined) ? `minmax(${rem(actionsPx)}, 1fr)` : rem(actionsPx);
  return {
    template: [...(canSelect ? [rem(selectColumn)] : []), ...tracks, ...(hasActions ? [last] : [])],
    offset: canSelect ? 1 : 0,
    minWidth: `calc(${[...widths.map(({ min }) => min), rem(select + actionsPx)].join(' + ')})`,
    isNarrow,
    scrolling,
  };
}

const rem = (px: number): string => `${px / 16}rem`;
const actionsWidth = (buttons: number, words: number): number => buttons * actionButton + words * actionWord + actionsPadding;
/** px of all columns in their own width, or in their narrow one. */
const neededWidth = (columns: readonly HeadColumn[], isNarrow: boolean): number =>
  columns.reduce((sum, column, index) => sum + (startOf(column, isNarrow) ?? defaultOf(index, isNarrow)), 0);
const startOf = ({ width, narrowWidth = width }: HeadColumn, isNarrow: boolean): number | undefined => (isNarrow ? narrowWidth : width);
const defaultOf = (index: number, isNarrow: boolean): number => (index > 0 ? otherColumn : isNarrow ? identityNarrow : identityRoomy);
