import type { Kysely } from 'kysely';
import type { DB } from './tables.generated.ts';

/** Generated from a migrated database; the folder `schema` describes each column. */
export type IdentityTables = DB;

export type IdentityDatabase = Kysely<IdentityTables>;

export const identitySchema = 'identity';

/** The same connections, seen through this package's own schema: identity shares a database with the portal, and no table. */
export const ownTables = <Schema>(db: Kysely<Schema>): IdentityDatabase =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller's tables are of no concern here, ours are made by identityMigrations
  db.withSchema(identitySchema) as unknown as IdentityDatabase;
