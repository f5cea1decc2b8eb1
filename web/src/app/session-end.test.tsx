import { useEffect } from 'react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { emit } from '#platform/events.ts';
import { currentToken, storeSession } from '#platform/session-token.ts';
import { answerFetch, freshTab, refusal, show, tokenFor } from '#platform/page.fixture.tsx';
import { Alerts } from './Alerts.tsx';
import { logOut } from './log-out.ts';
import { useSessionEnd } from './useSessionEnd.ts';

beforeEach(async () => {
  await freshTab('EN');
  storeSession({ token: tokenFor('10000001'), expiresAtEpochMs: Date.now() + 900_000 });
});

interface EndedProps {
  readonly left: string[];
  readonly onListening: () => void;
}
function Ended({ left, onListening }: EndedProps) {
  useSessionEnd((path) => left.push(path));
  useEffect(onListening, [onListening]);
  return <Alerts />;
}

const holdTheClock = () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
};

/** Where the customer is taken, once the page listens. */
const listen = async (): Promise<string[]> => {
  const left: string[] = [];
  const listening = Promise.withResolvers<void>();
  show(<Ended left={left} onListening={listening.resolve} />);
  await listening.promise;
  return left;
};

test('a session that ends is told at once and left two seconds later', async () => {
  const left = await listen();
  holdTheClock();
  emit('sessionEnded', { hadToken: true });
  emit('sessionEnded', { hadToken: true });
  await expect.element(page.getByText('Your session is no longer active')).toBeVisible();
  vi.advanceTimersByTime(1_999);
  expect(left).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(left).toEqual(['/login-ex?error=session']);
});

test('a logout follows the server to an address of ours', async () => {
  answerFetch({ 'POST /api/auth/logout': new Response(null, { status: 204, headers: { location: '/login?bye=1' } }) });
  expect(await logOut()).toBe('/login?bye=1');
  expect(currentToken()).toBeUndefined();
});

test('a logout follows no location elsewhere', async () => {
  for (const location of ['https://elsewhere.example/', '//elsewhere.example/', 'javascript:alert(1)', '']) {
    answerFetch({ 'POST /api/auth/logout': new Response(null, { status: 204, headers: { location } }) });
    expect(await logOut()).toBe('/login-ex');
  }
});

test('a logout follows the end-session endpoint of a service that the server names, over https but for this very machine', async () => {
  const leave = (location: string, endpoint: string) => {
    answerFetch({ 'POST /api/auth/logout': new Response(null, { status: 204, headers: { location, 'end-session-endpoint': endpoint } }) });
    return logOut();
  };
  const endpoint = 'https://identity.example/session/end';
  expect(await leave(`${endpoint}?id_token_hint=x`, endpoint)).toBe(`${endpoint}?id_token_hint=x`);
  for (const other of [
    'https://identity.example/elsewhere',
    'https://identity.example.evil/session/end',
    'http://identity.example/session/end',
    'https://name:word@identity.example/session/end',
  ])
    expect(await leave(other, endpoint)).toBe('/login-ex');
  expect(await leave('http://identity.example/session/end', 'http://identity.example/session/end')).toBe('/login-ex');
  const here = 'http://127.0.0.1:8081/session/end';
  expect(await leave(`${here}?id_token_hint=a`, here)).toBe(`${here}?id_token_hint=a`);
  expect(await leave('http://127.0.0.1:8082/session/end', here)).toBe('/login-ex');
  expect(await leave(endpoint, 'anything')).toBe('/login-ex');
});

test('a logout in another tab that leads to a page of ours leads there here too', async () => {
  const left = await listen();
  holdTheClock();
  emit('sessionEnded', { hadToken: true, to: '/login?bye=1' });
  vi.advanceTimersByTime(2_000);
  expect(left).toEqual(['/login?bye=1']);
});

test('a logout that does not reach the server still clears this browser', async () => {
  answerFetch({ 'POST /api/auth/logout': refusal(503, 'STORAGE_ERROR') });
  expect(await logOut()).toBe('/login-ex');
  expect(currentToken()).toBeUndefined();
});
