import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sign, signatureTypes, verifierKey, type VerifierKey } from '@pergamin/ledger';
import { writeWhole } from './write-whole.ts';

export interface WitnessKey {
  readonly key: VerifierKey;
  readonly sign: Sign;
}

const fileName = 'witness.key';

const readOrCreate = async (folder: string): Promise<KeyObject> => {
  const path = join(folder, fileName);
  try {
    return createPrivateKey(await readFile(path));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeWhole(path, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  return privateKey;
};

/** FOLDER/witness.key (PKCS #8 in PEM), made by the first start. Its name is part of what the log's owner is told. */
export const openWitnessKey = async (folder: string, name: string): Promise<WitnessKey> => {
  const privateKey = await readOrCreate(folder);
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    key: verifierKey(name, signatureTypes.cosignature, Uint8Array.from(publicKey)),
    sign: (message) => Uint8Array.from(sign(null, message, privateKey)),
  };
};
