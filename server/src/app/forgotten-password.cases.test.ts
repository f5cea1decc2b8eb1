import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import {
  createVerifier,
  goToPasswordPage,
  obtainCode,
  redeemCode,
  returnToPortal,
  submitPassword,
  type TestBrowser,
} from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';
import { startTestPortal } from '#testing/test-portal.ts';

/** Links that set a password: the cases 45, 54 and 55 of the security design, and how a new client comes in. */

let portal: SignInPortal;
beforeAll(async () => {
  portal = await startSignInPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

const minuteMs = 60_000;
const next = 'Another-horse-8';
let lastNetwork = 0;
const newBrowser = (): TestBrowser => portal.newBrowser(`198.51.100.${(lastNetwork += 1)}`);

const ask = async (personalId: string, browser = newBrowser()) => {
  const answer = await submitPassword(browser, '/identity/forgot?lang=en', { personalId });
  await portal.identity.settled();
  return answer;
};

const tokenIn = (text: string | null | undefined): string => {
  const [, token] = /\/identity\/reset\?lang=\w\w#([\w-]{43})/.exec(text ?? '') ?? [];
  if (token === undefined) throw new Error('expected a link');
  return token;
};

const lastToken = (): string => tokenIn(portal.mails.findLast((mail) => 'link' in mail.values)?.values['link']);

const setPassword = (token: string, fields: { password: string; repeat?: string }, browser = newBrowser()) =>
  submitPassword(browser, '/identity/reset?lang=en', { token, repeat: fields.password, ...fields });

const isLetIn = async (personalId: string, secret: string): Promise<boolean> => {
  const browser = newBrowser();
  const page = await goToPasswordPage(browser, { personalId, state: createVerifier().state });
  const answer = await submitPassword(browser, page, { password: secret });
  return answer.statusCode === 303 && (await returnToPortal(browser, answer)).startsWith('/oauth/');
};

const addPerson = (personalId: string): Promise<void> => portal.addPerson(personalId, password, `p${personalId}@example.com`);

describe('a person who forgot the password', () => {
  test('finds the way on the page that asks for it, is mailed a link and sets a new one', async () => {
    await addPerson('70000001');
    const browser = newBrowser();
    const page = await browser.request('GET', await goToPasswordPage(browser, { personalId: '70000001', state: createVerifier().state }));
    const [, forgot = ''] = /href="(\/identity\/forgot\?lang=pl)"/.exec(page.body) ?? [];
    expect((await browser.request('GET', forgot)).body).toContain('Nie pamiętam hasła');

    expect((await ask('70000001')).statusCode).toBe(202);
    const mail = portal.mails.at(-1);
    expect(mail).toMatchObject({ to: 'p70000001@example.com', template: 'passwordReset', language: 'PL' });
    expect(mail?.values['link']).toMatch(/^http:\/\/localhost:8080\/identity\/reset\?lang=pl#[\w-]{43}$/);

    const done = await setPassword(lastToken(), { password: next });
    expect(done.statusCode).toBe(200);
    expect(done.body).toContain('Your password is set');
    expect(portal.mails.at(-1)).toMatchObject({ to: 'p70000001@example.com', template: 'passwordChanged' });
    expect([await isLetIn('70000001', password), await isLetIn('70000001', next)]).toEqual([false, true]);
  });

  test('is signed out wherever the old one was used, also in the middle of signing in', async () => {
    await addPerson('70000002');
    const browser = newBrowser();
    const login = await redeemCode(browser, await obtainCode(browser, { personalId: '70000002', password }));
    const headers = { authorization: String(login.headers['authorization']) };
    const isSignedIn = async () => (await browser.request('GET', '/api/protected/account/self/info', { headers })).statusCode;
    expect(await isSignedIn()).toBe(200);
    const halfway = newBrowser();
    const page = await goToPasswordPage(halfway, { personalId: '70000002', state: createVerifier().state });
    const toPortal = await submitPassword(halfway, page, { password });
    await ask('70000002');
    await setPassword(lastToken(), { password: next });
    expect(await isSignedIn()).toBe(401);
    expect(await returnToPortal(halfway, toPortal)).toBe('/login-ex?error=auth');
  });

  test('a person who was blocked after wrong passwords signs in with the new one at once', async () => {
    await addPerson('70000003');
    for (let wrong = 0; wrong < 6; wrong += 1) await isLetIn('70000003', 'Wrong-horse-1');
    expect(await isLetIn('70000003', password)).toBe(false);
    await ask('70000003');
    await setPassword(lastToken(), { password: next });
    expect(await isLetIn('70000003', next)).toBe(true);
  });

  test('55: is mailed three links within an hour, and told to wait for a fourth; an unknown id gets the same answers', async () => {
    await addPerson('70000004');
    const before = portal.mails.length;
    for (const personalId of ['70000004', '79999999']) {
      const browser = newBrowser();
      const statuses = [];
      for (let asked = 0; asked < 4; asked += 1) statuses.push((await ask(personalId, browser)).statusCode);
      expect(statuses).toEqual([202, 202, 202, 429]);
      expect(Number((await ask(personalId, browser)).headers['retry-after'])).toBeGreaterThan(59 * 60);
    }
    expect(portal.mails.slice(before).map((mail) => mail.to)).toEqual(Array.from({ length: 3 }, () => 'p70000004@example.com'));
  });

  test('55: is still mailed links on a known device, however many others asked for', async () => {
    await addPerson('70000007');
    const own = newBrowser();
    await obtainCode(own, { personalId: '70000007', password });
    for (let stranger = 0; stranger < 6; stranger += 1) await ask('70000007');
    const before = portal.mails.length;
    const statuses = [];
    for (let asked = 0; asked < 4; asked += 1) statuses.push((await ask('70000007', own)).statusCode);
    expect(statuses).toEqual([202, 202, 202, 429]);
    expect(portal.mails).toHaveLength(before + 3);
    expect((await setPassword(lastToken(), { password: next })).statusCode).toBe(200);
  });

  test('55: a person on a new device is mailed a link, or has one that works, however many others ask from other networks', async () => {
    await addPerson('70000008');
    const before = portal.mails.length;
    const own = newBrowser();
    for (let minute = 0; minute < 120; minute += 5) {
      for (let stranger = 0; stranger < 2; stranger += 1) await ask('70000008');
      const living = `select from identity.password_link where personal_id = '70000008' and expires_at > $1`;
      expect((await portal.database.pool.query(living, [portal.clock.now()])).rowCount).toBeGreaterThan(0);
      portal.clock.advance(5 * minuteMs);
    }
    expect((await ask('70000008', own)).statusCode).toBe(202);
    const mailed = portal.mails.slice(before).map((mail) => tokenIn(mail.values['link']));
    // Three in each half hour: a mailbox is not filled either.
    expect(mailed.length).toBeGreaterThanOrEqual(12);
    expect(mailed.length).toBeLessThanOrEqual(15);
    expect((await setPassword(mailed.at(-1) ?? '', { password: next })).statusCode).toBe(200);
  });

  test('55: one network asks for no more than twenty', async () => {
    const browser = newBrowser();
    for (let asked = 0; asked < 20; asked += 1) expect((await ask(String(71_000_000 + asked), browser)).statusCode).toBe(202);
    expect((await ask('71000099', browser)).statusCode).toBe(429);
  });

  test.each([
    ['an id that cannot be one', '"><b>', 202],
    ['a zero byte', 'a\0b', 202],
    ['nothing', ' ', 400],
  ])('the id %s is answered calmly and mailed nothing', async (_what, personalId, status) => {
    const before = portal.mails.length;
    const answer = await ask(personalId);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).not.toContain('<b>');
    expect(portal.mails).toHaveLength(before);
  });

  test('a person whose password is kept elsewhere, or whose account is disabled, is mailed nothing', async () => {
    await portal.addManagedPerson('70000005');
    await addPerson('70000006');
    await portal.disable('70000006');
    const before = portal.mails.length;
    for (const personalId of ['70000005', '70000006']) expect((await ask(personalId)).statusCode).toBe(202);
    expect(portal.mails).toHaveLength(before);
  });

  test('a form of another site causes no mail', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' };
    for (const path of ['/identity/forgot', '/identity/reset'])
      expect((await newBrowser().request('POST', path, { headers, payload: 'personalId=70000001' })).statusCode).toBe(403);
  });
});

describe('a person who has been shut out', () => {
  test('a person whose account is disabled is signed out everywhere at once, while other people stay signed in', async () => {
    const openSession = async (personalId: string) => {
      const browser = newBrowser();
      const login = await redeemCode(browser, await obtainCode(browser, { personalId, password }));
      const headers = { authorization: String(login.headers['authorization']) };
      return async () => (await browser.request('GET', '/api/protected/account/self/info', { headers })).statusCode;
    };
    await addPerson('70000010');
    await addPerson('70000011');
    const [here, there, other] = [await openSession('70000010'), await openSession('70000010'), await openSession('70000011')];
    await portal.disable('70000010');
    expect([await here(), await there(), await other()]).toEqual([401, 401, 200]);
    const { rows } = await portal.database.pool.query(`select distinct end_reason from session where personal_id = '70000010'`);
    expect(rows).toEqual([{ end_reason: 'ACCOUNT_DISABLED' }]);
  });

  test('an account disabled before its first password gets none any more: neither by the old link nor by a new one', async () => {
    await portal.addPersonWithoutPassword('70000012', 'p70000012@example.com');
    const token = lastToken();
    await portal.disable('70000012');
    expect((await setPassword(token, { password: next })).statusCode).toBe(400);
    const before = portal.mails.length;
    await ask('70000012');
    await portal.addPersonWithoutPassword('70000012', 'p70000012@example.com');
    expect(portal.mails).toHaveLength(before);
  });
});

describe('54: a link', () => {
  const isVoid = async (token: string): Promise<boolean> => {
    const { statusCode, body } = await setPassword(token, { password: next });
    return statusCode === 400 && body.includes('This link is no longer valid') && body.includes('href="/identity/forgot?lang=en"');
  };

  test('54: a link works once, also when it is used many times at once', async () => {
    await addPerson('72000001');
    await ask('72000001');
    const token = lastToken();
    const answers = await Promise.all(Array.from({ length: 4 }, (_, index) => setPassword(token, { password: `Horse-number-${index}` })));
    expect(answers.map((answer) => answer.statusCode).toSorted((left, right) => left - right)).toEqual([200, 400, 400, 400]);
    expect(await isVoid(token)).toBe(true);
  });

  test('54: a link works though another person has asked for a newer one, and ends that one when it is used', async () => {
    await addPerson('72000002');
    await ask('72000002');
    const older = lastToken();
    await ask('72000002');
    const newer = lastToken();
    expect(newer).not.toBe(older);
    expect((await setPassword(older, { password: next })).statusCode).toBe(200);
    expect(await isVoid(newer)).toBe(true);
  });

  test('54: a link is one of several of which one sets a password, also when they are used at once', async () => {
    await addPerson('72000008');
    const tokens = [];
    for (let asked = 0; asked < 3; asked += 1) {
      await ask('72000008');
      tokens.push(lastToken());
    }
    const answers = await Promise.all(tokens.map((token, index) => setPassword(token, { password: `Horse-number-${index}` })));
    expect(answers.map((answer) => answer.statusCode).toSorted((left, right) => left - right)).toEqual([200, 400, 400]);
  });

  test('a link that sets a first password stays good when a stranger asks for another one, and goes when the organisation sends a new one', async () => {
    const [personalId, email] = ['72000009', 'p72000009@example.com'];
    await portal.addPersonWithoutPassword(personalId, email);
    const first = lastToken();
    await ask(personalId);
    portal.clock.advance(8 * 24 * 60 * minuteMs);
    await ask(personalId);
    await portal.identity.sweep();
    const count = `select from identity.password_link where personal_id = '${personalId}'`;
    expect((await portal.database.pool.query(count)).rowCount).toBe(1);
    const asked = lastToken();
    expect(asked).not.toBe(first);
    const invited = await portal.identity.accounts.invite([{ personalId, email, language: 'EN' }], {
      within: portal.database.db,
      again: true,
    });
    expect(await isVoid(asked)).toBe(true);
    expect((await setPassword(tokenIn(invited[0]?.letter.values['link']), { password: next })).statusCode).toBe(200);
  });

  test('54: a link is void after half an hour', async () => {
    await addPerson('72000003');
    await ask('72000003');
    const token = lastToken();
    portal.clock.advance(29 * minuteMs);
    expect((await setPassword(token, { password: 'short' })).body).toContain('The password must have 8 to 20 characters');
    portal.clock.advance(minuteMs);
    expect(await isVoid(token)).toBe(true);
  });

  test('54: a link is void when the password was changed meanwhile, or the account disabled', async () => {
    for (const [personalId, meanwhile] of [
      ['72000004', () => portal.identity.accounts.changePassword('72000004', { oldPassword: password, newPassword: next })],
      ['72000005', () => portal.disable('72000005')],
    ] as const) {
      await addPerson(personalId);
      await ask(personalId);
      const token = lastToken();
      await meanwhile();
      expect(await isVoid(token)).toBe(true);
    }
  });

  test.each(['', 'guess', 'a'.repeat(43), '"><script>', 'a\0b'])('a link that was made up (%j) sets nothing', async (token) => {
    const answer = await setPassword(token, { password: next });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).not.toContain('"><script>');
  });

  test.each<[string, { password: string; repeat?: string }, string]>([
    ['two different passwords', { password: next, repeat: `${next}x` }, 'Passwords are different'],
    ['no password', { password: '' }, 'Field required'],
    ['a password that others guess first', { password: 'Warszawa2026!' }, 'This password is easy to guess'],
    ['the id', { password: 'Id-72000006-x' }, 'The password must not contain your ID'],
    ['the present password', { password }, 'Your password cannot be the same as the last 6'],
  ])('54: a link is kept for another try after %s', async (_what, fields, sentence) => {
    await portal.addPerson('72000006', password, 'p72000006@example.com');
    portal.clock.advance(61 * minuteMs);
    await ask('72000006');
    const answer = await setPassword(lastToken(), fields);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(sentence);
    expect(answer.body).toContain(`value="${lastToken()}"`);
    expect(answer.body).toMatch(/role="alert"/);
  });

  test('54: a link is stored by its hash only', async () => {
    await addPerson('72000007');
    await ask('72000007');
    const { rows } = await portal.database.pool.query<{ line: string }>('select l::text as line from identity.password_link l');
    expect(rows.length).toBeGreaterThan(0);
    // Bytes are written as hexadecimal digits.
    for (const { line } of rows)
      for (const form of [lastToken(), Buffer.from(lastToken()).toString('hex')]) expect(line).not.toContain(form);
  });
});

