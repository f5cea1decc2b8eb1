import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const cipherName = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

const keyOf = (secret: string): Uint8Array => new Uint8Array(hkdfSync('sha256', secret, '', 'pergamin sealed', 32));

/** Encrypts with a secret of 256 random bits that only the browser holds: the database alone does not reveal it. */
export const seal = (secret: string, text: string): Buffer => {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(cipherName, keyOf(secret), iv);
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), content]);
};

/** Undefined when it was sealed with another secret, or changed since. */
export const unseal = (secret: string, sealed: Buffer): string | undefined => {
  const decipher = createDecipheriv(cipherName, keyOf(secret), sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
  try {
    decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    return decipher.update(sealed.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
};
