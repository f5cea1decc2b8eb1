import type { Statement } from '@pergamin/ledger';
import { sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';

/** What a publication or a receipt of an entry is about; of an entry without a statement, as its row says. */
export interface Named {
  readonly index: number;
  readonly documentId: string;
  readonly event: 'PUBLISHED' | 'RECEIVED';
  /** Principals; null when they are not known. */
  readonly owner: string | null;
}

export interface Kept {
  readonly index: number;
  readonly isDocumentThere: boolean;
  /** In the register, and released. Of what was received: the document itself. */
  readonly isRegistered: boolean;
  /** To each of the owners that the entry names. */
  readonly isDelivered: boolean;
  /** Its row says that it left their lists. */
  readonly isWithdrawn: boolean;
  /** Null: its bytes were removed, or begin to be. */
  readonly objectKey: string | null;
  /** What the last entry about it says. */
  readonly statement: Buffer | null;
  /** States that wait to be entered. */
  readonly pending: readonly Statement['state'][];
}

/** What is kept of what these entries are about, in no order. */
export const listKept = async (db: Db, named: readonly Named[]): Promise<readonly Kept[]> => {
  const { rows } = await sql<Kept>`
    select named.index, coalesce(d.id, s.id) is not null as "isDocumentThere",
      case named.event when 'PUBLISHED' then d.published_at is not null and p.document_id is not null else s.id is not null end as "isRegistered",
      d.withdrawn_at is not null as "isWithdrawn", named.event = 'RECEIVED' or not exists (
        select from unnest(string_to_array(named.owner, E'\n')) as owner (principal)
        where not exists (select from delivery where delivery.principal = owner.principal and delivery.document_id = d.id)
      ) as "isDelivered",
      case when d.id is not null and d.removal_began_at is null then d.object_key else s.object_key end as "objectKey",
      last.statement, array(select state from ledger_pending waiting where waiting.document_id = named."documentId") as pending
    from json_to_recordset(${JSON.stringify(named)}::json) as named (index bigint, "documentId" uuid, event text, owner text)
    left join document d on named.event = 'PUBLISHED' and d.id = named."documentId"
    left join publication p on p.document_id = d.id
    left join sent_document s on named.event = 'RECEIVED' and s.id = named."documentId"
    left join lateral (
      select statement from ledger_entry said where said.document_id = named."documentId" and said.event <> 'NOTIFIED'
      order by said.index desc limit 1
    ) last on true`.execute(db);
  return rows;
};

export interface Unentered {
  readonly count: number;
  readonly ids: readonly string[];
}

const isEntered = (id: string, event: 'PUBLISHED' | 'RECEIVED') => sql`(
  exists (
    select from ledger_entry e where e.document_id = ${sql.raw(id)} and e.event = ${sql.raw(`'${event}'`)}
      and e.index < (select coalesce(max(size), 0) from ledger_checkpoint)
  ) or exists (select from ledger_pending w where w.document_id = ${sql.raw(id)} and w.event = ${sql.raw(`'${event}'`)}))`;

/** Published, or received since the first one that was entered, and neither entered nor waiting to be. At most `limit` of them are named. */
export const listUnentered = async (db: Db, limit: number): Promise<Unentered> => {
  const { rows } = await sql<Unentered>`
    with entered as (select min(place) as first from sent_document s where ${isEntered('s.id', 'RECEIVED')}),
    unentered as (
      select d.id from document d left join publication p on p.document_id = d.id
      where d.state <> 'FORGOTTEN' and (d.published_at is not null or p.document_id is not null) and not ${isEntered('d.id', 'PUBLISHED')}
      union all
      select s.id from sent_document s, entered where s.place >= entered.first and not ${isEntered('s.id', 'RECEIVED')}
    )
    select count(*)::int as count, array(select id::text from unentered order by id limit ${limit}::int) as ids from unentered`.execute(db);
  return rows[0] ?? { count: 0, ids: [] };
};

/** Received before anything that was received was entered: the ledger holds nothing of them. */
export const countReceivedBefore = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sent_document
    where place < coalesce((select min(place) from sent_document s where ${isEntered('s.id', 'RECEIVED')}), 'infinity'::float8)`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
};
