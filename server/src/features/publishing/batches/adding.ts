import { randomUUID } from 'node:crypto';
import type { AnswerOf, Batch, BatchedDocument, BatchPublication, calls } from '@pergamin/contract';
import {
  type DocumentDraft,
  findNames,
  findSuccessors,
  giveBackSuccessions,
  insertDrafts,
  kindOf,
  type NamedDocument,
  ownersOf,
  requireReplaceable,
  takeSuccession,
} from '#features/documents/documents.door.ts';
import type { PublicationValues } from '#features/metadata/metadata.door.ts';
import { openDescriptions } from '#features/publishing/descriptions.ts';
import { type InspectedPublication, inspectPublication } from '#features/publishing/inspect-publication.ts';
import type { PublishingParts } from '#features/publishing/publishing.service.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Upload } from '#platform/http/upload.ts';
import { storeNamed } from '#platform/objects/named-object.ts';
import type { StoredObject } from '#platform/objects/objects.ts';
import * as store from './batches.store.ts';

/** A document as it was received, or why it was not. */
export type Pair = Upload<BatchPublication> | PortalError;

interface Part {
  readonly id: string;
  readonly pairs: readonly Pair[];
  readonly caller: PublisherCaller;
}

/** A document to be judged further, by its place in the part. */
interface Judged {
  readonly index: number;
  readonly upload: Upload<BatchPublication>;
  readonly values: PublicationValues;
}

interface Inspected extends Judged {
  readonly inspection: InspectedPublication;
}

type Answer = AnswerOf<typeof calls.addToBatch>;

/** More would only wait for the threads that read PDFs. */
const inspectedAtOnce = 8;

export const requireOpen = ({ state }: Batch): void => {
  if (state !== 'OPEN') throw new PortalError('INVALID_STATUS', { fields: { state: `the batch is ${state}` } });
};

/** Notes what is wrong with one document; everything else fails the part. */
const refuse = (answer: Answer, index: number, error: unknown): void => {
  if (!(error instanceof PortalError) || error.status >= 500 || error.retryAfterSeconds !== undefined) throw error;
  const { code, message, fields } = error;
  answer.refused.push({ index, code, message, ...(fields === undefined ? {} : { fields }) });
};

/** What is right by its description. */
const judge = async (parts: PublishingParts, { pairs, caller }: Part, answer: Answer): Promise<Judged[]> => {
  const descriptions = pairs.flatMap((pair) => (pair instanceof PortalError ? [] : [pair.description]));
  const read = await openDescriptions(parts, descriptions, caller);
  return [...pairs.entries()].flatMap(([index, upload]): Judged[] => {
    try {
      if (upload instanceof PortalError) throw upload;
      const { description, sha256 } = upload;
      if (description.sha256 !== undefined && description.sha256 !== sha256) throw new PortalError('INVALID_SHA256');
      return [{ index, upload, values: read(description) }];
    } catch (error) {
      refuse(answer, index, error);
      return [];
    }
  });
};

const repeatedOf = ({ document }: NamedDocument, { index, upload: { sha256 } }: Judged): BatchedDocument => ({
  ...document,
  state: document.publishedAt === null ? 'DRAFT' : document.state,
  sha256,
  index,
  repeated: true,
});

/** Of documents whose names may be taken: answers those that were sent before, refuses those that cannot have their name, gives the others. */
const settleNamed = async (
  { db }: Pick<PublishingParts, 'db'>,
  { id, judged, caller }: { readonly id: string; readonly judged: readonly Judged[]; readonly caller: PublisherCaller },
  answer: Answer,
): Promise<Judged[]> => {
  const names = Map.groupBy(
    await findNames(
      db,
      judged.map(({ upload }) => upload.description.uniqueName),
    ),
    ({ uniqueName }) => uniqueName,
  );
  const free: Judged[] = [];
  for (const one of judged)
    try {
      const { uniqueName } = one.upload.description;
      const before = await findSent(db, { one, named: names.get(uniqueName) ?? [], id, caller });
      if (before === undefined) free.push(one);
      else answer.accepted.push(repeatedOf(before, one));
    } catch (error) {
      refuse(answer, one.index, error);
    }
  return free;
};