describe('a link and the mail that brings it', () => {
  const refuse = (table: string): string => `
    create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'refused by the test'; end $$;
    create trigger refuse_row before insert on ${table} for each row execute function refuse_row()`;

  test.each([
    { table: 'identity.password_link', failing: 'the link cannot be kept' },
    { table: 'public.mail_outbox', failing: 'the mail cannot be queued' },
  ])('are kept in one transaction: neither of them is there when $failing', async ({ table }) => {
    await using whole = await startTestPortal();
    const client = await whole.signIn('76000001', { email: 'p76000001@example.com' });
    const count = async (sql: string): Promise<unknown> => (await whole.owner.pool.query<{ count: number }>(sql)).rows[0]?.count;
    const kept = async () => ({
      mails: await count('select count(*)::int as count from mail_outbox'),
      links: await count('select count(*)::int as count from identity.password_link'),
    });
    const before = await kept();
    await whole.owner.pool.query(refuse(table));
    expect((await client.call('requestPasswordReset', {})).status).toBe(500);
    expect(await kept()).toEqual(before);
    await whole.owner.pool.query(`drop trigger refuse_row on ${table}`);
    expect((await client.call('requestPasswordReset', {})).status).toBe(204);
    expect(await kept()).toEqual({ mails: Number(before.mails) + 1, links: Number(before.links) + 1 });
  });
});

