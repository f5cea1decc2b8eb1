import { createPrivateKey, createPublicKey, sign as signNatively } from 'node:crypto';
import { type Sign, signatureTypes, verifierKey, type VerifierKey } from '#index.ts';

/** An Ed25519 key of this name, the same for the same seed (one byte). */
export const aSigner = (
  name: string,
  seed: number,
  type: number = signatureTypes.ed25519,
): { readonly key: VerifierKey; readonly sign: Sign } => {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const privateKey = createPrivateKey({ key: Buffer.concat([prefix, Buffer.alloc(32, seed)]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    key: verifierKey(name, type, new Uint8Array(publicKey)),
    sign: (message) => new Uint8Array(signNatively(null, message, privateKey)),
  };
};
