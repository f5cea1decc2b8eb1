import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { LedgerReader } from '#features/ledger/ledger.door.ts';
import { PortalError } from '#platform/http/errors.ts';

interface Parts {
  readonly ledger: Pick<LedgerReader, 'receiptOf' | 'policy'>;
  /** Of verify.html; it is not there while the web client has not been built. */
  readonly verifyPage: string;
}

/** A small file beside the documents of an archive. */
export interface Proof {
  readonly name: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

export interface Proofs {
  readonly files: readonly Proof[];
  /** The documents that have none. */
  readonly without: readonly string[];
}

const proof = (name: string, bytes: Buffer): Proof => ({ name, bytes, sha256: createHash('sha256').update(bytes).digest('hex') });

/** Undefined for a document that has no entry, or whose entry cannot be proved now: its bytes are handed out all the same. */
const unlessRefused = async (ask: () => Promise<string>): Promise<Buffer | undefined> => {
  try {
    return Buffer.from(await ask());
  } catch (error) {
    if (error instanceof PortalError && (error.code === 'NOT_FOUND_BC' || error.code === 'BC_ERROR')) return undefined;
    throw error;
  }
};

/** What proves documents without the portal: the receipt of each (some two kilobytes), the keys of the register, and the page that verifies them. */
export const listProofs = async (
  { ledger, verifyPage }: Parts,
  documents: readonly { readonly id: string; readonly name: string; readonly principals: readonly string[] }[],
): Promise<Proofs> => {
  const files: Proof[] = [];
  const without: string[] = [];
  for (const { id, name, principals } of documents) {
    // oxlint-disable-next-line no-await-in-loop -- One client's archive takes one connection.
    const receipt = await unlessRefused(() => ledger.receiptOf(id, principals));
    if (receipt === undefined) without.push(name);
    else files.push(proof(`${name}.tlog-proof`, receipt));
  }
  if (files.length === 0) return { files, without };
  const keys = await unlessRefused(() => ledger.policy());
  if (keys !== undefined) files.push(proof('keys.txt', keys));
  const page = await readFile(verifyPage).catch(() => undefined);
  if (page !== undefined) files.push(proof('verify.html', page));
  return { files, without };
};
