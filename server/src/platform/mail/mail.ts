import type { LanguageCode } from '@pergamin/contract';
import type { Transaction } from 'kysely';
import type { Database } from '#platform/database/schema.ts';

/**
 * What is said; the sentences are `mail.<template>.subject` and `mail.<template>.text` of the languages, with `values` filled in.
 * passwordReset needs `link` and `time` (until when the link works), activation and activationWithCode need `personalId` too; passwordChanged
 * and contactChanged need `time` (when it was done). `organisation` is filled in by the room itself.
 */
export type MailTemplate = 'passwordReset' | 'activation' | 'activationWithCode' | 'passwordChanged' | 'contactChanged';

/** Notices: they go past the outbox, since their room keeps an account of its own. See `Post`. */
export type NoticeTemplate = 'newDocument' | 'unreadDocument' | 'cancelledDocument';

export interface MailMessage {
  readonly to: string;
  readonly language: LanguageCode;
  readonly template: MailTemplate;
  /** Plain text; a link has a line of its own. Never a document's content; a personal id only in the mail that tells a client their own. */
  readonly values: Readonly<Record<string, string>>;
  /** Until when the link in it works: it is not sent later. Left out: it says nothing that ends. */
  readonly validUntil?: Date | undefined;
}

/** Queues mail in the outbox; the processes of one database share it. */
export interface Mail {
  /**
   * Puts the message into the outbox; it is sent by a job, again after a failure. Resolves when it cannot be lost any more. Throws when the
   * address is none or a sentence lacks a value.
   */
  send(message: MailMessage, trx?: Transaction<Database>): Promise<void>;
  /** The same for many, in a few statements; all of them or none. */
  sendAll(messages: readonly MailMessage[], trx: Transaction<Database>): Promise<void>;
}

/** One letter handed over synchronously, for a room that records itself what was sent and with which result. */
export interface Letter {
  /** The letter's own; the Message-ID is made of it, so that a mail program shows once what came twice. */
  readonly id: string;
  readonly to: string;
  readonly language: LanguageCode;
  readonly template: NoticeTemplate;
  /** Of several lines: they are kept in the text, and stand on one line in the subject. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  readonly createdAt: Date;
}

/** Hands letters to the mail server without the outbox, for rooms with rows of their own (notices). */
export interface Post {
  /** Where letters go. `nowhere`: nothing is to be handed over. */
  readonly goesTo: 'server' | 'localOutbox' | 'nowhere';
  /** As a bounce names it. */
  messageIdOf(letterId: string): string;
  /**
   * `beforeLast` runs when the server has everything but the final dot; when it throws, nothing was sent. The local outbox keeps a letter once.
   * Throws DeliveryError when the letter was not taken, and the reason of `signal` when that aborts first.
   */
  handOver(letter: Letter, options: { readonly beforeLast: () => Promise<void>; readonly signal: AbortSignal }): Promise<void>;
  /** See `MailServer`; does nothing where there is none. */
  hurryAfterOutage(): Promise<void>;
  onBack(hurry: () => Promise<void>): void;
}
