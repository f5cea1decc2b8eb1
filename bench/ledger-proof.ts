import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { emptyEdge, growTree, leafHash, proveInclusion, rootOfEdge, type Sha256, tilePath, verifyInclusion } from '@pergamin/ledger';
import { createLedgerFiles } from '../server/src/platform/ledger-files/ledger-files.ts';
import type { Measuring, Promised } from './promise.ts';

const entries = 1_000_000;
const appendedAtOnce = 16_384;
const proofs = 200;

/** As the portal hashes. */
const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');

const leafOf = (index: number) => leafHash(hash('sha256', String(index), 'buffer'), sha256);

/** Written without waiting for the disk: appending is no part of this promise. */
const writeLog = async (root: string) => {
  let edge = emptyEdge;
  while (edge.size < entries) {
    const first = edge.size;
    const leaves = Array.from({ length: Math.min(appendedAtOnce, entries - first) }, (_, nth) => leafOf(first + nth));
    const grown = growTree(edge, leaves, sha256);
    for (const { bytes, ...name } of grown.tiles) {
      const path = join(root, tilePath(name));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
    }
    edge = grown.edge;
  }
  return rootOfEdge(edge, sha256);
};

const open = async (): Promise<Measuring> => {
  const root = await mkdtemp(join(tmpdir(), 'pergamin-log-'));
  const head = await writeLog(root);
  const files = createLedgerFiles(root);
  let turn = 0;
  const proveOne = async (index: number): Promise<void> => {
    const proof = await proveInclusion(index, entries, async (name) => (await files.read(name)) ?? new Uint8Array(), sha256);
    if (!verifyInclusion({ index, size: entries, leaf: leafOf(index), root: head, proof })) throw new Error('the proof does not hold');
  };
  await proveOne(0);
  return {
    async ours() {
      turn += 1;
      const before = process.cpuUsage();
      // Spread over the whole log, others in each turn.
      for (let nth = 0; nth < proofs; nth += 1) await proveOne((nth * 4_999 + turn * 7_919) % entries);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 / proofs;
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true }),
  };
};

/** What a check and a receipt cost beside the document itself. */
export const ledgerProof: Promised = {
  name: 'ledger-proof',
  promise: 'an entry among 1 000 000 is proved from the tiles of the log, and the proof verified, by at most 2 ms of CPU',
  unit: 'ms CPU',
  limit: 2,
  rounds: 5,
  open,
};
