import { listLimits } from '@pergamin/contract';
import type { HeadColumn } from './table-parts.ts';

// px at the usual text size, like the widths of the columns.
const identityRoomy = 300;
/** The seal, and a name of some thirty letters in each of its two lines. */
export const identityNarrow = 268;
const otherColumn = 150;
const selectColumn = 44;
const actionsPadding = 20;
const actionButton = matchMedia('(pointer: coarse)').matches ? 48 : 36;
const actionWord = 60;

/** What stands beside the columns that are told by data. */
export interface ColumnsBeside {
  readonly canSelect: boolean;
  /** How many each row has; `undefined` where there is no column for them. */
  readonly buttons: number | undefined;
  /** How many of the buttons have their label beside the icon. */
  readonly words: number;
}

const rem = (px: number): string => `${px / 16}rem`;
const actionsWidth = ({ buttons = 0, words }: ColumnsBeside): number => buttons * actionButton + words * actionWord + actionsPadding;
const widthBeside = (beside: ColumnsBeside): number =>
  (beside.canSelect ? selectColumn : 0) + (beside.buttons === undefined ? 0 : actionsWidth(beside));

/** px that all columns need in their own width, or in their narrow one. */
export const neededWidth = (columns: readonly HeadColumn[], beside: ColumnsBeside, isNarrow: boolean): number =>
  columns.reduce((sum, column, index) => sum + (startOf(column, isNarrow) ?? defaultOf(index, isNarrow)), widthBeside(beside));

const startOf = ({ width, narrowWidth = width }: HeadColumn, isNarrow: boolean): number | undefined => (isNarrow ? narrowWidth : width);
const defaultOf = (index: number, isNarrow: boolean): number => (index > 0 ? otherColumn : isNarrow ? identityNarrow : identityRoomy);

export interface ColumnTracks {
  /** Of all columns from left to right, as `grid-template-columns` has them. */
  readonly template: readonly string[];
  /** Where the column at an index stands in `template`. */
  readonly offset: number;
  /** Below this the table scrolls sideways instead of squeezing its columns. */
  readonly minWidth: string;
}

interface TracksOptions {
  /** The identity first. */
  readonly columns: readonly HeadColumn[];
  /** px that the customer chose, by column; they do not grow with the text. */
  readonly chosen: Readonly<Record<string, number>>;
  readonly isNarrow: boolean;
  readonly beside: ColumnsBeside;
}

export const columnTracks = ({ columns, chosen, isNarrow, beside }: TracksOptions): ColumnTracks => {
  const widths = columns.map((column, index) => {
    const own = chosen[column.id];
    const start = startOf(column, isNarrow);
    const min = own === undefined ? rem(start ?? defaultOf(index, isNarrow)) : `${own}px`;
    return { isChosen: own !== undefined, isOpen: own === undefined && start === undefined, start, min };
  });
  // Columns without a width share what is left; if there are none, those that the customer has not sized do, by their widths.
  const hasOpen = widths.some(({ isOpen }) => isOpen);
  const tracks = widths.map(({ isOpen, isChosen, start, min }) => {
    if (isOpen) return `minmax(${min}, 1fr)`;
    return hasOpen || isChosen ? min : `minmax(${min}, ${start ?? otherColumn}fr)`;
  });
  const actions = rem(actionsWidth(beside));
  return {
    template: [
      ...(beside.canSelect ? [rem(selectColumn)] : []),
      ...tracks,
      ...(beside.buttons === undefined ? [] : [widths.every(({ isChosen }) => isChosen) ? `minmax(${actions}, 1fr)` : actions]),
    ],
    offset: beside.canSelect ? 1 : 0,
    minWidth: `calc(${[...widths.map(({ min }) => min), rem(widthBeside(beside))].join(' + ')})`,
  };
};

/** px of a column that the customer sizes. */
export const sizedWidth = (px: number): number => Math.max(listLimits.columnMinWidthPx, Math.round(px));
