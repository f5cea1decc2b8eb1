import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVerifier, goToPasswordPage, obtainCode, returnToPortal, submitPassword, type TestBrowser } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';

/** What a reset by a mailed link takes away, and what takes the link away at the very moment of its use. */

let portal: SignInPortal;
beforeAll(async () => {
  portal = await startSignInPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

const next = 'Another-horse-8';
let lastNetwork = 0;
const newBrowser = (): TestBrowser => portal.newBrowser(`198.51.100.${(lastNetwork += 1)}`);

const addPerson = (personalId: string): Promise<void> => portal.addPerson(personalId, password, `p${personalId}@example.com`);

const mailedToken = async (personalId: string): Promise<string> => {
  await submitPassword(newBrowser(), '/identity/forgot?lang=en', { personalId });
  await portal.identity.settled();
  const [, token] = /#([\w-]{43})/.exec(portal.mails.findLast((mail) => 'link' in mail.values)?.values['link'] ?? '') ?? [];
  if (token === undefined) throw new Error('expected a link');
  return token;
};

const setPassword = (token: string, secret: string) =>
  submitPassword(newBrowser(), '/identity/reset?lang=en', { token, password: secret, repeat: secret });

const attempt = async (browser: TestBrowser, personalId: string, secret: string) =>
  submitPassword(browser, await goToPasswordPage(browser, { personalId, state: createVerifier().state }), { password: secret });

const isLetIn = async (personalId: string, secret: string): Promise<boolean> => {
  const browser = newBrowser();
  const answer = await attempt(browser, personalId, secret);
  return answer.statusCode === 303 && (await returnToPortal(browser, answer)).startsWith('/oauth/');
};

test('a browser that was known before a reset is a stranger’s after it: wrong passwords from elsewhere keep it out, too', async () => {
  await addPerson('73000001');
  const known = newBrowser();
  await obtainCode(known, { personalId: '73000001', password });
  expect((await setPassword(await mailedToken('73000001'), next)).statusCode).toBe(200);
  for (let wrong = 0; wrong < 6; wrong += 1) await attempt(newBrowser(), '73000001', 'Wrong-horse-1');
  expect((await attempt(known, '73000001', next)).statusCode).toBe(429);
});

test('a browser that others are known in stays known to them when one of its people resets the password', async () => {
  await addPerson('73000002');
  await addPerson('73000003');
  const shared = newBrowser();
  for (const personalId of ['73000002', '73000003']) await obtainCode(shared, { personalId, password });
  expect((await setPassword(await mailedToken('73000002'), next)).statusCode).toBe(200);
  for (let wrong = 0; wrong < 6; wrong += 1) await attempt(newBrowser(), '73000003', 'Wrong-horse-1');
  expect((await attempt(shared, '73000003', password)).statusCode).toBe(303);
});

test('a link is void when another password came at the very moment of its use, and that other one stays', async () => {
  await addPerson('73000004');
  await addPerson('73000005');
  const token = await mailedToken('73000004');
  const held = await portal.database.owner.pool.connect();
  try {
    await held.query('begin');
    // Not committed yet: other transactions still read the password that the link was made for.
    await held.query(
      `update identity.account set password_hash = (select password_hash from identity.account where personal_id = '73000005')
       where personal_id = '73000004'`,
    );
    const setting = setPassword(token, next);
    const waiting = async () =>
      (
        await portal.database.owner.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'update "identity"."account"%'`,
        )
      ).rowCount;
    await expect.poll(waiting, { timeout: 15_000 }).toBe(1);
    await held.query('commit');
    const answer = await setting;
    expect([answer.statusCode, answer.body.includes('This link is no longer valid')]).toEqual([400, true]);
  } finally {
    held.release();
  }
  expect([await isLetIn('73000004', next), await isLetIn('73000004', password)]).toEqual([false, true]);
});

test('a link that another password has overtaken is void, though it is there still', async () => {
  await addPerson('73000006');
  await addPerson('73000007');
  const token = await mailedToken('73000006');
  // As an older backup of the accounts would leave it.
  await portal.database.owner.pool.query(
    `update identity.account set password_hash = (select password_hash from identity.account where personal_id = '73000007')
     where personal_id = '73000006'`,
  );
  const answer = await setPassword(token, next);
  expect([answer.statusCode, answer.body.includes('This link is no longer valid')]).toEqual([400, true]);
  expect(await isLetIn('73000006', next)).toBe(false);
});
