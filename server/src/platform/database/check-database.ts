import { DatabaseError, type Pool } from 'pg';
import { SettingsError } from '#platform/settings/settings.ts';

const OLDEST_VERSION = 15;

interface Found {
  readonly version: number;
  readonly encoding: string;
  readonly database: string;
  readonly role: string;
  /** Null: none of the search path exists, or may be used. */
  readonly schema: string | null;
  readonly makes_tables: boolean | null;
  /** Whether a migration has ever been run. */
  readonly is_new: boolean;
  readonly makes_schemas: boolean;
  readonly missing_schemas: number;
}

const look = `select current_setting('server_version_num')::int as version, pg_encoding_to_char(encoding) as encoding, datname as database,
    current_user as role, current_schema() as schema, has_schema_privilege(current_schema(), 'CREATE') as makes_tables,
    to_regclass('kysely_migration') is null as is_new,
    has_database_privilege(datname, 'CREATE') as makes_schemas,
    (select count(*)::int from unnest($1::text[]) as name where to_regnamespace(name) is null) as missing_schemas
  from pg_database where datname = current_database()`;

const problemOf = ({ version, encoding, database, role, ...found }: Found): string | undefined => {
  const major = Math.floor(version / 10_000);
  if (major < OLDEST_VERSION) return `PostgreSQL ${OLDEST_VERSION} or newer is needed, and the server is PostgreSQL ${major}`;
  if (encoding !== 'UTF8')
    return `the database ${database} has the encoding ${encoding}, and UTF8 is needed: create database ${database} encoding 'UTF8' template template0`;
  if (!found.makes_schemas && found.missing_schemas > 0)
    return `the role ${role} may not make schemas in the database ${database}: grant create on database ${database} to ${role}`;
  if (found.schema === null) return `no schema of the search path exists in the database ${database}`;
  // A role that owns nothing may start a portal on a database that is up to date.
  if (found.is_new && found.makes_tables !== true)
    return `the role ${role} may not make tables in the schema ${found.schema}: grant create on schema ${found.schema} to ${role}`;
  return undefined;
};

/** A wrong password, no such role or no right to connect (28, 42501), no such database (3D000). */
const refusal = /^(?:28|3D000|42501)/;

/** Reports a refusal of the server as an error of the setting that it comes from. */
export const orRefused = async <Result>(setting: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseError && refusal.test(error.code ?? '')) throw new SettingsError(`${setting}: ${error.message}`);
    throw error;
  }
};

/**
 * Looks whether the portal can work with this database, whose role is to make its tables. `schemas`: what must be there or may be made.
 * @throws SettingsError
 */
export const checkDatabase = async (
  pool: Pick<Pool, 'query'>,
  { setting, schemas }: { setting: string; schemas: readonly string[] },
): Promise<void> => {
  const { rows } = await orRefused(setting, () => pool.query<Found>(look, [schemas]));
  const problem = rows[0] === undefined ? undefined : problemOf(rows[0]);
  if (problem !== undefined) throw new SettingsError(`${setting}: ${problem}`);
};
