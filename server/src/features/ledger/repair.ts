import { type Checkpoint, formatVerifierKey, signCheckpoint, splitEntries, type TileName, tileWidth } from '@pergamin/ledger';
import type { Db, Trx } from '#platform/database/schema.ts';
import { createLedgerFiles, type LedgerFiles } from '#platform/ledger-files/ledger-files.ts';
import { sizeOfTiles } from '#platform/ledger-files/tiles-on-disk.ts';
import {
  type AdoptedEntry,
  adoptedOf,
  countUnregistered,
  findPublished,
  freePlaces,
  insertAdopted,
  insertAdoption,
} from './adoption.store.ts';
import { createContinuity, readSigned } from './continuity.ts';
import { LedgerHalt } from './halt.ts';
import { type LedgerKey, ledgerKeyOf, readLedgerKey } from './ledger-key.ts';
import * as store from './ledger.store.ts';
import { createTips, growEntries, growTip, isSameHead, readEntries, rebuildTiles, type Tip } from './tip.ts';

/** What an operator can put right, in a sentence. */
export class LedgerRepairError extends Error {
  override readonly name = 'LedgerRepairError';
}

export interface AdoptionPlan {
  readonly reason: 'DATABASE_OLDER' | 'CHECKPOINT_LOST';
  /** Why the ledger is halted, in words. */
  readonly problem: string;
  /** Entries of the database. */
  readonly size: number;
  /** Entries that only the files have; of `closed` of them nobody knows any more what they say. */
  readonly takenOver: number;
  readonly closed: number;
  /** Entries of which there are tiles only, that cannot be taken over. */
  readonly setAside: number;
  /** A checkpoint is signed anew, as the file of the last one is gone. */
  readonly signsAnew: boolean;
  /** The newest checkpoint of the database. */
  readonly published: { readonly size: number; readonly at: Date } | undefined;
  /** Published documents that no entry is about, and none that waits: of these the log has lost its statement. */
  readonly unregistered: number;
}

export interface LedgerRepair {
  /** Writes every tile anew from the entries of the database; says of how many. Throws LedgerHalt when they do not give the tree. */
  rebuild(): Promise<number>;
  /** What `adopt` would do; undefined: the ledger is not halted. Throws LedgerRepairError for a halt that adopting cannot end. */
  plan(): Promise<AdoptionPlan | undefined>;
  /**
   * Takes over from the files of the log what the database does not have, so that the log goes on without a second history; where the last checkpoint is
   * gone, goes on from what is left, which assumes that nobody was shown more. Keeps a row of it. Throws LedgerRepairError, also when the plan is
   * another one by now.
   */
  adopt(agreed: AdoptionPlan): Promise<void>;
}

interface Given {
  readonly db: Db;
  readonly settings: { readonly ledgerDir: string; readonly ledgerKeyFile: string; readonly publicUrl: URL };
}

export const createLedgerRepair = ({ db, settings }: Given): LedgerRepair => {
  const files = createLedgerFiles(settings.ledgerDir);
  const underLock = <Result>(act: (trx: Trx) => Promise<Result>): Promise<Result> =>
    db.transaction().execute(async (trx) => {
      await store.lockLedger(trx);
      return act(trx);
    });
  return {
    rebuild: () =>
      underLock(async (trx) => {
        const { tree } = await store.readState(trx);
        return (await rebuildTiles({ db: trx, files }, tree)).size;
      }),
    plan: () => underLock(async (trx) => (await makePlan(trx, { files, settings }))?.plan),
    async adopt(agreed) {
      const made = await underLock(async (trx) => {
        const found = await makePlan(trx, { files, settings });
        if (found === undefined || JSON.stringify(found.plan) !== JSON.stringify(agreed))
          throw new LedgerRepairError('the ledger has changed since you were asked; look again');
        await keep(trx, found);
        return found;
      });
      const { head, plan, ledgerKey } = made;
      const into = `set-aside-${new Date().toISOString().replaceAll(/\D/g, '')}`;
      if (plan.setAside > 0) await files.setAside(head.size, into);
      await createTips({ db, files, onRebuilt: () => undefined }).at(head);
      // The last step, by which the log goes on.
      if (plan.signsAnew)
        await files.writeCheckpoint(signCheckpoint({ origin: ledgerKey.key.name, ...head }, ledgerKey.key, ledgerKey.sign));
    },
  };
};

interface Made {
  readonly plan: AdoptionPlan;
  readonly entries: readonly AdoptedEntry[];
  /** Behind the entries that are taken over. */
  readonly head: store.Head;
  readonly lastAt: Date | null;
  readonly ledgerKey: LedgerKey;
}

const makePlan = async (trx: Trx, { files, settings }: { files: LedgerFiles } & Pick<Given, 'settings'>): Promise<Made | undefined> => {
  const ledgerKey = await openKey(trx, { files, settings });
  if (ledgerKey === undefined) return undefined;
  const halt = await findHalt(() => createContinuity(files)(trx, ledgerKey.key));
  if (halt === undefined) return undefined;
  const { reason, problem } = halt;
  const [{ tree, lastAt }, signed, tiles] = [await store.readState(trx), await readSigned(files), await files.listTiles()];
  const own = await growOwn(trx, tree);
  const entries = await readFurther(trx, { files, tiles, tree });
  const head = await growTo(trx, { own, signed, entries });
  const rows = entries.map((bytes, nth) => adoptedOf(bytes, tree.size + nth));
  const plan: AdoptionPlan = {
    reason,
    problem,
    size: tree.size,
    takenOver: rows.length,
    closed: rows.filter(({ open }) => open === undefined).length,
    setAside: Math.max(0, sizeOfTiles(tiles) - head.size),
    signsAnew: signed === undefined,
    published: await findPublished(trx),
    unregistered: await countUnregistered(trx),
  };
  return { plan, entries: rows, head, lastAt, ledgerKey };
};

