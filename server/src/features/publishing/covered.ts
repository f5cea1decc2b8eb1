import { countReleased, lockBatch } from '#features/publishing/batches/batches.store.ts';
import { release } from '#features/deliveries/deliveries.door.ts';
import { listFacts, listRetentionFacts, makeObsolete } from '#features/documents/documents.door.ts';
import { enterLater, type PublishedEntry } from '#features/ledger/ledger.door.ts';
import type { Trx } from '#platform/database/schema.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import { type Covered, listCovered } from './covered.store.ts';
import { type PublishingParts, releaseAt } from './publishing.service.ts';

type Parts = Pick<PublishingParts, 'rooms' | 'settings' | 'clock'> & { readonly jobs: Pick<Jobs, 'add'>; readonly log: Log };

/** The documents that a checkpoint covers become visible in its transaction: with notices, in the place of those that they replace, counted in their batch. */
export const createCovered =
  (parts: Parts) =>
  async (trx: Trx, published: readonly PublishedEntry[]): Promise<void> => {
    const { rooms, clock } = parts;
    const now = clock.now();
    // A clock that was set back dates no publication before its statement.
    const moments = new Map(published.map(({ documentId, moment, enteredAt }) => [documentId, moment ?? later(now, enteredAt)]));
    const documents = await listCovered(trx, [...moments.keys()]);
    const byMoment = Map.groupBy(documents, ({ id }) => (moments.get(id) ?? now).getTime());
    for (const [atEpochMs, ofMoment] of byMoment) {
      const at = new Date(atEpochMs);
      const ids = ofMoment.map(({ id }) => id);
      await tellOfRetention(trx, await release(trx, ids, releaseAt(parts, at)));
      for (const document of ofMoment) await replaceFormer(trx, document);
      await rooms.notifications.tellOfPublication(trx, ids, at);
    }
    // A demonstration is loaded while the operator waits; of a batch most pages are not looked at for days.
    const drawn = documents.filter(({ demo, batchId }) => !demo && batchId === null);
    if (drawn.length > 0) await rooms.rendering.prepare(trx, drawn);
    const batches = Map.groupBy(documents, ({ batchId }) => batchId);
    for (const [id, { length }] of batches) if (id !== null) await countInBatch(parts, trx, { id, documents: length, at: now });
  };

const later = (one: Date, other: Date): Date => (one < other ? other : one);

/** A single publication was entered together with what it makes OBSOLETE; of a batch that is known only now. */
const replaceFormer = async (trx: Trx, { id, batchId, replaces, keyId, keyName }: Covered): Promise<void> => {
  if (replaces === null || keyId === null) return;
  const obsolete = await makeObsolete(trx, id, { keyId, name: keyName ?? '' });
  if (batchId === null) return;
  const facts = await listFacts(trx, obsolete);
  await enterLater(
    trx,
    facts.map((fact) => ({ ...fact, event: 'STATE_CHANGED' })),
  );
};

/** Of documents whose round ended on a later day than it began, and whose retention therefore ends later than their statement says. */
const tellOfRetention = async (trx: Trx, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await enterLater(trx, await listRetentionFacts(trx, ids));
};

const countInBatch = async (
  { rooms, jobs, log }: Parts,
  trx: Trx,
  { id, documents, at }: { readonly id: string; readonly documents: number; readonly at: Date },
): Promise<void> => {
  const state = await countReleased(trx, id, { documents, at });
  if (state !== 'PUBLISHED') return;
  const batch = await lockBatch(trx, id);
  if (batch === undefined) return;
  const finished = { id, name: batch.name, documents: batch.documents, publishedAt: at.getTime() };
  // Drafts are locked for the shortest time, since a batch may be dropped.
  await jobs.add('objects:lock', {}, { trx, jobKey: 'objects:lock' });
  await rooms.webhooks.tell(trx, [{ type: 'batch.finished', createdOn: at.getTime(), batch: finished }]);
  log.info({ batch: id, documents: batch.documents }, 'a batch was published');
};
