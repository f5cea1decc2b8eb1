import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Sign, signatureTypes, verifierKey, type VerifierKey } from '@pergamin/ledger';
import { hasCode, syncFolder, unlessMissing } from '#platform/disk/files.ts';

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
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const spooled = `${path}.${randomUUID()}`;
  try {
    const file = await open(spooled, 'wx', 0o600);
    try {
      await file.writeFile(privateKey.export({ format: 'pem', type: 'pkcs8' }));
      await file.sync();
    } finally {
      await file.close();
    }
    await link(spooled, path);
  } catch (error) {
    const other = hasCode(error, 'EEXIST') ? await readLedgerKey(path) : undefined;
    if (other !== undefined) return other;
    throw error;
  } finally {
    await rm(spooled, { force: true });
  }
  await syncFolder(folder);
  return privateKey;
};

/** With the origin of the log as its name. */
export const ledgerKeyOf = (privateKey: KeyObject, origin: string): LedgerKey => {
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    key: verifierKey(origin, signatureTypes.ed25519, Uint8Array.from(publicKey)),
    sign: (message) => Uint8Array.from(sign(null, message, privateKey)),
  };
};
