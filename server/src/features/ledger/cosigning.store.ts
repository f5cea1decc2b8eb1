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

/** How far a witness has come. */
export interface WitnessAge {
  readonly name: string;
  /** The largest tree that it has cosigned, and when; null: none yet. */
  readonly size: number | null;
  readonly at: Date | null;
  /** When the first checkpoint was published that is larger than that; null: it has cosigned the newest. */
  readonly behindSince: Date | null;
}

export const listWitnessAges = async (db: Db, witnesses: readonly string[]): Promise<readonly WitnessAge[]> => {
  const { rows } = await sql<WitnessAge>`
    select asked.name, last.size, last.at, next.at as "behindSince"
    from unnest(${witnesses}::text[]) with ordinality as asked (name, place)
    left join lateral (select size, at from ledger_cosignature c where c.witness = asked.name order by size desc limit 1) as last on true
    left join lateral (select at from ledger_checkpoint p where p.size > coalesce(last.size, 0) order by p.size limit 1) as next on true
    order by asked.place`.execute(db);
  return rows;
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
