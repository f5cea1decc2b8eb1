import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#testing/test-database.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { replaceGroups } from './accounts.store.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});

afterAll(() => portal[Symbol.asyncDispose]());

const record = { personalId: '2001', cif: '8001', firstName: 'Piotr', lastName: 'Zieliński', email: 'piotr@example.com' };

const upsert = (...items: object[]) => portal.publisher.call('upsertClients', { body: { items: items as never } });

test('whoever leaves a group and is back at the same moment was never away', async () => {
  await using database = await createTestDatabase();
  const now = new Date();
  await database.db.transaction().execute(async (trx) => {
    for (const groups of [['g'], [], ['g']]) await replaceGroups(trx, { cif: '1', groups, now });
  });
  const rows = await database.db.selectFrom('group_member').select(['since', 'until']).execute();
  expect(rows).toEqual([{ since: now, until: null }]);
});

describe('client records', () => {
  test('are created, changed, and left alone when nothing differs', async () => {
    expect((await upsert(record)).body).toEqual({ created: 1, changed: 0, unchanged: 0 });
    expect((await upsert(record)).body).toEqual({ created: 0, changed: 0, unchanged: 1 });
    expect((await upsert({ ...record, lastName: 'Zielony' })).body).toEqual({ created: 0, changed: 1, unchanged: 0 });
  });

  test('come all or none', async () => {
    const answer = await upsert({ ...record, personalId: '2002' }, { ...record, personalId: '2003' }, { ...record, personalId: '2002' });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(await portal.db.selectFrom('client').select('personal_id').where('personal_id', 'in', ['2002', '2003']).execute()).toEqual([]);
  });

  test.each([
    ['a personal id of foreign characters', { ...record, personalId: 'a b' }],
    ['an empty first name', { ...record, firstName: '' }],
    ['an address that is none', { ...record, email: 'piotr' }],
    ['a phone without country code', { ...record, phone: '600100200' }],
    ['a field nobody knows', { ...record, role: 'admin' }],
    ['a name that cannot be kept', { ...record, firstName: 'Pi\0tr' }],
    ['half a character', { ...record, lastName: '\ud800' }],
    ['a group that cannot be kept', { ...record, groups: ['a\0'] }],
    ['an address that cannot be kept', { ...record, email: 'piotr\0@example.com' }],
  ])('with %s are refused', async (_what, item) => {
    const answer = await upsert(item);
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('that twenty calls bring at once are one client, in each group once', async () => {
    const item = { ...record, personalId: '2030', cif: '8030', groups: ['d', 'e'] };
    const answers = await Promise.all(Array.from({ length: 20 }, () => upsert(item)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.filter((answer) => answer.body.created === 1)).toHaveLength(1);
    const groups = await portal.db.selectFrom('group_member').select('group_id').where('cif', '=', '8030').orderBy('group_id').execute();
    expect(groups.map((row) => row.group_id)).toEqual(['d', 'e']);
  });

  test('say who is signed in, and nothing more', async () => {
    const client = await portal.signIn('2010', { cif: '8010', firstName: 'Ewa', lastName: 'Lis', email: 'ewa@example.com' });
    expect((await client.call('getSelf', {})).body).toEqual({ personalId: '2010', firstName: 'Ewa', lastName: 'Lis', managed: false });
  });

  test('never change a password that somebody has', async () => {
    await portal.signIn('2011', { cif: '8011' });
    await upsert({ ...record, personalId: '2011', cif: '8011', initialPassword: 'Another-pass-1' });
    const again = await portal.signIn('2011');
    expect((await again.call('getSelf', {})).status).toBe(200);
  });

  test('keep who was in a group, and until when', async () => {
    await upsert({ ...record, personalId: '2020', cif: '8020', groups: ['a', 'b'] });
    await upsert({ ...record, personalId: '2020', cif: '8020', groups: ['b', 'c'] });
    const rows = await portal.db
      .selectFrom('group_member')
      .select(['group_id', 'until'])
      .where('cif', '=', '8020')
      .orderBy('group_id')
      .execute();
    expect(rows.map((row) => [row.group_id, row.until === null])).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
    ]);
  });
});
