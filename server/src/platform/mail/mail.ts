import type { LanguageCode } from '@pergamin/contract';
import type { Transaction } from 'kysely';
import type { Database } from '#platform/database/schema.ts';

/** What is said; the sentences are `mail.<template>.subject` and `mail.<template>.text` of the languages, with `values` filled in. */
export type MailTemplate = 'passwordReset' | 'activation' | 'passwordChanged' | 'contactChanged';

export interface MailMessage {
  readonly to: string;
  readonly language: LanguageCode;
  readonly template: MailTemplate;
  /** Plain text; a link stands on a line of its own. Never a document's content, never a personal id. */
  readonly values: Readonly<Record<string, string>>;
}

export interface Mail {
  /** Puts the message into the outbox; it is sent by a job, again after a failure. Resolves when it cannot be lost any more. */
  send(message: MailMessage, trx?: Transaction<Database>): Promise<void>;
}
