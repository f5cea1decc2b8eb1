import type { ClientState } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { createTestBrowser, createVerifier, goToPasswordPage, submitPassword } from '#testing/sign-in-as.ts';
import { password, startTestPortal, type TestCaller, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});

afterAll(() => portal[Symbol.asyncDispose]());

interface Wish {
  readonly reason?: string;
  readonly by?: 'personalId' | 'cif';
  readonly caller?: TestCaller;
}

const set = (client: string, state: ClientState, { reason = 'S 7/26', by, caller = portal.publisher }: Wish = {}) =>
  caller.call('changeClientState', { params: { client }, query: by === undefined ? {} : { by }, body: { state, reason } });

const historyOf = async (client: string) => (await portal.publisher.call('getClientHistory', { params: { client } })).body;

/** What the sign-in page of the portal answers to this person's right password. */
const tryPassword = async (personalId: string) => {
  const { host } = portal.settings.publicUrl;
  const browser = createTestBrowser(portal.server, host);
  const page = await goToPasswordPage(browser, { personalId, state: createVerifier().state });
  return submitPassword(browser, page, { password });
};

const mailsTo = async (address: string) =>
  (await portal.db.selectFrom('mail_outbox').select('template').where('recipient', '=', address).execute()).map(({ template }) => template);

describe('a client who is disabled', () => {
  test('is signed out at once, cannot sign in with the right password, and can again when reopened, with no session of before', async () => {
    const client = await portal.signIn('5001', { cif: '6001' });
    expect((await set('5001', 'DISABLED')).body).toEqual({ personalId: '5001', cif: '6001', state: 'DISABLED', changed: true });
    const refused = await client.call('getSelf', {});
    expect([refused.status, refused.error?.code]).toEqual([401, 'ACCESS_DENIED']);
    const wrong = await tryPassword('5001');
    expect([wrong.statusCode, wrong.body]).toEqual([401, expect.stringContaining('Nieprawidłowe dane logowania')]);
    expect((await set('5001', 'ACTIVE')).body).toMatchObject({ state: 'ACTIVE', changed: true });
    expect((await client.call('getSelf', {})).status).toBe(401);
    expect((await (await portal.signIn('5001')).call('getSelf', {})).status).toBe(200);
  });

  test('has no sessions when reopened, also when the process that disabled the account died before it ended them', async () => {
    const client = await portal.signIn('5002');
    await portal.pool.query(`update client set state = 'DISABLED' where personal_id = '5002'`);
    expect((await set('5002', 'ACTIVE')).body).toMatchObject({ state: 'ACTIVE', changed: true });
    expect((await client.call('getSelf', {})).status).toBe(401);
  });

  test('is mailed no invitation, and is invited again after the account was reopened', async () => {
    const person = { personalId: '5003', cif: '6003', firstName: 'Ewa', lastName: 'Lis', email: 'ewa5003@example.com' };
    const write = () => portal.publisher.call('upsertClients', { body: { items: [person], reinvite: true } });
    await write();
    await set('5003', 'DISABLED');
    await write();
    expect(await mailsTo(person.email)).toEqual(['activation']);
    await set('5003', 'ACTIVE');
    await write();
    expect(await mailsTo(person.email)).toEqual(['activation', 'activation']);
  });

  test('gets no account by a first password in an import', async () => {
    const person = { personalId: '5004', cif: '6004', firstName: 'Ewa', lastName: 'Lis' };
    await portal.publisher.call('upsertClients', { body: { items: [person] } });
    await set('5004', 'DISABLED');
    await portal.publisher.call('upsertClients', { body: { items: [{ ...person, initialPassword: password }] } });
    expect((await tryPassword('5004')).statusCode).toBe(401);
    await set('5004', 'ACTIVE');
    expect((await tryPassword('5004')).statusCode).toBe(401);
  });
});

test('a client who is closed stays signed in, reads, is not asked for the terms, and accepts them like others when reopened', async () => {
  await using own = await startTestPortal();
  const client = await own.signIn('5010', { cif: '6010' });
  await own.publish({ cif: '6010', pdf: aPdf() });
  await own.publishStatute({ version: '1', pdf: aPdf({ text: 'terms' }) });
  const read = async () => (await client.call('listOwnDocuments', { body: {} })).status;
  expect(await read()).toBe(403);
  await set('5010', 'CLOSED', { caller: own.publisher });
  await expect.poll(read).toBe(200);
  await set('5010', 'ACTIVE', { caller: own.publisher });
  await expect.poll(read).toBe(403);
});

