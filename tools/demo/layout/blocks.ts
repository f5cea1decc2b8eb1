/** What a document says, apart from how it is set. `**…**` in a text marks bold words. */
export type Block =
  | { kind: 'title'; text: string; lines?: readonly string[] }
  | { kind: 'section'; text: string }
  | { kind: 'paragraph'; text: string; align?: 'justify' | 'left' | 'right'; small?: boolean }
  | { kind: 'points'; items: readonly Point[] }
  | { kind: 'facts'; rows: readonly (readonly [label: string, value: string])[] }
  | { kind: 'figures'; items: readonly (readonly [label: string, value: string])[] }
  | { kind: 'table'; table: Table }
  | { kind: 'signatures'; left: string; right: string }
  | { kind: 'gap'; height: number };

/** A numbered point, with lettered points under it. */
export type Point = string | { text: string; letters: readonly string[] };

export interface Column {
  title: string;
  /** Share of the width; the shares of a table's columns are summed. */
  share: number;
  align?: 'left' | 'right' | 'centre';
}

export interface Table {
  columns: readonly Column[];
  /** A line feed in a cell starts a second, quieter line. */
  rows: readonly (readonly string[])[];
  /** A last row in bold. */
  total?: readonly string[];
  dense?: boolean;
}

export interface Letterhead {
  /** Lines at the right of the first page, e.g. the place and day and the case number. */
  right: readonly string[];
  /** Repeated at the head of the following pages. */
  running: string;
}
