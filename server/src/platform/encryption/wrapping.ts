import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM: nonce, ciphertext and tag, to be joined once, since each copy of an image is work for the garbage collector. */
export const encryptPieces = (key: Buffer, plain: Buffer, context: string): readonly Buffer[] => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(context));
  return [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
};

/** A key under another key. `context`: what it is the key of; it opens for that alone. */
export const wrapKey = (wrapping: Buffer, key: Buffer, context: string): Buffer => Buffer.concat(encryptPieces(wrapping, key, context));

/** Throws when it was wrapped by another key, or for something else. */
export const unwrapKey = (wrapping: Buffer, wrapped: Buffer, context: string): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', wrapping, wrapped.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(wrapped.subarray(-tagBytes));
  const key = decipher.update(wrapped.subarray(nonceBytes, -tagBytes));
  // Gives no bytes in this mode, and throws when the tag is another.
  decipher.final();
  return key;
};