describe('the page that sets a password', () => {
  test('has one script, of this origin, and no way for any other', async () => {
    const browser = newBrowser();
    const { body, headers } = await browser.request('GET', '/identity/reset?lang=en');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'",
    );
    expect(headers).toMatchObject({ 'referrer-policy': 'same-origin', 'cache-control': 'no-store' });
    const scripts = [...body.matchAll(/<script[^>]*>/g)].map(([tag]) => tag);
    expect(scripts).toHaveLength(1);
    const [, source = ''] = /src="(\/identity\/assets\/[^"]+\.js)"/.exec(scripts[0] ?? '') ?? [];
    expect((await browser.request('GET', source)).headers['content-type']).toContain('javascript');
  });

  test('can be used without it: the code is pasted', async () => {
    const { body } = await newBrowser().request('GET', '/identity/reset?lang=en');
    expect(body).toContain('<label for="token">Code from the email</label>');
    expect(body).toContain('The part of the link after the # sign');
  });

  test('lets password managers make a password, and does not forbid pasting one', async () => {
    const { body } = await newBrowser().request('GET', '/identity/reset');
    expect(body.match(/autocomplete="new-password"/g)).toHaveLength(2);
    expect(body).not.toContain('onpaste');
  });
});

describe('a new client without a password', () => {
  const aRecord = (personalId: string) => ({
    personalId,
    cif: `cif-${personalId}`,
    firstName: 'Ewelina',
    lastName: 'Lisowska',
    email: `p${personalId}@example.com`,
  });

  test('is mailed a link once, sets a password with it and signs in', async () => {
    await using whole = await startTestPortal();
    const write = () =>
      whole.publisher.call('upsertClients', { body: { items: [aRecord('73000001'), { ...aRecord('73000002'), managed: true }] } });
    await write();
    await write();
    const mails = await whole.db.selectFrom('mail_outbox').select(['recipient', 'template', 'content']).execute();
    expect(mails.map(({ recipient, template }) => [recipient, template])).toEqual([['p73000001@example.com', 'activation']]);
    expect(mails[0]?.content).toContain('Twój identyfikator: 73000001\n');
    expect(mails[0]?.content?.replace('Twój identyfikator: 73000001', '')).not.toMatch(/73000001|Ewelina|Lisowska/);
    const token = tokenIn(mails[0]?.content);
    whole.clock.advance(6 * 24 * 60 * minuteMs);
    const post = () =>
      whole.server.inject({
        method: 'POST',
        url: '/identity/reset?lang=en',
        headers: { host: whole.settings.publicUrl.host, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ token, password, repeat: password }).toString(),
      });
    expect((await post()).statusCode).toBe(200);
    expect((await post()).statusCode).toBe(400);
    const client = await whole.signIn('73000001');
    expect((await client.call('getSelf', {})).body).toMatchObject({ personalId: '73000001', firstName: 'Ewelina' });
  });

  test('is invited once only, however often the records are imported, also after the link has become too old', async () => {
    const invite = () => portal.addPersonWithoutPassword('73000004', 'p73000004@example.com');
    const isInvited = () => portal.mails.filter((mail) => mail.to === 'p73000004@example.com').length;
    await invite();
    portal.clock.advance(8 * 24 * 60 * minuteMs);
    await portal.identity.sweep();
    await invite();
    expect(isInvited()).toBe(1);
  });

  test('a new client whose link is too old is mailed another one by asking for it', async () => {
    await portal.addPersonWithoutPassword('73000003', 'p73000003@example.com');
    const older = lastToken();
    portal.clock.advance(7 * 24 * 60 * minuteMs);
    expect((await setPassword(older, { password: next })).statusCode).toBe(400);
    await ask('73000003');
    expect(portal.mails.at(-1)).toMatchObject({ to: 'p73000003@example.com', template: 'activation' });
    expect((await setPassword(lastToken(), { password: next })).statusCode).toBe(200);
    expect(await isLetIn('73000003', next)).toBe(true);
  });
});