const findHalt = async (assertContinued: () => Promise<unknown>): Promise<Pick<AdoptionPlan, 'reason' | 'problem'> | undefined> => {
  try {
    await assertContinued();
    return undefined;
  } catch (error) {
    if (!(error instanceof LedgerHalt)) throw error;
    const { reason, details } = error;
    if (reason === 'DATABASE_OLDER' || reason === 'CHECKPOINT_LOST') return { reason, problem: details };
    throw new LedgerRepairError(`adopting cannot help here, bring back the right database, files or key: ${details}`, { cause: error });
  }
};

/** Undefined: there has never been a ledger here. */
const openKey = async (trx: Trx, { files, settings }: { files: LedgerFiles } & Pick<Given, 'settings'>): Promise<LedgerKey | undefined> => {
  const log = await store.findLog(trx);
  const signed = await readSigned(files);
  const isNew = log === undefined && signed === undefined && (await files.listTiles()).length === 0 && !(await store.hasBegun(trx));
  if (isNew) return undefined;
  const privateKey = await readLedgerKey(settings.ledgerKeyFile);
  if (privateKey === undefined) throw new LedgerRepairError(`there is no key at ${settings.ledgerKeyFile}: bring it back first`);
  const own = ledgerKeyOf(privateKey, log?.origin ?? signed?.origin ?? `${settings.publicUrl.host}/log`);
  if (log !== undefined && log.verifierKey !== formatVerifierKey(own.key))
    throw new LedgerRepairError(`the key at ${settings.ledgerKeyFile} is not that of ${log.origin}: bring that one back first`);
  return own;
};

/** The entries behind the tree as far as their bundles can be read. Throws where the files are not those of this database. */
const readFurther = async (
  trx: Trx,
  { files, tiles, tree }: { files: LedgerFiles; tiles: readonly TileName[]; tree: store.Head },
): Promise<readonly Uint8Array[]> => {
  const widths = new Map<number, number>();
  for (const { level, index, width } of tiles) if (level === 'entries') widths.set(index, Math.max(width, widths.get(index) ?? 0));
  const start = Math.floor(tree.size / tileWidth);
  const entries: Uint8Array[] = [];
  for (let index = start; ; index += 1) {
    const width = widths.get(index) ?? 0;
    const bundle = width === 0 ? undefined : await readBundle(files, { index, width });
    if (bundle === undefined) break;
    entries.push(...bundle);
    if (width < tileWidth) break;
  }
  const inside = entries.splice(0, tree.size - start * tileWidth);
  const kept = await readEntries(trx, { from: start * tileWidth, to: start * tileWidth + inside.length });
  if (inside.some((bytes, nth) => Buffer.compare(bytes, kept[nth] ?? Buffer.alloc(0)) !== 0))
    throw new LedgerRepairError('the files of the ledger do not continue the entries of the database');
  return entries;
};

const readBundle = async (
  files: LedgerFiles,
  { index, width }: { readonly index: number; readonly width: number },
): Promise<readonly Uint8Array[] | undefined> => {
  try {
    return splitEntries((await files.read({ level: 'entries', index, width })) ?? new Uint8Array(), width);
  } catch {
    // A bundle that cannot be read is as good as none.
    return undefined;
  }
};

const growOwn = async (trx: Trx, tree: store.Head): Promise<Tip> => {
  const own = await growEntries(trx, tree.size);
  if (own !== undefined && isSameHead(own, tree)) return own;
  throw new LedgerRepairError(`the entries of the database do not give its tree of ${tree.size}: bring back the right database`);
};

/** The tree with these entries behind the database's own. Throws unless the last checkpoint is a part of it. */
const growTo = async (
  trx: Trx,
  { own, signed, entries }: { own: Tip; signed: Checkpoint | undefined; entries: readonly Uint8Array[] },
): Promise<store.Head> => {
  const end = own.size + entries.length;
  if (signed !== undefined && signed.size > end)
    throw new LedgerRepairError(`the files of the ledger have no entries from ${end} on, and ${signed.size} were signed`);
  if (signed !== undefined) {
    const beyond = entries.slice(0, Math.max(0, signed.size - own.size));
    const atSigned = signed.size < own.size ? await growEntries(trx, signed.size) : growTip(own, beyond).tip;
    if (atSigned === undefined || !isSameHead(atSigned, signed))
      throw new LedgerRepairError('the files of the ledger do not give the tree that was signed');
  }
  const { size, root } = growTip(own, entries).tip;
  return { size, root };
};

/** The next round publishes the same tree, and what it makes visible. */
const keep = async (trx: Trx, { plan, entries, head, lastAt, ledgerKey }: Made): Promise<void> => {
  await store.keepLog(trx, { origin: ledgerKey.key.name, verifierKey: formatVerifierKey(ledgerKey.key) });
  const at = new Date(Math.max(lastAt?.getTime() ?? 0, ...entries.map(({ time }) => time)));
  if (entries.length > 0) await insertAdopted(trx, entries, { ...head, at });
  await freePlaces(trx, head.size);
  const { named, tree } = await store.readState(trx);
  const grown = await growEntries(trx, head.size);
  if (named > tree.size || grown === undefined || !isSameHead(grown, head))
    throw new LedgerRepairError(`the database speaks of ${named} entries, and there are ${tree.size}: bring back the right database`);
  await insertAdoption(trx, plan);
};
