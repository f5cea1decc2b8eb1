import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { createSessionToken, createTokenReader } from './session-token.ts';

const key = createSecretKey(randomBytes(32));
const aToken = (sub: string): string =>
  createSessionToken(key, { sub, sid: randomUUID(), gen: 0, bnd: randomBytes(32).toString('base64url'), exp: 2_000_000_000 });

test('a token is parsed once, and remembered as it was', () => {
  const read = createTokenReader(key);
  const token = aToken('10000001');
  const parse = vi.spyOn(JSON, 'parse');
  const first = read(token);
  expect(first).toMatchObject({ sub: '10000001', gen: 0 });
  const parsed = parse.mock.calls.length;
  expect(read(token)).toBe(first);
  expect(parse.mock.calls).toHaveLength(parsed);
  parse.mockRestore();
});

test('what is forged is not remembered', () => {
  const read = createTokenReader(key);
  const token = aToken('10000001');
  const forged = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
  expect([read(forged), read(token)?.sub, read(forged)]).toEqual([undefined, '10000001', undefined]);
});

test('only so many are remembered, the ones in use among them', () => {
  const read = createTokenReader(key, 2);
  const [used, idle, next] = [aToken('1'), aToken('2'), aToken('3')];
  const [firstUsed, firstIdle] = [read(used), read(idle)];
  read(used);
  read(next);
  expect(read(used)).toBe(firstUsed);
  const again = read(idle);
  expect(again).toEqual(firstIdle);
  expect(again).not.toBe(firstIdle);
});
