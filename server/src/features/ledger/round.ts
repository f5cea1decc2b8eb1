import { signCheckpoint, type VerifierKey } from '@pergamin/ledger';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { LedgerFiles, StoredTile } from '#platform/ledger-files/ledger-files.ts';
import type { createContinuity } from './continuity.ts';
import type { RoundOutcome } from './next-round.ts';
import { LedgerHalt } from './halt.ts';
import type { LedgerKey } from './ledger-key.ts';
import * as store from './ledger.store.ts';
import { formEntries } from './statements.rules.ts';
import { type createTips, growTip, isSameHead, readEntries, type Tip } from './tip.ts';

/** Entries of one round; of a batch, the documents that become visible in one transaction. */
const entriesPerRound = 256;
/** Of these for the newest publications: while a million older facts wait, as after an upgrade, a new document does not wait behind them. */
const newestPerRound = 64;
const oldestPerRound = entriesPerRound - newestPerRound;

export interface PublishedEntry {
  readonly documentId: string;
  /** The moment that was asked for. */
  readonly moment: Date | null;
  /** When its statement was made. */
  readonly enteredAt: Date;
}

export interface RoundParts {
  readonly db: Db;
  readonly files: LedgerFiles;
  readonly tips: ReturnType<typeof createTips>;
  readonly readContinued: ReturnType<typeof createContinuity>;
  /** Throws LedgerHalt while the key at hand is not that of the log. */
  readonly getKey: () => Promise<LedgerKey>;
  readonly clock: Clock;
  /** Called before the checkpoint is published; a rejection leaves it unpublished. */
  readonly cosign?: ((note: string) => Promise<void>) | undefined;
  /** What becomes visible with the checkpoint, in its transaction. */
  readonly covered: (trx: Trx, published: readonly PublishedEntry[]) => Promise<void>;
}

interface Grown {
  readonly tip: Tip;
  readonly tiles: readonly StoredTile[];
}

interface Begun {
  readonly from: store.Head;
  readonly to: store.Head;
  /** Undefined: another round committed it, and did not end. */
  readonly grown: Grown | undefined;
  readonly isFull: boolean;
}

/**
 * One round: entries and their tree are committed; the tiles, which follow from the entries alone, are written; only then the checkpoint is signed,
 * and published with what it makes visible. Any process may make each step again, and it gives the same. `idle`: nothing was waiting; `more`:
 * something may still be waiting. Throws LedgerHalt instead of signing a second history.
 */
export const createRound = (parts: RoundParts) => async (): Promise<RoundOutcome> => {
  const { db, files, tips, cosign } = parts;
  const { key, sign } = await parts.getKey();
  const begun = await db.transaction().execute((trx) => begin(parts, trx, key));
  if (begun === undefined) return 'idle';
  const { tip, tiles } = begun.grown ?? (await growAgain(parts, begun));
  await files.write(tiles);
  tips.remember(tip);
  const head = { origin: key.name, ...begun.to };
  const note = signCheckpoint(head, key, sign);
  // Before it is published: by this file a database is recognised that was restored from before it.
  await files.writeCheckpoint(note);
  await cosign?.(note);
  await publish(parts, { size: head.size, note });
  return begun.isFull ? 'more' : 'done';
};

const begin = async (parts: RoundParts, trx: Trx, key: VerifierKey): Promise<Begun | undefined> => {
  await store.lockLedger(trx);
  const { tree, covered, lastAt } = await parts.readContinued(trx, key);
  if (tree.size > covered.size) return { from: covered, to: tree, grown: undefined, isFull: true };
  const facts = await store.takePending(trx, { oldest: oldestPerRound, newest: newestPerRound });
  if (facts.length === 0) return undefined;
  const tip = await parts.tips.at(tree, trx);
  // A clock that was set back stands still until it has caught up.
  const at = new Date(Math.max(lastAt?.getTime() ?? 0, parts.clock.now().getTime()));
  const entries = formEntries(facts, { first: tree.size, atEpochMs: at.getTime() });
  const grown = growTip(
    tip,
    entries.map(({ bytes }) => bytes),
  );
  const { size, root } = grown.tip;
  await store.insertEntries(trx, entries, { size, root, at });
  const forgotten = facts.filter(({ event }) => event === 'FORGOTTEN');
  // What was entered before the document was forgotten, and had no place yet.
  if (forgotten.length > 0)
    await store.eraseStatements(
      trx,
      forgotten.map(({ documentId }) => documentId),
    );
  return { from: tree, to: { size, root }, grown, isFull: facts.length >= oldestPerRound };
};

/** Of a round that was broken off after its commit. */
const growAgain = async ({ db, tips }: RoundParts, { from, to }: Begun): Promise<Grown> => {
  const entries = await readEntries(db, { from: from.size, to: to.size });
  const grown = growTip(await tips.at(from), entries);
  if (!isSameHead(grown.tip, to)) throw new LedgerHalt('ENTRIES_WRONG', `the entries do not give the root of the tree of ${to.size}`);
  return grown;
};

const publish = ({ db, clock, covered }: RoundParts, { size, note }: { size: number; note: string }): Promise<void> =>
  db.transaction().execute(async (trx) => {
    if (!(await store.insertCheckpoint(trx, { size, note, at: clock.now() }))) return;
    const facts = await store.takeCovered(trx, size);
    const published = facts.filter(({ event }) => event === 'PUBLISHED');
    if (published.length > 0) await covered(trx, published);
  });
