import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import { renditionFormat, type RenditionSet } from '#platform/renditions/renditions.ts';

export interface RenditionRow {
  state: 'queued' | 'rendering' | 'done' | 'failed';
  pages: number;
  /** Why it failed; begins with `storageFault` when a store or disk was at fault. */
  error: string | null;
  updatedAt: Date;
  /** Seconds since the last sign of work, by the database's clock. */
  idleSeconds: number;
}

export const storageFault = 'STORAGE_ERROR: ';

type Executor = Kysely<Database> | Transaction<Database>;

export async function findRendition(db: Executor, set: RenditionSet): Promise<RenditionRow | undefined> {
  return db
    .selectFrom('rendition')
    .select([
      'state',
      'pages',
      'error',
      'updated_at as updatedAt',
      sql<number>`extract(epoch from now() - updated_at)::float8`.as('idleSeconds'),
    ])
    .where(ofSet(set))
    .executeTakeFirst();
}

/** False when there is a row already. */
export async function insertQueued(db: Executor, set: RenditionSet & { pages: number }): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('rendition')
    .values({ sha256: set.sha256, width: set.width, format: renditionFormat, pages: set.pages, state: 'queued' })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Of all who saw the row as it was at `seenAt`, exactly one gets true. */
export async function requeue(db: Executor, { seenAt, ...set }: RenditionSet & { seenAt: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('rendition')
    .set({ state: 'queued', pages_ready: 0, looked_page: null, error: null, updated_at: sql`now()` })
    .where(ofSet(set))
    // Node's Date knows milliseconds, the column microseconds.
    .where(sql<boolean>`date_trunc('milliseconds', updated_at) = ${seenAt}`)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Undefined when there is nothing to do: the row is gone or done. Tells the page that somebody looks at, if anybody does. */
export async function beginRendering(
  db: Executor,
  set: RenditionSet & { pagesReady: number },
): Promise<{ lookedPage: number | null } | undefined> {
  return db
    .updateTable('rendition')
    .set({ state: 'rendering', pages_ready: set.pagesReady, error: null, updated_at: sql`now()` })
    .where(ofSet(set))
    .where('state', '<>', 'done')
    .returning('looked_page as lookedPage')
    .executeTakeFirst();
}

/** Tells the page that somebody looks at. */
export async function updateRendition(
  db: Executor,
  { state, pagesReady, error = null, ...set }: RenditionSet & { state: RenditionRow['state']; pagesReady?: number; error?: string | null },
): Promise<number | null> {
  const row = await db
    .updateTable('rendition')
    .set({ state, error, updated_at: sql`now()`, ...(pagesReady === undefined ? {} : { pages_ready: pagesReady }) })
    .where(ofSet(set))
    .returning('looked_page as lookedPage')
    .executeTakeFirst();
  return row?.lookedPage ?? null;
}

/** Says which page somebody looks at, while the document is being drawn. No sign of work: `updated_at` stays. */
export async function lookAtPage(db: Executor, { page, ...set }: RenditionSet & { page: number }): Promise<void> {
  await db
    .updateTable('rendition')
    .set({ looked_page: page })
    .where(ofSet(set))
    .where('state', 'in', ['queued', 'rendering'])
    .where(({ eb }) => eb('looked_page', 'is distinct from', page))
    .execute();
}

/** In every width and format. */
export async function deleteRenditions(db: Executor, sha256s: readonly string[]): Promise<void> {
  if (sha256s.length > 0) await db.deleteFrom('rendition').where('sha256', 'in', sha256s).execute();
}

function ofSet({ sha256, width }: RenditionSet) {
  return sql<boolean>`sha256 = ${sha256} and width = ${width} and format = ${renditionFormat}`;
}
