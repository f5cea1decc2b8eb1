import type { Migration } from 'kysely/migration';
import { migration as baseline } from './migrations/0001-baseline.ts';
import { identitySchema } from './tables.ts';

interface IdentityMigrations {
  readonly schema: string;
  readonly migrations: Readonly<Record<string, Migration>>;
  /** The first migration that there was before the baseline. */
  readonly beforeBaseline: string;
}

/** What brings identity's own schema up to date, in order of the names. They note in that schema which of them were run. */
export const identityMigrations: IdentityMigrations = {
  schema: identitySchema,
  migrations: { '0001-baseline': baseline },
  beforeBaseline: '0001-first',
};
