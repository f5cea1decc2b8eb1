import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#testing/test-database.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { replaceGroups } from './client-records.store.ts';

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
    for (const groups of [['g'], [], ['g']]) await replaceGroups(trx, [{ cif: '1', groups }], now);
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
    ['a sign that no database keeps', { ...record, lastName: 'Zie\u0000liński' }],
    ['a name of two lines', { ...record, lastName: 'Zieliński\nNowak' }],
    ['a group of two lines', { ...record, groups: ['a\nb'] }],
    ['an empty first name', { ...record, firstName: '' }],
    ['an address that is none', { ...record, email: 'piotr' }],
    ['an address with a control sign', { ...record, email: 'piotr\u007F@example.com' }],
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

describe('whoever is to be reached elsewhere', () => {
  const mailsAbout = async (name: string): Promise<string[]> => {
    const mails = await portal.db
      .selectFrom('mail_outbox')
      .select(['recipient', 'template', 'content'])
      .where('recipient', 'like', `${name}%`)
      .where('template', '=', 'contactChanged')
      .orderBy('recipient')
      .execute();
    for (const { content } of mails) expect(content).not.toMatch(/30\d\d|@|\+48|Zieliński/);
    return mails.map(({ recipient }) => recipient);
  };

  test('is told at the old address and at the new one, once', async () => {
    const person = { ...record, personalId: '3001', cif: '3001', email: 'ula.old@example.com' };
    await upsert(person);
    expect(await mailsAbout('ula')).toEqual([]);
    const moved = { ...person, email: 'ula.new@example.com' };
    await upsert(moved);
    await upsert(moved);
    await upsert({ ...moved, lastName: 'Nowa' });
    expect(await mailsAbout('ula')).toEqual(['ula.new@example.com', 'ula.old@example.com']);
  });

  test('is told when the telephone number is another one, or when the address is taken away', async () => {
    const person = { ...record, personalId: '3002', cif: '3002', email: 'jan@example.com', phone: '+48600100200' };
    await upsert(person);
    await upsert({ ...person, phone: '+48600100201' });
    expect(await mailsAbout('jan')).toEqual(['jan@example.com']);
    const { email, ...withoutAddress } = person;
    await upsert({ ...withoutAddress, phone: '+48600100201' });
    expect(await mailsAbout(email)).toEqual(['jan@example.com', 'jan@example.com']);
  });

  test('is told only when the change has come about', async () => {
    const person = { ...record, personalId: '3003', cif: '3003', email: 'ewa.old@example.com' };
    await upsert(person);
    const moved = { ...person, email: 'ewa.new@example.com' };
    await portal.pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse before insert on client for each row when (new.personal_id = '3004') execute function refuse()`);
    expect((await upsert(moved, { ...record, personalId: '3004' })).status).toBe(500);
    expect(await mailsAbout('ewa')).toEqual([]);
  });
});
