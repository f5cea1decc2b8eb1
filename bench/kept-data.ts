import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { openDatabase } from '../server/src/platform/database/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/src/platform/database/embedded-postgres/embedded-postgres.ts';
import { migrateToLatest, MigrationError } from '../server/src/platform/database/migrate.ts';
import { silentLog } from '../server/src/platform/log/log.ts';
import { dataVersion, type Scale, seedMillion } from './million.data.ts';

const cache = fileURLToPath(new URL('../.cache/bench', import.meta.url));

const databaseFolder = new URL('../server/src/platform/database/', import.meta.url);

/** What data were made by: other data, or other tables for them, and they are made anew. Tables that come later are added to them. */
const version = z.object({ data: z.int(), migrations: z.record(z.string(), z.string()) });
type Version = z.output<typeof version>;

const findVersion = async (): Promise<Version> => {
  const migrations: Version['migrations'] = {};
  for (const folder of ['migrations', 'schema'])
    for (const name of await readdir(new URL(folder, databaseFolder)))
      if (/^\d|\.sql$/.test(name))
        migrations[name] = createHash('sha256')
          .update(await readFile(new URL(`${folder}/${name}`, databaseFolder)))
          .digest('hex');
  return { data: dataVersion, migrations };
};

const readVersion = async (folder: string): Promise<Version | undefined> => {
  try {
    return version.parse(JSON.parse(await readFile(join(folder, 'version'), 'utf8')));
  } catch {
    return undefined;
  }
};

const isKept = async (folder: string, current: Version): Promise<boolean> => {
  const kept = await readVersion(folder);
  if (kept?.data !== current.data) return false;
  return Object.entries(kept.migrations).every(([name, hash]) => current.migrations[name] === hash);
};

const load = async (folder: string, { scale, current }: { scale: Scale; current: Version }): Promise<void> => {
  process.stderr.write(`loading ${scale.documents} documents, once …\n`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log: silentLog() });
  const { db, pool, close } = openDatabase({ connection: postgres.connection, maxConnections: 2, log: silentLog() });
  try {
    await migrateToLatest(db, silentLog());
    await seedMillion(pool, scale);
  } finally {
    await close();
    await postgres.stop();
  }
  await writeFile(join(folder, 'version'), JSON.stringify(current));
};

/** Tables that came since the data were made. Throws when the database has others than the product knows. */
const bringUpToDate = async (postgres: EmbeddedPostgres): Promise<void> => {
  const { db, close } = openDatabase({ connection: postgres.connection, maxConnections: 1, log: silentLog() });
  try {
    await migrateToLatest(db, silentLog());
  } finally {
    await close();
  }
};

/** A database with that many documents. They are kept from run to run, as loading them takes minutes. */
export const startKeptData = async (scale: Scale): Promise<{ postgres: EmbeddedPostgres; folder: string }> => {
  const folder = join(cache, `documents-${scale.documents}`);
  const current = await findVersion();
  const start = async (): Promise<EmbeddedPostgres> => {
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log: silentLog() });
    try {
      await bringUpToDate(postgres);
    } catch (error) {
      await postgres.stop();
      throw error;
    }
    await writeFile(join(folder, 'version'), JSON.stringify(current));
    return postgres;
  };
  if (!(await isKept(folder, current))) await load(folder, { scale, current });
  try {
    return { postgres: await start(), folder };
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    // Made by migrations that have other names or another order now.
    await load(folder, { scale, current });
    return { postgres: await start(), folder };
  }
};
