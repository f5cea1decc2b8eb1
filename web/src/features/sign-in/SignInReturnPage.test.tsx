import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerFetch, freshTab, refusal, show, tokenFor } from '#platform/page.fixture.tsx';
import { hideArrival } from './arrival.ts';
import { SignInReturnPage } from './SignInReturnPage.tsx';

/** The browser arrives at an address of ours; the test's own address comes back afterwards. */
const arriveAt = (path: string): string[] => {
  const before = location.href;
  history.replaceState(null, '', path);
  onTestFinished(() => history.replaceState(null, '', before));
  hideArrival();
  const went: string[] = [];
  show(
    <SignInReturnPage
      onSignedIn={() => went.push('workspace')}
      onRefused={() => went.push('refused')}
      onBack={() => went.push('back')}
      leaveFor={(url) => went.push(url)}
    />,
  );
  return went;
};

const signedIn = new Response(null, { status: 204, headers: { authorization: tokenFor('10000001'), 'auth-expired-epoch': '42' } });

beforeEach(async () => {
  await freshTab('EN');
  sessionStorage.setItem('v', 'v'.repeat(64));
});

test('a code leaves the address bar before anything is asked', async () => {
  answerFetch({ 'POST /api/auth/login': signedIn });
  arriveAt('/oauth/one-time-code');
  expect(location.pathname).toBe('/oauth');
  await expect.element(page.getByText('Signing in…')).toBeVisible();
});

test('a code and its verifier become a session', async () => {
  const asked = answerFetch({ 'POST /api/auth/login': signedIn });
  const went = arriveAt('/oauth/one-time-code');
  await expect.poll(() => went).toEqual(['workspace']);
  const field = (await asked[0]?.request.formData())?.get('code');
  if (typeof field !== 'string') throw new Error('The code is a text field');
  expect(JSON.parse(atob(field))).toEqual({ code: 'one-time-code', v: 'v'.repeat(64) });
  expect(sessionStorage.getItem('authorization')).toBe(tokenOf(signedIn));
  expect(sessionStorage.getItem('v')).toBeNull();
});

test('a refused code says so after a second, and leads back', async () => {
  answerFetch({ 'POST /api/auth/login': refusal(400, 'INVALID_CREDENTIALS_ERROR') });
  const began = performance.now();
  const went = arriveAt('/oauth/used-code');
  await expect.element(page.getByText('Unexpected authentication error')).toBeVisible();
  expect(performance.now() - began).toBeGreaterThanOrEqual(1_000);
  expect(sessionStorage.getItem('v')).toBeNull();
  await userEvent.click(page.getByRole('button', { name: 'Go back to sign-in' }));
  expect(went).toEqual(['back']);
});

test('a server that cannot be reached is a problem with the login', async () => {
  await freshTab('PL');
  sessionStorage.setItem('v', 'v'.repeat(64));
  answerFetch({ 'POST /api/auth/login': new TypeError('Failed to fetch') });
  arriveAt('/oauth/one-time-code');
  await expect.element(page.getByText('Problem z logowaniem. Spróbuj ponownie później')).toBeVisible();
});

test('a code without the verifier of this tab is not sent at all', async () => {
  sessionStorage.removeItem('v');
  const asked = answerFetch({});
  arriveAt('/oauth/somebody-elses-code');
  await expect.element(page.getByText('Unexpected authentication error')).toBeVisible();
  expect(asked).toEqual([]);
});

test('a required service is started, whatever stands beside it', async () => {
  const went = arriveAt('/oauth/ignored?required=partner');
  await expect.poll(() => went).toHaveLength(1);
  const address = new URL(went[0] ?? '', location.origin);
  expect(address.pathname).toBe('/api/open/redirect/back/partner');
  expect(JSON.parse(atob(address.searchParams.get('state') ?? ''))).toHaveProperty('method', 'S256');
});

test('an arrival with nothing is refused', async () => {
  const went = arriveAt('/oauth');
  await expect.poll(() => went).toEqual(['refused']);
});

const tokenOf = (response: Response) => response.headers.get('authorization');
