import * as z from 'zod/mini';
import { publisherCall } from './call.ts';
import { publishingLimits } from './limits.ts';
import { publication, publishedDocument } from './publishing.ts';
import { documentId, documentState, documentType, epochMs, errorBody, keptEpochMs, keptText, sha256Hex, wholeNumber } from './values.ts';

/**
 * R1: many documents that are sent and judged part by part, and of which nothing is visible before the batch is committed. Every call may be
 * repeated. A batch belongs to the organisation: every key with the scope may go on with it. Throws RESOURCE_NOT_FOUND for an unknown id.
 */

/**
 * OPEN: takes documents. COMMITTED: is released at its time, customer by customer. PUBLISHED: all of its documents were released.
 * DISCARDED: its documents are removed, and none was ever visible. WITHDRAWING: its documents are taken back, customer by customer; WITHDRAWN: all of
 * them were.
 */
export const batchState = z.enum(['OPEN', 'COMMITTED', 'PUBLISHED', 'DISCARDED', 'WITHDRAWING', 'WITHDRAWN']);
export type BatchState = z.output<typeof batchState>;

const step = z.object({ at: epochMs, keyId: z.string(), keyName: z.string() });

export const batch = z.object({
  id: z.string(),
  name: z.string(),
  state: batchState,
  /** How many documents it has; of a discarded one, how many are still to be removed. */
  documents: z.int(),
  /** How many of them are published. */
  published: z.int(),
  opened: step,
  committed: z.nullable(step),
  /** The earliest moment of publication that was asked for at the commit. */
  publishAt: z.nullable(epochMs),
  /** When the last of its documents was published. */
  publishedAt: z.nullable(epochMs),
  discarded: z.nullable(step),
  withdrawn: z.nullable(z.extend(step, { reason: z.string() })),
});
export type Batch = z.output<typeof batch>;

const byId = z.object({ id: documentId });

/**
 * The same name by the same key is the same batch, so that an interrupted client finds it again. By another key, too, once the key that opened it has
 * ended; while that works it is RESOURCE_DUPLICATE, whose `fields.name` has the id by which every key goes on.
 * The name of a discarded batch may be given to a new one. The demonstration opens none: CALL_NOT_PERMITTED.
 */
export const openBatch = publisherCall({
  name: 'openBatch',
  method: 'POST',
  path: '/api/publisher/batches',
  summary: 'Opens a batch, or gives the one that was opened under this name by this key, or by one that has ended',
  scope: 'documents:publish',
  body: z.strictObject({ name: keptText(200) }),
  answer: z.extend(batch, { repeated: z.boolean() }),
});

/**
 * As `publication`, with a name, by which it is known when it is sent again; it is published when its batch is. What it `replaces` stays in force until
 * then, and nothing else may take its place meanwhile.
 */
export const batchPublication = z.extend(z.omit(publication, { publishedAt: true }), { uniqueName: keptText(200) });
export type BatchPublication = z.output<typeof batchPublication>;

/**
 * Takes back a batch that was committed. What is not released yet is removed, as by a discard; each of the others as by `withdrawDocument`, after the
 * answer: until the batch is WITHDRAWN. What is OBSOLETE, deleted or forgotten by now stays so. Throws INVALID_STATUS for a batch that is open or
 * discarded. With BATCH_SECOND_KEY=required a key that opened the batch or sent documents into it gets CALL_NOT_PERMITTED.
 */
export const withdrawBatch = publisherCall({
  name: 'withdrawBatch',
  method: 'POST',
  path: '/api/publisher/batches/:id/withdraw',
  summary: 'Cancels all documents of a batch; those that nobody has opened leave the lists, the others are told of; idempotent',
  scope: 'documents:status',
  params: byId,
  body: z.strictObject({ reason: keptText(500) }),
  answer: batch,
});

/** Lines of JSON (`withdrawal`), as those of `getBatchReport`, also of a batch that is not withdrawn. */
export const getBatchSightings = publisherCall({
  name: 'getBatchSightings',
  method: 'GET',
  path: '/api/publisher/batches/:id/sightings',
  load: 'heavy',
  summary: 'Who has seen what of the published documents of a batch, as lines of JSON (application/x-ndjson)',
  scope: 'documents:status',
  params: byId,
  answer: 'bytes',
});

/** DRAFT: not released yet. */
const releaseState = z.enum(['DRAFT', ...documentState.options]);

/**
 * `repeated`: these bytes are in this batch under this name already, or were published before. `publishedAt`: then; null for a document of this
 * batch, and only these count at the commit.
 */
