import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { emit } from '#platform/events.ts';
import { takeLastError } from '#platform/last-error.ts';
import { currentToken, storeSession } from '#platform/session-token.ts';
import { answerFetch, freshTab, refusal, show, tokenFor } from '#platform/page.fixture.tsx';
import { Alerts } from './Alerts.tsx';
import { logOut } from './log-out.ts';
import { useIdleEnd } from './useIdleEnd.ts';
import { useSessionEnd } from './useSessionEnd.ts';

beforeEach(async () => {
  await freshTab('EN');
  storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: Date.now() + 900_000 });
});

function Idle({ left }: { readonly left: string[] }) {
  useIdleEnd(true, () => left.push('root'));
  return null;
}

function Ended({ left }: { readonly left: string[] }) {
  useSessionEnd(() => left.push('sign-in'));
  return <Alerts />;
}

test('at the end of its time a session is cleared, and the next page says why', async () => {
  const left: string[] = [];
  show(<Idle left={left} />);
  storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: Date.now() - 1 });
  await expect.poll(() => left).toEqual(['root']);
  expect(currentToken()).toBeUndefined();
  expect(takeLastError()).toBe('session.noLongerActive');
  expect(takeLastError()).toBeUndefined();
});

test('a session that ends is told at once and left two seconds later', async () => {
  const left: string[] = [];
  show(<Ended left={left} />);
  await expect.element(page.getByRole('region', { name: 'Messages' })).toBeInTheDocument();
  const began = performance.now();
  emit('sessionEnded', { hadToken: true });
  emit('sessionEnded', { hadToken: true });
  await expect.element(page.getByText('Your session is no longer active')).toBeVisible();
  expect(left).toEqual([]);
  await expect.poll(() => left, { timeout: 5_000 }).toEqual(['sign-in']);
  expect(performance.now() - began).toBeGreaterThanOrEqual(2_000);
});

test('a logout follows the server to an address of ours', async () => {
  answerFetch({ 'POST /api/auth/logout': new Response(null, { status: 204, headers: { location: '/login?bye=1' } }) });
  expect(await logOut()).toBe('/login?bye=1');
  expect(currentToken()).toBeUndefined();
});

test('a logout follows nobody elsewhere', async () => {
  for (const location of ['https://elsewhere.example/', '//elsewhere.example/', 'javascript:alert(1)', '']) {
    answerFetch({ 'POST /api/auth/logout': new Response(null, { status: 204, headers: { location } }) });
    expect(await logOut()).toBe('/login-ex');
  }
});

test('a logout that does not reach the server still clears this browser', async () => {
  answerFetch({ 'POST /api/auth/logout': refusal(503, 'STORAGE_ERROR') });
  expect(await logOut()).toBe('/login-ex');
  expect(currentToken()).toBeUndefined();
});
