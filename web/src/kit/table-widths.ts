import type { HeadColumn } from './table-parts.ts';

// px at the usual text size, like the widths of the columns.
const identityRoomy = 220;
const identityNarrow = 160;
const otherColumn = 150;
export const pickColumn = 44;
const actionsPadding = 20;
const actionButton = matchMedia('(pointer: coarse)').matches ? 48 : 36;

const wordWidth = 60;

/** `words`: how many of the buttons have their label beside the icon. */
export const actionsWidth = (buttons: number, words = 0): number => buttons * actionButton + words * wordWidth + actionsPadding;

/** What stands beside the columns: the column for picking rows, the row's buttons. */
export const widthBesides = ({
  picks,
  buttons,
  words,
}: {
  readonly picks: boolean;
  readonly buttons: number | undefined;
  readonly words: number;
}): number => (picks ? pickColumn : 0) + (buttons === undefined ? 0 : actionsWidth(buttons, words));

/** With less room than this, columns take their narrow widths. */
export const roomyWidth = (columns: readonly HeadColumn[], besides: number): number =>
  columns.slice(1).reduce((sum, { width = otherColumn }) => sum + width, (columns[0]?.width ?? identityRoomy) + besides);

/** With less room than this, the narrow columns scroll sideways under the row's buttons. */
export const scrollingWidth = (columns: readonly HeadColumn[], besides: number): number =>
  columns
    .slice(1)
    .reduce(
      (sum, { width = otherColumn, narrowWidth = width }) => sum + narrowWidth,
      (columns[0]?.narrowWidth ?? identityNarrow) + besides,
    );

export interface ColumnTracks {
  /** By index, as a grid writes them. */
  readonly tracks: readonly string[];
  /** Whether one of them takes what is left. */
  readonly isFilled: boolean;
  /** Below this the table scrolls sideways instead of squeezing its columns. */
  readonly least: string;
}

/** Of the columns, the identity first. What a customer `chose` is in px; where a column starts grows with the text. */
export const columnTracks = (parts: {
  readonly columns: readonly HeadColumn[];
  readonly chosen: Readonly<Record<string, number>>;
  readonly narrow: boolean;
  readonly besides: number;
}): ColumnTracks => {
  const { columns, chosen, narrow, besides } = parts;
  const identity = narrow ? identityNarrow : identityRoomy;
  const widths = columns.map(({ id, width, narrowWidth = width }, index) => {
    const own = chosen[id];
    const start = narrow ? narrowWidth : width;
    const least = own === undefined ? rem(start ?? (index === 0 ? identity : otherColumn)) : `${own}px`;
    return { isOwn: own !== undefined, isOpen: own === undefined && start === undefined, start, least };
  });
  // Without a column that takes what is left, those that nobody has touched share it by their widths.
  const isOpen = widths.some((width) => width.isOpen);
  const tracks = widths.map((width) => {
    if (width.isOpen) return `minmax(${width.least}, 1fr)`;
    return isOpen || width.isOwn ? width.least : `minmax(${width.least}, ${width.start ?? otherColumn}fr)`;
  });
  return {
    tracks,
    isFilled: widths.some(({ isOwn }) => !isOwn),
    least: `calc(${[...widths.map(({ least }) => least), rem(besides)].join(' + ')})`,
  };
};

export const rem = (px: number): string => `${px / 16}rem`;
