import {
  type Edge,
  emptyEdge,
  entryOf,
  growTree,
  joinEntries,
  leafHash,
  readEdge,
  rootOfEdge,
  type TileName,
  tileWidth,
} from '@pergamin/ledger';
import type { Db } from '#platform/database/schema.ts';
import type { LedgerFiles, StoredTile } from '#platform/ledger-files/ledger-files.ts';
import { LedgerHalt } from './halt.ts';
import { type Head, type KeptEntry, listEntries } from './ledger.store.ts';
import { sha256 } from './statements.rules.ts';

/** Where the next entry is appended. */
export interface Tip extends Head {
  readonly edge: Edge;
  /** The entries of the last bundle while that is not full. */
  readonly bundle: readonly Uint8Array[];
}

export const emptyTip: Tip = { size: 0, root: rootOfEdge(emptyEdge), edge: emptyEdge, bundle: [] };

const rebuiltAtOnce = 16 * tileWidth;

export const isSameHead = (one: Head, other: Head): boolean => one.size === other.size && Buffer.compare(one.root, other.root) === 0;

/** The tip behind these entries, and every tile and bundle that is new or wider then. */
export const growTip = (tip: Tip, entries: readonly Uint8Array[]): { readonly tip: Tip; readonly tiles: readonly StoredTile[] } => {
  const { edge, tiles } = growTree(
    tip.edge,
    entries.map((entry) => leafHash(entry, sha256)),
    sha256,
  );
  const bundled = [...tip.bundle, ...entries];
  const first = (tip.size - tip.bundle.length) / tileWidth;
  const bundles: StoredTile[] = [];
  for (let at = 0; at < bundled.length; at += tileWidth) {
    const part = bundled.slice(at, at + tileWidth);
    bundles.push({ level: 'entries', index: first + at / tileWidth, width: part.length, bytes: joinEntries(part) });
  }
  const bundle = bundled.slice(bundled.length - (bundled.length % tileWidth));
  return { tip: { size: edge.size, root: rootOfEdge(edge, sha256), edge, bundle }, tiles: [...tiles, ...bundles] };
};

/** As the log has it. */
export const entryBytes = ({ commitment, statement, isPublic }: KeptEntry): Uint8Array =>
  isPublic && statement !== null ? entryOf(statement, { isPublic }, sha256) : Buffer.concat([Buffer.of(1), commitment]);

/** Entries as the log has them. */
export const readEntries = async (db: Db, range: { readonly from: number; readonly to: number }): Promise<Uint8Array[]> =>
  (await listEntries(db, range)).map(entryBytes);

/** The tip behind the entries of the database up to that place, without a file. Undefined: some are missing. */
export const growEntries = async (db: Db, to: number, from: Tip = emptyTip): Promise<Tip | undefined> => {
  let tip = from;
  while (tip.size < to) {
    const end = Math.min(to, tip.size + rebuiltAtOnce);
    const entries = await readEntries(db, { from: tip.size, to: end });
    if (entries.length !== end - tip.size) return undefined;
    ({ tip } = growTip(tip, entries));
  }
  return tip;
};

interface Parts {
  readonly db: Db;
  readonly files: LedgerFiles;
}

const readTip = async ({ db, files }: Parts, head: Head): Promise<Tip | undefined> => {
  const read = async (name: TileName): Promise<Uint8Array> => (await files.read(name)) ?? new Uint8Array();
  // A tile that is missing or truncated is as good as a wrong one.
  const edge = await readEdge(head.size, read).catch(() => undefined);
  if (edge === undefined || !isSameHead(head, { size: head.size, root: rootOfEdge(edge, sha256) })) return undefined;
  const bundle = await readEntries(db, { from: head.size - (head.size % tileWidth), to: head.size });
  return bundle.length === head.size % tileWidth ? { ...head, edge, bundle } : undefined;
};

/** Writes every tile anew from the entries. Throws LedgerHalt when they do not give this tree; nothing is written of the last ones then. */
export const rebuildTiles = async ({ db, files }: Parts, head: Head): Promise<Tip> => {
  let tip = emptyTip;
  while (tip.size < head.size) {
    const to = Math.min(head.size, tip.size + rebuiltAtOnce);
    const entries = await readEntries(db, { from: tip.size, to });
    if (entries.length !== to - tip.size) throw new LedgerHalt('ENTRIES_WRONG', `entries are missing between ${tip.size} and ${to}`);
    const grown = growTip(tip, entries);
    if (to === head.size && !isSameHead(grown.tip, head))
      throw new LedgerHalt('ENTRIES_WRONG', `the entries do not give the root of the tree of ${head.size}`);
    await files.write(grown.tiles);
    tip = grown.tip;
  }
  return tip;
};

/** Remembers the last one; another process may have appended since. */
export const createTips = (parts: Parts & { readonly onRebuilt: (size: number) => void }) => {
  let last = emptyTip;
  return {
    async at(head: Head, db: Db = parts.db): Promise<Tip> {
      if (!isSameHead(last, head)) {
        const read = await readTip({ ...parts, db }, head);
        last = read ?? (await rebuildTiles({ ...parts, db }, head));
        if (read === undefined) parts.onRebuilt(head.size);
      }
      return last;
    },
    remember(tip: Tip): void {
      last = tip;
    },
  };
};
