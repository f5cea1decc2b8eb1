import type { Migration } from 'kysely/migration';
import { migration as first } from './migrations/0001-first.ts';
import { migration as passwords } from './migrations/0002-passwords.ts';
import { migration as activationCodes } from './migrations/0003-activation-codes.ts';
import { migration as passingRows } from './migrations/0004-passing-rows.ts';
import { migration as linksSideBySide } from './migrations/0005-links-side-by-side.ts';
import { identitySchema } from './tables.ts';

/** What brings identity's own schema up to date, in order of the names. They note in that schema which of them were run. */
export const identityMigrations: { readonly schema: string; readonly migrations: Readonly<Record<string, Migration>> } = {
  schema: identitySchema,
  migrations: {
    '0001-first': first,
    '0002-passwords': passwords,
    '0003-activation-codes': activationCodes,
    '0004-passing-rows': passingRows,
    '0005-links-side-by-side': linksSideBySide,
  },
};
