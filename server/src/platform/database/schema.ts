import type { PdfFlag } from '@pergamin/contract';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { EarlyReportTable, NoticeTable, NotificationTable } from './schema.notices.ts';
import type { ExportLeaseTable, SavedViewFolderTable, SavedViewTable } from './schema.saved-views.ts';
import type { DocumentCategoryTable, DocumentTypeTable, SentDocumentTable, WebhookDeliveryTable } from './schema.sent-documents.ts';

/**
 * The tables of the product as Kysely sees them; the migrations beside this file create them.
 * int8 columns come back as numbers (sizes and counts stay below 2^53), `date` columns as 'yyyy-mm-dd' or 'infinity' (indefinite, −1 on the
 * wire), timestamptz as Date.
 */
export interface Database {
  client: ClientTable;
  group_member: GroupMemberTable;
  principal_revision: PrincipalRevisionTable;
  sign_in_transaction: SignInTransactionTable;
  sign_in_code: SignInCodeTable;
  session: SessionTable;
  used_assertion: UsedAssertionTable;
  publisher_key: PublisherKeyTable;
  metadata_definition: MetadataDefinitionTable;
  dictionary: DictionaryTable;
  dictionary_value: DictionaryValueTable;
  document: DocumentTable;
  delivery: DeliveryTable;
  publication: PublicationTable;
  document_mark: DocumentMarkTable;
  document_check: DocumentCheckTable;
  document_event: DocumentEventTable;
  call_counter: CallCounterTable;
  statute: StatuteTable;
  statute_acceptance: StatuteAcceptanceTable;
  statute_mark: StatuteMarkTable;
  rendition: RenditionTable;
  worker_process: WorkerProcessTable;
  mail_outbox: MailOutboxTable;
  notification: NotificationTable;
  notice: NoticeTable;
  early_report: EarlyReportTable;
  saved_view_folder: SavedViewFolderTable;
  saved_view: SavedViewTable;
  export_lease: ExportLeaseTable;
  document_category: DocumentCategoryTable;
  document_type: DocumentTypeTable;
  sent_document: SentDocumentTable;
  webhook_delivery: WebhookDeliveryTable;
  installation: InstallationTable;
}

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type DefaultNow = ColumnType<Date, Date | string | undefined, Date | string>;
/** 'yyyy-mm-dd' or 'infinity'. */
type CalendarDay = string | null;

export interface ClientTable {
  personal_id: string;
  cif: string;
  cif2: string | null;
  first_name: string;
  last_name: string;
  email: string | null;
  phone: string | null;
  managed: Generated<boolean>;
  /** Of mail, as the organisation's record says it. */
  language: Generated<string>;
  /** Of mail, as the client's last sign-in says it; null: it says nothing beyond the record. */
  chosen_language: string | null;
  /** A CLOSED client keeps reading, downloading and exporting (T4), and is never asked for the statute (C3). */
  state: Generated<'ACTIVE' | 'CLOSED'>;
  demo: Generated<boolean>;
  created_at: DefaultNow;
  updated_at: DefaultNow;
  last_sign_in_at: NullableTimestamp;
  previous_sign_in_at: NullableTimestamp;
  /** Where news should go; may outlive the address or phone that it needs. */
  preferred_channel: Generated<'EMAIL' | 'SMS' | null>;
}

export interface GroupMemberTable {
  group_id: string;
  cif: string;
  since: DefaultNow;
  until: NullableTimestamp;
}

/** Not written any more. */
export interface PrincipalRevisionTable {
  principal: string;
  revision: number;
}

export interface SignInTransactionTable {
  id_hash: Buffer;
  service_id: string;
  challenge: string;
  /** The personal id that was typed; whoever signs in must be this one. Null when the sign-in started at a service. */
  hint: string | null;
  verifier: string;
  nonce: string;
  browser_hash: Buffer;
  /** In which the person came. */
  language: Generated<string>;
  expires_at: Timestamp;
}

