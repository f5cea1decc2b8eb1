import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { on } from '#platform/events.ts';
import { currentToken, storeSession } from '#platform/session-token.ts';
import { storeStatuteFlag } from '#platform/statute-flag.ts';
import { answerFetch, freshTab, refusal, show, tokenFor } from '#platform/page.fixture.tsx';
import { hideArrival } from './arrival.ts';
import { SingleSignOnPage } from './SingleSignOnPage.tsx';

const assertion = tokenFor('10000001').replace('Bearer ', '');
const verify = `GET /api/open/sso/verify/${assertion}`;
const verified = { code: 'one-time-code', name: 'A*** N***' };
const signedIn = () => new Response(null, { status: 204, headers: { authorization: tokenFor('10000001'), 'auth-expired-epoch': '42' } });
const question = 'You are signing in as A*** N***. Continue?';

/** The browser arrives at an address of ours; the test's own address comes back afterwards. */
const arriveAt = (path: string) => {
  const before = location.href;
  history.replaceState(null, '', path);
  onTestFinished(() => history.replaceState(null, '', before));
  hideArrival();
  const went: string[] = [];
  const told: string[] = [];
  onTestFinished(on('alert', ({ title }) => void told.push(title)));
  show(<SingleSignOnPage onSignedIn={() => went.push('workspace')} onLeave={(to) => went.push(to)} />);
  return { went, told };
};

beforeEach(() => freshTab('EN'));

for (const path of [`/sso/${assertion}`, `/sso/#${assertion}`]) {
  test(`an assertion leaves the address bar before anything is asked: ${path.slice(0, 6)}`, async () => {
    const asked = answerFetch({ [verify]: verified, 'POST /api/auth/login': signedIn() });
    arriveAt(path);
    expect(location.pathname + location.hash).toBe('/sso');
    expect(asked).toEqual([]);
    await expect.element(page.getByText(question)).toBeVisible();
    expect(asked.map(({ line }) => line.split('?')[0])).toEqual([verify]);
  });
}

test('a person who says yes is signed in, and the statute is asked for anew', async () => {
  storeStatuteFlag({ personalId: '10000001', version: '3' });
  const asked = answerFetch({ [verify]: verified, 'POST /api/auth/login': signedIn() });
  const { went } = arriveAt(`/sso/${assertion}`);
  await userEvent.click(page.getByRole('button', { name: 'Continue' }));
  await expect.poll(() => went).toEqual(['workspace']);
  const field = (await asked[1]?.request.formData())?.get('code');
  if (typeof field !== 'string') throw new Error('The code is a text field');
  const sent: unknown = JSON.parse(atob(field));
  expect(sent).toEqual({ code: 'one-time-code', v: expect.stringMatching(/^[\w-]{64}$/) });
  expect(sessionStorage.getItem('v')).toBeNull();
  expect(localStorage.getItem('statute-accepted')).toBeNull();
});

test('a person who says no is not signed in, and keeps the session that they had', async () => {
  const asked = answerFetch({ [verify]: verified });
  const { went } = arriveAt(`/sso/${assertion}`);
  await userEvent.click(page.getByRole('button', { name: 'Cancel' }));
  expect(went).toEqual(['/login-ex']);
  expect(sessionStorage.getItem('v')).toBeNull();
  expect(asked).toHaveLength(1);
});

test('another person who is signed in is asked, and goes back to the own workspace with a no', async () => {
  const piotr = tokenFor('10000002');
  storeSession({ token: piotr, expiresAtEpochMs: Date.now() + 900_000 });
  answerFetch({ [verify]: verified });
  const { went } = arriveAt(`/sso/${assertion}`);
  await userEvent.click(page.getByRole('button', { name: 'Cancel' }));
  expect(went).toEqual(['/']);
  expect(currentToken()).toBe(piotr);
});

test('the person who is signed in already is asked nothing', async () => {
  storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: Date.now() + 900_000 });
  answerFetch({ [verify]: verified, 'POST /api/auth/login': signedIn() });
  const { went } = arriveAt(`/sso/${assertion}`);
  await expect.poll(() => went).toEqual(['workspace']);
  expect(page.getByText(question).elements()).toEqual([]);
});

test('an assertion that is refused is told, and left three seconds later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  answerFetch({ [verify]: refusal(400, 'INVALID_CREDENTIALS_ERROR') });
  const { went, told } = arriveAt(`/sso/${assertion}`);
  let passedMs = 0;
  const pass = (ms: number): void => {
    vi.advanceTimersByTime(ms);
    passedMs += ms;
  };
  await expect
    .poll(() => {
      pass(100);
      return told;
    })
    .toEqual(['Unexpected authentication error']);
  passedMs = 0;
  await expect
    .poll(() => {
      pass(500);
      return went;
    })
    .toEqual(['/login-ex']);
  // It was told up to 100 ms before.
  expect(passedMs).toBeGreaterThanOrEqual(3_000);
});

test('an assertion that is none is not sent to anybody', async () => {
  const asked = answerFetch({});
  const { told } = arriveAt('/sso/not-an-assertion');
  await expect.poll(() => told).toEqual(['Unexpected authentication error']);
  expect(asked).toEqual([]);
});

test('a server that cannot be reached is a problem with the login', async () => {
  answerFetch({ [verify]: new TypeError('Failed to fetch') });
  const { told } = arriveAt(`/sso/${assertion}`);
  await expect.poll(() => told).toEqual(['Login problem. Please try again later']);
});
