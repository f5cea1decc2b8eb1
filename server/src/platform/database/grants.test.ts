import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { grantToPortal } from './grants.ts';
import { findPowers } from './role-powers.ts';

let database: TestDatabase;
let documentId: string;

/** A document that was published, as the portal's own role. */
beforeAll(async () => {
  database = await createTestDatabase();
  // Who may use a database is no part of the template that it was copied from.
  await grantToPortal(database.owner.db, 'pergamin_portal');
  documentId = randomUUID();
  await database.pool.query(
    `insert into document (id, type, kind, file_name, object_key, sha256, size, page_count, page_sizes, search_text, published_at)
      values ($1, 'PUBLIC', 'public', 'a.pdf', 'key', $2, 5, 1, '[]', '', now())`,
    [documentId, '0'.repeat(64)],
  );
  await database.pool.query('insert into publication (document_id, sha256, size, at) values ($1, $2, 5, now())', [
    documentId,
    '0'.repeat(64),
  ]);
});
afterAll(() => database[Symbol.asyncDispose]());

describe('the role that the portal connects as', () => {
  test('is no superuser, and owns nothing', async () => {
    const { rows } = await database.pool.query(
      `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
        (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned from pg_roles where rolname = current_user`,
    );
    expect(rows).toEqual([
      { rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolreplication: false, rolbypassrls: false, owned: 0 },
    ]);
  });

  test.each([
    ['disable the trigger that keeps publications', 'alter table publication disable trigger all'],
    ['replace what that trigger does', 'create or replace function refuse_change() returns trigger language sql as $$ select null $$'],
    ['disable one trigger of the ledger', 'alter table ledger_entry disable trigger ledger_entry_insert_only'],
    ['drop a trigger of the ledger', 'drop trigger ledger_entry_insert_only on ledger_entry'],
    [
      'replace what the trigger of the ledger does',
      'create or replace function keep_ledger_entry() returns trigger language sql as $$ select null $$',
    ],
    ['drop what that trigger does', 'drop function keep_ledger_entry() cascade'],
    [
      'put a trigger of its own on publications',
      'create trigger mine before insert on publication for each row execute function refuse_change()',
    ],
    ['take a table', 'alter table publication owner to current_user'],
    ['become the owner of the tables', 'set role pergamin'],
    ['change an entry of the ledger', 'update ledger_entry set at = now()'],
    ['change a tree of the ledger', 'update ledger_tree set at = now()'],
    ['change a checkpoint', `update ledger_checkpoint set note = ''`],
    ['change which log it is', `update ledger_log set origin = 'other'`],
    ['empty the ledger', 'truncate ledger_entry cascade'],
    ['turn triggers off', 'set session_replication_role = replica'],
    ['change a publication', `update publication set sha256 = repeat('1', 64)`],
    ['empty the publications', 'truncate publication'],
    ['change an acceptance of terms', 'update statute_acceptance set accepted_at = now()'],
    ['change the history of a document', `update document_event set state = 'ACTIVE'`],
    ['call a document a demonstration, which may be removed', 'update document set demo = true'],
    ['call terms a demonstration', 'update statute set demo = true'],
    ['make a table', 'create table loot (line text)'],
    ['make a temporary table', 'create temporary table loot (line text)'],
    ['make a schema', 'create schema loot'],
    ['make a function', 'create function loot() returns int language sql as $$ select 1 $$'],
    ['drop a table', 'drop table document'],
    ['read a file', `select pg_read_file('PG_VERSION')`],
    ['run a program', `copy (select 1) to program 'true'`],
    ['write a file', `copy (select 1) to '/tmp/loot'`],
    ['forget a migration', 'delete from kysely_migration'],
    ['become a role that reads files', 'set role pg_read_server_files'],
    ['make a database', 'create database loot'],
    ['make a role', 'create role loot'],
  ])('cannot %s', async (_, statement) => {
    await expect(database.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  test.each(['ledger_entry', 'ledger_tree', 'ledger_checkpoint', 'ledger_log'])('cannot delete rows of %s', async (table) => {
    const client = await database.owner.pool.connect();
    try {
      await client.query('begin');
      await client.query(`insert into ledger_log (origin, verifier_key) values ('log', 'key')`);
      await client.query(`insert into ledger_tree (size, root, at) values (1, 'root', now())`);
      await client.query(`insert into ledger_checkpoint (size, note, at) values (1, 'note', now())`);
      await client.query(`insert into ledger_entry (index, at, commitment, is_public) values (0, now(), 'hash', false)`);
      await client.query('set local role pergamin_portal');
      await expect(client.query(`delete from ${table}`)).rejects.toThrow('insert-only');
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('has no power that it does not need', async () => {
    expect(await findPowers(database.pool)).toEqual({ role: 'pergamin_portal', powers: [] });
  });

  test('cannot delete a publication, even one that it marks as demonstration data', async () => {
    const client = await database.pool.connect();
    try {
      await client.query('begin');
      await client.query(`select set_config('pergamin.removing_demo', 'on', true)`);
      await expect(client.query('delete from publication')).rejects.toThrow('insert-only');
    } finally {
      await client.query('rollback');
      client.release();
    }
    const { rows } = await database.pool.query('select document_id from publication');
    expect(rows).toEqual([{ document_id: documentId }]);
  });
});

test('the owner of the tables does not change a publication either', async () => {
  const { pool } = database.owner;
  await expect(pool.query(`update publication set sha256 = repeat('1', 64)`)).rejects.toThrow('insert-only');
  await expect(pool.query('delete from publication')).rejects.toThrow('insert-only');
});

test('a client of the organisation does not become one of the demonstration, not even by the owner; the other way round is possible', async () => {
  await database.pool.query(`insert into client (personal_id, cif, first_name, last_name, demo) values ('1', '1', 'Anna', 'Nowak', true)`);
  await database.pool.query('update client set demo = false');
  for (const { pool } of [database, database.owner])
    await expect(pool.query('update client set demo = true')).rejects.toThrow('does not become one of the demonstration');
});

test('what is granted already is not touched, and what is too much is taken away', async () => {
  const owner = database.owner.db;
  const readCatalogue = async () =>
    (await sql`select xmin::text, relname from pg_class where relkind in ('r', 'S', 'v') order by oid`.execute(owner)).rows;
  const before = await readCatalogue();
  await grantToPortal(owner, 'pergamin_portal');
  expect(await readCatalogue()).toEqual(before);

  await sql`grant all on publication, kysely_migration to pergamin_portal`.execute(owner);
  await sql`create table later (id int generated always as identity primary key, line text)`.execute(owner);
  await grantToPortal(owner, 'pergamin_portal');
  await expect(database.pool.query('update publication set size = 1')).rejects.toMatchObject({ code: '42501' });
  await expect(database.pool.query('delete from kysely_migration')).rejects.toMatchObject({ code: '42501' });
  await database.pool.query(`insert into later (line) values ('one')`);
  await database.pool.query(`update later set line = 'other'`);
  await database.pool.query('delete from later');
});

test('two processes that start at once do not meet in the catalogue', async () => {
  const owner = database.owner.db;
  await sql`create table newest (id int)`.execute(owner);
  await Promise.all([grantToPortal(owner, 'pergamin_portal'), grantToPortal(owner, 'pergamin_portal')]);
  expect((await database.pool.query('select from newest')).rowCount).toBe(0);
});
