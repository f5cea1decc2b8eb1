import * as z from 'zod';
import { giveBackSuccessions, listPublicationFacts, withdrawDocuments } from '#features/documents/documents.door.ts';
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
const withdrawnAtOnce = 250;
/** A job that was woken too early is tried again so much after the moment. */
const clocksDifferMs = 1_000;
/** Then other batches have their turn. */
const slicesPerTurn = 40;

interface Later {
  readonly trx?: Trx;
  /** Left out, as soon as can be. */
  readonly at?: Date;
}

/** With this transaction. One after the other, so that batches leave the other places of the job runner free. */
export const finishLater = async (
  { jobs, clock }: Pick<BatchParts, 'jobs' | 'clock'>,
  ids: readonly string[],
  { trx, at }: Later = {},
): Promise<void> => {
  const waitMs = at === undefined ? 0 : at.getTime() - clock.now().getTime();
  for (const id of ids)
    await jobs.add(
      finishJob,
      { id },
      {
        jobKey: `batch:${id}`,
        queue: 'batches',
        ...(trx === undefined ? {} : { trx }),
        // The job queue uses the machine's clock.
        ...(waitMs <= 0 ? {} : { runAt: new Date(Date.now() + waitMs) }),
      },
    );
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
  const ids = drafts.map((draft) => draft.id);
  await db.transaction().execute(async (trx) => {
    await store.removeDrafts(trx, id, ids);
    await giveBackSuccessions(trx, ids);
  });
  return drafts.length === removedAtOnce;
};

/** The next documents of a batch are taken back. Gives the last one; undefined: all of them are. What the ledger was about to make visible is so by now. */
const withdrawSlice = ({ db, rooms, clock }: Parts, id: string, after: store.Released | undefined): Promise<store.Released | undefined> =>
  db.transaction().execute(async (trx) => {
    const batch = await store.lockBatch(trx, id);
    if (batch?.withdrawn === null || batch?.withdrawn === undefined) return undefined;
    const { keyId, keyName: name, reason } = batch.withdrawn;
    const released = await store.listReleased(trx, id, { after, limit: withdrawnAtOnce });
    const ids = released.map((document) => document.id);
    await withdrawDocuments(trx, ids, { ...rooms, author: { key: { keyId, name }, reason }, at: clock.now() });
    if (released.length === withdrawnAtOnce) return released.at(-1);
    await store.markWithdrawn(trx, id);
    return undefined;
  });

/** As long as it takes: nobody should open a wrong document while another batch has its turn. */
const withdraw = async (parts: Parts, id: string, signal: AbortSignal): Promise<void> => {
  await parts.rooms.ledger.cover();
  while (await removeSlice(parts, id)) signal.throwIfAborted();
  let after: store.Released | undefined;
  do {
    signal.throwIfAborted();
    after = await withdrawSlice(parts, id, after);
  } while (after !== undefined);
  await parts.rooms.ledger.cover();
};

/** True: there is more to do, for another turn. */
const removeTurn = async (parts: Parts, id: string, signal: AbortSignal): Promise<boolean> => {
  for (let slices = 0; slices < slicesPerTurn; slices += 1) {
    signal.throwIfAborted();
    if (!(await removeSlice(parts, id))) return false;
  }
  return true;
};

/** True: there is more to do, for another turn. */
const releaseTurn = async (parts: Parts, id: string, signal: AbortSignal): Promise<boolean> => {
  let after: store.Waiting | undefined;
  for (let slices = 0; slices < slicesPerTurn; slices += 1) {
    signal.throwIfAborted();
    const slice = await enterSlice(parts, id, after);
    if (slice.isLast) return false;
    await parts.rooms.ledger.cover();
    after = slice.last;
  }
  return true;
};

/**
 * `finish-batch` releases, takes back or removes the documents of a batch in slices, each in a transaction of its own: a process that is killed on the
 * way leaves whole slices, and the next one goes on. It waits for the moment of its batch; `publishing:batches`, to be run every minute, takes up what no
 * job is left for.
 */
export const createFinishing = (parts: Parts): JobHandlers => ({
  'publishing:batches': async () => finishLater(parts, await store.listAtWork(parts.db, parts.clock.now())),
  [finishJob]: async (payload, signal) => {
    const { id } = payloadSchema.parse(payload);
    const batch = await store.findBatch(parts.db, id);
    if (batch === undefined) return;
    const { state, publishAt } = batch;
    if (state === 'WITHDRAWING') return withdraw(parts, id, signal);
    // The clock that woke it may be ahead of the one that dates publications.
    if (state === 'COMMITTED' && publishAt !== null && publishAt > parts.clock.now().getTime())
      return finishLater(parts, [id], { at: new Date(publishAt + clocksDifferMs) });
    const turn = state === 'DISCARDED' ? removeTurn : releaseTurn;
    if (await turn(parts, id, signal)) await finishLater(parts, [id]);
  },
});