export interface SignInCodeTable {
  code_hash: Buffer;
  challenge: string;
  browser_hash: Buffer;
  personal_id: string;
  service_id: string;
  /** Session id at the identity service, for ending that one on logout. */
  service_session: string | null;
  /** Who this is at the identity service, which may know people by another name than we do. */
  service_subject: string | null;
  /** Sealed with the code itself. */
  id_token: Buffer | null;
  expires_at: Timestamp;
}

export interface SessionTable {
  id: string;
  personal_id: string;
  /** SHA-256 of the cookie's secret: token and cookie must match (B19). */
  secret_hash: Buffer;
  service_id: string;
  service_session: string | null;
  service_subject: string | null;
  /** The hint that the identity service wants on logout; sealed with the cookie's secret, which is not kept here. */
  id_token: Buffer | null;
  /** How often the session was refreshed; its newest token says the same number. */
  generation: Generated<number>;
  refreshed_at: NullableTimestamp;
  created_at: DefaultNow;
  idle_expires_at: Timestamp;
  absolute_expires_at: Timestamp;
  ended_at: NullableTimestamp;
  end_reason: string | null;
}

/** One-time tokens of identity services that have been shown once: their `jti`. */
export interface UsedAssertionTable {
  id_hash: Buffer;
  expires_at: Timestamp;
}

export interface PublisherKeyTable {
  id: string;
  name: string;
  key_hash: Buffer;
  scopes: string[];
  /** Whatever is published with this key is demonstration data. */
  demo: Generated<boolean>;
  created_at: DefaultNow;
  revoked_at: NullableTimestamp;
}

export interface MetadataDefinitionTable {
  id: string;
  number: number | null;
  name_pl: string;
  name_en: string;
  description: string | null;
  type: 'RAW' | 'TEXT' | 'DECIMAL' | 'DATE' | 'SIMPLE_DATE' | 'BOOLEAN' | 'KEY_NAME';
  required: Generated<boolean>;
  system: Generated<boolean>;
  final: Generated<boolean>;
  removed: Generated<boolean>;
  /** yes, own (the reader's own value only), no (never sent), server (not sent, allowed in criteria). */
  visible: 'yes' | 'own' | 'no' | 'server';
  dictionary: string | null;
  screens: string[];
  position: number;
}

export interface DictionaryTable {
  id: string;
  name_pl: string;
  name_en: string;
}

export interface DictionaryValueTable {
  dictionary_id: string;
  key: string;
  name_pl: string;
  name_en: string;
  position: number;
}

export type DocumentKind = 'private' | 'statement' | 'public';
export interface PageSize {
  width: number;
  height: number;
}

export interface DocumentTable {
  id: string;
  state: Generated<'ACTIVE' | 'CANCELLED' | 'OBSOLETE' | 'DELETED' | 'FORGOTTEN'>;
  type: 'PUBLIC' | 'PRIVATE' | 'GROUP';
  kind: DocumentKind;
  cif: string | null;
  cif2: string | null;
  group_id: string | null;
  file_name: string;
  unique_name: string | null;
  version: Generated<number>;
  object_key: string;
  sha256: string;
  size: number;
  page_count: number;
  /** Points after rotation; one entry when all pages are alike. */
  page_sizes: JSONColumnType<PageSize[]>;
  /** Null until release(): lists read deliveries only. */
  published_at: NullableTimestamp;
  reg_date: CalendarDay;
  st_date: CalendarDay;
  st_period_start: CalendarDay;
  st_period_end: CalendarDay;
  retention_date: CalendarDay;
  account_number: string | null;
  case_number: string | null;
  priv_product_group: string | null;
  st_number: string | null;
  st_doc_type: string | null;
  /** Value of the statement marker key; 'STATEMENTS' marks a statement. */
  marker: string | null;
  /** Every other metadata value, by definition id. */
  meta: JSONColumnType<Record<string, string | number | boolean>>;
  /** Unaccented, lower case: all client-visible text values, for `text` and LIKE. */
  search_text: string;
  corrupted: Generated<boolean>;
  added_by: string | null;
  published_by: string | null;
  demo: Generated<boolean>;
  created_at: DefaultNow;
  /** When the text of its pages was read for the search; null: not yet. */
  text_read_at: NullableTimestamp;
  /** What was found in the PDF that could do something in other hands. */
  pdf_flags: Generated<PdfFlag[]>;
  /** The new version that took its place; whose successor a document is, is asked by the same column. */
  successor: ColumnType<string | null, string | null | undefined, string | null>;
}

