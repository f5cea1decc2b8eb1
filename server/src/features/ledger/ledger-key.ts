import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Sign, signatureTypes, verifierKey, type VerifierKey } from '@pergamin/ledger';
import { unlessMissing } from '#platform/disk/files.ts';
import { writeNewFile } from '#platform/disk/write-new-file.ts';

export interface LedgerKey {
  readonly key: VerifierKey;
  readonly sign: Sign;
}

/** Undefined when the file is not there. Throws for a file that holds no private key. */
export const readLedgerKey = async (path: string): Promise<KeyObject | undefined> => {
  const pem = await unlessMissing(readFile(path));
  return pem === undefined ? undefined : createPrivateKey(pem);
};

/** PKCS #8 in PEM, never over another file: of two processes that start at once, both have the key of the first. */
export const createLedgerKey = async (path: string): Promise<KeyObject> => {
  const { privateKey } = generateKeyPairSync('ed25519');
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (await writeNewFile(path, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })) return privateKey;
  const other = await readLedgerKey(path);
  if (other === undefined) throw new Error(`the key ${path} was there, and is not any more`);
  return other;
};

/** With the origin of the log as its name. */
export const ledgerKeyOf = (privateKey: KeyObject, origin: string): LedgerKey => {
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    key: verifierKey(origin, signatureTypes.ed25519, Uint8Array.from(publicKey)),
    sign: (message) => Uint8Array.from(sign(null, message, privateKey)),
  };
};
