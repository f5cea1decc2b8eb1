import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { createTestBrowser, submitPassword, type TestBrowser } from '#testing/sign-in-as.ts';
import { password, startTestPortal, type TestPortal } from '#testing/test-portal.ts';

/** ACTIVATION_SECOND_FACT=code: a mailed link alone activates no account (R4). */

const lines: string[] = [];
let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({
    environment: { ACTIVATION_SECOND_FACT: 'code' },
    log: createLog('trace', { write: (line) => void lines.push(line) }),
  });
});
afterAll(() => portal[Symbol.asyncDispose]());

const minuteMs = 60_000;
const wrongCode = 'BBBB-BBBB';
let lastNetwork = 0;
const newBrowser = (): TestBrowser => createTestBrowser(portal.server, portal.settings.publicUrl.host, `198.51.100.${(lastNetwork += 1)}`);

const aRecord = (personalId: string, more: object = {}) => ({
  personalId,
  cif: `cif-${personalId}`,
  firstName: 'Ewelina',
  lastName: 'Lisowska',
  email: `p${personalId}@example.com`,
  ...more,
});

const upsert = async (records: readonly ReturnType<typeof aRecord>[], reinvite = false) => {
  // No two letters at the same moment: the last one is asked for.
  portal.clock.advance(1_000);
  const { body } = await portal.publisher.call('upsertClients', { body: { items: [...records], ...(reinvite ? { reinvite } : {}) } });
  return body.activationCodes ?? [];
};

const lettersTo = async (personalId: string) =>
  portal.db
    .selectFrom('mail_outbox')
    .select(['template', 'subject', 'content', 'language'])
    .where('recipient', '=', `p${personalId}@example.com`)
    .orderBy('created_at', 'desc')
    .execute();

const linkTo = async (personalId: string): Promise<{ path: string; token: string }> => {
  const [letter] = await lettersTo(personalId);
  const [, path = '', token = ''] = /http:\/\/localhost:8080(\/identity\/\w+\?lang=\w\w)#([\w-]{43})$/m.exec(letter?.content ?? '') ?? [];
  return { path, token };
};

/** Invites a new client, as the organisation and the post do. */
const invite = async (personalId: string) => {
  const [given] = await upsert([aRecord(personalId)]);
  return { personalId, code: given?.code ?? '', ...(await linkTo(personalId)) };
};

const activate = (fields: { token: string; code?: string; password?: string; repeat?: string }, path = '/identity/activate?lang=en') => {
  const chosen = fields.password ?? password;
  return submitPassword(newBrowser(), path, { password: chosen, repeat: chosen, ...fields });
};

const hasPassword = async (personalId: string): Promise<boolean> => {
  const { rows } = await portal.pool.query('select 1 from identity.account where personal_id = $1', [personalId]);
  return rows.length > 0;
};

const hasLivingLink = async (personalId: string): Promise<boolean> => {
  const { rows } = await portal.pool.query<{ expires_at: Date }>('select expires_at from identity.password_link where personal_id = $1', [
    personalId,
  ]);
  return rows.some(({ expires_at }) => expires_at > portal.clock.now());
};

