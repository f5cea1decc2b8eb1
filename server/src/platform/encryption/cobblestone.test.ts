import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { startDecryption, startEncryption, WrongCiphertext } from './cobblestone.ts';

const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const salt = Buffer.from(Array.from({ length: 24 }, (_, index) => 100 + index));
const context = Buffer.from('a context');

const encrypt = (message: Buffer, ...more: [Buffer<ArrayBuffer>?]): Buffer => {
  const encryption = startEncryption(key, context, ...more);
  return Buffer.concat([encryption.prefix, encryption.final(message)]);
};
const decrypt = (sealed: Buffer, inContext = context): Buffer =>
  startDecryption(key, inContext, sealed.subarray(0, 56)).open(sealed.subarray(56), 0);
const aMessage = (size: number): Buffer => Buffer.alloc(size, 'Umowa kredytu hipotecznego. ');

/** Written from the specification, with another library: HKDF-Expand and AES-GCM of Python's cryptography. */
const decoder = `
import sys
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.hashes import SHA512
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
key, context = bytes.fromhex(sys.argv[1]), bytes.fromhex(sys.argv[2])
sealed = sys.stdin.buffer.read()
salt, commitment, rest = sealed[:24], sealed[24:56], sealed[56:]
info = b"c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\\x00" + salt + context
derived = HKDFExpand(SHA512(), 76, info).derive(key)
assert derived[44:] == commitment
nonce, number, plain = int.from_bytes(derived[32:44], "big"), 0, b""
while True:
    chunk, rest = rest[:16400], rest[16400:]
    plain += AESGCM(derived[:32]).decrypt((nonce ^ number).to_bytes(12, "big"), chunk, None)
    number += 1
    if len(chunk) < 16400: break
assert rest == b""
sys.stdout.buffer.write(plain)
`;
const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0;

test.skipIf(!hasPython).each([0, 1, 16_383, 16_384, 16_385, 100_000])('another implementation decrypts a message of %i bytes', (size) => {
  const message = randomBytes(size);
  const { status, stdout, stderr } = spawnSync('python3', ['-c', decoder, key.toString('hex'), context.toString('hex')], {
    input: encrypt(message),
  });
  expect([status, stderr.toString()]).toEqual([0, '']);
  expect(stdout.equals(message)).toBe(true);
});

// Decrypted by the implementation above; the specification has no vectors.
test.each([
  [0, '7cdfe9cb3273593afaf12cfb0f4e1846a37b8860a133871e14087558e16748ab'],
  [16_384, 'db7e1f9d530b48143aa01f2ae2649b17d5f516ee452fe967ff390558d678e009'],
  [50_000, 'fd7063d7bba986f1fee016bee7d5c31b82dea236e44cc1884a7543fc96ef727c'],
])('a message of %i bytes is encrypted to the same bytes as ever', (size, sha256) => {
  expect(
    createHash('sha256')
      .update(encrypt(aMessage(size), salt))
      .digest('hex'),
  ).toBe(sha256);
});

test('in portions or at once, the ciphertext is the same', () => {
  const message = aMessage(80_000);
  const encryption = startEncryption(key, context, salt);
  const parts = [encryption.prefix, encryption.update(message.subarray(0, 16_384)), encryption.update(message.subarray(16_384, 65_536))];
  expect(Buffer.concat([...parts, encryption.final(message.subarray(65_536))])).toEqual(encrypt(message, salt));
  expect(() => encryption.update(Buffer.alloc(5))).toThrow(RangeError);
});

test('a message opens in its context alone', () => {
  const sealed = encrypt(aMessage(100));
  expect(decrypt(sealed)).toEqual(aMessage(100));
  expect(() => decrypt(sealed, Buffer.from('another context'))).toThrow(WrongCiphertext);
});

test('chunks in another order are refused', () => {
  const sealed = encrypt(aMessage(40_000));
  const swapped = Buffer.concat([
    sealed.subarray(0, 56),
    sealed.subarray(16_456, 32_856),
    sealed.subarray(56, 16_456),
    sealed.subarray(32_856),
  ]);
  expect(() => decrypt(swapped)).toThrow(WrongCiphertext);
});

test('two messages of one key have nothing in common', () => {
  const [one, other] = [encrypt(aMessage(100)), encrypt(aMessage(100))];
  expect(one.subarray(0, 56)).not.toEqual(other.subarray(0, 56));
  expect(one.subarray(56)).not.toEqual(other.subarray(56));
});
