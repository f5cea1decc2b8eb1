import { notificationLimits, type NotificationType } from '@pergamin/contract';
import { sql } from 'kysely';
import { callersPrincipals, isDeliveredTo, isThere, membersAtPublication } from '#features/deliveries/deliveries.door.ts';
import { withoutDeadline } from '#platform/database/deadline.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';

export interface UnreadRow {
  readonly id: string;
  readonly type: NotificationType;
  readonly document_id: string | null;
  readonly file_name: string | null;
  readonly created_at: Date;
}

/**
 * The receiver first, outside everything else. A document's notice is shown only while the document is the caller's (B11).
 */
export const listUnread = async (db: Db, caller: ClientCaller): Promise<UnreadRow[]> => {
  const { rows } = await sql<UnreadRow>`
    with ${callersPrincipals(caller)}
    select notification.id, notification.type, notification.document_id, document.file_name, notification.created_at
    from notification
    left join document on document.id = notification.document_id and ${sql.raw(isThere('document'))}
      and ${sql.raw(isDeliveredTo('principal', 'document.id'))}
    where notification.receiver = ${caller.personalId} and notification.read_at is null
      and (notification.document_id is null or document.id is not null)
    order by notification.created_at desc, notification.id desc
    limit ${notificationLimits.maxItems}`.execute(db);
  return rows;
};

/** False: not the receiver's. The first time is kept. */
export const markRead = async (db: Db, { id, receiver, at }: { id: string; receiver: string; at: Date }): Promise<boolean> => {
  const { rows } = await sql`
    update notification set read_at = coalesce(read_at, ${at}::timestamptz) where id = ${id}::uuid and receiver = ${receiver} returning id`.execute(
    db,
  );
  return rows.length > 0;
};

/** A document that its receiver has read is no news any more. */
export const settleDocument = async (
  db: Db,
  { documentId, receiver, at }: { documentId: string; receiver: string; at: Date },
): Promise<void> => {
  await sql`
    update notification set read_at = ${at}::timestamptz
    where document_id = ${documentId}::uuid and receiver = ${receiver} and read_at is null`.execute(db);
};

/**
 * Everybody who owns one of these documents at its own moment, once each: one statement for the clients that documents are addressed to, however
 * many, and a second one when there are groups among them. Public documents cause no notification, and no client gets two of one document.
 * @NOTE together they would be slow: a plan that expects a group's size reads all clients for the one document of one client.
 */
export const insertPublications = async (trx: Trx, documentIds: readonly string[]): Promise<void> => {
  const { rows } = await sql<{ for_group: boolean }>`
    with released as (
      select id, type, cif, cif2, published_at from document where id = any(${documentIds}::uuid[]) and published_at is not null
    ),
    customer as (
      select id, published_at, cif from released where type = 'PRIVATE' and cif is not null
      union all select id, published_at, cif2 from released where type = 'PRIVATE' and cif2 is not null
    ),
    told as (
      insert into notification (receiver, type, document_id, created_at)
      select personal_id, 'publication', id, published_at from customer join client on client.cif = customer.cif
      union select personal_id, 'publication', id, published_at from customer join client on client.cif2 = customer.cif
      on conflict (document_id, receiver) where document_id is not null do nothing
    )
    select coalesce(bool_or(type = 'GROUP'), false) as for_group from released`.execute(trx);
  if (rows[0]?.for_group === true) await insertGroupPublications(trx, documentIds);
};

const insertGroupPublications = async (trx: Trx, documentIds: readonly string[]): Promise<void> => {
  // A row for each of a million members takes longer than a statement of a request may.
  await sql`select set_config('statement_timeout', '0', true)`.execute(trx);
  const insert = sql`
    with member as (
      select id, published_at, own.cif from document cross join lateral (${sql.raw(membersAtPublication('document'))}) as own
      where id = any(${documentIds}::uuid[]) and type = 'GROUP'
    )
    insert into notification (receiver, type, document_id, created_at)
    select personal_id, 'publication', id, published_at from member join client on client.cif = member.cif
    union select personal_id, 'publication', id, published_at from member join client on client.cif2 = member.cif
    on conflict (document_id, receiver) where document_id is not null do nothing`;
  await withoutDeadline(() => insert.execute(trx));
};

export interface WithdrawnDocuments {
  readonly documentIds: readonly string[];
  /** Who has opened which of them. */
  readonly seenBy: readonly { readonly documentId: string; readonly personalId: string }[];
  readonly at: Date;
}

/** In the place of the news that a document was published, which a person has at most one of. */
export const insertWithdrawals = async (trx: Trx, { documentIds, seenBy, at }: WithdrawnDocuments): Promise<void> => {
  await sql`
    insert into notification (receiver, type, document_id, created_at)
    select receiver, 'withdrawal', document_id, ${at}::timestamptz from (
      select receiver, document_id from notification where document_id = any(${documentIds}::uuid[])
      union select "personalId", "documentId" from json_to_recordset(${JSON.stringify(seenBy)}::json) as seen ("personalId" text, "documentId" uuid)
    ) as told
    on conflict (document_id, receiver) where document_id is not null
      do update set type = 'withdrawal', created_at = excluded.created_at, read_at = null where notification.type <> 'withdrawal'`.execute(
    trx,
  );
};

export const insertAccountUpdates = async (trx: Trx, { receivers, at }: { receivers: readonly string[]; at: Date }): Promise<void> => {
  await sql`
    insert into notification (receiver, type, created_at)
    select receiver, 'account_update', ${at}::timestamptz from unnest(${receivers}::text[]) as changed (receiver)`.execute(trx);
};

export const sweepRead = async (db: Db, { before }: { before: Date }): Promise<number> => {
  const { numAffectedRows } = await sql`delete from notification where read_at < ${before}::timestamptz`.execute(db);
  return Number(numAffectedRows ?? 0);
};