interface Sent {
  readonly one: Judged;
  /** All that have its name. */
  readonly named: readonly NamedDocument[];
  readonly id: string;
  readonly caller: PublisherCaller;
}

/** What was sent before, into this batch, or was published. Throws for one that cannot have its name, or its place. */
const findSent = async (db: Db, { one, named, id, caller }: Sent): Promise<NamedDocument | undefined> => {
  const { description, sha256 } = one.upload;
  const { uniqueName, replaces } = description;
  const later = replaces === undefined ? [] : await findSuccessors(db, replaces);
  const before = (replaces === undefined ? named : later.filter(({ hasName }) => hasName(uniqueName))).find(
    ({ document, hasContent, batchId, isDemo }) => hasContent(sha256) && !isDemo && (document.publishedAt !== null || batchId === id),
  );
  if (before !== undefined) return before;
  const holder = named.find(({ isLatest }) => isLatest)?.document.id;
  const replaced = new Set([replaces, ...later.map(({ document }) => document.id)]);
  if (named.length > 0 && (replaces === undefined || (holder !== undefined && !replaced.has(holder)))) throw nameTaken(named, id);
  if (replaces !== undefined) await requireReplaceable(db, { replaces, description, publisher: caller });
  return undefined;
};

const nameTaken = (named: readonly NamedDocument[], id: string): PortalError => {
  const draft = named.find(({ document }) => document.publishedAt === null);
  const inBatch = draft?.batchId === id ? 'in this batch with other bytes' : 'taken by a document of another batch';
  return new PortalError('RESOURCE_DUPLICATE', {
    fields: { uniqueName: draft === undefined ? 'published before with other bytes' : inBatch },
  });
};

const inspectAll = async (
  parts: PublishingParts,
  { judged, caller }: { judged: readonly Judged[]; caller: PublisherCaller },
  answer: Answer,
) => {
  const inspected: Inspected[] = [];
  const queue = judged.values();
  const work = async (): Promise<void> => {
    for (const one of queue)
      try {
        const kind = kindOf({ type: one.upload.description.type, marker: one.values.columns.marker });
        const asked = { path: one.upload.path, kind, caller, priority: 'publication' } as const;
        inspected.push({ ...one, inspection: await inspectPublication(parts, asked) });
      } catch (error) {
        refuse(answer, one.index, error);
      }
  };
  await Promise.all(Array.from({ length: inspectedAtOnce }, work));
  return inspected.toSorted((one, other) => one.index - other.index);
};

/** Stored, and named by a row unless its place was taken meanwhile. */
interface Stored {
  readonly one: Inspected;
  readonly object: StoredObject;
  readonly draft: DocumentDraft | undefined;
}

/** In the order of the part. One whose place in a line of versions was taken meanwhile is refused. */
const draftsOf = async (
  trx: Trx,
  {
    id,
    caller,
    stored,
    documents,
  }: Omit<Part, 'pairs'> & { readonly stored: readonly Omit<Stored, 'draft'>[]; readonly documents: number },
  answer: Answer,
): Promise<Stored[]> => {
  const drafts: Stored[] = [];
  for (const [nth, { one, object }] of stored.entries()) {
    const { description } = one.upload;
    const { replaces } = description;
    const made = { id: randomUUID(), description, values: one.values, object, inspection: one.inspection, publisher: caller };
    const batch = { id, position: documents + nth + 1 };
    try {
      const { version } = replaces === undefined ? { version: 1 } : await takeSuccession(trx, { ...made, replaces });
      drafts.push({ one, object, draft: { ...made, version, batch } });
    } catch (error) {
      refuse(answer, one.index, error);
      drafts.push({ one, object, draft: undefined });
    }
  }
  return drafts;
};