describe('the state of a client', () => {
  test('is changed once, refused where there is no such change, and its history says who did it, when and why', async () => {
    await portal.addClient('5020', { cif: '6020' });
    const before = portal.clock.now().getTime();
    expect((await set('5020', 'CLOSED', { reason: 'Rozwiązanie umowy' })).body.changed).toBe(true);
    expect((await set('5020', 'CLOSED')).body).toMatchObject({ state: 'CLOSED', changed: false });
    await set('5020', 'DISABLED', { reason: 'Przejęcie konta' });
    const refused = await set('5020', 'CLOSED');
    expect([refused.status, refused.error?.code, Object.keys(refused.error?.fields ?? {})]).toEqual([409, 'INVALID_STATUS', ['state']]);
    const { client, items } = await historyOf('6020');
    expect(client).toEqual({ personalId: '5020', cif: '6020', state: 'DISABLED' });
    expect(items.map(({ before: from, after, reason, keyName }) => [from, after, reason, keyName])).toEqual([
      ['ACTIVE', 'CLOSED', 'Rozwiązanie umowy', 'tests'],
      ['CLOSED', 'DISABLED', 'Przejęcie konta', 'tests'],
    ]);
    expect(items.every(({ at }) => at >= before)).toBe(true);
  });

  test('is left alone by an import', async () => {
    await portal.addClient('5021');
    await set('5021', 'CLOSED');
    await portal.addClient('5021', { lastName: 'Inna' });
    expect((await historyOf('5021')).client.state).toBe('CLOSED');
  });

  test('is changed for a customer number that one client has, and for one of several only by the personal id', async () => {
    await portal.addClient('5030', { cif: '6030', cif2: '6039' });
    await portal.addClient('5031', { cif: '6031', cif2: '6039' });
    // The personal id of one, and the customer number of another.
    await portal.addClient('6030', { cif: '6032' });
    expect((await set('6031', 'CLOSED')).body).toMatchObject({ personalId: '5031' });
    for (const [client, by] of [['6039'], ['6039', 'cif'], ['6030']] as const) {
      const { status, error } = await set(client, 'CLOSED', by === undefined ? {} : { by });
      expect([status, error?.code, Object.keys(error?.fields ?? {})]).toEqual([400, 'VALIDATION_ERROR', ['client']]);
    }
    expect((await set('6030', 'CLOSED', { by: 'cif' })).body).toMatchObject({ personalId: '5030', changed: true });
    expect((await set('6030', 'CLOSED', { by: 'personalId' })).body).toMatchObject({ personalId: '6030', changed: true });
  });

  test.each([
    ['an unknown client', '404040', { state: 'CLOSED', reason: 'S' }, [404, 'RESOURCE_NOT_FOUND']],
    ['a state that there is not', '5021', { state: 'GONE', reason: 'S' }, [400, 'VALIDATION_ERROR']],
    ['no reason', '5021', { state: 'DISABLED', reason: '' }, [400, 'VALIDATION_ERROR']],
    ['a client that no id can name', 'a b', { state: 'DISABLED', reason: 'S' }, [400, 'VALIDATION_ERROR']],
  ])('is refused for %s', async (_what, client, body, expected) => {
    const { status, error } = await portal.publisher.call('changeClientState', { params: { client }, body: body as never });
    expect([status, error?.code]).toEqual(expected);
  });

  test('of a real client is out of reach of a key of the demonstration', async () => {
    await portal.addClient('5040');
    const key = await portal.keys.issue({ name: 'demonstration', scopes: ['clients:write'], demo: true });
    const call = { params: { client: '5040' }, body: { state: 'DISABLED', reason: 'S' } } as const;
    expect((await portal.anonymous.call('changeClientState', call, { authorization: `Bearer ${key}` })).status).toBe(404);
  });

  test('has a history that cannot be changed or taken away, not even by the owner of the database', async () => {
    await portal.addClient('5050');
    await set('5050', 'CLOSED');
    const { db } = portal.owner;
    await expect(db.deleteFrom('client_event').execute()).rejects.toThrow('insert-only');
    await expect(db.updateTable('client_event').set({ reason: '' }).execute()).rejects.toThrow('insert-only');
  });
});
