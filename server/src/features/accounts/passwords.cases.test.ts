import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestBrowser, goToPasswordPage, createVerifier, returnToPortal, submitPassword } from '#testing/sign-in-as.ts';
import { password, startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** The negative cases of changing a password and of asking for a link, by the numbers that the security design gives them. */

/** Keeps the passwords of managed clients; no test signs in there. */
const company = {
  id: 'company',
  name: 'Company account',
  issuer: 'https://identity.example.com',
  clientId: 'portal',
  clientSecret: 'not-asked-for',
  passwordUrl: 'https://identity.example.com/account/password',
};

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ environment: { IDENTITY_SERVICES: JSON.stringify([company]) } });
});
afterAll(() => portal[Symbol.asyncDispose]());

const change = (client: TestClient, oldPassword: string, newPassword: string) =>
  client.call('changePassword', { body: { oldPassword, newPassword } });

const isSignedIn = async (client: TestClient): Promise<boolean> => (await client.call('getSelf', {})).status === 200;

const canSignInWith = async (personalId: string, secret: string): Promise<boolean> => {
  const browser = createTestBrowser(portal.server, portal.settings.publicUrl.host);
  const page = await goToPasswordPage(browser, { personalId, state: createVerifier().state });
  const answer = await submitPassword(browser, page, { password: secret });
  return answer.statusCode === 303 && (await returnToPortal(browser, answer)).startsWith('/oauth/');
};

const mailsTo = (recipient: string) =>
  portal.db.selectFrom('mail_outbox').select(['template', 'content']).where('recipient', '=', recipient).orderBy('created_at').execute();

describe('a change of password', () => {
  test('61: counts from now on, ends the person’s other sessions at once and no other person’s, and is told by mail', async () => {
    const here = await portal.signIn('30000001', { email: 'owner@example.com' });
    const elsewhere = await portal.signIn('30000001');
    const other = await portal.signIn('30000002');
    expect((await change(here, password, 'Another-horse-8')).status).toBe(204);
    expect(await isSignedIn(here)).toBe(true);
    expect(await isSignedIn(other)).toBe(true);
    const refused = await elsewhere.call('getSelf', {});
    expect([refused.status, refused.error?.code]).toEqual([401, 'ACCESS_DENIED']);
    expect(await canSignInWith('30000001', password)).toBe(false);
    expect(await canSignInWith('30000001', 'Another-horse-8')).toBe(true);
    expect((await mailsTo('owner@example.com')).map((mail) => mail.template)).toEqual(['passwordChanged']);
  });

  test('49: a change of password with a wrong old password is refused without ending the session; after five it waits, for the right one too', async () => {
    const client = await portal.signIn('30000003');
    for (let wrong = 0; wrong < 5; wrong += 1) {
      const answer = await change(client, 'Wrong-horse-1', 'Another-horse-8');
      expect([answer.status, answer.error?.code]).toEqual([400, 'INVALID_CREDENTIALS_ERROR']);
    }
    const blocked = await change(client, password, 'Another-horse-8');
    expect([blocked.status, blocked.error?.code]).toEqual([429, 'CALL_NOT_PERMITTED']);
    expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(14 * 60);
    expect(await isSignedIn(client)).toBe(true);
    expect(await canSignInWith('30000003', password)).toBe(true);
  });

  test('50: a change of password to the present password or one of the five before it is refused in the words that clients read', async () => {
    const client = await portal.signIn('30000004');
    const used = [password];
    for (let round = 1; round <= 6; round += 1) {
      const next = `Horse-number-${round}-x`;
      for (const old of used.slice(-6)) {
        const answer = await change(client, used.at(-1) ?? '', old);
        expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
        expect(answer.error?.message).toBe('Password exists. Previous password check: 5');
      }
      expect((await change(client, used.at(-1) ?? '', next)).status).toBe(204);
      used.push(next);
    }
    expect((await change(client, used.at(-1) ?? '', password)).status).toBe(204);
  });

  test('51: a change of password made three times at once succeeds once', async () => {
    const client = await portal.signIn('30000005');
    const answers = await Promise.all(['A', 'B', 'C'].map((letter) => change(client, password, `Horse-${letter}-number-8`)));
    expect(answers.map((answer) => answer.status).toSorted((left, right) => left - right)).toEqual([204, 400, 400]);
    expect(await isSignedIn(client)).toBe(true);
  });

  test.each([
    ['seven characters', 'Horse-7'],
    ['twenty-one characters', 'Horse-horse-horse-777'],
    ['no digit', 'Horse-seven'],
    ['no uppercase letter', 'horse-seven-7'],
    ['no lowercase letter', 'HORSE-SEVEN-7'],
    ['the personal id in it', 'Horse-30000006'],
    ['one that is guessed first', 'Warszawa2026!'],
  ])('52: a change of password to a password with %s is refused, and says by which field', async (_what, next) => {
    const client = await portal.signIn('30000006');
    const answer = await change(client, password, next);
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(answer.error?.fields ?? {})).toEqual(['newPassword']);
  });

  test.each([
    ['a megabyte', 1_000_000, [400, 413]],
    ['more than anybody types', 201, [400]],
  ])('53: a change of password to %s is turned away before anything is hashed', async (_what, length, statuses) => {
    const client = await portal.signIn('30000007');
    const answer = await change(client, password, 'a'.repeat(length));
    expect(statuses).toContain(answer.status);
  });

  test('61: a change of password of an account that was disabled meanwhile is refused, even with the right password', async () => {
    const client = await portal.signIn('30000008');
    await portal.pool.query(`update identity.account set disabled_at = now() where personal_id = '30000008'`);
    const answer = await change(client, password, 'Another-horse-8');
    expect([answer.status, answer.error?.code]).toEqual([400, 'INVALID_CREDENTIALS_ERROR']);
  });
});

