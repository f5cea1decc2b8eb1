import { useNarrow } from '#kit/layout/useNarrow.ts';
import { type ColumnsBeside, type ColumnTracks, columnTracks, neededWidth } from './column-tracks.ts';
import type { HeadColumn } from './table-parts.ts';

interface ColumnLayoutOptions {
  /** What scrolls the table and limits its width. */
  readonly scroller: HTMLElement | null;
  /** The identity first. */
  readonly columns: readonly HeadColumn[];
  /** px that the customer chose, by column. */
  readonly chosen: Readonly<Record<string, number>>;
  readonly beside: ColumnsBeside;
  /** Whether a row has a menu with all its actions. */
  readonly hasMenu: boolean;
}

interface ColumnLayout extends ColumnTracks {
  readonly isNarrow: boolean;
  /** The columns scroll sideways; with `menu`, of the buttons of a row only that of the menu is left. */
  readonly scrolling: 'all' | 'menu' | undefined;
}

/** The widths of the columns in the room that the table has now. */
export function useColumnLayout({ scroller, columns, chosen, beside, hasMenu }: ColumnLayoutOptions): ColumnLayout {
  const isNarrow = useNarrow(scroller, neededWidth(columns, beside, false));
  const isScrolling = useNarrow(scroller, neededWidth(columns, beside, true));
  // All buttons would cover most of the columns that scroll under them.
  const inMenu = isScrolling && hasMenu;
  const shown = { ...beside, buttons: inMenu ? 1 : beside.buttons, words: isNarrow ? 0 : beside.words };
  return {
    ...columnTracks({ columns, chosen, isNarrow, beside: shown }),
    isNarrow,
    scrolling: inMenu ? 'menu' : isScrolling ? 'all' : undefined,
  };
}
