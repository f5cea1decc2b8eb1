import { beforeEach, expect, test } from 'vitest';
import { freshTab } from '#platform/page.fixture.tsx';
import { arrivalOf } from './arrival.ts';
import { codeField, newVerifier, stateFor, takeVerifier } from './sign-in-state.ts';

beforeEach(() => freshTab());

test('the challenge is the one of RFC 7636, appendix B', async () => {
  const state: unknown = JSON.parse(atob(await stateFor('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')));
  expect(state).toEqual({ challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', method: 'S256' });
});

test('a verifier has 64 random characters and waits in session storage', () => {
  const [first, second] = [newVerifier(), newVerifier()];
  expect(first).toMatch(/^[A-Za-z0-9_-]{64}$/);
  expect(first).not.toBe(second);
  expect(sessionStorage.getItem('v')).toBe(second);
});

test('a verifier serves one attempt', () => {
  const verifier = newVerifier();
  expect(takeVerifier()).toBe(verifier);
  expect(takeVerifier()).toBeUndefined();
});

test('code and verifier go as base64 of JSON', () => {
  expect(JSON.parse(atob(codeField('abc', 'xyz')))).toEqual({ code: 'abc', v: 'xyz' });
});

test('an arrival is told by its address', () => {
  const arrival = (address: string) => arrivalOf(new URL(address, 'https://portal.example'));
  expect(arrival('/oauth/a-B_9')).toEqual({ kind: 'code', code: 'a-B_9' });
  expect(arrival('/oauth?required=partner')).toEqual({ kind: 'service', serviceId: 'partner' });
  expect(arrival('/oauth/code?required=partner')).toEqual({ kind: 'service', serviceId: 'partner' });
  expect(arrival('/oauth')).toEqual({ kind: 'nothing' });
  expect(arrival('/oauth/?required=')).toEqual({ kind: 'nothing' });
  for (const service of ['..', 'a/b', 'a%20b', 'x'.repeat(65)]) expect(arrival(`/oauth?required=${service}`)).toEqual({ kind: 'nothing' });
  expect(arrival('/oauth/%3Cscript%3E')).toEqual({ kind: 'nothing' });
  expect(arrival('/sso/aa.b-b._c')).toEqual({ kind: 'assertion', assertion: 'aa.b-b._c' });
  expect(arrival('/sso/#aa.b-b._c')).toEqual({ kind: 'assertion', assertion: 'aa.b-b._c' });
  for (const text of ['', '/', '/a.b', '/a.b.c.d', '/a.b.%3Cscript%3E', '/#a', '?token=a.b.c'])
    expect(arrival(`/sso${text}`)).toEqual({ kind: 'nothing' });
  expect(arrival('/')).toBeUndefined();
  expect(arrival('/sso/a.b.c/d')).toBeUndefined();
  expect(arrival('/oauth/a/b')).toBeUndefined();
});
