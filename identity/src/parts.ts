import type { Transaction } from 'kysely';
import type { PasswordCost } from './accounts/passwords.ts';

/** The time, so that tests can move it. */
export interface Clock {
  now(): Date;
}

/** What this package needs of a log; pino's logger is one. */
export interface IdentityLog {
  info(values: object, message: string): void;
  warn(values: object, message: string): void;
  error(values: object, message: string): void;
}

export interface IdentitySettings {
  /** Address of the whole installation; the provider lives below it, at `/identity`. */
  readonly publicUrl: URL;
  readonly organisationName: string;
  /** Where the times are that a mail names. */
  readonly timeZone: string;
  /** The longest new password, in characters. */
  readonly passwordMaxLength: number;
  /** A new password may not be the present one, nor one of this many before it. */
  readonly passwordHistory: number;
  /** `code`: a first password takes a code beside the mailed link, which the organisation sends by another way. */
  readonly activationSecondFact: 'none' | 'code';
  /** Sign-ins that may wait for a password at once; tests need fewer. */
  readonly maxWaitingSignIns?: number;
  /** Tests make their accounts cheaper. */
  readonly passwordCost?: PasswordCost;
}

/** What is mailed to a person; the sender puts it into sentences. */
export interface IdentityMail {
  readonly to: string;
  /** `PL`, `EN`, or what the installation adds. */
  readonly language: string;
  readonly template: 'passwordReset' | 'activation' | 'activationWithCode' | 'passwordChanged';
  /** `link` and `time` (until when it works), to activate `personalId` too; for passwordChanged `time` alone (when). */
  readonly values: Readonly<Record<string, string>>;
  /** Until when the link in it works. */
  readonly validUntil?: Date;
}

export interface IdentityPost<Schema> {
  /** Queues the message as part of the transaction: it is mailed once that is committed, and never when it is undone. */
  send(message: IdentityMail, within: Transaction<Schema>): Promise<void>;
}

export interface Person {
  readonly email: string | null;
  /** From when on links that set a password are mailed to this address; null: always. */
  readonly linksFrom: Date | null;
  readonly language: string;
  readonly names: readonly string[];
}

/** What is known of people outside of this package. */
export interface People {
  /** Undefined for unknown ids, and for people whose password another service keeps. */
  find(personalId: string): Promise<Person | undefined>;
  /** Ends everything this person has open, everywhere. */
  endSessions(personalId: string): Promise<void>;
}

/** Sentences by their keys, each language's own; a language is named by its tag (`pl`). */
export type Catalogues = (language: string) => Readonly<Record<string, string>>;

/** How the pages look and which languages they offer, where an installation wants it otherwise than the product. */
export interface Brand {
  /** In the order in which they are offered. Polish, the default, is among them. */
  readonly languages: readonly { readonly code: string; readonly name: string }[];
  /** A style sheet after the design's own. */
  readonly styles?: string | undefined;
  readonly logo?: { readonly type: string; readonly body: Buffer } | undefined;
}

/** How long a caller is asked to wait for the database. */
export const unavailableSeconds = 5;

/** Where the provider is mounted. Addresses of its pages and assets begin with it. */
export const mountPath = '/identity';

/** What an id may look like; the portal has the same rule. Anything else has no account and is never looked up by it. */
export const personalIdPattern = /^(?!\.{1,2}$)[A-Za-z0-9._@-]{1,64}$/;
