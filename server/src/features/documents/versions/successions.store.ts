import type { Publication } from '@pergamin/contract';
import type { Selectable } from 'kysely';
import { isTransition } from '#features/documents/life/life.rules.ts';
import { signChanges } from '#features/documents/life/life.store.ts';
import type { Database, Db, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';

/** A new version at its publication, and the id of the document that it replaces. */
export interface Succession {
  readonly replaces: string;
  readonly description: Pick<Publication, 'type' | 'cif' | 'cif2' | 'groupId'>;
  readonly publisher: Pick<PublisherCaller, 'demo'>;
}

type Former = Pick<Selectable<Database['document']>, 'state' | 'type' | 'cif' | 'cif2' | 'group_id' | 'version' | 'successor'>;

/**
 * A new version must have exactly the recipients of the former one: otherwise a client would keep a document that is no longer in force
 * and could not see the one that is. Throws VALIDATION_ERROR naming what differs, INVALID_STATUS unless the former one is ACTIVE.
 */
export const requireReplaceable = async (db: Db, succession: Succession): Promise<void> => {
  assertReplaceable(await findFormer(db, succession), succession.description);
};

/** The same, for certain: the former document waits for the end of the transaction, and has its successor then. Answers the version that the new one has. */
export const takeSuccession = async (trx: Trx, succession: Succession & { id: string }): Promise<number> => {
  const former = assertReplaceable(await findFormer(trx, succession, 'locked'), succession.description);
  // Before the new row: the name of the document passes on to it.
  await trx.updateTable('document').set({ successor: succession.id }).where('id', '=', succession.replaces).execute();
  return former.version + 1;
};

/** After the release of the new version. What was taken away meanwhile stays so. */
export const makeObsolete = async (
  trx: Trx,
  { replaces, id }: { replaces: string; id: string },
  key: Pick<PublisherCaller, 'keyId' | 'name'>,
): Promise<void> => {
  await signChanges(trx, { key, reason: `replaced by ${id}` });
  await trx.updateTable('document').set({ state: 'OBSOLETE' }).where('id', '=', replaces).where('state', '=', 'ACTIVE').execute();
};

/** Neither a draft nor what goes with the demonstration is there for a real publication, nor the other way round. */
const findFormer = async (db: Db, { replaces, publisher }: Succession, locked?: 'locked'): Promise<Former | undefined> => {
  const former = db
    .selectFrom('document')
    .select(['state', 'type', 'cif', 'cif2', 'group_id', 'version', 'successor'])
    .where('id', '=', replaces)
    .where('demo', '=', publisher.demo)
    .where('published_at', 'is not', null);
  return (locked === undefined ? former : former.forNoKeyUpdate()).executeTakeFirst();
};

const assertReplaceable = (former: Former | undefined, next: Succession['description']): Former => {
  if (former === undefined) throw invalidField('replaces', 'no published document has this id');
  // Whose a forgotten one was is not known any more.
  if (former.state === 'FORGOTTEN') throw new PortalError('INVALID_STATUS', { fields: { replaces: 'its state is FORGOTTEN' } });
  if (next.type !== former.type) throw invalidField('type', `the replaced document is of type ${former.type}`);
  if ((next.cif ?? null) !== former.cif) throw invalidField('CIF', 'the replaced document has another owner');
  if ((next.cif2 ?? null) !== former.cif2) throw invalidField('CIF2', 'the replaced document has another second owner');
  if ((next.groupId ?? null) !== former.group_id) throw invalidField('GROUP_ID', 'the replaced document is of another group');
  // It becomes OBSOLETE when the ledger covers its successor.
  const state = former.state === 'ACTIVE' && former.successor !== null ? 'OBSOLETE' : former.state;
  if (!isTransition({ from: state, to: 'OBSOLETE', occasion: 'replacement' }))
    throw new PortalError('INVALID_STATUS', { fields: { replaces: `its state is ${state}` } });
  return former;
};

/** The versions right before and after a document; each only where the reader may see it. */
export interface Versions {
  readonly predecessor?: string;
  readonly successor?: string;
}

/** `findSeen`: which of these documents the reader may see. Not called where there is no other version. */
export const findVersions = async (
  db: Db,
  id: string,
  findSeen: (ids: readonly string[]) => Promise<readonly { readonly id: string }[]>,
): Promise<Versions> => {
  const rows = await db
    .selectFrom('document')
    .select(['id', 'successor'])
    .where((column) => column.or([column('id', '=', id), column('successor', '=', id)]))
    .execute();
  const predecessor = rows.find((row) => row.successor === id)?.id;
  const successor = rows.find((row) => row.id === id)?.successor ?? undefined;
  const ids = [predecessor, successor].filter((other) => other !== undefined);
  if (ids.length === 0) return {};
  const seen = new Set((await findSeen(ids)).map((document) => document.id));
  return {
    ...(predecessor !== undefined && seen.has(predecessor) ? { predecessor } : {}),
    ...(successor !== undefined && seen.has(successor) ? { successor } : {}),
  };
};