export interface DeliveryTable {
  /** `cif:…`, `group:…` or `public`. */
  principal: string;
  document_id: string;
  kind: DocumentKind;
  published_at: Timestamp;
  /** The list's own date (D13): REG_DATE or ST_DATE, else the day of publication. */
  listed_on: string;
  // What lists are searched and sorted by stands here too (`listed_values`), and what leads to a document by its checksum (`content_key`).
}

/** Insert-only (a trigger refuses update and delete): what a check compares the live row and the stored bytes with. */
export interface PublicationTable {
  document_id: string;
  sha256: string;
  cif: string | null;
  cif2: string | null;
  group_id: string | null;
  size: number;
  at: Timestamp;
}

export interface DocumentMarkTable {
  personal_id: string;
  document_id: string;
  read_at: NullableTimestamp;
  downloaded_at: NullableTimestamp;
  pages: ColumnType<number[], number[] | undefined, number[]>;
}

/** When the stored bytes of a document were last read again, and what that gave. */
export interface DocumentCheckTable {
  document_id: string;
  checked_at: Timestamp;
  sha256: string | null;
}

/** Insert-only, written by the database with the change itself: what has become of a document since it was published. */
export interface DocumentEventTable {
  id: Generated<number>;
  document_id: string;
  state_before: DocumentTable['state'] extends Generated<infer State> ? State : never;
  state: DocumentTable['state'] extends Generated<infer State> ? State : never;
  at: DefaultNow;
}

/** A sliding window: when a subject (`check:<personal id>`) made its latest calls, oldest first. */
export interface CallCounterTable {
  subject: string;
  calls: Date[];
}

export interface StatuteTable {
  id: string;
  version: string;
  effective_from: Timestamp;
  changes: string | null;
  object_key: string;
  sha256: string;
  size: number;
  page_count: number;
  page_sizes: JSONColumnType<PageSize[]>;
  published_at: DefaultNow;
  demo: Generated<boolean>;
}

/** Insert-only: who accepted which version, when, with which checksum. */
export interface StatuteAcceptanceTable {
  personal_id: string;
  statute_id: string;
  version: string;
  sha256: string;
  accepted_at: DefaultNow;
}

export interface StatuteMarkTable {
  personal_id: string;
  statute_id: string;
  pages: number[];
}

export interface RenditionTable {
  sha256: string;
  width: number;
  format: number;
  pages: number;
  pages_ready: Generated<number>;
  state: 'queued' | 'rendering' | 'done' | 'failed';
  error: string | null;
  looked_page: number | null;
  updated_at: DefaultNow;
}

/** One row per running worker; whoever can take a dead one's advisory lock frees its jobs. */
export interface WorkerProcessTable {
  worker_id: string;
  /** int8 as text: the key of the session-level advisory lock that the living process holds. */
  lock_key: string;
  started_at: DefaultNow;
}

/** Every mail there ever was to be sent. What it says is kept only until it is sent or given up: it may hold a link that signs somebody in. */
export interface MailOutboxTable {
  id: string;
  message_id: string;
  recipient: string;
  language: string;
  template: string;
  subject: string;
  content: string | null;
  /**
   * queued → sending → handed_over (the server has everything but the final dot) → sent. unconfirmed: the process ended after that dot, before
   * the answer. failed: refused, or given up. kept: there is no mail server; it is read in the local outbox.
   */
  state: 'queued' | 'sending' | 'handed_over' | 'sent' | 'unconfirmed' | 'failed' | 'kept';
  attempts: Generated<number>;
  /** Of the run that is sending it now: an older one that comes back to life cannot go on. */
  claim: string | null;
  last_error: string | null;
  created_at: Timestamp;
  sent_at: NullableTimestamp;
}

/** Facts about this installation, secrets among them (base64): token key, identity's keys, demo state. */
export interface InstallationTable {
  name: string;
  value: string;
  created_at: DefaultNow;
}
