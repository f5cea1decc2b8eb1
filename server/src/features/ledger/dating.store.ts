import type { Db } from '#platform/database/schema.ts';

/** The newest published checkpoint, unless it is dated. */
export const findUndated = async (db: Db): Promise<{ readonly size: number; readonly note: string } | undefined> => {
  const newest = await db
    .selectFrom('ledger_checkpoint as c')
    .leftJoin('ledger_timestamp as t', 't.size', 'c.size')
    .select(['c.size', 'c.note', 't.at'])
    .orderBy('c.size', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.at === null ? newest : undefined;
};

export const insertTimestamp = async (
  db: Db,
  { size, token, at }: { readonly size: number; readonly token: Uint8Array; readonly at: Date },
): Promise<void> => {
  await db
    .insertInto('ledger_timestamp')
    .values({ size, token: Buffer.from(token), at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** With the checkpoint that it dates. */
export const findNewestTimestamp = (db: Db) =>
  db
    .selectFrom('ledger_timestamp as t')
    .innerJoin('ledger_checkpoint as c', 'c.size', 't.size')
    .select(['t.size', 't.token', 't.at', 'c.note'])
    .orderBy('t.size', 'desc')
    .limit(1)
    .executeTakeFirst();
