import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AnswerOf, Batch, BodyOf, calls, QueryOf } from '@pergamin/contract';
import { readSightings } from '#features/documents/documents.door.ts';
import { isAnyValid, listRotations } from '#features/publishing/publisher-keys.store.ts';
import type { PublishingParts } from '#features/publishing/publishing.service.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { addPairs, type Pair, requireOpen } from './adding.ts';
import { finishLater } from './finishing.ts';
import * as store from './batches.store.ts';

export interface BatchParts extends PublishingParts {
  readonly jobs: Pick<Jobs, 'add'>;
}

export type Batches = ReturnType<typeof createBatches>;

const linesAtOnce = 1_000;

const batchOf = ({ senders: _, ...batch }: store.KeptBatch): Batch => batch;

const orNotFound = (batch: store.KeptBatch | undefined): store.KeptBatch => {
  if (batch === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
  return batch;
};

const refusedInState = ({ state }: Batch): PortalError => new PortalError('INVALID_STATUS', { fields: { state: `the batch is ${state}` } });

/** Throws CALL_NOT_PERMITTED for a key that filled the batch, and for one that was rotated from it or to it. */
const requireSecondKey = async (trx: Trx, { senders }: store.KeptBatch, { keyId }: PublisherCaller): Promise<void> => {
  const own = await listRotations(trx, keyId);
  if (own.some((id) => senders.includes(id)))
    throw new PortalError('CALL_NOT_PERMITTED', {
      fields: { key: 'the batch is committed, and withdrawn, by another key than those that filled it' },
    });
};

const open = ({ db, keys, clock }: BatchParts, name: string, caller: PublisherCaller): Promise<AnswerOf<typeof calls.openBatch>> =>
  db.transaction().execute(async (trx) => {
    // Demonstrations are removed whole, and a batch is not.
    if (caller.demo) throw new PortalError('CALL_NOT_PERMITTED');
    await keys.requireValid(trx, caller);
    const { keyId } = caller;
    const isNew = await store.insertBatch(trx, { id: randomUUID(), name, keyId, at: clock.now() });
    const batch = await store.findNamedBatch(trx, name);
    if (batch === undefined) throw new PortalError('RESOURCE_DUPLICATE', { fields: { name: 'its batch is being discarded: try again' } });
    const openers = await listRotations(trx, batch.opened.keyId);
    // Two systems that chance upon one name keep apart; a batch whose key has ended is left to whoever goes on with it.
    if (!openers.includes(keyId) && (await isAnyValid(trx, openers, clock.now())))
      throw new PortalError('RESOURCE_DUPLICATE', {
        fields: { name: `a batch of another key has this name; every key goes on with it by its id, ${batch.id}` },
      });
    return { ...batchOf(batch), repeated: !isNew };
  });

const textOf = (lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

async function* reportLines(db: Db, id: string): AsyncGenerator<string> {
  let page: Awaited<ReturnType<typeof store.listLines>> = [];
  do {
    page = await store.listLines(db, id, { after: page.at(-1), limit: linesAtOnce });
    yield textOf(page.map(({ line }) => line));
  } while (page.length === linesAtOnce);
}

async function* sightingLines(db: Db, id: string): AsyncGenerator<string> {
  let page: Awaited<ReturnType<typeof store.listReleased>> = [];
  do {
    page = await store.listReleased(db, id, { after: page.at(-1), limit: linesAtOnce });
    const ids = page.map((document) => document.id);
    const sightings = new Map((await readSightings(db, ids)).map((sighting) => [sighting.id, sighting]));
    yield textOf(ids.flatMap((document) => sightings.get(document) ?? []));
  } while (page.length === linesAtOnce);
}

/** Read from the database as the caller takes it. */
const openLines = async ({ db }: BatchParts, id: string, linesOf: (db: Db, id: string) => AsyncGenerator<string>): Promise<Readable> => {
  orNotFound(await store.findBatch(db, id));
  return Readable.from(linesOf(db, id));
};

/** What calls do with batches; see contract/src/batches.ts. */
export const createBatches = (parts: BatchParts) => {
  const { db, keys, settings, clock } = parts;

  /** Changes a batch that nothing else changes meanwhile, with a key that is valid until it is done. */
  const change = (id: string, caller: PublisherCaller, work: (trx: Trx, batch: store.KeptBatch) => Promise<void>): Promise<Batch> =>
    db.transaction().execute(async (trx) => {
      await keys.requireValid(trx, caller);
      await work(trx, orNotFound(await store.lockBatch(trx, id)));
      return batchOf(orNotFound(await store.findBatch(trx, id)));
    });

  return {
    open: (name: string, caller: PublisherCaller): Promise<AnswerOf<typeof calls.openBatch>> => open(parts, name, caller),

    requireOpen: async (id: string): Promise<void> => requireOpen(orNotFound(await store.findBatch(db, id))),

    add: (id: string, pairs: readonly Pair[], caller: PublisherCaller): Promise<AnswerOf<typeof calls.addToBatch>> =>
      addPairs(parts, { id, pairs, caller }),

    get: async (id: string): Promise<Batch> => batchOf(orNotFound(await store.findBatch(db, id))),

    async list({ before, limit }: QueryOf<typeof calls.listBatches>): Promise<AnswerOf<typeof calls.listBatches>> {
      if (before !== undefined) orNotFound(await store.findBatch(db, before));
      const found = await store.listNewest(db, { before, limit: limit + 1 });
      const items = found.slice(0, limit).map(batchOf);
      return { items, cursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
    },

    commit: (id: string, { documents, publishAt: asked }: BodyOf<typeof calls.commitBatch>, caller: PublisherCaller): Promise<Batch> =>
      change(id, caller, async (trx, batch) => {
        const publishAt = asked ?? null;
        if (['DISCARDED', 'WITHDRAWING', 'WITHDRAWN'].includes(batch.state)) throw refusedInState(batch);
        if (batch.documents !== documents) throw invalidField('documents', `the batch has ${batch.documents}`);
        if (batch.state !== 'OPEN') {
          if (batch.publishAt !== publishAt) throw refusedInState(batch);
          return;
        }
        if (settings.batchSecondKey === 'required') await requireSecondKey(trx, batch, caller);
        const at = clock.now();
        await store.markCommitted(trx, id, { keyId: caller.keyId, at, publishAt: publishAt === null ? null : new Date(publishAt) });
        await finishLater(parts, [id], { trx, at: new Date(publishAt ?? at) });
      }),

    discard: (id: string, caller: PublisherCaller): Promise<Batch> =>
      change(id, caller, async (trx, batch) => {
        if (batch.state === 'DISCARDED') return;
        if (batch.withdrawn !== null || batch.published > 0 || (await store.isEntered(trx, id))) throw refusedInState(batch);
        await store.markDiscarded(trx, id, { keyId: caller.keyId, at: clock.now() });
        await finishLater(parts, [id], { trx });
      }),

    withdraw: (id: string, reason: string, caller: PublisherCaller): Promise<Batch> =>
      change(id, caller, async (trx, batch) => {
        if (batch.state === 'WITHDRAWING' || batch.state === 'WITHDRAWN') return;
        if (batch.state !== 'COMMITTED' && batch.state !== 'PUBLISHED') throw refusedInState(batch);
        if (settings.batchSecondKey === 'required') await requireSecondKey(trx, batch, caller);
        await store.markWithdrawing(trx, id, { keyId: caller.keyId, at: clock.now(), reason });
        await finishLater(parts, [id], { trx });
      }),

    report: (id: string): Promise<Readable> => openLines(parts, id, reportLines),

    sightings: (id: string): Promise<Readable> => openLines(parts, id, sightingLines),
  };
};
