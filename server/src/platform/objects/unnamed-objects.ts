import { publishingLimits } from '@pergamin/contract';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '#platform/clock/clock.ts';
import type { Database } from '#platform/database/schema.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from './objects.ts';

interface Parts {
  readonly db: Kysely<Database>;
  readonly objects: Pick<Objects, 'list' | 'setAside' | 'listDiscarded' | 'discard'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** An object is named by a row minutes after it was stored, or never: its process was killed, or the answer to its commit got lost. */
const namedWithinMs = 24 * 3_600_000;
const keysAtOnce = 500;
/** A crash leaves those of the parts of batches that it interrupts. More mean a database that is older than the store: there they are all that is left of documents. */
const maxByAccident = 5 * publishingLimits.maxDocumentsPerPart;

/**
 * Sets objects aside that no row names and that are older than a day; they are kept, as after an older database was restored they may be all
 * that is left of documents. Every table with a column `object_key` names objects, so that a new room need not be listed here.
 * Touches nothing at all, and raises an alarm, when there are more of them than accidents leave.
 */
export const sweepUnnamedObjects = async (parts: Parts): Promise<void> => {
  const { db, objects, clock, log } = parts;
  // A key does not keep the object that it opens.
  const tables = (await listNamingTables(db)).filter((table) => table !== 'encryption_object_key');
  await removeDiscarded(parts, tables);
  const before = new Date(clock.now().getTime() - namedWithinMs);
  const unnamed: string[] = [];
  for await (const keys of inPortions(olderKeys(objects, before))) {
    unnamed.push(...(await findUnnamed(db, { tables, keys })));
    if (unnamed.length <= maxByAccident) continue;
    log.error({ alarm: 'unnamed-objects', atLeast: unnamed.length }, 'too many objects have no row: was an older database restored?');
    return;
  }
  for (const key of unnamed) await objects.setAside(key);
  if (unnamed.length > 0) log.warn({ objects: unnamed.length }, 'objects without a row were set aside');
};

/** What a lock kept from being removed when it was discarded. What a row still needs stays: others may hide objects in a bucket, too. */
const removeDiscarded = async ({ db, objects, log }: Parts, tables: readonly string[]): Promise<void> => {
  let removed = 0;
  for await (const keys of inPortions(objects.listDiscarded()))
    for (const key of await findUnnamed(db, { tables, keys })) {
      await objects.discard(key);
      removed += 1;
    }
  if (removed > 0) log.info({ objects: removed }, 'discarded objects whose lock may have ended were removed, or stay until it ends');
};

/** Every table with a column `object_key` names objects. */
export const listNamingTables = async (db: Kysely<Database>): Promise<string[]> => {
  // Not from information_schema, which leaves out what this role may not read: objects would seem to have no row.
  const { rows } = await sql<{ table_name: string }>`
    select c.relname as table_name from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attname = 'object_key'`.execute(db);
  // Without its tables this would not be the portal's database, and everything would be without a row.
  if (!rows.some((row) => row.table_name === 'document')) throw new Error('the tables that name objects were not found');
  return rows.map((row) => row.table_name);
};

const olderKeys = async function* (objects: Parts['objects'], before: Date): AsyncGenerator<string> {
  for await (const { key, storedAt } of objects.list()) if (storedAt < before) yield key;
};

const inPortions = async function* (keys: AsyncIterable<string>): AsyncGenerator<string[]> {
  let portion: string[] = [];
  for await (const key of keys) {
    portion.push(key);
    if (portion.length < keysAtOnce) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
};

/** A row whose bytes were removed still tells what their name was. */
const findUnnamed = async (
  db: Kysely<Database>,
  { tables, keys }: { tables: readonly string[]; keys: readonly string[] },
): Promise<string[]> => {
  const isUnnamed = tables.map(
    (table) =>
      sql`not exists (select from ${sql.table(table)} named where named.object_key = stored.key and to_jsonb(named) ->> 'removed_at' is null)`,
  );
  const { rows } = await sql<{ key: string }>`
    select stored.key from unnest(${keys}::text[]) as stored (key) where ${sql.join(isUnnamed, sql` and `)}`.execute(db);
  return rows.map((row) => row.key);
};
