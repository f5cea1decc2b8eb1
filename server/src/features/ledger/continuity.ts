import { type Checkpoint, MalformedError, parseCheckpoint, proveConsistency, verifyConsistency, type VerifierKey } from '@pergamin/ledger';
import type { Db } from '#platform/database/schema.ts';
import type { LedgerFiles } from '#platform/ledger-files/ledger-files.ts';
import { sizeOfTiles } from '#platform/ledger-files/tiles-on-disk.ts';
import { LedgerHalt } from './halt.ts';
import * as store from './ledger.store.ts';
import { isSignedByLog } from './signed-by-log.ts';
import { sha256 } from './statements.rules.ts';
import { growEntries, isSameHead } from './tip.ts';

/** Undefined: there is none, or none that can be read as a checkpoint. */
export const readSigned = async (files: Pick<LedgerFiles, 'readCheckpoint'>): Promise<Checkpoint | undefined> => {
  const note = await files.readCheckpoint();
  try {
    return note === undefined ? undefined : parseCheckpoint(note);
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
};

/**
 * Whether the log may go on from what the database has: throws LedgerHalt where that would sign a second history. It compares the database with the
 * file of the last checkpoint and with the tiles, of which the first time all names are read, and then those behind the tree. While the ledger is locked:
 * tiles of another process are then not ahead of the database.
 */
export const createContinuity = (files: LedgerFiles) => {
  let areTilesKnown = false;
  /** The one of an older time that was proved to be a part of this tree: after a restored backup it stays until the next round. */
  let proved: { readonly signed: Checkpoint; readonly tree: store.Head } | undefined;

  const sizeOnDisk = async ({ size }: store.Head): Promise<number> =>
    !areTilesKnown || (await files.reachesBeyond(size)) ? sizeOfTiles(await files.listTiles()) : size;

  const assertPart = async (db: Db, signed: Checkpoint, tree: store.Head): Promise<void> => {
    if (proved !== undefined && isSameHead(proved.signed, signed) && isSameHead(proved.tree, tree)) return;
    if (!((await isPartByTiles(files, signed, tree)) || (await isPartByEntries(db, signed, tree))))
      throw new LedgerHalt('OTHER_ROOT', `the tree of ${tree.size} entries does not continue the one of ${signed.size} that was signed`);
    proved = { signed, tree };
  };

  return async (db: Db, key: VerifierKey): Promise<store.LedgerState> => {
    const { signed, isLost } = await findSigned(db, files);
    const state = await store.readState(db);
    const { tree, covered } = state;
    if ((await files.readEvidence()) !== undefined)
      throw new LedgerHalt('WITNESS_AHEAD', 'a witness has shown a checkpoint of this log that the log does not know');
    if (signed !== undefined && !isSignedByLog(signed, key))
      throw new LedgerHalt('OTHER_KEY', 'the last checkpoint is not signed by the key of this log');
    assertWhole(state);
    const onDisk = await sizeOnDisk(tree);
    const written = Math.max(signed?.size ?? 0, onDisk);
    if (written > tree.size)
      throw new LedgerHalt('DATABASE_OLDER', `the files of the ledger have ${written} entries, the database has ${tree.size}`);
    if (isLost)
      throw new LedgerHalt('CHECKPOINT_LOST', 'the file of the last checkpoint is gone or cannot be read, and this log has signed before');
    if (signed?.size === tree.size && !isSameHead(signed, tree))
      throw new LedgerHalt('OTHER_ROOT', `another tree of ${tree.size} entries was signed than the database has`);
    if (signed !== undefined && !isSameHead(signed, tree) && !isSameHead(signed, covered)) await assertPart(db, signed, tree);
    areTilesKnown = true;
    return state;
  };
};

/** Another process may publish the first checkpoint meanwhile, and has written its file by then. */
const findSigned = async (db: Db, files: LedgerFiles): Promise<{ readonly signed: Checkpoint | undefined; readonly isLost: boolean }> => {
  const read = await readSigned(files);
  if (read !== undefined || !(await store.hasBegun(db))) return { signed: read, isLost: false };
  const signed = await readSigned(files);
  return { signed, isLost: signed === undefined };
};

/** The rows of the database agree with one another on how many entries there are. */
const assertWhole = ({ tree, named, entriesEnd }: store.LedgerState): void => {
  if (named > tree.size)
    throw new LedgerHalt('DATABASE_OLDER', `the database speaks of ${named} entries, and its last tree has ${tree.size}`);
  if (entriesEnd < tree.size)
    throw new LedgerHalt('ENTRIES_WRONG', `the tree has ${tree.size} entries, and those of the database end with ${entriesEnd}`);
};

/** True is proved by the two roots; false says nothing, as tiles may be missing. */
const isPartByTiles = async (files: LedgerFiles, signed: store.Head, tree: store.Head): Promise<boolean> => {
  const read = async (name: Parameters<LedgerFiles['read']>[0]): Promise<Uint8Array> => (await files.read(name)) ?? new Uint8Array();
  try {
    const proof = await proveConsistency(signed.size, tree.size, read, sha256);
    return verifyConsistency({ oldSize: signed.size, oldRoot: signed.root, size: tree.size, root: tree.root, proof });
  } catch {
    return false;
  }
};

const isPartByEntries = async (db: Db, signed: store.Head, tree: store.Head): Promise<boolean> => {
  const part = await growEntries(db, signed.size);
  if (part === undefined || !isSameHead(part, signed)) return false;
  const whole = await growEntries(db, tree.size, part);
  return whole !== undefined && isSameHead(whole, tree);
};