describe('a link that sets a new password', () => {
  test('55: is mailed three times within an hour to a person who is signed in, and not a fourth time', async () => {
    const client = await portal.signIn('30000010', { email: 'forgets@example.com' });
    const statuses = [];
    for (let asked = 0; asked < 4; asked += 1) statuses.push((await client.call('requestPasswordReset', {})).status);
    expect(statuses).toEqual([204, 204, 204, 429]);
    const refused = await client.call('requestPasswordReset', {});
    expect(refused.error?.code).toBe('CALL_NOT_PERMITTED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(59 * 60);
    expect((await mailsTo('forgets@example.com')).map((mail) => mail.template)).toEqual([
      'passwordReset',
      'passwordReset',
      'passwordReset',
    ]);
  });

  test('names the installation’s own address and nothing of the person', async () => {
    const client = await portal.signIn('30000011', { email: 'link@example.com' });
    await client.call('requestPasswordReset', {}, { 'x-forwarded-host': 'evil.example' });
    const [mail] = await mailsTo('link@example.com');
    expect(mail?.content).toMatch(/^http:\/\/localhost:8080\/identity\/reset\?lang=pl#[\w-]{43}$/m);
    expect(mail?.content).not.toMatch(/30000011|evil/);
  });

  test('cannot be mailed to a person without an address, and the answer says so', async () => {
    const client = await portal.signIn('30000012');
    const answer = await client.call('requestPasswordReset', {});
    expect([answer.status, answer.error?.code, Object.keys(answer.error?.fields ?? {})]).toEqual([400, 'VALIDATION_ERROR', ['email']]);
  });
});

test('a password that an outside service keeps is neither changed nor reset here', async () => {
  const person = { cif: 'cif-30000013', firstName: 'Jan', lastName: 'Lis', email: 'managed@example.com' };
  const client = await portal.signIn('30000013', person);
  await portal.publisher.call('upsertClients', { body: { items: [{ personalId: '30000013', ...person, managed: true }] } });
  const answers = [await change(client, password, 'Another-horse-8'), await client.call('requestPasswordReset', {})];
  for (const answer of answers) expect([answer.status, answer.error?.code]).toEqual([403, 'CALL_NOT_PERMITTED']);
  expect(await mailsTo('managed@example.com')).toEqual([]);
});

test('a client whose password an outside service keeps is told which, and where to change it', async () => {
  const client = await portal.signIn('30000014');
  expect((await client.call('getSelf', {})).body).not.toHaveProperty('passwordService');
  const person = { cif: 'cif-30000014', firstName: 'Jan', lastName: 'Lis' };
  await portal.publisher.call('upsertClients', { body: { items: [{ personalId: '30000014', ...person, managed: true }] } });
  const { managed, passwordService } = (await client.call('getSelf', {})).body;
  expect([managed, passwordService]).toEqual([true, { name: company.name, url: company.passwordUrl }]);
});
