import type { SavedViewContent } from '@pergamin/contract';
import type { ColumnType, JSONColumnType } from 'kysely';

export interface SavedViewFolderTable {
  id: string;
  personal_id: string;
  parent_id: string | null;
  name: string;
}

export interface SavedViewTable {
  id: string;
  personal_id: string;
  folder_id: string | null;
  name: string;
  kind: 'received' | 'statements' | 'public';
  /** As the contract's `savedViewContent`; keys in it may have gone since. */
  content: JSONColumnType<SavedViewContent>;
}

/** Whose export is under way. Its holder renews it; when that stops, another may begin. */
export interface ExportLeaseTable {
  personal_id: string;
  holder: string;
  expires_at: ColumnType<Date, Date | string, Date | string>;
}