describe('a new client', () => {
  test('sets a password with the link from the mail and the code from the letter, and signs in', async () => {
    const { code, token, path } = await invite('80000001');
    expect(path).toBe('/identity/activate?lang=pl');
    const page = await newBrowser().request('GET', path);
    expect(page.body).toContain('<label for="code">Kod z listu albo SMS-a</label>');
    const done = await activate({ token, code });
    expect([done.statusCode, done.body.includes('Your password is set')]).toEqual([200, true]);
    const client = await portal.signIn('80000001');
    expect((await client.call('getSelf', {})).body.firstName).toBe('Ewelina');
  });

  test('is told the id and the way, and neither the name nor the code, by mail', async () => {
    const { code } = await invite('80000002');
    const [letter] = await lettersTo('80000002');
    expect(letter?.template).toBe('activationWithCode');
    expect(letter?.content).toContain('Twój identyfikator: 80000002');
    expect(`${letter?.subject}${letter?.content}`).not.toMatch(new RegExp(`Ewelina|Lisowska|${code}|${code.replace('-', '')}`));
  });

  test('has a code that is easily read, and it is told the organisation this once', async () => {
    const records = Array.from({ length: 40 }, (_, index) => aRecord(String(81_000_000 + index)));
    const codes = await upsert(records);
    expect(codes.map(({ personalId }) => personalId)).toEqual(records.map(({ personalId }) => personalId));
    for (const { code } of codes) expect(code).toMatch(/^[BCDFGHJ-NP-TV-XZ2-9]{4}-[BCDFGHJ-NP-TV-XZ2-9]{4}$/);
    expect(new Set(codes.map(({ code }) => code)).size).toBe(40);
    expect(await upsert(records)).toEqual([]);
  });

  test('may type it in small letters, without the hyphen, with spaces', async () => {
    const { code, token } = await invite('80000003');
    expect((await activate({ token, code: ` ${code.toLowerCase().replace('-', ' ')} ` })).statusCode).toBe(200);
  });

  test('a new client with a password from the organisation, without an address or of an outside service, has none', async () => {
    const records = [
      aRecord('80000004', { initialPassword: password }),
      aRecord('80000005', { email: null }),
      aRecord('80000006', { managed: true }),
    ];
    expect(await upsert(records)).toEqual([]);
  });
});

describe('without the code the link', () => {
  test.each([
    ['is not used', { code: '' }, 'Field required'],
    ['is not used with the code of another person', {}, 'This is not the code that was sent to you'],
    ['is not used with a word that is no code', { code: '—' }, 'Field required'],
    ['is not used with a very long one', { code: 'B'.repeat(6_000) }, 'This is not the code that was sent to you'],
  ])('without the code, the link %s', async (_what, fields, sentence) => {
    const personalId = String(82_000_000 + lastNetwork);
    const { token, code } = await invite(personalId);
    const other = await invite(`${personalId}9`);
    const answer = await activate({ token, code: other.code, ...fields });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(sentence);
    expect(answer.body).toMatch(/id="code"[^>]*aria-invalid="true"/);
    expect(answer.body).toContain(`value="${token}"`);
    expect(await hasPassword(personalId)).toBe(false);
    expect((await activate({ token, code })).statusCode).toBe(200);
  });

  test('without the code, the link does nothing on the page for a new password either: that page then asks for it', async () => {
    const { token, code } = await invite('80000010');
    const answer = await activate({ token }, '/identity/reset?lang=en');
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('action="/identity/activate?lang=en"');
    expect(await hasPassword('80000010')).toBe(false);
    expect((await activate({ token, code })).statusCode).toBe(200);
  });

  test('the link is not used up by the sixth guess of the code, nor by the right code right after it', async () => {
    const { token, code } = await invite('80000011');
    const statuses = [];
    for (let guess = 0; guess < 5; guess += 1) statuses.push((await activate({ token, code: wrongCode })).statusCode);
    expect(statuses).toEqual([400, 400, 400, 400, 400]);
    const kept = await activate({ token, code });
    expect(kept.statusCode).toBe(429);
    expect(Number(kept.headers['retry-after'])).toBeGreaterThan(14 * 60);
    expect(kept.body).toContain('Too many attempts');
    portal.clock.advance(15 * minuteMs);
    expect((await activate({ token, code })).statusCode).toBe(200);
  });

  test('the link is not used up by twenty concurrent guesses of the code', async () => {
    const { token } = await invite('80000012');
    const answers = await Promise.all(Array.from({ length: 20 }, () => activate({ token, code: wrongCode })));
    expect(answers.filter(({ statusCode }) => statusCode === 400)).toHaveLength(5);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15);
  });

  test('without the link the code does nothing: guesses are not even counted', async () => {
    const { code } = await invite('80000013');
    const answer = await activate({ token: 'a'.repeat(43), code });
    expect([answer.statusCode, answer.body.includes('This link is no longer valid')]).toEqual([400, true]);
    expect(await hasPassword('80000013')).toBe(false);
  });
});