test('103: neither a link nor a password nor a device’s token is in the log, which is not empty', async () => {
  const lines: string[] = [];
  await using logged = await startSignInPortal({ log: createLog('trace', { write: (line) => void lines.push(line) }) });
  await logged.addPerson('74000001', password, 'p74000001@example.com');
  const browser = logged.newBrowser();
  const login = await redeemCode(browser, await obtainCode(browser, { personalId: '74000001', password }));
  expect(login.statusCode).toBe(204);
  for (const oldPassword of ['Wrong-horse-1', password])
    await browser.request('POST', '/api/protected/account/change/password', {
      headers: { authorization: String(login.headers['authorization']), 'content-type': 'application/json' },
      payload: JSON.stringify({ oldPassword, newPassword: next }),
    });
  await submitPassword(browser, '/identity/forgot', { personalId: '74000001' });
  await logged.identity.settled();
  const token = tokenIn(logged.mails.at(-1)?.values['link']);
  const chosen = 'Third-horse-9';
  for (let used = 0; used < 2; used += 1) await submitPassword(browser, '/identity/reset', { token, password: chosen, repeat: chosen });
  const log = lines.join('');
  expect(log).toContain('PASSWORD_CHANGED');
  expect(log).toContain('PASSWORD_RESET');
  const device = browser.cookies.get('identity-device')?.value ?? 'no cookie';
  for (const secret of [password, next, chosen, 'Wrong-horse-1', token, device]) expect(log).not.toContain(secret);
});
