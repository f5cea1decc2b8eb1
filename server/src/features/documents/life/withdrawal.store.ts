import type { DocumentState, Sighting } from '@pergamin/contract';
import { sql } from 'kysely';
import { readAt } from '#features/deliveries/deliveries.door.ts';
import type { Db, Trx } from '#platform/database/schema.ts';

export interface PublishedRow {
  readonly id: string;
  readonly uniqueName: string | null;
  readonly fileName: string;
  readonly type: 'PUBLIC' | 'PRIVATE' | 'GROUP';
  readonly cif: string | null;
  readonly cif2: string | null;
  readonly groupId: string | null;
  readonly state: DocumentState;
  readonly isWithdrawn: boolean;
  /** It has a later version. */
  readonly isReplaced: boolean;
}

const columns = sql`id, unique_name as "uniqueName", file_name as "fileName", type, cif, cif2, group_id as "groupId", state,
  withdrawn_at is not null as "isWithdrawn", successor is not null as "isReplaced"`;

/** Without drafts, in the order of the ids. */
export const listPublished = async (db: Db, ids: readonly string[]): Promise<PublishedRow[]> => {
  const { rows } = await sql<PublishedRow>`
    select ${columns} from document where id = any(${ids}::uuid[]) and published_at is not null order by id`.execute(db);
  return rows;
};

/**
 * The same, with their earlier versions locked until the transaction ends, also against the first mark of a client, so that nobody opens one of them
 * unseen. In the order in which new versions lock them.
 */
export const lockPublished = async (trx: Trx, ids: readonly string[]): Promise<PublishedRow[]> => {
  const { rows } = await sql<{ id: string }>`
    with recursive line (id) as (
      select id from unnest(${ids}::uuid[]) as given (id)
      union select d.id from line join document d on d.successor = line.id
    ) select id from line`.execute(trx);
  const line = rows.map(({ id }) => id);
  await sql`select from document where id = any(${line}::uuid[]) order by version, id for update`.execute(trx);
  return listPublished(trx, ids);
};

interface SeenRow extends Omit<Sighting, 'openedOn' | 'readOn' | 'downloadedOn'> {
  readonly documentId: string;
  readonly openedAt: Date | null;
  readonly readAt: Date | null;
  readonly downloadedAt: Date | null;
}

/** By document, each person who has opened it, was shown a page of it, took it or verified it. */
export const listSightings = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Sighting[]>> => {
  const { rows } = await sql<SeenRow>`
    select m.document_id as "documentId", m.personal_id as "personalId", m.opened_at as "openedAt",
      ${sql.raw(readAt('m', 'd.page_count'))} as "readAt", m.downloaded_at as "downloadedAt", m.pages
    from document_mark m join document d on d.id = m.document_id
    where m.document_id = any(${ids}::uuid[]) and (
      m.opened_at is not null or m.read_at is not null or m.downloaded_at is not null or cardinality(m.pages) > 0 or m.verified <> '{}'
    )
    order by m.document_id, m.personal_id`.execute(db);
  const found = new Map<string, Sighting[]>();
  for (const { documentId, openedAt, readAt: read, downloadedAt, ...seen } of rows) {
    const sighting = {
      ...seen,
      openedOn: openedAt?.getTime() ?? null,
      readOn: read?.getTime() ?? null,
      downloadedOn: downloadedAt?.getTime() ?? null,
    };
    found.set(documentId, [...(found.get(documentId) ?? []), sighting]);
  }
  return found;
};

/** What these had replaced is in force again, unless it was taken back itself: then what that had replaced. Answers what has become ACTIVE. */
export const putInForceAgain = async (trx: Trx, withdrawn: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with recursive earlier (id, state) as (
      select d.id, d.state from document d where d.successor = any(${withdrawn}::uuid[])
      union select d.id, d.state from earlier join document d on d.successor = earlier.id
      where earlier.state in ('CANCELLED', 'DELETED', 'FORGOTTEN')
    )
    update document set state = 'ACTIVE' where id in (select id from earlier where state = 'OBSOLETE') returning id`.execute(trx);
  return rows.map(({ id }) => id);
};

/** A trigger writes what changes into their histories. */
export const cancel = async (
  trx: Trx,
  { ids, unseen, at }: { ids: readonly string[]; unseen: readonly string[]; at: Date },
): Promise<void> => {
  await sql`
    update document set state = 'CANCELLED',
      withdrawn_at = case when id = any(${unseen}::uuid[]) then coalesce(withdrawn_at, ${at}::timestamptz) else withdrawn_at end
    where id = any(${ids}::uuid[])`.execute(trx);
};
