import type { Batch, BatchReportLine, BatchState } from '@pergamin/contract';
import { sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';

/** Who did something, and when. */
interface Step {
  readonly keyId: PublisherCaller['keyId'];
  readonly at: Date;
}

const batches = (db: Db) =>
  db
    .selectFrom('batch as b')
    .innerJoin('publisher_key as opener', 'opener.id', 'b.opened_by')
    .leftJoin('publisher_key as committer', 'committer.id', 'b.committed_by')
    .leftJoin('publisher_key as discarder', 'discarder.id', 'b.discarded_by')
    .leftJoin('publisher_key as withdrawer', 'withdrawer.id', 'b.withdrawn_by')
    .select(['b.id', 'b.name', 'b.state', 'b.documents', 'b.published', 'b.opened_at', 'b.opened_by', 'opener.name as opener'])
    .select(['b.committed_at', 'b.committed_by', 'committer.name as committer', 'b.publish_at', 'b.published_at'])
    .select(['b.discarded_at', 'b.discarded_by', 'discarder.name as discarder', 'b.senders'])
    .select(['b.withdrawn_at', 'b.withdrawn_by', 'withdrawer.name as withdrawer', 'b.withdrawal_reason']);

type Row = Awaited<ReturnType<ReturnType<typeof batches>['execute']>>[number];

/** `senders`: the keys that opened it or sent documents into it. */
export interface KeptBatch extends Batch {
  readonly senders: readonly string[];
}

const stepOf = (at: Date | null, keyId: string | null, keyName: string | null): Batch['committed'] =>
  at === null || keyId === null ? null : { at: at.getTime(), keyId, keyName: keyName ?? '' };

const keptOf = ({ id, name, state, documents, published, ...row }: Row): KeptBatch => ({
  id,
  name,
  state,
  documents,
  published,
  opened: { at: row.opened_at.getTime(), keyId: row.opened_by, keyName: row.opener },
  committed: stepOf(row.committed_at, row.committed_by, row.committer),
  publishAt: row.publish_at?.getTime() ?? null,
  publishedAt: row.published_at?.getTime() ?? null,
  discarded: stepOf(row.discarded_at, row.discarded_by, row.discarder),
  withdrawn: withdrawnOf(row),
  senders: [row.opened_by, ...row.senders],
});

const withdrawnOf = (row: Pick<Row, 'withdrawn_at' | 'withdrawn_by' | 'withdrawer' | 'withdrawal_reason'>): Batch['withdrawn'] => {
  const step = stepOf(row.withdrawn_at, row.withdrawn_by, row.withdrawer);
  return step === null ? null : { ...step, reason: row.withdrawal_reason ?? '' };
};

/** False: the name is taken. */
export const insertBatch = async (trx: Trx, { id, name, keyId, at }: Step & { id: string; name: string }): Promise<boolean> => {
  const { rows } = await sql`
    insert into batch (id, name, opened_at, opened_by) values (${id}::uuid, ${name}, ${at}::timestamptz, ${keyId}::uuid)
    on conflict (name) where state <> 'DISCARDED' do nothing returning id`.execute(trx);
  return rows.length > 0;
};

/** The one that has the name now. */
export const findNamedBatch = async (db: Db, name: string): Promise<KeptBatch | undefined> => {
  const row = await batches(db).where('b.name', '=', name).where('b.state', '<>', 'DISCARDED').executeTakeFirst();
  return row === undefined ? undefined : keptOf(row);
};

export const findBatch = async (db: Db, id: string): Promise<KeptBatch | undefined> => {
  const row = await batches(db).where('b.id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : keptOf(row);
};

/** Locked until the transaction ends: parts, the commit, slices and the discard of one batch come one after the other. */
export const lockBatch = async (trx: Trx, id: string): Promise<KeptBatch | undefined> => {
  await trx.selectFrom('batch').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  return findBatch(trx, id);
};

export const listNewest = async (db: Db, { before, limit }: { before: string | undefined; limit: number }): Promise<KeptBatch[]> => {
  const newest = batches(db).orderBy('b.opened_at', 'desc').orderBy('b.id', 'desc').limit(limit);
  const older = sql<boolean>`(b.opened_at, b.id) < (select opened_at, id from batch where id = ${before}::uuid)`;
  return (await (before === undefined ? newest : newest.where(older)).execute()).map(keptOf);
};

export const countSent = async (trx: Trx, id: string, { documents, keyId }: { documents: number; keyId: string }): Promise<void> => {
  await sql`
    update batch set documents = documents + ${documents}::int,
      senders = case when ${keyId}::uuid = any(senders) then senders else senders || ${keyId}::uuid end
    where id = ${id}::uuid`.execute(trx);
};

export const markCommitted = async (trx: Trx, id: string, { keyId, at, publishAt }: Step & { publishAt: Date | null }): Promise<void> => {
  const set = { state: 'COMMITTED', committed_at: at, committed_by: keyId, publish_at: publishAt } as const;
  await trx.updateTable('batch').set(set).where('id', '=', id).execute();
};

export const markDiscarded = async (trx: Trx, id: string, { keyId, at }: Step): Promise<void> => {
  await trx.updateTable('batch').set({ state: 'DISCARDED', discarded_at: at, discarded_by: keyId }).where('id', '=', id).execute();
};

export const markWithdrawing = async (trx: Trx, id: string, { keyId, at, reason }: Step & { reason: string }): Promise<void> => {
  const set = { state: 'WITHDRAWING', withdrawn_at: at, withdrawn_by: keyId, withdrawal_reason: reason } as const;
  await trx.updateTable('batch').set(set).where('id', '=', id).execute();
};

/** Once nothing of it is left to be taken back. */
export const markWithdrawn = async (trx: Trx, id: string): Promise<void> => {
  await trx.updateTable('batch').set({ state: 'WITHDRAWN' }).where('id', '=', id).where('state', '=', 'WITHDRAWING').execute();
};

/** A published document of a batch. */
export interface Released {
  readonly id: string;
  readonly position: number;
}

/** In the order in which they were sent, after this one. */
export const listReleased = async (
  db: Db,
  id: string,
  { after, limit }: { after: Released | undefined; limit: number },
): Promise<Released[]> => {
  const { rows } = await sql<Released>`
    select id, batch_position as position from document
    where batch_id = ${id}::uuid and (batch_position, id) > (${after?.position ?? 0}::int, ${after?.id ?? nil}::uuid) and published_at is not null
    order by batch_position, id limit ${limit}::int`.execute(db);
  return rows;
};

/** Whether the ledger is about to make documents of the batch visible. */
export const isEntered = async (trx: Trx, id: string): Promise<boolean> => {
  const { rows } = await sql`
    select from ledger_pending p join document d on d.id = p.document_id where d.batch_id = ${id}::uuid limit 1`.execute(trx);
  return rows.length > 0;
};

/** What is to be released or removed now. */
export const listAtWork = async (db: Db, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from batch where (state in ('COMMITTED', 'WITHDRAWING') or (state = 'DISCARDED' and documents > 0))
      and (state <> 'COMMITTED' or publish_at is null or publish_at <= ${now}::timestamptz)
    order by coalesce(publish_at, committed_at), id`.execute(db);
  return rows.map(({ id }) => id);
};

/** A document that waits for its release, in the order of releases. */
export interface Waiting {
  readonly id: string;
  readonly recipient: string;
}

/** What a batch has not released yet, customer by customer. */
export const listWaiting = async (
  trx: Trx,
  { id, after, limit }: { id: string; after: Waiting | undefined; limit: number },
): Promise<Waiting[]> => {
  const place = after === undefined ? sql`` : sql`and (coalesce(cif, group_id, ''), id) > (${after.recipient}, ${after.id}::uuid)`;
  const { rows } = await sql<Waiting>`
    select id, coalesce(cif, group_id, '') as recipient from document
    where batch_id = ${id}::uuid and published_at is null ${place}
    order by coalesce(cif, group_id, ''), id limit ${limit}::int`.execute(trx);
  return rows;
};

/** The state that the batch has then. */
export const countReleased = async (
  trx: Trx,
  id: string,
  { documents, at }: { documents: number; at: Date },
): Promise<BatchState | undefined> => {
  const { rows } = await sql<{ state: BatchState }>`
    update batch set published = published + ${documents}::int,
      state = case when state = 'COMMITTED' and published + ${documents}::int = documents then 'PUBLISHED' else state end,
      published_at = case when published + ${documents}::int = documents then ${at}::timestamptz end
    where id = ${id}::uuid returning state`.execute(trx);
  return rows[0]?.state;
};

/** Drafts of a batch that is discarded or withdrawn, with what they have in the store; those that the ledger is about to make visible are none. */
export const listDrafts = async (db: Db, id: string, limit: number): Promise<{ id: string; objectKey: string }[]> => {
  const { rows } = await sql<{ id: string; objectKey: string }>`
    select d.id, d.object_key as "objectKey" from document d join batch b on b.id = d.batch_id and b.state in ('DISCARDED', 'WITHDRAWING')
    where d.batch_id = ${id}::uuid and d.published_at is null
      and not exists (select from ledger_pending p where p.document_id = d.id) order by d.batch_position limit ${limit}::int`.execute(db);
  return rows;
};

export const removeDrafts = async (trx: Trx, id: string, documentIds: readonly string[]): Promise<void> => {
  await sql`
    with removed as (
      delete from document where id = any(${documentIds}::uuid[]) and batch_id = ${id}::uuid and published_at is null returning id
    )
    update batch set documents = documents - (select count(*) from removed) where id = ${id}::uuid`.execute(trx);
};

interface Line {
  readonly position: number;
  readonly line: BatchReportLine;
}

/** In the order in which they were sent. */
export const listLines = async (db: Db, id: string, { after, limit }: { after: Line | undefined; limit: number }): Promise<Line[]> => {
  const rows = await db
    .selectFrom('document')
    .select(['id', 'unique_name', 'file_name', 'type', 'cif', 'cif2', 'group_id', 'sha256', 'state', 'published_at', 'batch_position'])
    .where('batch_id', '=', id)
    .where(sql<boolean>`(batch_position, id) > (${after?.position ?? 0}::int, ${after?.line.id ?? nil}::uuid)`)
    .orderBy('batch_position')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    position: row.batch_position ?? 0,
    line: {
      uniqueName: row.unique_name,
      fileName: row.file_name,
      type: row.type,
      cif: row.cif,
      cif2: row.cif2,
      groupId: row.group_id,
      id: row.id,
      sha256: row.state === 'FORGOTTEN' ? null : row.sha256,
      state: row.published_at === null ? 'DRAFT' : row.state,
      publishedAt: row.published_at?.getTime() ?? null,
    },
  }));
};

const nil = '00000000-0000-0000-0000-000000000000';
