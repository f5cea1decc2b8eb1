import { hashes, verify } from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';

hashes.sha512 = sha512;

/** Ed25519 (RFC 8032) of a message; the private key stays with the caller's platform. */
export type Sign = (message: Uint8Array) => Uint8Array;

/** False, too, for a key or a signature that is none. */
export const verifyEd25519 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean => {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  try {
    return verify(signature, message, publicKey, { zip215: false });
  } catch {
    // A point that is not on the curve is a signature that does not verify.
    return false;
  }
};