/** Objects first, then all rows in one short transaction. Gives those that found their name taken meanwhile. */
const keep = async (parts: PublishingParts, { id, caller }: Part, inspected: readonly Inspected[], answer: Answer): Promise<Judged[]> => {
  const { db, stores, keys } = parts;
  const files = inspected.map(({ upload }) => ({ ...upload, owners: ownersOf(upload.description) }));
  const { drafts, inserted } = await storeNamed({ db, objects: stores.objects }, files, async (trx, objects) => {
    await keys.requireValid(trx, caller);
    const batch = await store.lockBatch(trx, id);
    if (batch === undefined) throw new PortalError('RESOURCE_NOT_FOUND');
    requireOpen(batch);
    const stored = inspected.flatMap((one, nth) => {
      const object = objects[nth];
      return object === undefined ? [] : [{ one, object }];
    });
    const made = await draftsOf(trx, { id, caller, stored, documents: batch.documents }, answer);
    const rows = made.flatMap(({ draft }) => draft ?? []);
    const kept = rows.length === 0 ? new Set<string>() : await insertDrafts(trx, rows);
    await giveBackSuccessions(
      trx,
      rows.flatMap((draft) => (kept.has(draft.id) ? [] : [draft.id])),
    );
    await store.countSent(trx, id, { documents: kept.size, keyId: caller.keyId });
    return { drafts: made, inserted: kept };
  });
  const late: Judged[] = [];
  for (const { one, object, draft } of drafts) {
    if (draft !== undefined && inserted.has(draft.id)) {
      const { pages: pageCount, flags } = one.inspection;
      const { sha256, size } = object;
      const document = { id: draft.id, state: 'DRAFT', sha256, size, pageCount, flags, publishedAt: null } as const;
      answer.accepted.push({ index: one.index, ...document, repeated: false });
      continue;
    }
    await stores.objects.discard(object.key);
    if (draft !== undefined) late.push(one);
  }
  return late;
};

/**
 * Judges each document of a part by itself and keeps those that are right as drafts of the batch. Throws what is wrong with the whole part: INVALID_STATUS,
 * ACCESS_DENIED for a key that was revoked meanwhile, STORAGE_ERROR; nothing is kept then, or all of it.
 */
export const addPairs = async (parts: PublishingParts, part: Part): Promise<Answer> => {
  const { id, caller } = part;
  const answer: Answer = { accepted: [], refused: [] };
  const judged = await judge(parts, part, answer);
  const firsts = new Map(judged.toReversed().map((one) => [one.upload.description.uniqueName, one]));
  const [fresh, again] = [judged.filter((one) => isFirst(firsts, one)), judged.filter((one) => !isFirst(firsts, one))];
  const inspected = await inspectAll(parts, { judged: await settleNamed(parts, { id, judged: fresh, caller }, answer), caller }, answer);
  const late = inspected.length === 0 ? [] : await keep(parts, part, inspected, answer);
  await settleRest(parts, { id, judged: [...late, ...again], caller }, answer);
  answer.accepted.sort((one, other) => one.index - other.index);
  answer.refused.sort((one, other) => one.index - other.index);
  return answer;
};

const isFirst = (firsts: ReadonlyMap<string, Judged>, { index, upload }: Judged): boolean =>
  firsts.get(upload.description.uniqueName)?.index === index;

/** A name that another call has taken since, or that the part has twice. What had it may be gone already, as with a discarded batch. */
const settleRest = async (
  parts: PublishingParts,
  rest: { readonly id: string; readonly judged: readonly Judged[]; readonly caller: PublisherCaller },
  answer: Answer,
): Promise<void> => {
  if (rest.judged.length === 0) return;
  for (const { index } of await settleNamed(parts, rest, answer))
    refuse(answer, index, new PortalError('RESOURCE_DUPLICATE', { fields: { uniqueName: 'taken by another document meanwhile' } }));
};
