import { commitmentOf, type Hash, noHash, type Statement, tilePath, widthOf } from '@pergamin/ledger';
import type { Db } from '#platform/database/schema.ts';
import type { LedgerFiles, StoredTile } from '#platform/ledger-files/ledger-files.ts';
import { ownersOf, sha256 } from '#features/ledger/statements.rules.ts';
import { emptyTip, entryBytes, growTip } from '#features/ledger/tip.ts';
import { hasPending, listEntries, listEntriesFrom, type LoggedEntry } from './reading.store.ts';
import type { LedgerReading } from './reading.service.ts';
import { findStatement } from './stated.ts';
import { createTraces, type IsStored, type Traces } from './traces.ts';

interface Parts {
  readonly db: Db;
  readonly files: Pick<LedgerFiles, 'read'>;
  readonly reading: Pick<LedgerReading, 'findTree'>;
  /** Whether the store has the object of this key. */
  readonly isStored: IsStored;
}

export interface LedgerFindings extends Traces {
  /** Entries that the published checkpoint covers. */
  readonly entries: number;
  readonly isRootRight: boolean;
  /** Tiles and bundles that are missing, or are not those of the entries. */
  readonly wrongTiles: number;
  /** Entries whose statement is not what was committed to, or whose row says something else than it. */
  readonly wrongStatements: number;
  /** The first problem that was found, in words; null when there is none. */
  readonly problem: string | null;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Whole tiles; of the levels above the entries' own the last ones are seen when they have their final width. */
const entriesAtOnce = 4_096;

/**
 * Rebuilds the tree from the entries, some thousands at a time, and compares its root with the published checkpoint and its tiles with the files; follows
 * each entry to the document that it is about, and each document to its entry. Never throws for what is wrong with the ledger, but says it.
 */
export const auditLedger = async ({ db, files, reading, isStored }: Parts, signal?: AbortSignal): Promise<LedgerFindings> => {
  const problems: string[] = [];
  const tree = await reading.findTree().catch((error: unknown) => void problems.push(messageOf(error)));
  const size = tree?.size ?? 0;
  const counts = { wrongTiles: 0, wrongStatements: 0 };
  const traces = createTraces({ db, isStored });

  const compare = async ({ bytes, ...name }: StoredTile): Promise<void> => {
    // A narrower one was replaced by it.
    if (name.width !== widthOf(name.level === 'entries' ? 0 : name.level, name.index, size)) return;
    const stored = await files.read(name).catch(() => undefined);
    if (stored !== undefined && Buffer.compare(stored, bytes) === 0) return;
    counts.wrongTiles += 1;
    problems.push(`${tilePath(name)} is ${stored === undefined ? 'missing' : 'not that of the entries'}`);
  };

  let tip = emptyTip;
  while (tip.size < size) {
    if (signal?.aborted === true) break;
    const rows = await listEntriesFrom(db, { from: tip.size, limit: Math.min(entriesAtOnce, size - tip.size) });
    const missing = rows.findIndex(({ index }, place) => index !== tip.size + place);
    if (rows.length === 0 || missing !== -1) {
      problems.push(`the entry ${tip.size + Math.max(0, missing)} is missing`);
      break;
    }
    for (const entry of rows) {
      const wrong = whatIsWrong(entry);
      if (wrong === undefined) continue;
      counts.wrongStatements += 1;
      problems.push(`${wrong} of the entry ${entry.index} is not the one that was entered`);
    }
    await traces.follow(rows);
    const grown = growTip(tip, rows.map(entryBytes));
    await Promise.all(grown.tiles.map(compare));
    tip = grown.tip;
  }
  const isRootRight = tree === undefined ? problems.length === 0 : tip.size === size && Buffer.compare(tip.root, tree.root) === 0;
  if (!isRootRight && problems.length === 0) problems.push(`the entries do not give the root of the checkpoint of ${size}`);
  return { entries: size, isRootRight, ...counts, problem: problems[0] ?? null, ...(await traces.found()) };
};

/** What its row says of an entry, beside what was committed to. */
const whatIsWrong = ({ commitment, statement: bytes, documentId, event, at }: LoggedEntry): string | undefined => {
  if (bytes === null) return undefined;
  const statement = findStatement(bytes);
  if (statement === undefined || !commitment.equals(commitmentOf(bytes, sha256))) return 'the statement';
  if (statement.documentId !== documentId) return 'the document';
  if (statement.event !== event) return 'the event';
  return statement.time === at.getTime() ? undefined : 'the time';
};

const messageOf = (error: unknown): string => {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message : String(error);
};

/**
 * What is wrong with the statements about one document, in words: each names the one before it, and the last one its present state, unless a newer one
 * waits to be entered. Undefined: nothing, or it is not in the ledger yet.
 */
export const findDispute = async (db: Db, documentId: string, state: string): Promise<string | undefined> => {
  // Read before the entries: what is entered meanwhile is among these.
  const isChanging = await hasPending(db, documentId);
  const published = new Set<string>();
  let previous = noHash;
  let last: Statement | undefined;
  for (const { index, commitment, statement } of await listEntries(db, documentId)) {
    if (statement === null) return `the statement of the entry ${index} is gone`;
    const read = findStatement(statement);
    if (read === undefined) return `the statement of the entry ${index} cannot be read`;
    if (read.documentId !== documentId) return `the entry ${index} is about another document`;
    if (read.event === 'PUBLISHED') {
      const owners = ownersOf(read.owner);
      if ((last !== undefined && last.event !== 'PUBLISHED') || owners.some((owner) => published.has(owner)))
        return `the entry ${index} publishes the document once more`;
      for (const owner of owners) published.add(owner);
    }
    if (read.previous !== previous) return `the entry ${index} does not follow the one before it`;
    previous = hex(commitment satisfies Hash);
    last = read;
  }
  if (last === undefined || isChanging || last.state === state) return undefined;
  return `the last entry says ${last.state}`;
};
