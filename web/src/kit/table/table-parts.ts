import type { ReactNode } from 'react';
import type { IconName } from '#kit/icons/icon-names.generated.ts';

export interface HeadColumn {
  readonly id: string;
  readonly header: string;
  readonly sortable?: boolean;
  /** px at the usual text size; columns without one share what is left. Never under 80. */
  readonly width?: number | undefined;
  /** Instead of `width` where the table has little room. */
  readonly narrowWidth?: number | undefined;
}

export interface TableColumn<Row> extends HeadColumn {
  readonly cell: (row: Row) => ReactNode;
}

/** The first column: the seal, or an icon without a checksum, and two lines. Its first line opens the row and can never be disabled. */
export interface RowIdentity {
  readonly sha256?: string | undefined;
  /** What the row is called everywhere: in the names of its actions, on the phone, read aloud. */
  readonly title: string;
  /** What the first column is named after, below the title; the phone's list has it among its lines. */
  readonly group?: string | undefined;
  readonly detail?: ReactNode;
  /** Where the row can be found by itself, as a link. */
  readonly href?: string | undefined;
  /** A state of the whole row as icon and word: superseded, corrupted. */
  readonly badge?: ReactNode;
  /** What a check of the document gave, on its seal; `badge` says it in words. */
  readonly verdict?: 'sound' | 'unsound' | undefined;
  /** One line without a mark in the table: `group` alone is seen then, the title heard. */
  readonly plain?: boolean;
}

export interface RowAction {
  readonly id: string;
  readonly icon: IconName;
  /** Names the object too: 'Download: Repayment schedule'. */
  readonly name: string;
  /** The short form, for the phone's menu whose head names the object. */
  readonly label: string;
  /** With its label beside the icon, where the table has room. */
  readonly worded?: boolean | undefined;
  readonly disabledReason?: string | undefined;
}

export interface TableSort {
  readonly columnId: string;
  readonly descending: boolean;
}

/** Widths that the customer chose. */
export interface TableSizing {
  /** px by column. */
  readonly widths: Readonly<Record<string, number | undefined>>;
  /** `undefined` is the first width again. */
  readonly onWidth: (columnId: string, width: number | undefined) => void;
}

/** What a table shows of its rows. A new function renders all rows again, so each is kept until what it shows changes. */
export interface RowLook<Row> {
  readonly identity: (row: Row) => RowIdentity;
  readonly isUnread?: ((row: Row) => boolean) | undefined;
  /** Rows that can only be downloaded: second ink. */
  readonly isMuted?: ((row: Row) => boolean) | undefined;
  readonly actions?: ((row: Row) => readonly RowAction[]) | undefined;
}

/** What a row shows and does; kept from one rendering to the next, as a row is only rendered again with something new. */
export interface RowHandlers<Row> {
  readonly look: RowLook<Row>;
  readonly onOpen: (row: Row) => void;
  readonly onAction: (row: Row, actionId: string) => void;
}

/** Rows on a wide screen or on a phone, and what scrolls them. */
export interface ShownRows<Row> extends RowHandlers<Row> {
  readonly shownRows: readonly Row[];
  readonly scroller: HTMLElement | null;
  readonly onScroller: (scroller: HTMLElement | null) => void;
  readonly state: 'ready' | 'loading' | 'busy';
}

/** Where the menu of a row opens: at the pointer, or below what was pressed; px in the viewport. */
export interface MenuPlace {
  readonly x: number;
  readonly y: number;
  /** What opens the row: it has the focus once the menu has gone. */
  readonly opener: HTMLElement | null;
}
