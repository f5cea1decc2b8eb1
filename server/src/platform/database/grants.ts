import { type Kysely, sql, type Transaction } from 'kysely';

/** Any number that no other advisory lock here has. */
const LOCK = 4_121_908_133;

const EVERYTHING = ['select', 'insert', 'update', 'delete'] as const;
const LOOKING = ['select'] as const;
const SEQUENCE = ['select', 'usage'] as const;
/** A row that was published, accepted or recorded is never changed. It is deleted as part of the demonstration only, and a trigger sees to that. */
const INSERT_ONLY = ['select', 'insert', 'delete'] as const;

type Privilege = (typeof EVERYTHING)[number] | (typeof SEQUENCE)[number];

interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly kind: 'r' | 'p' | 'v' | 'S';
  readonly isInsertOnly: boolean;
  readonly hidesRows: boolean;
  readonly columns: readonly string[];
  /** Of the role, as it is: of the whole relation, and the columns it may update. */
  readonly granted: readonly string[];
  readonly updatable: readonly string[];
}

/**
 * Gives `role` what the portal needs at work, and nothing else: rows, not tables. It is run as the owner after the migrations, whenever a
 * portal starts; what is right already is not touched. Does nothing for a role that is a superuser.
 */
export async function grantToPortal<Schema>(db: Kysely<Schema>, role: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Two processes that start at once would update the same rows of the catalogue.
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    const { rows } = await sql`select from pg_roles where rolname = ${role} and not rolsuper`.execute(trx);
    if (rows.length === 0) return;
    await closeDatabase(trx, role);
    for (const relation of await listRelations(trx, role)) await grantOn(trx, relation, role);
  });
}

/** Not even a temporary table may be made. */
async function closeDatabase<Schema>(trx: Transaction<Schema>, role: string): Promise<void> {
  const { rows } = await sql<{ database: string; schemas: string[]; may_make: boolean }>`
    select current_database() as database, has_database_privilege(${role}, current_database(), 'temporary') as may_make,
      (select array_agg(nspname::text) from pg_namespace where nspname in (current_schema(), 'identity', 'graphile_worker')
        and not has_schema_privilege(${role}, oid, 'usage')) as schemas`.execute(trx);
  for (const { database, schemas, may_make: mayMake } of rows) {
    if (mayMake) await sql`revoke temporary on database ${sql.id(database)} from public`.execute(trx);
    for (const schema of schemas ?? []) await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(role)}`.execute(trx);
  }
}

async function listRelations<Schema>(trx: Transaction<Schema>, role: string): Promise<Relation[]> {
  const { rows } = await sql<Relation>`
    select n.nspname as schema, c.relname as name, c.relkind as kind, c.relrowsecurity as "hidesRows",
      exists (
        select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
        where t.tgrelid = c.oid and p.proname like 'refuse%change' and (t.tgtype & 16) <> 0
      ) as "isInsertOnly",
      coalesce((select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '{}') as columns,
      coalesce((select array_agg(lower(acl.privilege_type)) from aclexplode(c.relacl) acl
        where acl.grantee = ${role}::text::regrole), '{}') as granted,
      coalesce((select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
          and c.relkind <> 'S' and has_column_privilege(${role}, c.oid, a.attnum, 'update')), '{}') as updatable
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in (current_schema(), 'identity', 'graphile_worker') and c.relkind in ('r', 'p', 'v', 'S')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by n.nspname, c.relname`.execute(trx);
  return rows;
}

async function grantOn<Schema>(trx: Transaction<Schema>, relation: Relation, role: string): Promise<void> {
  const { schema, name, kind, columns, granted, updatable, hidesRows } = relation;
  const target = kind === 'S' ? sql`sequence ${sql.id(schema, name)}` : sql.id(schema, name);
  const wanted = wantedOn(relation);
  const wantedColumns = wanted.includes('update') ? columns.filter((column) => !isFinal(name, column)) : [];
  const isWhole = wantedColumns.length === columns.length;
  const ofRelation = wanted.filter((privilege) => privilege !== 'update' || isWhole);
  // The queue enables row level security without policies; these grants decide who may use its tables.
  if (hidesRows && schema === 'graphile_worker') await sql`alter table ${target} disable row level security`.execute(trx);
  if (isSame(granted, ofRelation) && isSame(updatable, wantedColumns)) return;
  await sql`revoke all on ${target} from ${sql.id(role)}`.execute(trx);
  await sql`grant ${sql.raw(ofRelation.join(', '))} on ${target} to ${sql.id(role)}`.execute(trx);
  if (!isWhole && wantedColumns.length > 0)
    await sql`grant update (${sql.join(wantedColumns.map((column) => sql.id(column)))}) on ${target} to ${sql.id(role)}`.execute(trx);
}

function wantedOn({ kind, name, isInsertOnly }: Relation): readonly Privilege[] {
  if (kind === 'S') return SEQUENCE;
  if (kind === 'v' || /^(kysely_migration(_lock)?|migrations)$/.test(name)) return LOOKING;
  return isInsertOnly ? INSERT_ONLY : EVERYTHING;
}

/** What belongs to the demonstration is said once: it is what lets rows of insert-only tables go. Of an entry of the ledger, its opening goes. */
const isFinal = (table: string, column: string): boolean =>
  table === 'ledger_entry' ? column !== 'statement' : column === 'demo' && ['document', 'statute'].includes(table);

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item) => other.includes(item));
