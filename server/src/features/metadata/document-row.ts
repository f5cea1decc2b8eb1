import type { DocumentRow } from '@pergamin/contract';
import type { MetadataRow } from './metadata-columns.ts';
import type { MetadataDefinitions, MetadataReader } from './metadata-definitions.ts';

/** A document with the reader's marks. */
export interface MarkedRow extends MetadataRow {
  readonly id: string;
  readonly corrupted: boolean;
  readonly read_at: Date | null;
  readonly downloaded_at: Date | null;
}

/** A row as the reader sees it. Only published documents that are there are ever seen, so both states are constants of the contract. */
export const documentRowOf = (row: MarkedRow, definitions: MetadataDefinitions, reader: MetadataReader): DocumentRow => ({
  id: row.id,
  state: row.state,
  metadata: definitions.toMap(row, reader),
  corrupted: row.corrupted,
  deleted: false,
  published: true,
  read: row.read_at?.getTime() ?? null,
  downloaded: row.downloaded_at?.getTime() ?? null,
});
