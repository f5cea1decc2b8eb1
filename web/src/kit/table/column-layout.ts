import { useShortOf } from '#kit/layout/useNarrow.ts';
import type { TableViewProps } from './DataTable.tsx';
import type { HeadColumn } from './table-parts.ts';

// px at the usual text size, like the widths of the columns.
const identityRoomy = 300;
/** The seal, and a name of some thirty letters in each of its two lines. */
export const identityNarrow = 268;
const selectColumn = 44;
const actionsPadding = 20;
const actionButton = matchMedia('(pointer: coarse)').matches ? 48 : 36;
const actionWord = 60;

/**
 * The widths of the columns, the identity first, in the room that the table has now: `template` has them as `grid-template-columns` does, and
 * below `minWidth` the table scrolls sideways instead of squeezing them; with `menu`, of the buttons of a row only that of the menu is left then.
 */
export function useColumnLayout<Row extends object>(columns: readonly HeadColumn[], table: TableViewProps<Row>) {
  const { scroller, sizing, actions, menu } = table;
  const canSelect = table.selection !== undefined;
  const hasMenu = menu !== undefined;
  const hasActions = actions !== undefined || hasMenu;
  const [first] = table.shownRows;
  // All rows have as many buttons as the first one, or as those that are still loading will have.
  const ofRow = (first && actions?.(first)) ?? table.loadingActions ?? [];
  const buttons = ofRow.length + (hasMenu ? 1 : 0);
  const words = ofRow.filter(({ worded }) => worded === true).length;
  const actionsWidth = (shown: number, shownWords: number): number =>
    hasActions ? shown * actionButton + shownWords * actionWord + actionsPadding : 0;
  const select = canSelect ? selectColumn : 0;
  const besides = select + actionsWidth(buttons, words);
  const shortOf = useShortOf(scroller, [neededWidth(columns, false) + besides, neededWidth(columns, true) + besides]);
  const isNarrow = shortOf > 0;
  const scrolling = shortOf < 2 ? undefined : hasMenu ? 'menu' : 'all';
  // All buttons would cover most of the columns that scroll under them.
  const actionsPx = actionsWidth(scrolling === 'menu' ? 1 : buttons, isNarrow ? 0 : words);
  // A width that the customer chose does not grow with the text.
  const own = columns.map(({ id }) => sizing.widths[id]);
  const mins = columns.map((column, i) => (own[i] === undefined ? rem(startOf(column, isNarrow)) : `${own[i]}px`));
  // A first column without a width takes what is left; without one, those that the customer has not sized do, by their widths.
  const hasOpen = columns.some(({ width }, i) => own[i] === undefined && width === undefined);
  const tracks = columns.map((column, i) =>
    own[i] !== undefined || (hasOpen && column.width !== undefined) ? mins[i] : `minmax(${mins[i]}, ${startOf(column, isNarrow)}fr)`,
  );
  const last = own.includes(undefined) ? rem(actionsPx) : `minmax(${rem(actionsPx)}, 1fr)`;
  return {
    template: [...(canSelect ? [rem(selectColumn)] : []), ...tracks, ...(hasActions ? [last] : [])].join(' '),
    minWidth: `calc(${[...mins, rem(select + actionsPx)].join(' + ')})`,
    isNarrow,
    scrolling,
    hasActions,
  } as const;
}

const rem = (px: number): string => `${px / 16}rem`;
/** px of all columns in their own width, or in their narrow one. */
const neededWidth = (columns: readonly HeadColumn[], isNarrow: boolean): number =>
  columns.reduce((sum, column) => sum + startOf(column, isNarrow), 0);
const startOf = ({ width, narrowWidth = width }: HeadColumn, isNarrow: boolean): number =>
  isNarrow ? (narrowWidth ?? identityNarrow) : (width ?? identityRoomy);
