import { beforeAll, expect, test } from 'vitest';
import { askers } from './hash-queue.ts';
import { createPasswords, type Passwords } from './passwords.ts';

const asker = askers.person('10000001');
let passwords: Passwords;
beforeAll(async () => {
  passwords = createPasswords({ memoryKiB: 1_024, passes: 1 });
});

test('a password fits its own hash and no other, every letter of it', async () => {
  const hash = await passwords.hash('Zażółć-gęślą-8', asker);
  expect(await passwords.isRight(hash, 'Zażółć-gęślą-8', asker)).toBe(true);
  expect(await passwords.isRight(hash, 'Zazolc-gesla-8', asker)).toBe(false);
  expect(await passwords.isRight(hash, 'Zażółć-gęślą-8 ', asker)).toBe(false);
});

test('the same password never has the same hash twice', async () => {
  expect(await passwords.hash('Correct-horse-7', asker)).not.toBe(await passwords.hash('Correct-horse-7', asker));
});

test('no password fits a person without one, not even the one that the substitute hash is made of', async () => {
  expect(await passwords.isRight(undefined, 'no account has this password', asker)).toBe(false);
});

test('what is too long to be a password fits nothing, even the hash of itself', async () => {
  const long = 'a'.repeat(5_000);
  expect(await passwords.isRight(await passwords.hash(long, asker), long, asker)).toBe(false);
});
