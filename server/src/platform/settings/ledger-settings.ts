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
  LEDGER_POLICY_FILE: {
    doc: 'C2SP tlog-policy file with the witnesses that watch the ledger from outside, each with its address. It is what verifiers are given, and needs no line for the log itself. Left out: no witness watches.',
    schema: path,
    standard: undefined,
    public: true,
  },
  LEDGER_QUORUM: {
    doc: 'later: documents become visible when the log has signed, and witnesses cosign right after. wait: only when the quorum of LEDGER_POLICY_FILE has cosigned.',
    schema: z.enum(['later', 'wait']),
    standard: 'later',
    public: true,
  },
} as const;

type Read = ReadOf<typeof ledgerSettingRows> & { readonly DATA_DIR: string };

export const ledgerSettingsOf = (read: Read) => ({
  ledgerDir: resolve(read.LEDGER_DIR ?? join(read.DATA_DIR, 'ledger')),
  ledgerKeyFile: resolve(read.LEDGER_KEY_FILE ?? join(read.DATA_DIR, 'ledger.key')),
  ledgerIntervalMs: read.LEDGER_INTERVAL_MS,
  ledgerPolicyFile: read.LEDGER_POLICY_FILE,
  ledgerQuorum: read.LEDGER_QUORUM,
});
