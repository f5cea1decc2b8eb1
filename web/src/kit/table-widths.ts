import type { HeadColumn } from './table-parts.ts';

// px at the usual text size, like the widths of the columns.
const identityRoomy = 220;
const identityNarrow = 160;
const otherColumn = 150;
const pickColumn = 44;
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

export interface ColumnWidths {
  /** By index, as style sheets write it; `undefined` takes what is left. */
  readonly widths: readonly (string | undefined)[];
  /** Below this the table scrolls sideways instead of squeezing its columns. */
  readonly least: string;
}

/** Of the columns, the identity first. What a customer `chose` is in px; where a column starts grows with the text. */
export const columnWidths = (parts: {
  readonly columns: readonly HeadColumn[];
  readonly chosen: Readonly<Record<string, number>>;
  readonly narrow: boolean;
  readonly besides: number;
}): ColumnWidths => {
  const { columns, chosen, narrow, besides } = parts;
  const widths = columns.map(({ id, width, narrowWidth = width }) => {
    const own = chosen[id];
    if (own !== undefined) return `${own}px`;
    const start = narrow ? narrowWidth : width;
    return start === undefined ? undefined : rem(start);
  });
  const identity = narrow ? identityNarrow : identityRoomy;
  const least = widths.map((width, index) => width ?? rem(index === 0 ? identity : otherColumn));
  return { widths, least: `calc(${[...least, rem(besides)].join(' + ')})` };
};

export const rem = (px: number): string => `${px / 16}rem`;
