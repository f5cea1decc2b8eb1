import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/*
 * C2SP chunked-encryption with SHA-512 and AES-256-GCM, "Cobblestone-256" (https://c2sp.org/chunked-encryption): salt, commitment, then chunks of
 * 16 KiB that each carry a tag. The last chunk is always shorter, so that a message that was cut off is noticed.
 */

const saltBytes = 24;
const commitmentBytes = 32;
const tagBytes = 16;
const nonceBytes = 12;
export const keyBytes = 32;
/** Of the message, in each chunk but the last one. */
export const chunkBytes = 16_384;
/** The same, encrypted. */
export const sealedChunkBytes = chunkBytes + tagBytes;
/** Before the first chunk. */
export const prefixBytes = saltBytes + commitmentBytes;
const maxChunks = 2 ** 38;

const label = Buffer.from('c2sp.org/chunked-encryption@v1+AEAD_AES_256_GCM\0');

/** A message was changed, was cut off, or belongs to another key or context. */
export class WrongCiphertext extends Error {
  override readonly name = 'WrongCiphertext';
}

interface MessageKey {
  readonly key: Buffer;
  readonly baseNonce: Buffer;
  readonly commitment: Buffer;
}

/** HKDF-Expand with SHA-512, of two blocks. */
const deriveKey = (inputKey: Buffer, salt: Buffer, context: Buffer): MessageKey => {
  if (inputKey.length !== keyBytes) throw new RangeError(`an input key has ${keyBytes} bytes`);
  const info = Buffer.concat([label, salt, context]);
  const first = createHmac('sha512', inputKey).update(info).update(Uint8Array.of(1)).digest();
  const second = createHmac('sha512', inputKey).update(first).update(info).update(Uint8Array.of(2)).digest();
  const material = Buffer.concat([first, second]);
  return {
    key: material.subarray(0, keyBytes),
    baseNonce: material.subarray(keyBytes, keyBytes + nonceBytes),
    commitment: material.subarray(keyBytes + nonceBytes, keyBytes + nonceBytes + commitmentBytes),
  };
};

const nonceOf = (baseNonce: Buffer, chunk: number): Buffer => {
  if (chunk >= maxChunks) throw new RangeError('a message has less than 2^38 chunks');
  const nonce = Buffer.from(baseNonce);
  const lowAt = nonceBytes - 4;
  nonce.writeUInt32BE((nonce.readUInt32BE(lowAt) ^ (chunk % 2 ** 32)) >>> 0, lowAt);
  nonce.writeUInt8(nonce.readUInt8(lowAt - 1) ^ Math.floor(chunk / 2 ** 32), lowAt - 1);
  return nonce;
};

export interface Encryption {
  /** To be written before the first chunk. */
  readonly prefix: Buffer;
  /** The next part of the message. All but the last one must be of whole chunks. */
  update(wholeChunks: Buffer): Buffer;
  /** The rest of the message, of any length. */
  final(rest: Buffer): Buffer;
}

/** `salt` must be another one for each message of a key; only tests give it. */
export const startEncryption = (inputKey: Buffer, context: Buffer, salt = randomBytes(saltBytes)): Encryption => {
  const { key, baseNonce, commitment } = deriveKey(inputKey, salt, context);
  let chunk = 0;
  const seal = (plain: Buffer, into: Buffer, at: number): void => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(baseNonce, chunk));
    into.set(cipher.update(plain), at);
    cipher.final();
    into.set(cipher.getAuthTag(), at + plain.length);
    chunk += 1;
  };
  const sealWhole = (plain: Buffer, into: Buffer): void => {
    for (let from = 0, at = 0; from < plain.length; from += chunkBytes, at += sealedChunkBytes)
      seal(plain.subarray(from, from + chunkBytes), into, at);
  };
  return {
    prefix: Buffer.concat([salt, commitment]),
    update(wholeChunks) {
      if (wholeChunks.length % chunkBytes !== 0) throw new RangeError('not whole chunks');
      const sealed = Buffer.allocUnsafe((wholeChunks.length / chunkBytes) * sealedChunkBytes);
      sealWhole(wholeChunks, sealed);
      return sealed;
    },
    final(rest) {
      const whole = Math.floor(rest.length / chunkBytes);
      const sealed = Buffer.allocUnsafe(rest.length + (whole + 1) * tagBytes);
      sealWhole(rest.subarray(0, whole * chunkBytes), sealed);
      seal(rest.subarray(whole * chunkBytes), sealed, whole * sealedChunkBytes);
      return sealed;
    },
  };
};

export interface Decryption {
  /** Whole chunks, the first of which has the number `chunk`. Throws WrongCiphertext before any of them is given. */
  open(sealed: Buffer, chunk: number): Buffer;
}

/** Throws WrongCiphertext when the message was made with another key or for another context. */
export const startDecryption = (inputKey: Buffer, context: Buffer, prefix: Buffer): Decryption => {
  if (prefix.length !== prefixBytes) throw new WrongCiphertext('cut off before its first chunk');
  const { key, baseNonce, commitment } = deriveKey(inputKey, prefix.subarray(0, saltBytes), context);
  if (!timingSafeEqual(commitment, prefix.subarray(saltBytes))) throw new WrongCiphertext('of another key or context');
  const openOne = (sealed: Buffer, chunk: number): Buffer => {
    if (sealed.length < tagBytes) throw new WrongCiphertext(`cut off in chunk ${chunk}`);
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(baseNonce, chunk), { authTagLength: tagBytes });
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    const plain = decipher.update(sealed.subarray(0, -tagBytes));
    try {
      decipher.final();
    } catch (error) {
      throw new WrongCiphertext(`chunk ${chunk} is not what was written`, { cause: error });
    }
    return plain;
  };
  return {
    open(sealed, chunk) {
      const plain: Buffer[] = [];
      for (let from = 0; from < sealed.length; from += sealedChunkBytes)
        plain.push(openOne(sealed.subarray(from, from + sealedChunkBytes), chunk + plain.length));
      return plain.length === 1 && plain[0] !== undefined ? plain[0] : Buffer.concat(plain);
    },
  };
};
