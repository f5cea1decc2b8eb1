import { randomUUID } from 'node:crypto';
import { createLocalTime } from '#platform/clock/local-time.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Log } from '#platform/log/log.ts';
import { findKeptUntil } from './object-locks.store.ts';
import type { Objects } from './objects.ts';
import type { OpenStore } from './open-store.ts';
import {
  aloneRelocating,
  findFact,
  forgetMoved,
  isPortalConnected,
  keepCopied,
  keepFact,
  listMoved,
  listNotCopied,
  switchNames,
} from './relocation.store.ts';
import { readStoreId, storeFact } from './store-id.ts';
import { hashBytes } from './verified-bytes.ts';

/** Something that an operator can put right, in a sentence that begins with the code of the specification. */
export class RelocationError extends Error {
  override readonly name = 'RelocationError';
}

interface Parts {
  readonly db: Db;
  /** In which days of retention end. */
  readonly timeZone: string;
  readonly log: Log;
}

export interface Copied {
  readonly copied: number;
  /** False: a portal is at work, and may store more. */
  readonly isSwitched: boolean;
}

const copiedAtOnce = 8;

/**
 * Copies each object that a row names to the other store, reads it there and compares it with what was read here. When no portal is at work, all rows then name
 * the copies. What was copied is noted, so that a run that was broken off is continued by the next one. Nothing is removed.
 * @throws RelocationError when the other store is none for this, or an object could not be moved: then rows name what they named before
 */
export const relocate = (parts: Parts, way: { readonly from: OpenStore; readonly to: OpenStore }): Promise<Copied> =>
  alone(parts, (held) => relocateAlone(held, way));

/** @throws RelocationError when another relocation is at work */
const alone = async <Result extends object>(parts: Parts, act: (held: Parts) => Promise<Result>): Promise<Result> => {
  const done = await aloneRelocating(parts.db, (db) => act({ ...parts, db }));
  if (done === undefined) throw new RelocationError('DOCUMENT_RELOCATE_ERROR: another relocation of this database is at work');
  return done;
};

const relocateAlone = async (parts: Parts, { from, to }: { readonly from: OpenStore; readonly to: OpenStore }): Promise<Copied> => {
  const { db } = parts;
  const store = await claim(db, to);
  const former = await readStoreId(from.place);
  if (former === undefined || former !== (await findFact(db, storeFact)))
    throw new RelocationError(
      `DOCUMENT_RELOCATE_ERROR: ${from.place.name} is not the ${from.place.kind} of objects that the database knows`,
    );
  const { copied, failed } = await copyAll(parts, { from, to, store });
  if (failed > 0)
    throw new RelocationError(
      `DOCUMENT_RELOCATE_ERROR: ${failed} objects could not be moved, and ${copied} were; nothing names them yet. The log above says why; run it again`,
    );
  if (await isPortalConnected(db)) return { copied, isSwitched: false };
  if (!(await switchNames(db, { from: former, to: store })))
    throw new RelocationError('DOCUMENT_RELOCATE_ERROR: an object came meanwhile; run it again');
  return { copied, isSwitched: true };
};

/** The id of the store, which is new and empty, or the one that this database's relocation has begun with. */
const claim = async (db: Db, { objects, place }: OpenStore): Promise<string> => {
  const [there, begun] = [await readStoreId(place), await findFact(db, 'object-relocation')];
  if (there !== undefined && there === (await findFact(db, storeFact)))
    throw new RelocationError(`DOCUMENT_RELOCATE_ERROR: the objects are in ${place.name} already`);
  if (there !== undefined && there !== begun)
    throw new RelocationError(`DOCUMENT_RELOCATE_ERROR: ${place.name} holds the objects of another database, or of an earlier relocation`);
  if (there !== undefined) return there;
  for await (const _object of objects.list())
    throw new RelocationError(`DOCUMENT_RELOCATE_ERROR: ${place.name} holds objects already; it has to be empty`);
  const id = randomUUID();
  await keepFact(db, 'object-relocation', id);
  await place.make(id);
  if ((await readStoreId(place)) !== id) throw new RelocationError(`DOCUMENT_RELOCATE_ERROR: another process uses ${place.name}`);
  return id;
};

