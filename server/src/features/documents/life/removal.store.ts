import { sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';
import { mayRemoveBytes, type Standing } from './life.rules.ts';

export interface RemovableDocument {
  readonly id: string;
  readonly object_key: string;
  readonly sha256: string;
}

/** Of many documents in the order of their ids. */
interface Portion {
  readonly after: string;
  readonly limit: number;
}

interface Marked {
  /** How many were looked at; fewer than the limit: there are no more. */
  readonly seen: number;
  readonly last: string | undefined;
}

/**
 * Marks documents whose bytes may go. From then on they cannot be held or retained any more. One that is being changed is left to the next
 * round.
 */
export const beginRemoval = async (
  db: Db,
  { after, limit, today, at }: Portion & { readonly today: string; readonly at: Date },
): Promise<Marked> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string } & Omit<Standing, 'isRemoved' | 'isReplaced'>>`
      select id, state, legal_hold as "legalHold", retention_date as "retentionDate" from document
      where state in ('DELETED', 'FORGOTTEN') and removed_at is null and removal_began_at is null and id > ${after}::uuid
      order by id limit ${limit}::int for no key update skip locked`.execute(trx);
    const ids = rows.filter((row) => mayRemoveBytes(row, today)).map(({ id }) => id);
    await sql`update document set removal_began_at = ${at}::timestamptz where id = any(${ids}::uuid[])`.execute(trx);
    return { seen: rows.length, last: rows.at(-1)?.id };
  });

/** Marked and not removed yet: those of a killed round are among them, and those whose lock in the store has ended by now. */
export const listBegun = async (db: Db, { after, limit, at }: Portion & { readonly at: Date }): Promise<RemovableDocument[]> => {
  const { rows } = await sql<RemovableDocument>`
    select id, object_key, sha256 from document
    where state in ('DELETED', 'FORGOTTEN') and removed_at is null and removal_began_at is not null and id > ${after}::uuid
      and not exists (select from object_lock locked
        where locked.key = document.object_key and locked.discarded_at is not null and locked.locked_until > ${at}::timestamptz)
    order by id limit ${limit}::int`.execute(db);
  return rows;
};

/** After the bytes are gone. What their last reading gave goes, too. */
export const endRemoval = async (db: Db, { id, at }: { id: string; at: Date }): Promise<void> => {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('document').set({ removed_at: at }).where('id', '=', id).where('removed_at', 'is', null).execute();
    await trx.deleteFrom('document_check').where('document_id', '=', id).execute();
  });
};

/** Whether another document has the same content, and may show its pages. */
export const isContentInUse = async (db: Db, { id, sha256 }: RemovableDocument): Promise<boolean> => {
  const other = await db
    .selectFrom('document')
    .select('id')
    .where('sha256', '=', sha256)
    .where('id', '<>', id)
    .where('removal_began_at', 'is', null)
    .executeTakeFirst();
  return other !== undefined;
};
