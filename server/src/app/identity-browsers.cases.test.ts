import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createVerifier,
  goToPasswordPage,
  locationOf,
  obtainCode,
  redeemCode,
  returnToPortal,
  submitPassword,
} from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';

/** What a browser keeps of the identity service is worth: nothing by itself. Its cookies are random names, without a signature. */

const personalId = '10000001';
const failed = '/login-ex?error=auth';

let portal: SignInPortal;
beforeAll(async () => {
  portal = await startSignInPortal();
  await portal.addPerson(personalId);
});
afterAll(() => portal[Symbol.asyncDispose]());

const begin = async (browser = portal.newBrowser()) => {
  const page = await goToPasswordPage(browser, { personalId, state: createVerifier().state });
  const uid = /interaction\/([\w-]+)/.exec(page)?.[1] ?? '';
  return { browser, page, uid };
};

const plant = (browser: ReturnType<SignInPortal['newBrowser']>, name: string, value: string, path: string): void =>
  void browser.cookies.set(name, { value, path });

test('a person who has signed in here before, and has all cookies of that, is asked for the password all the same', async () => {
  const browser = portal.newBrowser();
  expect((await redeemCode(browser, await obtainCode(browser, { personalId, password }))).statusCode).toBe(204);
  plant(browser, 'identity', browser.cookies.get('identity')?.value ?? 'left-behind', '/');
  const query = new URLSearchParams({ state: createVerifier().state, lang: 'PL' }).toString();
  const url = new URL(locationOf(await browser.request('GET', `/api/open/redirect/login/${personalId}?${query}`)));
  for (const prompt of ['login', null]) {
    if (prompt === null) url.searchParams.delete('prompt');
    const page = locationOf(await browser.request('GET', url.href));
    expect(page).toMatch(/^\/identity\/interaction\//);
    expect((await browser.request('GET', page)).body).toContain('type="password"');
    expect((await submitPassword(browser, page, { password: 'wrong' })).statusCode).toBe(401);
  }
  url.searchParams.set('prompt', 'none');
  expect(locationOf(await browser.request('GET', url.href))).toContain('error=login_required');
});

test('a sign-in is not continued in a browser that began another one', async () => {
  const { page } = await begin();
  const stranger = await begin();
  expect((await stranger.browser.request('GET', page)).statusCode).toBe(400);
  expect((await submitPassword(stranger.browser, page, { password })).statusCode).toBe(400);
});

test('cookies of a sign-in that are planted in another browser do not sign in there', async () => {
  const { browser, page, uid } = await begin();
  const other = portal.newBrowser();
  plant(other, 'identity-resume', uid, `/identity/auth/${uid}`);
  plant(other, 'identity-interaction', uid, `/identity/interaction/${uid}`);
  // Without a password it only leads to the page that asks for one.
  expect(locationOf(await other.request('GET', `/identity/auth/${uid}`))).toMatch(/^\/identity\/interaction\//);
  const again = await begin(browser);
  plant(other, 'identity-interaction', again.uid, `/identity/interaction/${again.uid}`);
  // With one, the portal sees that it is not the browser that began.
  expect(await returnToPortal(other, await submitPassword(other, again.page, { password }))).toBe(failed);
  expect((await submitPassword(browser, again.page, { password })).statusCode).toBe(400);
  expect((await browser.request('GET', page)).statusCode).toBe(400);
});
