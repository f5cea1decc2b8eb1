import type { Pool, PoolClient } from 'pg';

/** Of PostgreSQL's own roles those that reach files, programs or rows of others. */
const powerfulRoles = [
  'pg_read_server_files',
  'pg_write_server_files',
  'pg_execute_server_program',
  'pg_write_all_data',
  'pg_create_subscription',
];

interface Found {
  readonly role: string;
  readonly powers: readonly string[];
}

/*
 * Of each role that the connected one may become, not only of what it is at the moment: `reset role` and `set role` are within its reach.
 * A superuser may become everybody, so nothing else is told of it.
 */
const look = `
  with reachable as (
    select oid, rolname, rolsuper, rolcreaterole, rolbypassrls, rolreplication from pg_roles where pg_has_role(session_user, oid, 'MEMBER')
  ), ours as (
    select oid, nspname from pg_namespace where nspname in (current_schema(), 'identity', 'graphile_worker')
  ), relation as (
    select c.oid, c.relname, c.relowner, exists (
      select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where t.tgrelid = c.oid and (p.proname like 'refuse%change' or p.proname = 'keep_ledger_entry') and (t.tgtype & 16) <> 0
    ) as is_kept
    from pg_class c join ours on ours.oid = c.relnamespace where c.relkind in ('r', 'p', 'v')
  ), super as (
    select 1 as place, case when rolname = session_user then 'is a superuser' else format('may become the superuser %s', rolname) end as power
    from reachable where rolsuper order by (rolname = session_user) desc limit 1
  ), power as (
    select 2 as place, 'may make and change roles (CREATEROLE)' as power from reachable where rolcreaterole
    union select 3, 'bypasses row level security (BYPASSRLS)' from reachable where rolbypassrls
    union select 4, 'may read everything as a replica (REPLICATION)' from reachable where rolreplication
    union select 5, format('is a member of %s', rolname) from reachable where rolname = any($1::text[])
    union select 6, format('owns the database %s', datname) from pg_database join reachable r on r.oid = datdba where datname = current_database()
    union select 7, format('owns the schema %s', nspname) from pg_namespace join ours using (oid, nspname) join reachable r on r.oid = nspowner
    union select 8, format('owns %s tables and views, %s among them', count(*), min(relname::text)) from relation join reachable r on r.oid = relowner having count(*) > 0
    union select 9, format('owns %s functions, %s among them', count(*), min(proname::text)) from pg_proc join ours on ours.oid = pronamespace
      join reachable r on r.oid = proowner having count(*) > 0
    union select 10, format('may make objects in the schema %s', nspname) from ours where exists (
      select from reachable r where has_schema_privilege(r.oid, ours.oid, 'CREATE'))
    union select 11, 'may make temporary tables' from reachable r where has_database_privilege(r.oid, current_database(), 'TEMPORARY')
    union select 12, 'may make schemas' from reachable r where has_database_privilege(r.oid, current_database(), 'CREATE')
    union select 13, format('may update rows of %s', relname) from relation where is_kept and exists (
      select from reachable r where has_table_privilege(r.oid, relation.oid, 'UPDATE'))
    union select 14, format('may empty %s tables, %s among them', count(*), min(relname::text)) from relation where exists (
      select from reachable r where has_table_privilege(r.oid, relation.oid, 'TRUNCATE')) having count(*) > 0
    union select 15, format('may put triggers on %s tables, %s among them', count(*), min(relname::text)) from relation where exists (
      select from reachable r where has_table_privilege(r.oid, relation.oid, 'TRIGGER')) having count(*) > 0
    union select 16, 'may switch triggers off (SET session_replication_role)' from reachable r
      where has_parameter_privilege(r.oid, 'session_replication_role', 'SET')
  )
  select session_user::text as role, coalesce(
    (select array_agg(power) from super),
    (select array_agg(power order by place, power) from power), '{}') as powers`;

/**
 * What the connected role may do beyond what the portal's own role needs, a clause each; none for a role that owns nothing and has what
 * grantToPortal gives it.
 */
export const findPowers = async (pool: Pick<Pool, 'query'> | Pick<PoolClient, 'query'>): Promise<Found> => {
  const { rows } = await pool.query<Found>(look, [powerfulRoles]);
  const [found] = rows;
  if (found === undefined) throw new Error('the database does not say who is connected');
  return found;
};