test('a password that will not do spends no guess, and the code need not be typed again', async () => {
  const { token, code } = await invite('80000020');
  for (let tried = 0; tried < 6; tried += 1) {
    const answer = await activate({ token, code, password: 'short' });
    expect([answer.statusCode, answer.body.includes(`value="${code}"`)]).toEqual([400, true]);
  }
  expect((await activate({ token, code })).statusCode).toBe(200);
});

test('a link that came too late is replaced by asking for one; the code in the letter stays good', async () => {
  const { token, code } = await invite('80000021');
  portal.clock.advance(7 * 24 * 60 * minuteMs);
  expect((await activate({ token, code })).statusCode).toBe(400);
  await submitPassword(newBrowser(), '/identity/forgot?lang=en', { personalId: '80000021' });
  // The answer is sent before the work is done, so that its time does not reveal who has an account.
  await expect.poll(() => hasLivingLink('80000021')).toBe(true);
  const { token: next, path } = await linkTo('80000021');
  expect([next === token, path]).toEqual([false, '/identity/activate?lang=pl']);
  expect((await activate({ token: next, code })).statusCode).toBe(200);
});

describe('a letter that was lost', () => {
  test('a lost letter is replaced when the organisation invites again: new link, new code, the old ones are void', async () => {
    const lost = await invite('80000030');
    const [given] = await upsert([aRecord('80000030')], true);
    const { token } = await linkTo('80000030');
    expect(given?.code).not.toBe(lost.code);
    expect((await activate({ token: lost.token, code: lost.code })).statusCode).toBe(400);
    expect((await activate({ token, code: lost.code })).statusCode).toBe(400);
    expect((await activate({ token, code: given?.code ?? '' })).statusCode).toBe(200);
  });

  test('a client who has a password is not invited again', async () => {
    const { token, code } = await invite('80000031');
    await activate({ token, code });
    expect(await upsert([aRecord('80000031')], true)).toEqual([]);
    expect(await lettersTo('80000031')).toHaveLength(1);
  });
});

test('a reset asks for no code', async () => {
  const { token, code } = await invite('80000040');
  await activate({ token, code });
  const client = await portal.signIn('80000040');
  await client.call('requestPasswordReset', {});
  const { path, token: reset } = await linkTo('80000040');
  expect(path).toBe('/identity/reset?lang=pl');
  expect((await newBrowser().request('GET', path)).body).not.toContain('name="code"');
  expect((await activate({ token: reset, password: 'Another-horse-8' }, path)).statusCode).toBe(200);
});

test('a client invited before codes were required signs in only after being invited again', async () => {
  const { token } = await invite('80000041');
  await portal.pool.query(`update identity.password_link set code_hash = null where personal_id = '80000041'`);
  expect((await activate({ token, code: wrongCode })).statusCode).toBe(400);
  await submitPassword(newBrowser(), '/identity/forgot', { personalId: '80000041' });
  const [given] = await upsert([aRecord('80000041')], true);
  expect(await lettersTo('80000041')).toHaveLength(2);
  expect((await activate({ token: (await linkTo('80000041')).token, code: given?.code ?? '' })).statusCode).toBe(200);
});

test('103: no code is in the database or in the log, which is not empty', async () => {
  const { token, code } = await invite('80000050');
  await activate({ token, code: wrongCode });
  const { rows } = await portal.pool.query<{ line: string }>('select l::text as line from identity.password_link l');
  expect(rows.length).toBeGreaterThan(0);
  const kept = `${rows.map(({ line }) => line).join('\n')}${lines.join('')}`;
  expect(kept).toContain('wrong activation code');
  for (const secret of [code, code.replace('-', ''), wrongCode, token]) expect(kept).not.toContain(secret);
});
