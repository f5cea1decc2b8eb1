import type { ColumnType, Kysely } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';

type Timestamp = ColumnType<Date, Date, Date>;
type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface IdentityTables {
  account: AccountTable;
  oidc_payload: OidcPayloadTable;
  secret: SecretTable;
}

export interface AccountTable {
  personal_id: string;
  /** In PHC form: algorithm, parameters and salt are part of it. */
  password_hash: string;
  created_at: Timestamp;
  changed_at: Timestamp;
  disabled_at: NullableTimestamp;
}

/** Everything that the OpenID provider keeps: sessions, interactions, grants, codes and tokens, one row each. */
export interface OidcPayloadTable {
  kind: string;
  id: string;
  payload: ColumnType<AdapterPayload, string, string>;
  grant_id: string | null;
  uid: string | null;
  expires_at: NullableTimestamp;
  consumed_at: NullableTimestamp;
}

/** Made once by the first start: signing key, cookie keys, the portal's client secret. */
export interface SecretTable {
  name: string;
  value: ColumnType<unknown, string, string>;
  created_at: Timestamp;
}

export type IdentityDatabase = Kysely<IdentityTables>;

export const identitySchema = 'identity';

/** The same connections, seen through this package's own schema: identity shares a database with the portal, and no table. */
export const ownTables = <Schema>(db: Kysely<Schema>): IdentityDatabase =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller's tables are of no concern here, ours are made by migrateIdentity
  db.withSchema(identitySchema) as unknown as IdentityDatabase;
