import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { type ReadOf, wholeNumber } from './sending-settings.ts';

const path = z.string().check(z.minLength(1));

export const ledgerSettingRows = {
  LEDGER_DIR: {
    doc: 'Folder of the ledger’s tiles and of its last checkpoint. Left out: ledger in DATA_DIR.',
    schema: path,
    standard: undefined,
    public: true,
  },
  LEDGER_KEY_FILE: {
    doc: 'File of the key that signs the ledger, made by the first start. Left out: ledger.key in DATA_DIR.',
    schema: path,
    standard: undefined,
    public: true,
  },
  LEDGER_INTERVAL_MS: {
    doc: 'Least time between two rounds of the ledger; publications that come meanwhile share the next one. 0: a round begins when the last one ends.',
    schema: wholeNumber(0, 10_000),
    standard: '0',
    public: true,
  },
} as const;

type Read = ReadOf<typeof ledgerSettingRows> & { readonly DATA_DIR: string };

export const ledgerSettingsOf = (read: Read) => ({
  ledgerDir: resolve(read.LEDGER_DIR ?? join(read.DATA_DIR, 'ledger')),
  ledgerKeyFile: resolve(read.LEDGER_KEY_FILE ?? join(read.DATA_DIR, 'ledger.key')),
  ledgerIntervalMs: read.LEDGER_INTERVAL_MS,
});
