import type { Publication } from '@pergamin/contract';
import { sql } from 'kysely';
import { signChanges } from '#features/documents/life/life.store.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { isTakenBack, listEarlierInForce, listLine, type Version } from './line.store.ts';

/** A new version at its publication, and the id of the document that it replaces. */
export interface Succession {
  readonly replaces: string;
  readonly description: Pick<Publication, 'type' | 'cif' | 'cif2' | 'groupId'>;
  readonly publisher: Pick<PublisherCaller, 'demo'>;
}

/** `last`: the version whose place is taken, after those that were taken back. `inForce`: the one that becomes OBSOLETE, where there is one. */
interface Place {
  readonly last: Version;
  readonly inForce: Version | undefined;
}

/**
 * A new version must have exactly the recipients of the former one: otherwise a client would keep a document that is no longer in force
 * and could not see the one that is. Throws VALIDATION_ERROR naming what differs, INVALID_STATUS where another version is in its place.
 */
export const requireReplaceable = async (db: Db, succession: Succession): Promise<void> => {
  findPlace(await listLine(db, succession.replaces), succession);
};

/**
 * The same, for certain: all versions are locked until the end of the transaction, and the last one has its successor then. Answers the version that
 * the new one has, and the document that it makes OBSOLETE.
 */
export const takeSuccession = async (
  trx: Trx,
  succession: Succession & { id: string },
): Promise<{ readonly version: number; readonly obsolete: string | undefined }> => {
  const { last, inForce } = findPlace(await listLine(trx, succession.replaces, 'locked'), succession);
  // Before the new row: the name of the document passes on to it.
  const { numUpdatedRows } = await trx
    .updateTable('document')
    .set({ successor: succession.id })
    .where('id', '=', last.id)
    .where('successor', 'is', null)
    .executeTakeFirstOrThrow();
  // Another one was added between the look at the versions and their locks.
  if (numUpdatedRows === 0n) throw taken(last);
  return { version: last.version + 1, obsolete: inForce?.id };
};

/** These drafts come in no place any more: the names that passed on to them are those of the former versions again. After their rows are gone. */
export const giveBackSuccessions = async (trx: Trx, drafts: readonly string[]): Promise<void> => {
  if (drafts.length === 0) return;
  await sql`update document set successor = null where successor = any(${drafts}::uuid[])`.execute(trx);
};

/** After the release of the new version. What was taken away meanwhile stays so. Answers what has become OBSOLETE. */
export const makeObsolete = async (trx: Trx, id: string, key: Pick<PublisherCaller, 'keyId' | 'name'>): Promise<string[]> => {
  const former = await listEarlierInForce(trx, id);
  if (former.length === 0) return [];
  await signChanges(trx, { key, reason: `replaced by ${id}` });
  const { rows } = await sql<{ id: string }>`
    update document set state = 'OBSOLETE' where id = any(${former}::uuid[]) and state = 'ACTIVE' returning id`.execute(trx);
  return rows.map((row) => row.id);
};

const taken = ({ state }: Version): PortalError =>
  new PortalError('INVALID_STATUS', {
    fields: {
      replaces: state === 'ACTIVE' ? 'another one waits to take its place' : `its state is ${state}, and another one is in its place`,
    },
  });

/** Neither a draft nor what goes with the demonstration is there for a real publication, nor the other way round. */
const findPlace = (line: readonly Version[], { replaces, description: next, publisher }: Succession): Place => {
  const at = line.findIndex(({ id, isPublished, demo }) => id === replaces && isPublished && demo === publisher.demo);
  const former = line[at];
  if (former === undefined) throw invalidField('replaces', 'no published document has this id');
  // Whose a forgotten one was is not known any more.
  if (former.state === 'FORGOTTEN') throw new PortalError('INVALID_STATUS', { fields: { replaces: 'its state is FORGOTTEN' } });
  if (next.type !== former.type) throw invalidField('type', `the replaced document is of type ${former.type}`);
  if ((next.cif ?? null) !== former.cif) throw invalidField('CIF', 'the replaced document has another owner');
  if ((next.cif2 ?? null) !== former.cif2) throw invalidField('CIF2', 'the replaced document has another second owner');
  if ((next.groupId ?? null) !== former.groupId) throw invalidField('GROUP_ID', 'the replaced document is of another group');
  if (former.state === 'DELETED') throw new PortalError('INVALID_STATUS', { fields: { replaces: 'its state is DELETED' } });
  const later = line.slice(at + 1);
  if (!later.every(isTakenBack)) throw taken(former);
  return { last: later.at(-1) ?? former, inForce: line.find(({ state, isPublished }) => state === 'ACTIVE' && isPublished) };
};

/** The versions before and after a document; each only where the reader may see it. */
export interface Versions {
  readonly predecessor?: string;
  readonly successor?: string;
}

/**
 * A version that was taken back is passed over where another one follows; nothing is named after the one that is in force. `findSeen`: which of these
 * documents the reader may see. Not called where there is no other version.
 */
export const findVersions = async (
  db: Db,
  id: string,
  findSeen: (ids: readonly string[]) => Promise<readonly { readonly id: string }[]>,
): Promise<Versions> => {
  const line = await listLine(db, id);
  const at = line.findIndex((version) => version.id === id);
  const earlier = line.slice(0, Math.max(at, 0)).toReversed();
  const later = line.slice(at + 1).filter(({ isPublished }) => isPublished);
  const predecessor = nearestOf(earlier);
  const successor = line[at]?.state === 'ACTIVE' ? undefined : nearestOf(later);
  const ids = [predecessor, successor].filter((other) => other !== undefined);
  if (ids.length === 0) return {};
  const seen = new Set((await findSeen(ids)).map((document) => document.id));
  return {
    ...(predecessor !== undefined && seen.has(predecessor) ? { predecessor } : {}),
    ...(successor !== undefined && seen.has(successor) ? { successor } : {}),
  };
};

const nearestOf = (versions: readonly Version[]): string | undefined =>
  (versions.find((version) => !isTakenBack(version)) ?? versions[0])?.id;
