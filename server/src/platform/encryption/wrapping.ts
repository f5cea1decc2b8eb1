import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** A key under another key (AES-256-GCM: nonce, ciphertext, tag). `context`: what it is the key of; it opens for that alone. */
export const wrapKey = (wrapping: Buffer, key: Buffer, context: string): Buffer => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', wrapping, nonce);
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
};

/** Throws when it was wrapped by another key, or for something else. */
export const unwrapKey = (wrapping: Buffer, wrapped: Buffer, context: string): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', wrapping, wrapped.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(wrapped.subarray(-tagBytes));
  return Buffer.concat([decipher.update(wrapped.subarray(nonceBytes, -tagBytes)), decipher.final()]);
};
