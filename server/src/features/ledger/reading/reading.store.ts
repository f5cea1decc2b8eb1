import type { StatementEvent } from '@pergamin/ledger';
import { sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';

interface CheckpointRow {
  readonly size: number;
  readonly root: Buffer;
  readonly note: string;
  readonly at: Date;
  readonly cosignatures: readonly { readonly witness: string; readonly line: string; readonly at: string }[];
}

/**
 * The newest that is published, with the cosignatures that have come for it. `covering`: of those that cover this entry the newest that a witness has
 * cosigned, if there is one.
 */
export const findCheckpoint = async (db: Db, { covering }: { covering?: number } = {}): Promise<CheckpointRow | undefined> => {
  const cosigned =
    covering === undefined
      ? sql`null`
      : sql`(select max(c.size) from ledger_cosignature c join ledger_checkpoint p on p.size = c.size where c.size > ${covering}::bigint)`;
  const { rows } = await sql<CheckpointRow>`
    select checkpoint.size, tree.root, checkpoint.note, checkpoint.at, coalesce((
      select json_agg(json_build_object('witness', witness, 'line', line, 'at', at) order by witness)
      from ledger_cosignature where ledger_cosignature.size = checkpoint.size
    ), '[]') as cosignatures
    from ledger_checkpoint checkpoint join ledger_tree tree on tree.size = checkpoint.size
    where checkpoint.size = coalesce(${cosigned}, (select max(size) from ledger_checkpoint))`.execute(db);
  return rows[0];
};

/** Something about the document waits to be entered, or to be covered. */
export const hasPending = async (db: Db, documentId: string): Promise<boolean> =>
  (await db.selectFrom('ledger_pending').select('id').where('document_id', '=', documentId).limit(1).executeTakeFirst()) !== undefined;

export interface EntryRow {
  readonly index: number;
  /** Null: taken over from the files of the log. */
  readonly event: StatementEvent | null;
  readonly at: Date;
  readonly commitment: Buffer;
  /** Null when it was forgotten, or is not known. */
  readonly statement: Buffer | null;
}

/** Those that a published checkpoint covers, in their order. */
export const listEntries = async (db: Db, documentId: string): Promise<readonly EntryRow[]> => {
  const { rows } = await sql<EntryRow>`
    select index, event, at, commitment, statement from ledger_entry
    where document_id = ${documentId}::uuid and index < (select coalesce(max(size), 0) from ledger_checkpoint)
    order by index`.execute(db);
  return rows;
};

/** Those that say what was published, or received: of a sound ledger one. A later one of the same document would not be its publication. */
export const listPublications = async (db: Db, documentId: string): Promise<readonly EntryRow[]> =>
  (await listEntries(db, documentId)).filter(({ event }) => event === 'PUBLISHED' || event === 'RECEIVED');

export interface LoggedEntry extends EntryRow {
  /** Null: taken over from the files of the log. */
  readonly documentId: string | null;
  readonly isPublic: boolean;
}

/** From `from` on, at most `limit`, in their order. */
export const listEntriesFrom = async (db: Db, { from, limit }: { from: number; limit: number }): Promise<readonly LoggedEntry[]> => {
  const { rows } = await sql<LoggedEntry>`
    select index, document_id as "documentId", event, at, commitment, statement, is_public as "isPublic" from ledger_entry
    where index >= ${from}::bigint order by index limit ${limit}::int`.execute(db);
  return rows;
};
