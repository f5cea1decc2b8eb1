import { useShortOf } from '#kit/layout/useNarrow.ts';
import type { HeadColumn, RowAction, TableSizing } from './table-parts.ts';

// px at the usual text size, like the widths of the columns.
const identityRoomy = 300;
/** The seal, and a name of some thirty letters in each of its two lines. */
export const identityNarrow = 268;
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
  /** The buttons of each row, without that of its menu; undefined where rows have no column for either. */
  readonly actions: readonly Pick<RowAction, 'worded'>[] | undefined;
  /** Whether a row has a menu with all its actions. */
  readonly hasMenu: boolean;
}

/**
 * The widths of the columns in the room that the table has now: `template` has them as `grid-template-columns` does, and below `minWidth` the
 * table scrolls sideways instead of squeezing them; with `menu`, of the buttons of a row only that of the menu is left then.
 */
export function useColumnLayout({ scroller, columns, chosen, canSelect, actions, hasMenu }: ColumnLayoutOptions) {
  const select = canSelect ? selectColumn : 0;
  const buttons = (actions?.length ?? 0) + (hasMenu ? 1 : 0);
  const words = actions?.filter(({ worded }) => worded === true).length ?? 0;
  const actionsWidth = (shown: number, shownWords: number): number =>
    actions === undefined ? 0 : shown * actionButton + shownWords * actionWord + actionsPadding;
  const besides = select + actionsWidth(buttons, words);
  const shortOf = useShortOf(scroller, [neededWidth(columns, false) + besides, neededWidth(columns, true) + besides]);
  const isNarrow = shortOf > 0;
  const scrolling = shortOf < 2 ? undefined : hasMenu ? 'menu' : 'all';
  // All buttons would cover most of the columns that scroll under them.
  const actionsPx = actionsWidth(scrolling === 'menu' ? 1 : buttons, isNarrow ? 0 : words);
  const widths = columns.map((column) => ({ own: chosen[column.id], start: startOf(column, isNarrow) }));
  const mins = widths.map(({ own, start }) => (own === undefined ? rem(start ?? identityOf(isNarrow)) : `${own}px`));
  // A first column without a width takes what is left; without one, those that the customer has not sized do, by their widths.
  const hasOpen = widths.some(({ own, start }) => own === undefined && start === undefined);
  const tracks = widths.map(({ own, start }, index) =>
    own !== undefined || (hasOpen && start !== undefined) ? mins[index] : `minmax(${mins[index]}, ${start ?? 1}fr)`,
  );
  const last = widths.every(({ own }) => own !== undefined) ? `minmax(${rem(actionsPx)}, 1fr)` : rem(actionsPx);
  return {
    template: [...(canSelect ? [rem(selectColumn)] : []), ...tracks, ...(actions === undefined ? [] : [last])].join(' '),
    minWidth: `calc(${[...mins, rem(select + actionsPx)].join(' + ')})`,
    isNarrow,
    scrolling,
  } as const;
}

const rem = (px: number): string => `${px / 16}rem`;
/** px of all columns in their own width, or in their narrow one. */
const neededWidth = (columns: readonly HeadColumn[], isNarrow: boolean): number =>
  columns.reduce((sum, column) => sum + (startOf(column, isNarrow) ?? identityOf(isNarrow)), 0);
const startOf = ({ width, narrowWidth = width }: HeadColumn, isNarrow: boolean): number | undefined => (isNarrow ? narrowWidth : width);
const identityOf = (isNarrow: boolean): number => (isNarrow ? identityNarrow : identityRoomy);
