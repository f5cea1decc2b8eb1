import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { runOnServer, uniqueName } from '#testing/database-server.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { grantToPortal } from './grants.ts';
import { findPowers } from './role-powers.ts';

let database: TestDatabase;
let role: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** A role as an organisation makes one for the portal, with what each start grants it. */
beforeEach(async () => {
  role = uniqueName('pergamin_role');
  await runOnServer(inject('databaseServer'), `create role ${role} nosuperuser`);
  await grantToPortal(database.owner.db, role);
});
afterEach(async () => {
  await database.owner.pool.query(`reassign owned by ${role} to current_user`);
  await database.owner.pool.query(`drop owned by ${role}`);
  await runOnServer(inject('databaseServer'), `drop role ${role}`);
});

const look = async (): Promise<readonly string[]> => {
  const client = await database.owner.pool.connect();
  try {
    await client.query(`set session authorization ${role}`);
    const found = await findPowers(client);
    expect(found.role).toBe(role);
    return found.powers;
  } finally {
    await client.query('reset session authorization');
    client.release();
  }
};

const asOwner = (statement: string) => database.owner.pool.query(statement.replaceAll('ROLE', role));

test('a role that has what a start grants has no power that it does not need', async () => {
  expect(await look()).toEqual([]);
});

describe('a power is told', () => {
  test.each([
    ['alter role ROLE superuser', 'is a superuser'],
    ['grant pergamin to ROLE', 'may become the superuser pergamin'],
    ['alter role ROLE createrole', 'may make and change roles (CREATEROLE)'],
    ['alter role ROLE bypassrls', 'bypasses row level security (BYPASSRLS)'],
    ['alter role ROLE replication', 'may read everything as a replica (REPLICATION)'],
    ['grant pg_write_server_files to ROLE', 'is a member of pg_write_server_files'],
    ['grant pg_execute_server_program to ROLE', 'is a member of pg_execute_server_program'],
    ['alter table publication owner to ROLE', 'owns 1 tables and views, publication among them'],
    ['alter function refuse_change() owner to ROLE', 'owns 1 functions, refuse_change among them'],
    ['alter schema identity owner to ROLE', 'owns the schema identity'],
    ['grant create on schema public to ROLE', 'may make objects in the schema public'],
    ['grant update on ledger_entry to ROLE', 'may update rows of ledger_entry'],
    ['grant update on publication to ROLE', 'may update rows of publication'],
    ['grant truncate on publication to ROLE', 'may empty 1 tables, publication among them'],
    ['grant trigger on document to ROLE', 'may put triggers on 1 tables, document among them'],
    ['grant set on parameter session_replication_role to ROLE', 'may switch triggers off (SET session_replication_role)'],
  ])('of %s', async (statement, power) => {
    await asOwner(statement);
    try {
      expect(await look()).toContain(power);
    } finally {
      await asOwner('alter role ROLE nosuperuser');
    }
  });

  test('of a role that inherits nothing, and may become an owner', async () => {
    const owner = uniqueName('pergamin_owner');
    await asOwner(`create role ${owner} noinherit`);
    await asOwner(`alter table publication owner to ${owner}`);
    await asOwner(`grant ${owner} to ROLE with inherit false`);
    try {
      expect(await look()).toContain('owns 1 tables and views, publication among them');
    } finally {
      await asOwner(`reassign owned by ${owner} to current_user`);
      await asOwner(`drop owned by ${owner}`);
      await asOwner(`drop role ${owner}`);
    }
  });
});
