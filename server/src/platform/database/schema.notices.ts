import type { ColumnType, Generated } from 'kysely';

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** A notice by mail or SMS: one for a document, a person and an occasion. What it says is made when it is sent, from the document as it is then. */
export interface NoticeTable {
  id: Generated<string>;
  document_id: string;
  /** Personal id; no foreign key, as in `notification`. */
  receiver: string;
  kind: 'publication' | 'reminder';
  /** Null: there was no way to reach the person. */
  channel: 'EMAIL' | 'SMS' | null;
  state: 'queued' | 'sent' | 'failed' | 'bounced';
  /** Of failed and bounced ones. */
  reason: 'NO_ADDRESS' | 'REFUSED' | 'GIVEN_UP' | 'WITHDRAWN' | 'BOUNCED' | null;
  /** How often it was taken up. */
  attempts: Generated<number>;
  /** How often it was handed to the mail server or the gateway, or may have been: written down before the last word is said. */
  sends: Generated<number>;
  /** How often it was not taken, and is tried again. */
  failures: Generated<number>;
  /** Of the run that is sending it now: an older one that comes back to life cannot go on. */
  claim: string | null;
  /** What the gateway calls it; of a mail its Message-ID. */
  message_id: string | null;
  last_error: string | null;
  due_at: Timestamp;
  created_at: Timestamp;
  sent_at: NullableTimestamp;
  bounced_at: NullableTimestamp;
}

/** That a message did not arrive, told before it was written down under which id the gateway took it. Kept for a short time, and so many. */
export interface EarlyReportTable {
  message_id: string;
  reason: string;
  received_at: Timestamp;
}

/** One per person and event. What it is called is read from the document, so that a forgotten one leaves no name behind. */
export interface NotificationTable {
  id: Generated<string>;
  /** Personal id. No foreign key: a publication would lock the rows of its readers, and wait for whoever writes clients. */
  receiver: string;
  type: 'publication' | 'account_update';
  /** Null of an account_update. */
  document_id: string | null;
  created_at: Timestamp;
  read_at: NullableTimestamp;
}
