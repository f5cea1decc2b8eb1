import { expect, test } from 'vitest';
import { findChallenge, findServiceOf, hasRepeatedParameter, isPersonalId, mayName, readLoginCode } from './sign-in.rules.ts';

const challenge = 'aZ09-_'.repeat(8).slice(0, 43);
const state = { challenge, method: 'S256' };

test('a challenge is read from both alphabets of base64, with padding and without', () => {
  const text = JSON.stringify({ ...state, note: '>>>???' });
  for (const written of [Buffer.from(text).toString('base64'), Buffer.from(text).toString('base64url')])
    expect(findChallenge(written)).toBe(challenge);
});

test('the login field gives code and verifier', () => {
  const field = Buffer.from(JSON.stringify({ code: 'a', v: 'b' })).toString('base64');
  expect(readLoginCode(field)).toEqual({ code: 'a', verifier: 'b' });
});

test.each([
  ['code=a&state=b', false],
  ['code=a&state=b&code=a', true],
  ['', false],
])('of the parameters %j it is %j that one is repeated', (query, isRepeated) => {
  expect(hasRepeatedParameter(new URLSearchParams(query))).toBe(isRepeated);
});

test.each(['10000001', 'anna.nowak@bank_1-2'])('%j may be a personal id', (id) => {
  expect(isPersonalId(id)).toBe(true);
});

test.each(['', 'a b', 'ą', 'a/b', 'a\n', 'x'.repeat(65), 7, null, ['a']])('%j is no personal id', (id) => {
  expect(isPersonalId(id)).toBe(false);
});

const alpha = { id: 'alpha', pattern: /^2\d{7}$/u };
const beta = { id: 'beta', pattern: /^\d{8}$/u };
const embedded = { id: 'pergamin', pattern: /^.+$/u };
const open = { id: 'open', pattern: null };

test.each([
  ['20000001', 'alpha'],
  ['30000001', 'beta'],
  ['anna', 'pergamin'],
])('%s names %s: the first of the services whose pattern it fits, and no other may name that person', (personalId, id) => {
  const services = [alpha, beta, embedded];
  expect(findServiceOf(services, personalId)?.id).toBe(id);
  expect(services.filter((service) => mayName(service, services, personalId)).map((service) => service.id)).toEqual([id]);
});

test('a service without a pattern may name those whom no other outside service has', () => {
  expect(mayName(open, [open, embedded], 'anna')).toBe(true);
  expect(mayName(open, [open], 'anna')).toBe(true);
  expect(mayName(open, [alpha, open, embedded], '20000001')).toBe(false);
});
