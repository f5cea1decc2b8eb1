import { beforeAll, expect, test } from 'vitest';
import { createPasswords, type Passwords } from './passwords.ts';

let passwords: Passwords;
beforeAll(async () => {
  passwords = await createPasswords({ memoryKiB: 1_024, passes: 1 });
});

test('a password fits its own hash and no other, every letter of it', async () => {
  const hash = await passwords.hash('Zażółć-gęślą-8');
  expect(await passwords.isRight(hash, 'Zażółć-gęślą-8')).toBe(true);
  expect(await passwords.isRight(hash, 'Zazolc-gesla-8')).toBe(false);
  expect(await passwords.isRight(hash, 'Zażółć-gęślą-8 ')).toBe(false);
});

test('the same password never has the same hash twice', async () => {
  expect(await passwords.hash('Correct-horse-7')).not.toBe(await passwords.hash('Correct-horse-7'));
});

test('nobody’s password fits nothing, not even the one that stands in for it', async () => {
  expect(await passwords.isRight(undefined, 'nobody has this password')).toBe(false);
});

test('what is too long to be a password fits nothing, even the hash of itself', async () => {
  const long = 'a'.repeat(5_000);
  expect(await passwords.isRight(await passwords.hash(long), long)).toBe(false);
});
