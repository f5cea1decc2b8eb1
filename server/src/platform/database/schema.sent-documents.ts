import type { PdfFlag } from '@pergamin/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

export interface DocumentCategoryTable {
  id: string;
  name_pl: string;
  name_en: string;
  /** Null: what is sent in it is kept indefinitely. */
  retention_days: number | null;
  deleted: Generated<boolean>;
  demo: Generated<boolean>;
  position: number;
  created_at: Timestamp;
}

export interface DocumentTypeTable {
  id: string;
  category_id: string;
  name_pl: string;
  name_en: string;
  deleted: Generated<boolean>;
  position: number;
}

/** What a client has sent. Nothing of it changes but the acknowledgement of the organisation, and that its bytes were found damaged. */
export interface SentDocumentTable {
  id: string;
  personal_id: string;
  /** As it was then. */
  cif: string;
  filename: string;
  /** `filename` as searches compare it. */
  search_name: string;
  category_id: string;
  type_id: string;
  object_key: string;
  sha256: string;
  size: number;
  page_count: number;
  /** Points after rotation; one entry when all pages are alike. */
  page_sizes: JSONColumnType<{ width: number; height: number }[]>;
  flags: PdfFlag[];
  scan_result: 'CLEAN' | 'UNAVAILABLE' | 'NONE';
  scan_engine: string | null;
  scanned_at: NullableTimestamp;
  idempotency_key: string | null;
  /** 'yyyy-mm-dd'; null: indefinite. */
  retention_date: string | null;
  corrupted: Generated<boolean>;
  created_at: Timestamp;
  acknowledged_at: NullableTimestamp;
  acknowledged_by: string | null;
  /** Grows in the order of commits. */
  place: number;
}

export interface WebhookDeliveryTable {
  id: string;
  sent_document_id: string;
  state: 'queued' | 'delivered' | 'failed';
  attempts: Generated<number>;
  last_status: number | null;
  last_error: string | null;
  last_attempt_at: NullableTimestamp;
  created_at: Timestamp;
  delivered_at: NullableTimestamp;
}
