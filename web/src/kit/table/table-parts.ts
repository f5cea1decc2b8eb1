import type { ReactNode } from 'react';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import type { MenuItemEntry } from '#kit/overlays/menu-entry.ts';

export interface HeadColumn {
  readonly id: string;
  readonly header: string;
  readonly sortable?: boolean;
  /** px at the usual text size, never under 80. Without one, the first column takes what is left. */
  readonly width?: number | undefined;
  /** Instead of `width` where the table has little room. */
  readonly narrowWidth?: number | undefined;
}

export interface TableColumn<Row> extends HeadColumn {
  readonly width: number;
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
  readonly unread?: boolean;
  /** It can only be downloaded: second ink. */
  readonly muted?: boolean;
}

/** A button of a row; its label is the short form, for a menu whose head names the object. */
export interface RowAction extends MenuItemEntry {
  readonly icon: IconName;
  /** Names the object too: 'Download: Repayment schedule'. */
  readonly name: string;
  /** With its label beside the icon, where the table has room. */
  readonly worded?: boolean | undefined;
}

/** What the parts of a table are. Rows are laid out as grids, and some browsers then forget it: it is said to them again. */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;
