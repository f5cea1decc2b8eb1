import { beforeEach, expect, test } from 'vitest';
import { clearSession, currentSession, onSessionStored, personalIdOf, sessionLeftMs, storeFromResponse } from './session-token.ts';
import { storeStatuteFlag } from './statute-flag.ts';
import { freshTab, tokenFor } from './page.fixture.tsx';

const anna = tokenFor('10000001');
const noon = Date.UTC(2026, 10, 20, 12);

beforeEach(() => freshTab());

test('a response with both headers gives the tab its session', () => {
  storeFromResponse(new Headers({ authorization: anna, 'auth-expired-epoch': String(noon) }));
  expect(sessionStorage.getItem('authorization')).toBe(anna);
  expect(sessionStorage.getItem('auth-expired-epoch')).toBe(String(noon));
});

test('a response with another end only moves the end', () => {
  storeFromResponse(new Headers({ authorization: anna, 'auth-expired-epoch': String(noon) }));
  storeFromResponse(new Headers({ 'auth-expired-epoch': String(noon + 60_000) }));
  expect(currentSession()).toEqual({ token: anna, expiresAtEpochMs: noon + 60_000 });
});

test('an end without any session is nothing', () => {
  storeFromResponse(new Headers({ 'auth-expired-epoch': String(noon) }));
  expect(currentSession()).toBeUndefined();
});

test('listeners hear of a change, not of a repetition', () => {
  const heard: unknown[] = [];
  const stop = onSessionStored((session) => void heard.push(session.expiresAtEpochMs));
  const headers = new Headers({ authorization: anna, 'auth-expired-epoch': String(noon) });
  storeFromResponse(headers);
  storeFromResponse(headers);
  stop();
  storeFromResponse(new Headers({ 'auth-expired-epoch': String(noon + 1) }));
  expect(heard).toEqual([noon]);
});

test('the time left is counted on the clock of the server', () => {
  const headers = new Headers({ authorization: anna, 'auth-expired-epoch': String(noon + 900_000), date: new Date(noon).toUTCString() });
  const hoursWrong = noon + 3 * 60 * 60 * 1_000;
  storeFromResponse(headers, hoursWrong);
  expect(sessionLeftMs(hoursWrong + 60_000)).toBe(840_000);
  storeFromResponse(headers, noon + 500);
  expect(sessionLeftMs(noon + 500)).toBe(899_500);
});

test('clearing takes token, end and the statute flag', () => {
  storeFromResponse(new Headers({ authorization: anna, 'auth-expired-epoch': String(noon) }));
  storeStatuteFlag({ personalId: '10000001', version: '3' });
  clearSession();
  expect(currentSession()).toBeUndefined();
  expect(sessionStorage.getItem('auth-expired-epoch')).toBeNull();
  expect(localStorage.length).toBe(0);
});

test('the subject of a token is the personal id', () => {
  expect(personalIdOf(anna)).toBe('10000001');
  const claims = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify({ sub: 'Żółw?>' }))));
  expect(personalIdOf(`Bearer x.${claims.replaceAll('+', '-').replaceAll('/', '_')}.y`)).toBe('Żółw?>');
  expect(['', 'Bearer', 'Bearer a.b.c', `Bearer x.${btoa('{"sub":7}')}.y`].map(personalIdOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
