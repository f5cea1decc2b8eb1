import { expect, test } from 'vitest';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

/** A key with `clients:write` that writes an address of its own into a client's record must not get the client's password with it. */

const dayMs = 24 * 3_600_000;

const aRecord = (personalId: string, email: string | null) => ({
  personalId,
  cif: `cif-${personalId}`,
  firstName: 'Ewelina',
  lastName: 'Lisowska',
  email,
});

const write = async (portal: TestPortal, records: readonly ReturnType<typeof aRecord>[], { reinvite = false } = {}) =>
  (await portal.publisher.call('upsertClients', { body: { items: [...records], reinvite } })).body;

const lettersOf = async (portal: TestPortal, template?: string): Promise<string[]> => {
  const rows = await portal.db.selectFrom('mail_outbox').select(['recipient', 'template']).orderBy('created_at').execute();
  return rows.filter((row) => template === undefined || row.template === template).map((row) => `${row.template} ${row.recipient}`);
};

const askForLink = async (portal: TestPortal, personalId: string) => (await portal.signIn(personalId)).call('requestPasswordReset', {});

test('a new address is mailed no link that sets a password for a day, and both addresses are told of the change', async () => {
  await using portal = await startTestPortal();
  await portal.addClient('77000001', { email: 'owner@example.com' });
  expect(await write(portal, [aRecord('77000001', 'thief@example.com')])).toMatchObject({ changed: 1, quiet: 1 });
  expect((await lettersOf(portal)).toSorted()).toEqual(['contactChanged owner@example.com', 'contactChanged thief@example.com']);
  const refused = await askForLink(portal, '77000001');
  expect([refused.status, Number(refused.headers['retry-after']) > 23 * 3_600]).toEqual([429, true]);
  expect(await lettersOf(portal, 'passwordReset')).toEqual([]);
  portal.clock.advance(dayMs);
  expect((await askForLink(portal, '77000001')).status).toBe(204);
  expect(await lettersOf(portal, 'passwordReset')).toEqual(['passwordReset thief@example.com']);
});

test('the page for forgotten passwords says nothing of a quiet time, and mails no link in it', async () => {
  await using portal = await startTestPortal();
  await portal.addClient('77000002', { email: 'owner@example.com' });
  await portal.addClient('77000003', { email: 'other@example.com' });
  await write(portal, [aRecord('77000002', 'thief@example.com')]);
  const forget = async (personalId: string) =>
    portal.server.inject({
      method: 'POST',
      url: '/identity/forgot?lang=en',
      headers: { host: portal.settings.publicUrl.host, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ personalId }).toString(),
    });
  const [quiet, other] = [await forget('77000002'), await forget('77000003')];
  expect([quiet.statusCode, quiet.body]).toEqual([other.statusCode, other.body]);
  await expect.poll(() => lettersOf(portal, 'passwordReset')).toEqual(['passwordReset other@example.com']);
});

test.each([
  ['is taken away first', [null, 'thief@example.com']],
  ['is changed back', ['thief@example.com', 'owner@example.com']],
])('a quiet time begins also when the address %s', async (_, addresses) => {
  await using portal = await startTestPortal();
  await portal.addClient('77000004', { email: 'owner@example.com' });
  for (const email of addresses) await write(portal, [aRecord('77000004', email)]);
  expect((await askForLink(portal, '77000004')).status).toBe(429);
  expect(await lettersOf(portal, 'passwordReset')).toEqual([]);
});

test('the first address of an account in use begins a quiet time, that of one that nobody has used does not', async () => {
  await using portal = await startTestPortal();
  await portal.signIn('77000005', { email: null });
  await portal.addClient('77000006', { email: null });
  expect((await write(portal, [aRecord('77000005', 'used@example.com'), aRecord('77000006', 'unused@example.com')])).quiet).toBe(1);
  expect((await askForLink(portal, '77000005')).status).toBe(429);
  expect((await askForLink(portal, '77000006')).status).toBe(204);
});

test('a client without a password is not invited at a new address before its quiet time is over', async () => {
  await using portal = await startTestPortal();
  await write(portal, [aRecord('77000007', 'owner@example.com')]);
  await write(portal, [aRecord('77000007', 'thief@example.com')], { reinvite: true });
  expect(await lettersOf(portal, 'activation')).toEqual(['activation owner@example.com']);
  portal.clock.advance(dayMs);
  await write(portal, [aRecord('77000007', 'thief@example.com')], { reinvite: true });
  expect((await lettersOf(portal, 'activation')).at(-1)).toBe('activation thief@example.com');
});

test('with CONTACT_QUIET_HOURS=0 a new address is mailed links at once', async () => {
  await using portal = await startTestPortal({ environment: { CONTACT_QUIET_HOURS: '0' } });
  await portal.addClient('77000008', { email: 'owner@example.com' });
  expect((await write(portal, [aRecord('77000008', 'next@example.com')])).quiet).toBeUndefined();
  expect((await askForLink(portal, '77000008')).status).toBe(204);
});
