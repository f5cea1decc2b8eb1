import type { ClientState } from '@pergamin/contract';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';

/** `by` left out: whichever of both fits. */
export interface NamedClient {
  readonly client: string;
  readonly by?: 'personalId' | 'cif' | undefined;
}

const kept = (db: Db) => db.selectFrom('client').select(['personal_id as personalId', 'cif', 'state']);

/** A key of the demonstration reaches clients of the demonstration only. More than `limit` are not listed. */
export const listNamed = (db: Db, { client, by }: NamedClient, { demo, limit }: { demo: boolean; limit: number }) =>
  kept(db)
    .where((where) =>
      where.or([
        ...(by === 'cif' ? [] : [where('personal_id', '=', client)]),
        ...(by === 'personalId' ? [] : [where('cif', '=', client), where('cif2', '=', client)]),
      ]),
    )
    .$if(demo, (query) => query.where('demo', '=', true))
    .orderBy('personal_id')
    .limit(limit)
    .execute();

/** Locked against other changes until the transaction ends. */
export const lockClient = (trx: Trx, personalId: string) =>
  kept(trx).where('personal_id', '=', personalId).forNoKeyUpdate().executeTakeFirst();

interface Change {
  readonly personalId: string;
  readonly before: ClientState;
  readonly after: ClientState;
  readonly at: Date;
  readonly key: Pick<PublisherCaller, 'keyId' | 'name'>;
  readonly reason: string;
}

export const changeState = async (trx: Trx, { personalId, before, after, at, key, reason }: Change): Promise<void> => {
  await trx.updateTable('client').set({ state: after, updated_at: at }).where('personal_id', '=', personalId).execute();
  await trx
    .insertInto('client_event')
    .values({ personal_id: personalId, state_before: before, state: after, at, key_id: key.keyId, key_name: key.name, reason })
    .execute();
};

/** In the order in which they happened. */
export const listChanges = (db: Db, personalId: string) =>
  db
    .selectFrom('client_event')
    .select(['at', 'state_before as before', 'state as after', 'key_id as keyId', 'key_name as keyName', 'reason'])
    .where('personal_id', '=', personalId)
    .orderBy('id')
    .execute();
