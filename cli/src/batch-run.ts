import { setTimeout as pause } from 'node:timers/promises';
import { type AnswerOf, type Batch, calls, documentId } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import { createBatchSending } from './batch-sending.ts';
import type { Connection } from './connection.ts';
import { RefusedError } from './errors.ts';
import { type ManifestJob, runManifest, summaryOf } from './manifest-command.ts';
import { patiently } from './patience.ts';
import { createProgress, progressOf } from './progress.ts';

export interface BatchOptions {
  readonly name: string;
  /** Epoch ms of the publication; left out, it is published at once. */
  readonly publishAt: number | undefined;
  /** Left out of the run, the batch stays open. */
  readonly commits: boolean;
}

const shortestPollMs = 250;
const longestPollMs = 2_000;

const momentOf = (epochMs: number): string => new Date(epochMs).toISOString();

const documentsOf = (count: number): string => (count === 1 ? '1 document' : `${count} documents`);

/** Until all of a committed batch is published; not when that is for later. Answers with a sentence about it. */
const awaitPublished = async (connection: Connection, committed: Batch, signal?: AbortSignal): Promise<string> => {
  const progress = createProgress(process.stderr, { plainLines: true });
  const begunMs = performance.now();
  let batch = committed;
  let waitMs = shortestPollMs;
  try {
    while (batch.state === 'COMMITTED') {
      if (batch.publishAt !== null && batch.publishAt > Date.now())
        return `batch ${batch.id}: ${documentsOf(batch.documents)} will be published on ${momentOf(batch.publishAt)}`;
      await pause(waitMs, undefined, { signal });
      waitMs = Math.min(waitMs * 2, longestPollMs);
      batch = await patiently(() => connection.call(calls.getBatch, { params: { id: batch.id } }), signal);
      progress.show(progressOf({ done: batch.published, total: batch.documents, sinceMs: performance.now() - begunMs }));
    }
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    throw new RefusedError(`interrupted: batch ${batch.id} is committed, and the portal goes on without this command`, { cause: error });
  } finally {
    progress.clear();
  }
  if (batch.state !== 'PUBLISHED') throw new RefusedError(`batch ${batch.id} is ${batch.state}`);
  return `batch ${batch.id}: published ${documentsOf(batch.published)}`;
};

/** Takes a batch back and waits until all of its documents are. */
export const withdrawBatch = async (connection: Connection, id: string, reason: string): Promise<Batch> => {
  const progress = createProgress(process.stderr, { plainLines: true });
  let batch = await patiently(() => connection.call(calls.withdrawBatch, { params: { id }, body: { reason } }), undefined);
  for (let waitMs = shortestPollMs; batch.state === 'WITHDRAWING'; waitMs = Math.min(waitMs * 2, longestPollMs)) {
    progress.show(`batch ${id}: being withdrawn`);
    await pause(waitMs);
    batch = await patiently(() => connection.call(calls.getBatch, { params: { id } }), undefined);
  }
  progress.clear();
  if (batch.state !== 'WITHDRAWN') throw new RefusedError(`batch ${id} is ${batch.state}`);
  return batch;
};

/** Commits a batch of exactly so many documents and waits until it is published. Answers with a sentence about it. */
export const commitBatch = async (
  connection: Connection,
  { id, documents, publishAt, signal }: { id: string; documents: number; publishAt: number | undefined; signal?: AbortSignal },
): Promise<string> => {
  const body = { documents, ...(publishAt === undefined ? {} : { publishAt }) };
  const committed = await patiently(() => connection.call(calls.commitBatch, { params: { id }, body }), signal);
  return awaitPublished(connection, committed, signal);
};

/** An id means the batch that there is. Throws RefusedError when there is none. */
const openBatch = async (connection: Connection, name: string): Promise<AnswerOf<typeof calls.openBatch>> => {
  const id = safeParse(documentId, name);
  if (!id.success) return connection.call(calls.openBatch, { body: { name } });
  return { ...(await connection.call(calls.getBatch, { params: { id: id.data } })), repeated: true };
};

const commandOf = (id: string, documents: number): string => `pergamin batches commit ${id} --documents ${documents}`;

/**
 * Sends a manifest into the batch of this name, or of this id, and commits it when no line was refused. Interrupted anywhere it is repeated: the batch is found
 * by its name, and what it has is not sent again. Throws RefusedError when lines were refused or the portal cannot go on.
 */
export const publishInBatch = async (job: ManifestJob, { name, publishAt, commits }: BatchOptions): Promise<void> => {
  const { connection, signal } = job;
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  const batch = await patiently(() => openBatch(connection, name), signal);
  const { id } = batch;
  process.stderr.write(`batch ${id} ${batch.repeated ? `goes on, with ${documentsOf(batch.documents)}` : 'is opened'}: ${batch.name}\n`);
  const batched: ManifestJob = { ...job, openSending: (parts) => createBatchSending(parts, batch) };
  const counts = await runManifest(batched);
  say(summaryOf(counts, batched));
  const { added, refused } = counts;
  const refusal = `${refused === 1 ? '1 line was' : `${refused} lines were`} refused`;
  if (refused > 0 && batch.state !== 'OPEN') throw new RefusedError(`${refusal}, and the batch is ${batch.state} already`);
  if (refused > 0)
    throw new RefusedError(
      `${refusal}, and nothing is published. Correct the manifest and repeat the command with --batch='${name}'; or publish the others: ${commandOf(id, added)}`,
    );
  if (await job.isChanged?.())
    throw new RefusedError(
      `the manifest was changed while it was sent, and nothing is published: repeat the command with --batch='${name}' when it is complete`,
    );
  if (added === 0) {
    // Everything was published before it.
    if (batch.state === 'OPEN') await patiently(() => connection.call(calls.discardBatch, { params: { id } }), signal);
    return;
  }
  const commit = { id, documents: added, publishAt, ...(signal === undefined ? {} : { signal }) };
  say(
    commits
      ? await commitBatch(connection, commit).catch((error: unknown) => {
          if (!(error instanceof RefusedError) || error.answer?.code !== 'CALL_NOT_PERMITTED') throw error;
          throw new RefusedError(`${error.message}\n  to publish it with another key: ${commandOf(id, added)}`, { cause: error });
        })
      : `batch ${id}: open, with ${documentsOf(added)}; to publish them: ${commandOf(id, added)}`,
  );
};
