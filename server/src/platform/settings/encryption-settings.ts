import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import type { ReadOf } from './sending-settings.ts';

export const encryptionSettingRows = {
  ENCRYPTION: {
    doc: 'on: what comes in is stored encrypted; all: what was stored before is encrypted, too, by a job of each hour; off: what comes in is stored as it is. What is encrypted stays readable in any case.',
    schema: z.enum(['on', 'all', 'off']),
    standard: 'on',
    public: true,
  },
  ENCRYPTION_KEY_FILE: {
    doc: 'File of the key that all documents are encrypted under, made by the first start; best on another disk than the objects. Left out: encryption.key in DATA_DIR.',
    schema: z.string().check(z.minLength(1)),
    standard: undefined,
    public: true,
  },
} as const;

type Read = ReadOf<typeof encryptionSettingRows> & { readonly DATA_DIR: string };

export type EncryptionSettings = ReturnType<typeof encryptionSettingsOf>;

export const encryptionSettingsOf = (read: Read) => ({
  encryption: read.ENCRYPTION,
  encryptionKeyFile: resolve(read.ENCRYPTION_KEY_FILE ?? join(read.DATA_DIR, 'encryption.key')),
  /** Where ciphertext waits for the store. */
  encryptionSpool: resolve(read.DATA_DIR, 'encrypting'),
});
