import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#testing/test-database.ts';
import { createTestBrowser, createVerifier, goToPasswordPage, returnToPortal, submitPassword } from '#testing/sign-in-as.ts';
import { password, startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { replaceGroups } from '#features/deliveries/deliveries.door.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});

afterAll(() => portal[Symbol.asyncDispose]());

const record = { personalId: '2001', cif: '8001', firstName: 'Piotr', lastName: 'Zieliński', email: 'piotr@example.com' };

const upsert = (...items: object[]) => portal.publisher.call('upsertClients', { body: { items: items as never } });

test('a client who leaves a group and joins again at the same moment has no gap in the membership', async () => {
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
    ['an unknown field', { ...record, role: 'admin' }],
    ['a language that there is not', { ...record, language: 'Deutsch' }],
    ['a language that the portal does not speak', { ...record, language: 'DE' }],
    ['a language in small letters', { ...record, language: 'en' }],
    ['a name that cannot be kept', { ...record, firstName: 'Pi\0tr' }],
    ['half a character', { ...record, lastName: '\ud800' }],
    ['a group that cannot be kept', { ...record, groups: ['a\0'] }],
    ['an address that cannot be kept', { ...record, email: 'piotr\0@example.com' }],
  ])('client records with %s are refused', async (_what, item) => {
    const answer = await upsert(item);
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('client records with an address of eighty thousand points are refused within the time limit', async () => {
    const begun = performance.now();
    const answer = await upsert({ ...record, email: `a@${'.'.repeat(80_000)}@` });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  test('a client that twenty calls bring at once is one client, in each group once', async () => {
    const item = { ...record, personalId: '2030', cif: '8030', groups: ['d', 'e'] };
    const answers = await Promise.all(Array.from({ length: 20 }, () => upsert(item)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.filter((answer) => answer.body.created === 1)).toHaveLength(1);
    const groups = await portal.db.selectFrom('group_member').select('group_id').where('cif', '=', '8030').orderBy('group_id').execute();
    expect(groups.map((row) => row.group_id)).toEqual(['d', 'e']);
  });

  test('say who is signed in, and nothing more', async () => {
    const client = await portal.signIn('2010', { cif: '8010', firstName: 'Ewa', lastName: 'Lis', email: 'ewa@example.com' });
    expect((await client.call('getSelf', {})).body).toEqual({
      personalId: '2010',
      firstName: 'Ewa',
      lastName: 'Lis',
      managed: false,
      language: 'PL',
    });
  });

  test('client records never change a password that a person has', async () => {
    await portal.signIn('2011', { cif: '8011' });
    await upsert({ ...record, personalId: '2011', cif: '8011', initialPassword: 'Another-pass-1' });
    const again = await portal.signIn('2011');
    expect((await again.call('getSelf', {})).status).toBe(200);
  });

  test('leave alone what they do not mention, and remove what they say there is none of', async () => {
    const known = () =>
      portal.db
        .selectFrom('client')
        .select(['cif2', 'email', 'phone', 'managed', 'last_name'])
        .where('personal_id', '=', '2012')
        .executeTakeFirstOrThrow();
    const whole = { cif2: '8013', email: 'kept@example.com', phone: '+48600100200', managed: true };
    await upsert({ ...record, personalId: '2012', cif: '8012', ...whole });
    const { email: _, ...withoutContact } = { ...record, personalId: '2012', cif: '8012', lastName: 'Nowa' };
    await upsert(withoutContact);
    expect(await known()).toEqual({ ...whole, last_name: 'Nowa' });
    await upsert({ ...withoutContact, cif2: null, email: null, phone: null, managed: false });
    expect(await known()).toEqual({ cif2: null, email: null, phone: null, managed: false, last_name: 'Nowa' });
  });

  test('that leave out who keeps the password give a client of an outside service none', async () => {
    await upsert({ ...record, personalId: '2013', cif: '8014', managed: true });
    await upsert({ ...record, personalId: '2013', cif: '8014', initialPassword: 'Another-pass-1' });
    const { rows } = await portal.pool.query(`select from identity.account where personal_id = '2013'`);
    expect(rows).toEqual([]);
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

test('two people of one customer number are in the groups that the later record says', async () => {
  await upsert(
    { ...record, personalId: '2040', cif: '8040', groups: ['a', 'b'] },
    { ...record, personalId: '2041', cif: '8040', groups: ['b', 'c'] },
  );
  const rows = await portal.db.selectFrom('group_member').select(['group_id', 'until']).where('cif', '=', '8040').execute();
  expect(rows.map((row) => [row.group_id, row.until]).toSorted()).toEqual([
    ['b', null],
    ['c', null],
  ]);
});

describe('a batch', () => {
  const batch = (name: string, size = 300) =>
    Array.from({ length: size }, (_, index) => {
      const id = `${name}-${index}`;
      return { ...record, personalId: id, cif: id, email: `${id}@example.com`, groups: [`${name}${index % 7}`] };
    });
  const count = async (table: string, column: string, name: string): Promise<number> => {
    const { rows } = await portal.pool.query<{ count: number }>(`select count(*) as count from ${table} where ${column} like $1`, [
      `${name}-%`,
    ]);
    return rows[0]?.count ?? -1;
  };
  const everything = (name: string) =>
    Promise.all([
      count('client', 'personal_id', name),
      count('group_member', 'cif', name),
      count('mail_outbox', 'recipient', name),
      count('identity.password_link', 'personal_id', name),
      count('identity.account', 'personal_id', name),
    ]);

  test('brings clients, groups, mails, links and passwords, once however often it is sent', async () => {
    const people = batch('whole').map((item, index) => (index < 3 ? { ...item, initialPassword: password } : item));
    expect((await upsert(...people)).body).toEqual({ created: 300, changed: 0, unchanged: 0 });
    expect(await everything('whole')).toEqual([300, 300, 297, 297, 3]);
    expect((await upsert(...people)).body).toEqual({ created: 0, changed: 0, unchanged: 300 });
    expect(await everything('whole')).toEqual([300, 300, 297, 297, 3]);
  });

  test('a batch that fails at its last step leaves nothing: no client, no mail, no link, no password', async () => {
    await portal.owner.pool.query(`create function refuse_mail() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse_mail before insert on mail_outbox for each row when (new.recipient = 'half-299@example.com') execute function refuse_mail()`);
    const people = batch('half').map((item, index) => (index === 0 ? { ...item, initialPassword: password } : item));
    expect((await upsert(...people)).status).toBe(500);
    expect(await everything('half')).toEqual([0, 0, 0, 0, 0]);
    await portal.owner.pool.query('drop trigger refuse_mail on mail_outbox');
    expect((await upsert(...people)).body).toEqual({ created: 300, changed: 0, unchanged: 0 });
    expect(await everything('half')).toEqual([300, 300, 299, 299, 1]);
  });

  test('changes those that differ and leaves the others alone', async () => {
    const people = batch('mixed', 20);
    await upsert(...people);
    const stamps = () =>
      portal.db.selectFrom('client').select(['personal_id', 'updated_at']).where('personal_id', 'like', 'mixed-%').execute();
    const before = new Map((await stamps()).map((row) => [row.personal_id, row.updated_at.getTime()]));
    portal.clock.advance(1_000);
    const moved = people.map((item, index) => (index % 4 === 0 ? { ...item, lastName: 'Zielony' } : item));
    expect((await upsert(...moved)).body).toEqual({ created: 0, changed: 5, unchanged: 15 });
    const touched = (await stamps()).filter((row) => row.updated_at.getTime() !== before.get(row.personal_id));
    expect(touched).toHaveLength(5);
  });
});

describe('the language of mail', () => {
  const mailsTo = (recipient: string) =>
    portal.db.selectFrom('mail_outbox').select(['language', 'content']).where('recipient', '=', recipient).orderBy('created_at').execute();
  const person = (personalId: string, more: object = {}) => ({
    ...record,
    personalId,
    cif: personalId,
    email: `p${personalId}@example.com`,
    ...more,
  });
  const languagesOf = async (personalId: string) => (await mailsTo(`p${personalId}@example.com`)).map(({ language }) => language);
  const move = (personalId: string, phone: string, more: object = {}) => upsert(person(personalId, { phone, ...more }));

  const signInIn = async (lang: string, personalId: string): Promise<void> => {
    const browser = createTestBrowser(portal.server, portal.settings.publicUrl.host);
    const page = await goToPasswordPage(browser, { personalId, state: createVerifier().state, lang });
    expect(await returnToPortal(browser, await submitPassword(browser, page, { password }))).toMatch(/^\/oauth\//);
  };

  test('is the record’s, from the first mail on; a record that says nothing leaves it as it was', async () => {
    await upsert(person('4101', { language: 'EN' }), person('4102'));
    await move('4101', '+48600100201');
    expect(await languagesOf('4101')).toEqual(['EN', 'EN']);
    expect(await languagesOf('4102')).toEqual(['PL']);
    const [invitation, notice] = await mailsTo('p4101@example.com');
    expect(invitation?.content).toMatch(/Your ID: 4101[^]*\/identity\/reset\?lang=en#/);
    expect(notice?.content).toMatch(/was changed: \d{1,2} [A-Z][a-z]+ 20\d\d at \d\d:\d\d/);
  });

  test('changes with the record', async () => {
    await upsert(person('4103'));
    await upsert(person('4103', { language: 'EN' }));
    await move('4103', '+48600100201', { language: 'EN' });
    expect(await languagesOf('4103')).toEqual(['PL', 'EN']);
  });

  test('follows the client’s own sign-in; one in Polish, which everybody is offered first, leaves it as it was', async () => {
    await portal.addClient('4104', person('4104'));
    await signInIn('PL', '4104');
    await move('4104', '+48600100201');
    await signInIn('EN', '4104');
    await move('4104', '+48600100202');
    await signInIn('PL', '4104');
    await move('4104', '+48600100203');
    await move('4104', '+48600100204', { language: 'EN' });
    await signInIn('PL', '4104');
    await move('4104', '+48600100205');
    expect(await languagesOf('4104')).toEqual(['PL', 'EN', 'EN', 'EN', 'EN']);
  });
});

describe('a change of a contact', () => {
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
    await upsert({ ...person, email: null, phone: '+48600100201' });
    expect(await mailsAbout('jan')).toEqual(['jan@example.com', 'jan@example.com']);
  });

  test('is told only when the change has come about', async () => {
    const person = { ...record, personalId: '3003', cif: '3003', email: 'ewa.old@example.com' };
    await upsert(person);
    const moved = { ...person, email: 'ewa.new@example.com' };
    await portal.owner.pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse before insert on client for each row when (new.personal_id = '3004') execute function refuse()`);
    expect((await upsert(moved, { ...record, personalId: '3004' })).status).toBe(500);
    expect(await mailsAbout('ewa')).toEqual([]);
  });
});
