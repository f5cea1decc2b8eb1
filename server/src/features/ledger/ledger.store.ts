import { sql } from 'kysely';
import { emptyRoot, type Hash, noHash, type StatementEvent } from '@pergamin/ledger';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { FormedEntry, LedgerFact, PendingFact } from './statements.rules.ts';

/** Any number that no other advisory lock here has. */
const lockNumber = 7_160_914_221;

/** A tree by its size. */
export interface Head {
  readonly size: number;
  readonly root: Hash;
}

export interface LedgerState {
  /** Committed. */
  readonly tree: Head;
  /** Signed and published. */
  readonly covered: Head;
  readonly lastAt: Date | null;
  /** How many entries the database itself speaks of anywhere, in one entry, checkpoint, cosignature or place; the size of the tree, or more where it was cut. */
  readonly named: number;
  /** Behind the last entry that is kept. */
  readonly entriesEnd: number;
}

interface StateRow {
  readonly size: number;
  /** Null without any tree. */
  readonly root: Buffer | null;
  readonly coveredSize: number | null;
  readonly coveredRoot: Buffer | null;
  readonly lastAt: Date | null;
  readonly named: number;
  readonly entriesEnd: number;
}

/** From here to the end of the transaction no other process appends. */
export const lockLedger = async (trx: Trx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${lockNumber}::bigint)`.execute(trx);
};

export const readState = async (db: Db): Promise<LedgerState> => {
  const { rows } = await sql<StateRow>`
    select coalesce(tree.size, 0) as size, tree.root, published.size as "coveredSize", published.root as "coveredRoot", tree.at as "lastAt",
      coalesce((select max(index) + 1 from ledger_entry), 0) as "entriesEnd",
      greatest(
        (select max(size) from ledger_checkpoint), (select max(size) from ledger_cosignature), (select max(size) from ledger_timestamp),
        (select max(index) + 1 from ledger_pending where index is not null), 0
      ) as named
    from (select) as one
    left join (select size, root, at from ledger_tree order by size desc limit 1) as tree on true
    left join lateral (
      select c.size, t.root from ledger_checkpoint c join ledger_tree t on t.size = c.size order by c.size desc limit 1
    ) as published on true`.execute(db);
  const [row] = rows;
  const empty = { size: 0, root: emptyRoot };
  if (row === undefined) return { tree: empty, covered: empty, lastAt: null, named: 0, entriesEnd: 0 };
  const { size, root, coveredSize, coveredRoot, lastAt, named, entriesEnd } = row;
  const covered = coveredSize === null || coveredRoot === null ? empty : { size: coveredSize, root: coveredRoot };
  return {
    tree: root === null ? empty : { size, root },
    covered,
    lastAt,
    named: Math.max(named, entriesEnd),
    entriesEnd,
  };
};

/**
 * Whether a checkpoint of this log was ever published: there is one, or an entry or a published document that waits for none. Until the first one
 * everything that was entered waits.
 */
export const hasBegun = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ begun: boolean }>`
    select exists (select from ledger_checkpoint)
      or exists (select from ledger_entry e where not exists (select from ledger_pending p where p.index = e.index))
      or exists (
        select from publication p join document d on d.id = p.document_id
        where d.published_at is not null and d.state <> 'FORGOTTEN'
          and not exists (select from ledger_pending w where w.document_id = p.document_id and w.event = 'PUBLISHED')
      ) as begun`.execute(db);
  return rows[0]?.begun === true;
};

/** A document that was entered as published is not entered as such again. */
export const insertPending = async (trx: Trx, facts: readonly LedgerFact[]): Promise<void> => {
  await sql`
    insert into ledger_pending (document_id, event, sha256, size, owner, type, state, metadata, moment)
    select "documentId", event, sha256, size, owner, type, state, metadata, moment
    from json_to_recordset(${JSON.stringify(facts)}::json) as fact ("documentId" uuid, event text, sha256 text, size bigint, owner text,
      type text, state text, metadata text, moment timestamptz)
    where event <> 'PUBLISHED' or not exists (select from ledger_entry e where e.document_id = "documentId" and e.event = 'PUBLISHED')
    on conflict (document_id) where event = 'PUBLISHED' do nothing`.execute(trx);
};

/**
 * The oldest facts, and the newest publications: these are the first that is said of their documents, so that no statement comes before the one that it
 * follows. They are locked: one whose document is being forgotten is read as it is afterwards.
 */
export const takePending = async (trx: Trx, { oldest, newest }: { oldest: number; newest: number }): Promise<PendingFact[]> => {
  const { rows } = await sql<PendingFact>`
    select p.id, p.document_id as "documentId", p.event, p.sha256, p.size, p.owner, p.type, p.state, p.metadata, before.commitment as previous
    from ledger_pending p
    left join lateral (
      select commitment from ledger_entry e where e.document_id = p.document_id order by e.index desc limit 1
    ) as before on true
    where p.id in (
      (select id from ledger_pending where index is null order by id limit ${oldest}::int)
      union
      (select id from ledger_pending where index is null and event = 'PUBLISHED' order by id desc limit ${newest}::int)
    )
    order by p.id for update of p`.execute(trx);
  return rows;
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Entries, the tree with them, and their places: committed together, and not signed yet. */
export const insertEntries = async (
  trx: Trx,
  entries: readonly FormedEntry[],
  { size, root, at }: Head & { readonly at: Date },
): Promise<void> => {
  const rows = entries.map(({ pendingId, index, fact, commitment, statement, isPublic }) => ({
    id: pendingId,
    index,
    document: fact.documentId,
    event: fact.event,
    commitment: hex(commitment),
    statement: hex(statement),
    open: isPublic,
  }));
  await sql`
    with entry as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
        as row (id bigint, index bigint, document uuid, event text, commitment text, statement text, open boolean)
    ),
    kept as (
      insert into ledger_entry (index, document_id, event, at, commitment, statement, is_public)
      select index, document, event, ${at}::timestamptz, decode(commitment, 'hex'), decode(statement, 'hex'), open from entry
    ),
    placed as (
      -- A publication to two owners has two entries, and is covered with the later one.
      update ledger_pending p set index = place.index from (select id, max(index) as index from entry group by id) as place
      where p.id = place.id
    )
    insert into ledger_tree (size, root, at) values (${size}::bigint, ${Buffer.from(root)}, ${at}::timestamptz)`.execute(trx);
};

/** What is not covered yet, and since when. */
export const readLag = async (db: Db): Promise<{ size: number; pending: number; oldestAt: Date | null }> => {
  const { rows } = await sql<{ size: number; pending: number; oldestAt: Date | null }>`
    select coalesce((select max(size) from ledger_checkpoint), 0) as size, count(*) as pending, min(entered_at) as "oldestAt"
    from ledger_pending`.execute(db);
  return rows[0] ?? { size: 0, pending: 0, oldestAt: null };
};

export interface KeptEntry {
  readonly commitment: Buffer;
  readonly statement: Buffer | null;
  readonly isPublic: boolean;
}

/** The publication of this document is not covered yet. */
export const isPublicationPending = async (db: Db, documentId: string): Promise<boolean> =>
  (await db
    .selectFrom('ledger_pending')
    .select('id')
    .where('document_id', '=', documentId)
    .where('event', '=', 'PUBLISHED')
    .executeTakeFirst()) !== undefined;

/** In their order, from the place `from` up to that before `to`. */
export const listEntries = async (db: Db, { from, to }: { readonly from: number; readonly to: number }): Promise<KeptEntry[]> => {
  const { rows } = await sql<KeptEntry>`
    select commitment, case when is_public then statement end as statement, is_public as "isPublic"
    from ledger_entry where index >= ${from}::bigint and index < ${to}::bigint order by index`.execute(db);
  return rows;
};

/** False: another process has published it. */
export const insertCheckpoint = async (trx: Trx, { size, note, at }: { size: number; note: string; at: Date }): Promise<boolean> => {
  const { rows } = await sql`
    insert into ledger_checkpoint (size, note, at) values (${size}::bigint, ${note}, ${at}::timestamptz)
    on conflict (size) do nothing returning size`.execute(trx);
  return rows.length > 0;
};

export interface CoveredFact {
  readonly documentId: string;
  readonly event: StatementEvent;
  readonly moment: Date | null;
  /** What its statement says. */
  readonly enteredAt: Date;
}

/** In the order of the log. */
export const takeCovered = async (trx: Trx, size: number): Promise<CoveredFact[]> => {
  const { rows } = await sql<CoveredFact & { readonly index: number }>`
    delete from ledger_pending p where p.index < ${size}::bigint returning p.document_id as "documentId", p.event, p.moment, p.index,
      coalesce((select e.at from ledger_entry e where e.index = p.index), p.entered_at) as "enteredAt"`.execute(trx);
  return rows.toSorted((one, other) => one.index - other.index);
};

/**
 * The openings of these documents go, and with them what the commitments say; so does what is still to be entered. Statements of public documents
 * stand in the log itself.
 */
export const eraseStatements = async (trx: Trx, documentIds: readonly string[]): Promise<void> => {
  await sql`
    update ledger_pending set owner = '', sha256 = ${noHash}, size = 0, metadata = ${noHash}
    where document_id = any(${documentIds}::uuid[]) and type <> 'PUBLIC'`.execute(trx);
  await sql`
    update ledger_entry set statement = null
    where document_id = any(${documentIds}::uuid[]) and event <> 'FORGOTTEN' and statement is not null and not is_public`.execute(trx);
};

/** The one that is kept, which another process may have written first. */
export const keepLog = async (db: Db, wish: { origin: string; verifierKey: string }): Promise<{ origin: string; verifierKey: string }> => {
  await sql`insert into ledger_log (origin, verifier_key) values (${wish.origin}, ${wish.verifierKey}) on conflict do nothing`.execute(db);
  return (await findLog(db)) ?? wish;
};

export const findLog = async (db: Db): Promise<{ origin: string; verifierKey: string } | undefined> =>
  db.selectFrom('ledger_log').select(['origin', 'verifier_key as verifierKey']).executeTakeFirst();
