import { isStorageFault } from '#platform/disk/storage-fault.ts';
import type { Db } from '#platform/database/schema.ts';
import type { Objects } from '#platform/objects/objects.ts';
import type { LoggedEntry } from './reading.store.ts';
import { findStatement } from './stated.ts';
import { countReceivedBefore, type Kept, listKept, listUnentered, type Named } from './traces.store.ts';

/** What is gone of what an entry is about. */
export const lostParts = ['STATEMENT', 'DOCUMENT', 'PUBLICATION', 'DELIVERY', 'BYTES'] as const;

export interface Lost {
  readonly index: number;
  readonly documentId: string;
  readonly what: (typeof lostParts)[number];
}

/** From entries to what they are about, and back. Of each list at most a hundred are named; `count` counts all. */
export interface Traces {
  /** Publications and receipts whose statement, document, place in the register, delivery or bytes are gone, and that were not forgotten. */
  readonly lost: { readonly count: number; readonly entries: readonly Lost[] };
  /** Documents that were published, or received, and are not entered. */
  readonly missing: { readonly count: number; readonly ids: readonly string[] };
  /** Entries of which nothing is known but the commitment: they were taken over from the files of the log, or erased. */
  readonly unknown: number;
  /** Documents of clients that were received before there was a ledger. */
  readonly receivedBefore: number;
}

export type IsStored = (objectKey: string) => Promise<boolean>;

const maxListed = 100;
/** Of the objects that are looked for at once. */
const lookedForAtOnce = 16;

/** By its first byte: reading all of it is the scrub's. */
export const isStoredIn =
  (objects: Pick<Objects, 'open'>): IsStored =>
  async (key) => {
    try {
      const bytes = await objects.open(key, { start: 0, end: 0 });
      for await (const _ of bytes) return true;
      return false;
    } catch (error) {
      if (isStorageFault(error)) return false;
      throw error;
    }
  };

export const createTraces = ({ db, isStored }: { readonly db: Db; readonly isStored: IsStored }) => {
  const lost: Lost[] = [];
  const counts = { lost: 0, unknown: 0 };

  const add = (found: Lost): void => {
    counts.lost += 1;
    if (lost.length < maxListed) lost.push(found);
  };

  return {
    async follow(entries: readonly LoggedEntry[]): Promise<void> {
      counts.unknown += entries.filter(({ statement, documentId }) => statement === null && documentId === null).length;
      const named = new Map(entries.flatMap(namedBy).map((one) => [one.index, one]));
      if (named.size === 0) return;
      const kept = (await listKept(db, [...named.values()])).toSorted((one, other) => one.index - other.index);
      for (let from = 0; from < kept.length; from += lookedForAtOnce) {
        const slice = kept.slice(from, from + lookedForAtOnce);
        // oxlint-disable-next-line no-await-in-loop -- A store is asked for so many at once.
        const whats = await Promise.all(slice.map((one) => whatIsLost(one, { isStated: named.get(one.index)?.owner !== null, isStored })));
        for (const [nth, what] of whats.entries()) {
          const one = named.get(slice[nth]?.index ?? -1);
          if (what !== undefined && one !== undefined) add({ index: one.index, documentId: one.documentId, what });
        }
      }
    },

    async found(): Promise<Traces> {
      return {
        lost: { count: counts.lost, entries: lost },
        missing: await listUnentered(db, maxListed),
        unknown: counts.unknown,
        receivedBefore: await countReceivedBefore(db),
      };
    },
  };
};

const namedBy = ({ index, statement: bytes, event, documentId }: LoggedEntry): Named[] => {
  const said = findStatement(bytes) ?? { event, documentId, owner: null };
  if ((said.event !== 'PUBLISHED' && said.event !== 'RECEIVED') || said.documentId === null) return [];
  return [{ index, documentId: said.documentId, event: said.event, owner: said.owner }];
};

/** What was forgotten is gone rightly; what was deleted, or cancelled and withdrawn, is delivered to nobody. */
const whatIsLost = async (
  { isDocumentThere, isRegistered, isDelivered, isWithdrawn, objectKey, statement, pending }: Kept,
  { isStated, isStored }: { readonly isStated: boolean; readonly isStored: IsStored },
): Promise<Lost['what'] | undefined> => {
  const last = findStatement(statement)?.state;
  const isIn = (state: 'CANCELLED' | 'DELETED' | 'FORGOTTEN'): boolean => last === state || pending.includes(state);
  if (isIn('FORGOTTEN')) return undefined;
  if (!isDocumentThere) return 'DOCUMENT';
  if (!isRegistered) return 'PUBLICATION';
  if (!isStated) return 'STATEMENT';
  const isTakenAway = isIn('DELETED') || (isWithdrawn && isIn('CANCELLED'));
  if ((isWithdrawn || !isDelivered) && !isTakenAway) return 'DELIVERY';
  if (objectKey === null) return isIn('DELETED') ? undefined : 'BYTES';
  return (await isStored(objectKey)) ? undefined : 'BYTES';
};
