import { commitmentOf, parseStatement, type Statement, type StatementEvent } from '@pergamin/ledger';
import { sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { Head } from './ledger.store.ts';
import { sha256 } from './statements.rules.ts';

/** Read from the files of the log. `open`: of a public document. */
export interface AdoptedEntry {
  readonly index: number;
  readonly commitment: Uint8Array;
  /** Epoch milliseconds; 0 where it is not known. */
  readonly time: number;
  readonly open?: { readonly documentId: string; readonly event: StatementEvent; readonly statement: Uint8Array };
}

/** The statement of a public document stands in the log; of another one there is the commitment alone. */
export const adoptedOf = (bytes: Uint8Array, index: number): AdoptedEntry => {
  const [kind] = bytes;
  const rest = bytes.subarray(1);
  if (kind === 1) return { index, commitment: rest, time: 0 };
  const { documentId, event, time }: Statement = parseStatement(rest);
  return { index, commitment: commitmentOf(rest, sha256), time, open: { documentId, event, statement: rest } };
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** What waited to be published, and is entered by these already, is not entered again. An entry that is kept stays as it is. */
export const insertAdopted = async (
  trx: Trx,
  entries: readonly AdoptedEntry[],
  { size, root, at }: Head & { readonly at: Date },
): Promise<void> => {
  const rows = entries.map(({ index, commitment, open }) => ({
    index,
    commitment: hex(commitment),
    document: open?.documentId,
    event: open?.event,
    statement: open === undefined ? undefined : hex(open.statement),
  }));
  await sql`
    with entry as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
        as row (index bigint, document uuid, event text, commitment text, statement text)
    ),
    placed as (
      update ledger_pending p set index = entry.index from entry
      where p.document_id = entry.document and p.event = 'PUBLISHED' and entry.event = 'PUBLISHED' and p.index is null
    )
    insert into ledger_entry (index, document_id, event, at, commitment, statement, is_public)
    select index, document, event, ${at}::timestamptz, decode(commitment, 'hex'), decode(statement, 'hex'), statement is not null
    from entry on conflict (index) do nothing`.execute(trx);
  await sql`insert into ledger_tree (size, root, at) values (${size}::bigint, ${Buffer.from(root)}, ${at}::timestamptz)`.execute(trx);
};

/** What had a place behind the end of the log waits for a new one. */
export const freePlaces = async (trx: Trx, size: number): Promise<void> => {
  await sql`update ledger_pending set index = null where index >= ${size}::bigint`.execute(trx);
};

/** The newest checkpoint that was published. */
export const findPublished = (db: Db): Promise<{ readonly size: number; readonly at: Date } | undefined> =>
  db.selectFrom('ledger_checkpoint').select(['size', 'at']).orderBy('size', 'desc').limit(1).executeTakeFirst();

/** Published documents that no entry is about, and none that waits. */
export const countUnregistered = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from publication p join document d on d.id = p.document_id
    where d.published_at is not null and d.state <> 'FORGOTTEN'
      and not exists (select from ledger_entry e where e.document_id = p.document_id and e.event = 'PUBLISHED')
      and not exists (select from ledger_pending w where w.document_id = p.document_id and w.event = 'PUBLISHED')`.execute(db);
  return rows[0]?.count ?? 0;
};

interface Adoption {
  readonly reason: 'DATABASE_OLDER' | 'CHECKPOINT_LOST';
  /** Entries of the database before. */
  readonly size: number;
  readonly takenOver: number;
  readonly unregistered: number;
}

export const insertAdoption = async (trx: Trx, { reason, size, takenOver, unregistered }: Adoption): Promise<void> => {
  await trx.insertInto('ledger_adoption').values({ reason, size, taken_over: takenOver, unregistered }).execute();
};

/** The oldest first. */
export const listAdoptions = (db: Db): Promise<readonly (Adoption & { readonly at: Date })[]> =>
  db.selectFrom('ledger_adoption').select(['at', 'reason', 'size', 'taken_over as takenOver', 'unregistered']).orderBy('id').execute();
