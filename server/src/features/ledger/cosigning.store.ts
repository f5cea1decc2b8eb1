import { type Checkpoint, parseCheckpoint } from '@pergamin/ledger';
import { sql } from 'kysely';
import type { Db } from '#platform/database/schema.ts';

interface Cosignature {
  readonly size: number;
  readonly witness: string;
  /** Its line in the note, with its newline. */
  readonly line: string;
  readonly at: Date;
}

export const insertCosignature = async (db: Db, cosignature: Cosignature): Promise<void> => {
  await db
    .insertInto('ledger_cosignature')
    .values(cosignature)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** The largest tree that each of these witnesses has cosigned. */
export const cosignedSizes = async (db: Db, witnesses: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ witness: string; size: string }>`
    select asked.witness, last.size from unnest(${witnesses}::text[]) as asked (witness) cross join lateral (
      select size from ledger_cosignature c where c.witness = asked.witness order by size desc limit 1
    ) as last`.execute(db);
  return new Map(rows.map(({ witness, size }) => [witness, Number(size)]));
};

/** The lines of this checkpoint, in a fixed order. */
export const listCosignatures = async (db: Db, size: number): Promise<readonly string[]> => {
  const rows = await db.selectFrom('ledger_cosignature').select('line').where('size', '=', size).orderBy('witness').execute();
  return rows.map(({ line }) => line);
};

/** The newest published checkpoint, as the log signed it. */
export const latestHead = async (db: Db): Promise<Checkpoint | undefined> => {
  const row = await db.selectFrom('ledger_checkpoint').select('note').orderBy('size', 'desc').limit(1).executeTakeFirst();
  return row === undefined ? undefined : parseCheckpoint(row.note);
};