export const batchedDocument = z.extend(publishedDocument, { index: z.int(), state: releaseState, publishedAt: z.nullable(epochMs) });
export type BatchedDocument = z.output<typeof batchedDocument>;

/**
 * Pairs of `description` and `file`, in this order, at most `publishingLimits.maxDocumentsPerPart` of them, and no more bytes of files than
 * `maxPartBytes`, unless it is one file alone. `accepted` and `refused` name them by their places, from 0; one that is refused does not keep
 * the others out. A call that fails as a whole has kept nothing, or all that it accepted: to send it again is always right. Throws
 * INVALID_STATUS for a batch that takes no more documents, VALIDATION_ERROR for a body that is not made of pairs, DOCUMENT_MAX_SIZE_ERROR for
 * a body that is too large.
 */
export const addToBatch = publisherCall({
  name: 'addToBatch',
  method: 'POST',
  path: '/api/publisher/batches/:id/parts',
  summary: 'Sends documents into a batch: multipart with pairs of `description` (JSON) and `file`; each is judged by itself',
  scope: 'documents:publish',
  params: byId,
  form: { description: batchPublication, file: 'file' },
  answer: z.object({
    accepted: z.array(batchedDocument),
    refused: z.array(z.object({ index: z.int(), ...errorBody.shape })),
  }),
});

export const getBatch = publisherCall({
  name: 'getBatch',
  method: 'GET',
  path: '/api/publisher/batches/:id',
  summary: 'A batch as it stands, with how many documents it has and how many of them are published',
  scope: 'documents:publish',
  params: byId,
  answer: batch,
});

/** `before`: the `cursor` of an answer; null: there is nothing after this. */
export const listBatches = publisherCall({
  name: 'listBatches',
  method: 'GET',
  path: '/api/publisher/batches',
  summary: 'Batches, the newest first',
  scope: 'documents:publish',
  query: z.object({
    before: z.optional(documentId),
    limit: z._default(wholeNumber(1, publishingLimits.maxBatchesPerAnswer), publishingLimits.defaultBatchesPerAnswer),
  }),
  answer: z.object({ items: z.array(batch), cursor: z.nullable(z.string()) }),
});

/**
 * Its documents are released from now on, or from `publishAt`. VALIDATION_ERROR (`documents`) when the batch has another number of documents,
 * so that none that is missing goes unnoticed. The same commit again changes nothing; another moment is INVALID_STATUS. With BATCH_SECOND_KEY=required
 * a key that opened the batch or sent documents into it gets CALL_NOT_PERMITTED.
 */
export const commitBatch = publisherCall({
  name: 'commitBatch',
  method: 'POST',
  path: '/api/publisher/batches/:id/commit',
  summary: 'Publishes all documents of a batch, at once or at a given moment; idempotent',
  scope: 'documents:publish',
  params: byId,
  body: z.strictObject({ documents: z.int().check(z.gte(1), z.lte(1_000_000_000)), publishAt: z.optional(keptEpochMs) }),
  answer: batch,
});

/** Its documents are removed after the answer: until `documents` is 0, their names are taken. Throws INVALID_STATUS once one was released. */
export const discardBatch = publisherCall({
  name: 'discardBatch',
  method: 'POST',
  path: '/api/publisher/batches/:id/discard',
  summary: 'Gives a batch up of which nothing is published: its documents are removed; idempotent',
  scope: 'documents:publish',
  params: byId,
  answer: batch,
});

/** One document of a batch, and for whom it is. */
export const batchReportLine = z.object({
  uniqueName: z.nullable(z.string()),
  fileName: z.string(),
  type: documentType,
  cif: z.nullable(z.string()),
  cif2: z.nullable(z.string()),
  groupId: z.nullable(z.string()),
  id: documentId,
  /** Null, as the unique name is: forgotten. */
  sha256: z.nullable(sha256Hex),
  state: releaseState,
  publishedAt: z.nullable(epochMs),
});
export type BatchReportLine = z.output<typeof batchReportLine>;

/** Lines of JSON (`batchReportLine`), each with a line feed at its end; a report that breaks off ends without one. */
export const getBatchReport = publisherCall({
  name: 'getBatchReport',
  method: 'GET',
  path: '/api/publisher/batches/:id/report',
  load: 'heavy',
  summary: 'Every document of a batch in the order in which they were sent, as lines of JSON (application/x-ndjson)',
  scope: 'documents:publish',
  params: byId,
  answer: 'bytes',
});
