import { expect, test } from 'vitest';
import { randomToken } from '#platform/crypto/secrets.ts';
import { seal, unseal } from './sealed.ts';

test('what is sealed is read with its own secret alone', () => {
  const secret = randomToken();
  const sealed = seal(secret, 'żółw');
  expect(unseal(secret, sealed)).toBe('żółw');
  expect(unseal(randomToken(), sealed)).toBeUndefined();
});

test.each([0, 11, 12, 27, 28])('what was changed at byte %i is not read', (at) => {
  const secret = randomToken();
  const sealed = seal(secret, 'a token');
  sealed.writeUInt8(sealed.readUInt8(at) ^ 1, at);
  expect(unseal(secret, sealed)).toBeUndefined();
});

test('what is too short is not read', () => {
  expect(unseal(randomToken(), Buffer.alloc(5))).toBeUndefined();
});
