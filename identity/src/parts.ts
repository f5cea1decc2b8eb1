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
  /** Tests make their accounts cheaper. */
  readonly passwordCost?: PasswordCost;
}

/** Where the provider is mounted. Addresses of its pages and assets begin with it. */
export const mountPath = '/identity';

/** What an id may look like; the portal has the same rule. Anything else has no account and is never looked up by it. */
export const personalIdPattern = /^(?!\.{1,2}$)[A-Za-z0-9._@-]{1,64}$/;
