import * as z from 'zod';
import { listPublicationFacts } from '#features/documents/documents.door.ts';
import type { Trx } from '#platform/database/schema.ts';
import type { BatchJobs, JobHandlers } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import { releaseAt } from '#features/publishing/publishing.service.ts';
import type { BatchParts } from './batches.service.ts';
import * as store from './batches.store.ts';

interface Parts extends BatchParts {
  readonly jobs: BatchJobs;
  readonly log: Log;
}

const finishJob = 'finish-batch';
const payloadSchema = z.object({ id: z.uuid() });

/** A transaction of some 100 ms: single publications and readers do not wait for it. */
const releasedAtOnce = 250;
const removedAtOnce = 200;
/** Then other batches have their turn. */
const slicesPerTurn = 40;

/** With this transaction. One after the other, so that batches leave the other places of the job runner free. */
export const finishLater = async ({ jobs }: Pick<BatchParts, 'jobs'>, ids: readonly string[], trx?: Trx): Promise<void> => {
  for (const id of ids)
    await jobs.add(finishJob, { id }, { jobKey: `batch:${id}`, queue: 'batches', ...(trx === undefined ? {} : { trx }) });
};

/** All documents of the last recipient come together: with this slice, or with the next one. */
const wholeRecipients = (waiting: readonly store.Waiting[]): readonly store.Waiting[] => {
  const next = waiting[releasedAtOnce];
  const slice = waiting.slice(0, releasedAtOnce);
  const whole = next === undefined ? slice : slice.filter(({ recipient }) => recipient !== next.recipient);
  // One recipient with more than a slice has them in several.
  return whole.length > 0 ? whole : slice;
};

type Slice = { readonly isLast: true } | { readonly isLast: false; readonly last: store.Waiting | undefined };

/** The next documents of a batch that is due wait for the ledger, which makes them visible in one transaction (see covered.ts). */
const enterSlice = ({ db, rooms, settings, clock }: Parts, id: string, after: store.Waiting | undefined): Promise<Slice> =>
  db.transaction().execute(async (trx) => {
    const at = clock.now();
    const batch = await store.lockBatch(trx, id);
    if (batch?.state !== 'COMMITTED' || (batch.publishAt ?? 0) > at.getTime()) return { isLast: true };
    const documents = wholeRecipients(await store.listWaiting(trx, { id, after, limit: releasedAtOnce + 1 }));
    const ids = documents.map((document) => document.id);
    await rooms.ledger.enter(trx, await listPublicationFacts(trx, ids, releaseAt({ settings }, at)));
    return { isLast: false, last: documents.at(-1) };
  });

/** The bytes first: a batch that is discarded never shows them, and bytes without a row would have to be looked for. */
const removeSlice = async ({ db, stores }: Parts, id: string): Promise<boolean> => {
  const drafts = await store.listDrafts(db, id, removedAtOnce);
  await Promise.all(drafts.map(({ objectKey }) => stores.objects.discard(objectKey)));
  await store.removeDrafts(
    db,
    id,
    drafts.map((draft) => draft.id),
  );
  return drafts.length === removedAtOnce;
};

/**
 * `finish-batch` releases or removes the documents of a batch in slices, each in a transaction of its own: a process that is killed on the way
 * leaves whole slices, and the next one goes on. `publishing:batches`, to be run every minute, begins with what is due and takes up what no job is
 * left for.
 */
export const createFinishing = (parts: Parts): JobHandlers => ({
  'publishing:batches': async () => finishLater(parts, await store.listAtWork(parts.db, parts.clock.now())),
  [finishJob]: async (payload, signal) => {
    const { id } = payloadSchema.parse(payload);
    const batch = await store.findBatch(parts.db, id);
    let after: store.Waiting | undefined;
    for (let slices = 0; slices < slicesPerTurn; slices += 1) {
      signal.throwIfAborted();
      if (batch?.state === 'DISCARDED') {
        if (!(await removeSlice(parts, id))) return;
        continue;
      }
      const slice = await enterSlice(parts, id, after);
      if (slice.isLast) return;
      await parts.rooms.ledger.cover();
      after = slice.last;
    }
    await finishLater(parts, [id]);
  },
});
