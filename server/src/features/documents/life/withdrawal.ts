import type { Withdrawal } from '@pergamin/contract';
import { withdrawDeliveries } from '#features/deliveries/deliveries.door.ts';
import { listFacts } from '#features/documents/versions/facts.store.ts';
import { isTakenBack, listLater } from '#features/documents/versions/line.store.ts';
import type { Ledger } from '#features/ledger/ledger.door.ts';
import type { Notifications } from '#features/notifications/notifications.door.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import { type Author, signChanges } from './life.store.ts';
import { cancel, listPublished, listSightings, lockPublished, type PublishedRow, putInForceAgain } from './withdrawal.store.ts';

interface Rooms {
  readonly ledger: Pick<Ledger, 'enter'>;
  readonly notifications: Pick<Notifications, 'tellOfWithdrawal'>;
}

export interface Withdrawn extends Withdrawal {
  /** False: its state is another one than ACTIVE or CANCELLED, or a new version is about to take its place; nothing was done. */
  readonly isTaken: boolean;
  readonly changed: boolean;
}

const withdrawalOf = (
  { isWithdrawn, isReplaced: _, ...row }: PublishedRow,
  sightings: ReadonlyMap<string, Withdrawal['seenBy']>,
): Withdrawal => ({
  ...row,
  withdrawn: isWithdrawn,
  seenBy: sightings.get(row.id) ?? [],
});

/** Who has seen what of these documents, in the order of the ids; drafts are not among them. */
export const readSightings = async (db: Db, ids: readonly string[]): Promise<Withdrawal[]> => {
  const rows = await listPublished(db, ids);
  const sightings = await listSightings(db, ids);
  return rows.map((row) => withdrawalOf(row, sightings));
};

/**
 * Takes documents back, in the caller's transaction. One that nobody has opened is cancelled and leaves the lists; of the others, which are cancelled
 * and stay, their recipients are told. Who has opened a public document is not known: it stays. What they had replaced is in force again. In the order of the ids; drafts are not among them.
 */
export const withdrawDocuments = async (
  trx: Trx,
  ids: readonly string[],
  { ledger, notifications, author, at }: Rooms & { readonly author: Author; readonly at: Date },
): Promise<Withdrawn[]> => {
  const before = await lockPublished(trx, ids);
  const sightings = await listSightings(trx, ids);
  const taken = await findTaken(trx, before);
  const unseen = taken.filter(({ id, type }) => type !== 'PUBLIC' && !sightings.has(id));
  const active = taken.filter(({ state }) => state === 'ACTIVE');
  const changing = new Set([...active, ...unseen.filter(({ isWithdrawn }) => !isWithdrawn)].map(({ id }) => id));
  await signChanges(trx, author);
  await cancel(trx, { ids: [...changing], unseen: idsOf(unseen), at });
  await withdrawDeliveries(trx, idsOf(unseen));
  const facts = await listFacts(trx, [...idsOf(active), ...(await putInForceAgain(trx, idsOf(active)))]);
  if (facts.length > 0)
    await ledger.enter(
      trx,
      facts.map((fact) => ({ ...fact, event: 'STATE_CHANGED' })),
    );
  const seen = taken.filter(({ isWithdrawn }) => !isWithdrawn).filter((row) => !unseen.includes(row));
  const seenBy = seen.flatMap(({ id }) => (sightings.get(id) ?? []).map(({ personalId }) => ({ documentId: id, personalId })));
  await notifications.tellOfWithdrawal(trx, { documentIds: idsOf(seen), seenBy, at });
  const done = new Set(idsOf(taken));
  const after = await listPublished(trx, ids);
  return after.map((row) => ({ ...withdrawalOf(row, sightings), isTaken: done.has(row.id), changed: changing.has(row.id) }));
};

const idsOf = (rows: readonly PublishedRow[]): string[] => rows.map(({ id }) => id);

const findTaken = async (trx: Trx, rows: readonly PublishedRow[]): Promise<PublishedRow[]> => {
  const taken: PublishedRow[] = [];
  for (const row of rows) {
    if (row.state !== 'ACTIVE' && row.state !== 'CANCELLED') continue;
    // A single new version that the ledger is about to cover makes it OBSOLETE; a draft of a batch does not keep it.
    const later = row.state === 'ACTIVE' && row.isReplaced ? await listLater(trx, row.id) : [];
    if (!later.some((version) => !isTakenBack(version) && !version.isOfBatch)) taken.push(row);
  }
  return taken;
};