interface Way {
  readonly from: OpenStore;
  readonly to: OpenStore;
  readonly store: string;
}

const copyAll = async ({ db, log, timeZone }: Parts, { from, to, store }: Way): Promise<{ copied: number; failed: number }> => {
  const counts = { copied: 0, failed: 0 };
  const day = { timeZone, today: createLocalTime(timeZone).dayOf(new Date()) };
  /** Two rows may name one object, which is copied once. */
  const underWay = new Set<string>();
  const queue = listNotCopied(db, store);
  const work = async (): Promise<void> => {
    for await (const former of queue) {
      if (underWay.has(former)) continue;
      underWay.add(former);
      try {
        const keptUntil = (await findKeptUntil(db, [former], day)).get(former);
        await keepCopied(db, { store, former, key: await copyVerified(former, { from: from.objects, to: to.objects, keptUntil }) });
        counts.copied += 1;
      } catch (error) {
        counts.failed += 1;
        log.warn({ err: error, object: former, code: 'DOCUMENT_RELOCATE_ERROR' }, 'an object could not be moved');
      }
    }
  };
  await Promise.all(Array.from({ length: copiedAtOnce }, work));
  return counts;
};

/** As it is stored, encrypted. What is read back has to be what was read first. */
const copyVerified = async (
  former: string,
  { from, to, keptUntil }: { from: Objects; to: Objects; keptUntil: Date | undefined },
): Promise<string> => {
  const put = await to.put(await from.open(former), { keptUntil });
  const kept = await hashBytes(await to.open(put.key));
  if (kept.sha256 === put.sha256 && kept.size === put.size) return put.key;
  await to.discard(put.key);
  throw new Error('the other store gives other bytes than it was given');
};

/**
 * After a relocation: removes the objects of the former store whose copies are readable and the same. What its lock forbids to remove stays.
 * @throws RelocationError when it is not the store that was left
 */
export const removeMoved = (
  parts: Parts,
  way: { readonly from: OpenStore; readonly to: OpenStore },
): Promise<{ removed: number; failed: number }> => alone(parts, (held) => removeAlone(held, way));

const removeAlone = async (
  { db, log }: Parts,
  { from, to }: { readonly from: OpenStore; readonly to: OpenStore },
): Promise<{ removed: number; failed: number }> => {
  const store = await findFact(db, storeFact);
  const left = await readStoreId(from.place);
  if (
    store === undefined ||
    store !== (await readStoreId(to.place)) ||
    left === undefined ||
    left !== (await findFact(db, 'object-relocated-from'))
  )
    throw new RelocationError(`DOCUMENT_REMOVE_ERROR: ${from.place.name} is not the store that the objects were moved from`);
  const counts = { removed: 0, failed: 0 };
  let portion: readonly { former: string; key: string }[] = [];
  do {
    portion = await listMoved(db, { store, after: portion.at(-1)?.former ?? '' });
    for (const { former, key } of portion)
      try {
        await requireSame(former, { key, from: from.objects, to: to.objects });
        await from.objects.discard(former);
        await forgetMoved(db, { store, former });
        counts.removed += 1;
      } catch (error) {
        counts.failed += 1;
        log.warn({ err: error, object: former, code: 'DOCUMENT_REMOVE_ERROR' }, 'an object could not be removed');
      }
  } while (portion.length > 0);
  return counts;
};

/** Both are read once more: it is the last time that there are two. */
const requireSame = async (former: string, { key, from, to }: { key: string; from: Objects; to: Objects }): Promise<void> => {
  const [one, other] = await Promise.all([from.open(former).then(hashBytes), to.open(key).then(hashBytes)]);
  if (one.sha256 !== other.sha256 || one.size !== other.size) throw new Error('the copy has other bytes');
};
