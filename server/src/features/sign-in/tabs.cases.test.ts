import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSignInPortal, type SignInPortal, testPassword as password } from '#testing/sign-in-portal.ts';
import { createVerifier, goToPasswordPage, redeemCode, returnToPortal, submitPassword, type TestBrowser } from '#testing/sign-in-as.ts';

const [ewa, ada] = ['10000001', '10000002'];
/** So many tabs of one browser may sign in at a time. */
const maxTabs = 4;

let portal: SignInPortal;
beforeAll(async () => {
  portal = await startSignInPortal({});
  for (const personalId of [ewa, ada]) await portal.addPerson(personalId);
});
afterAll(() => portal[Symbol.asyncDispose]());

/** A tab that has come to the page for the password; `finish` signs it in. */
const beginIn = async (browser: TestBrowser, personalId: string) => {
  const { verifier, state } = createVerifier();
  const page = await goToPasswordPage(browser, { personalId, state });
  const enterPassword = async (): Promise<string> => returnToPortal(browser, await submitPassword(browser, page, { password }));
  const finish = async (): Promise<number> => {
    const target = await enterPassword();
    const code = /^\/oauth\/(?<code>[\w-]+)$/.exec(target)?.groups?.['code'];
    if (code === undefined) throw new Error(`signing in ended at ${target}`);
    return (await redeemCode(browser, { code, verifier })).statusCode;
  };
  return { enterPassword, finish };
};

describe('sign-ins that were begun in two tabs of a browser', () => {
  for (const [who, other] of [
    ['of one person', ewa],
    ['of two persons', ada],
  ] as const)
    for (const order of ['the older', 'the newer'] as const)
      test(`${who} both end well when ${order} one ends first`, async () => {
        const browser = portal.newBrowser();
        const older = await beginIn(browser, ewa);
        const newer = await beginIn(browser, other);
        const [first, second] = order === 'the older' ? [older, newer] : [newer, older];
        expect(await first.finish()).toBe(204);
        expect(await second.finish()).toBe(204);
        expect(browser.cookies.has('portal-tx')).toBe(false);
      });

  test('both come back before either becomes a session', async () => {
    const browser = portal.newBrowser();
    const [older, newer] = [await beginIn(browser, ewa), await beginIn(browser, ewa)];
    for (const tab of [older, newer]) expect(await tab.enterPassword()).toMatch(/^\/oauth\//);
  });
});

test(`of more than ${maxTabs} tabs the oldest has to begin anew`, async () => {
  const browser = portal.newBrowser();
  const tabs = [];
  for (let i = 0; i <= maxTabs; i += 1) tabs.push(await beginIn(browser, ewa));
  const ends = [];
  for (const tab of tabs) ends.push(await tab.enterPassword());
  expect(ends[0]).toBe('/login-ex?error=auth');
  for (const end of ends.slice(1)) expect(end).toMatch(/^\/oauth\//);
});
