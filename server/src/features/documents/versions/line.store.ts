import type { DocumentState } from '@pergamin/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';

/** One of the versions of a document. */
export interface Version {
  readonly id: string;
  readonly state: DocumentState;
  readonly type: 'PUBLIC' | 'PRIVATE' | 'GROUP';
  readonly cif: string | null;
  readonly cif2: string | null;
  readonly groupId: string | null;
  readonly version: number;
  readonly demo: boolean;
  /** False: a draft, or one that the ledger is about to cover. */
  readonly isPublished: boolean;
  readonly isOfBatch: boolean;
}

/** Taken back: what came before it is in force again, or is replaced anew. */
export const isTakenBack = ({ state }: Pick<Version, 'state'>): boolean =>
  state === 'CANCELLED' || state === 'DELETED' || state === 'FORGOTTEN';

const idsOf = async (db: Db, query: RawBuilder<{ id: string }>): Promise<string[]> => (await query.execute(db)).rows.map(({ id }) => id);

/** `locked`: each until the transaction ends, the earliest first, so that two that lock several wait for one another in one direction. */
const listVersions = async (db: Db, ids: readonly string[], locked?: 'locked'): Promise<Version[]> => {
  const { rows } = await sql<Version>`
    select id, state, type, cif, cif2, group_id as "groupId", version, demo, published_at is not null as "isPublished",
      batch_id is not null as "isOfBatch"
    from document where id = any(${ids}::uuid[]) order by version, id ${locked === undefined ? sql`` : sql`for no key update`}`.execute(db);
  return rows;
};

const laterIds = (id: string): RawBuilder<{ id: string }> => sql`
  select id from (
    with recursive later (id, successor) as (
      select id, successor from document where id = ${id}::uuid
      union all select d.id, d.successor from later join document d on d.id = later.successor
    ) select id from later where id <> ${id}::uuid) as found`;

const earlierIds = (id: string): RawBuilder<{ id: string }> => sql`
  select id from (
    with recursive earlier (id) as (
      select ${id}::uuid
      union all select d.id from earlier join document d on d.successor = earlier.id
    ) select id from earlier where id <> ${id}::uuid) as found`;

/** What came in the place of a document, the next version first. */
export const listLater = async (db: Db, id: string, locked?: 'locked'): Promise<Version[]> =>
  listVersions(db, await idsOf(db, laterIds(id)), locked);

/** All versions of one document, the earliest first; none when there is no such document. */
export const listLine = async (db: Db, id: string, locked?: 'locked'): Promise<Version[]> => {
  const ids = [id, ...(await idsOf(db, sql<{ id: string }>`${earlierIds(id)} union all ${laterIds(id)}`))];
  return listVersions(db, ids, locked);
};

/** The earlier versions that are in force: one, or none. */
export const listEarlierInForce = async (db: Db, id: string): Promise<string[]> =>
  (await listVersions(db, await idsOf(db, earlierIds(id)))).filter(({ state }) => state === 'ACTIVE').map((version) => version.id);
