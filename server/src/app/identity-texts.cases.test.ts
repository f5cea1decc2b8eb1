import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createVerifier, goToPasswordPage, locationOf } from '#testing/sign-in-as.ts';
import { startSignInPortal, type SignInPortal } from '#testing/sign-in-portal.ts';

/** The identity service takes no text that PostgreSQL cannot keep: such a request is refused, and never fails. */

const personalId = '10000001';
const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
/** NUL, bytes that are no UTF-8, half of a surrogate pair as some write it, and a NUL within. */
const encodedTexts = ['%00', '%ff%fe', '%ED%A0%80', 'a%00b'];

let portal: SignInPortal;
beforeAll(async () => {
  portal = await startSignInPortal();
  await portal.addPerson(personalId);
});
// So that no limit answers for what is asked here.
beforeEach(() => portal.clock.advance(60_000));
afterAll(() => portal[Symbol.asyncDispose]());

const parameters = ['state', 'nonce', 'login_hint', 'ui_locales', 'acr_values', 'claims', 'client_id', 'scope', 'display', 'strange'];

test.each(parameters.flatMap((name) => encodedTexts.map((text) => [name, text] as const)))(
  'the beginning of a sign-in with %s=%s is refused or goes on',
  async (name, text) => {
    const browser = portal.newBrowser();
    const query = new URLSearchParams({ state: createVerifier().state, lang: 'PL' }).toString();
    const url = new URL(locationOf(await browser.request('GET', `/api/open/redirect/login/${personalId}?${query}`)));
    url.searchParams.delete(name);
    const asked = await browser.request('GET', `${url.href}&${name}=${text}`);
    const payload = `${url.searchParams.toString()}&${name}=${text}`;
    const posted = await browser.request('POST', url.pathname, { headers: urlencoded, payload });
    expect([asked.statusCode < 500, posted.statusCode < 500]).toEqual([true, true]);
  },
);

const pages = ['interaction', 'forgot', 'reset', 'activate'];

test.each(pages.flatMap((page) => encodedTexts.map((text) => [page, text] as const)))(
  'the form of the page %s with %s in every field is refused',
  async (page, text) => {
    const browser = portal.newBrowser();
    const address =
      page === 'interaction' ? await goToPasswordPage(browser, { personalId, state: createVerifier().state }) : `/identity/${page}`;
    const payload = ['personalId', 'token', 'code', 'password', 'repeat'].map((name) => `${name}=${text}`).join('&');
    const answer = await browser.request('POST', address, { headers: urlencoded, payload });
    // No status reveals whether the id is known.
    expect([400, 401, 202]).toContain(answer.statusCode);
  },
);

test.each(encodedTexts)('a path, a cookie and a code of %s identify no person', async (text) => {
  const browser = portal.newBrowser();
  for (const name of ['identity', 'identity-resume', 'identity-interaction', 'identity-device', 'portal', 'portal-tx'])
    browser.cookies.set(name, { value: text, path: '/' });
  const addresses = [
    `/identity/interaction/${text}`,
    `/identity/auth/${text}`,
    `/identity/assets/${text}`,
    `/api/open/redirect/back/pergamin`,
  ];
  for (const address of addresses) {
    const answer = await browser.request('GET', `${address}?code=${text}&state=${text}&iss=${text}`);
    expect([address, answer.statusCode < 500]).toEqual([address, true]);
  }
  const token = `grant_type=authorization_code&code=${text}&redirect_uri=${text}&code_verifier=${text}&client_id=${text}`;
  const answer = await browser.request('POST', '/identity/token', { headers: urlencoded, payload: token });
  expect(answer.statusCode).toBeLessThan(500);
});
