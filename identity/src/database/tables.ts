import type { ColumnType, GeneratedAlways, Kysely } from 'kysely';
import type { AdapterPayload } from 'oidc-provider';

type Timestamp = ColumnType<Date, Date, Date>;
type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

export interface IdentityTables {
  account: AccountTable;
  attempt_counter: AttemptCounterTable;
  known_device: KnownDeviceTable;
  oidc_payload: OidcPayloadTable;
  password_history: PasswordHistoryTable;
  password_link: PasswordLinkTable;
  secret: SecretTable;
  sign_in_record: SignInRecordTable;
}

export interface AccountTable {
  personal_id: string;
  /** In PHC form: algorithm, parameters and salt are part of it. */
  password_hash: string;
  created_at: Timestamp;
  changed_at: Timestamp;
  disabled_at: NullableTimestamp;
}

/** What the password was before; the newest row is the last one replaced. */
export interface PasswordHistoryTable {
  id: GeneratedAlways<number>;
  personal_id: string;
  password_hash: string;
  replaced_at: Timestamp;
}

/** A mailed link that sets a password. A person may have several; all of them go when a password is set. */
export interface PasswordLinkTable {
  /** SHA-256: whoever reads this table has no link. */
  token_hash: Buffer;
  personal_id: string;
  /** The password in force when it was mailed; the link dies with it. Null: there was none. */
  password_hash: string | null;
  /** Of the code that has to come with it; null: the link is enough. It outlives the link, for the next one. */
  code_hash: string | null;
  created_at: Timestamp;
  expires_at: Timestamp;
}

/** See throttle/throttle.rules.ts. */
export interface AttemptCounterTable {
  key: Buffer;
  taken: number;
  window_ends_at: Timestamp;
  blocks: number;
  blocked_until: NullableTimestamp;
  forget_at: Timestamp;
}

/** A browser in which this person has signed in before. */
export interface KnownDeviceTable {
  token_hash: Buffer;
  personal_id: string;
  used_at: Timestamp;
}

export interface SignInRecordTable {
  personal_id: string;
  last_success_at: NullableTimestamp;
  previous_success_at: NullableTimestamp;
  last_failure_at: NullableTimestamp;
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller's tables are of no concern here, ours are made by identityMigrations
  db.withSchema(identitySchema) as unknown as IdentityDatabase;
