import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { openDatabase } from '../server/src/platform/database/database.ts';
import {
  type EmbeddedPostgres,
  removeAbandonedDatabases,
  startEmbeddedPostgres,
} from '../server/src/platform/database/embedded-postgres/embedded-postgres.ts';
import { migrateToLatest } from '../server/src/platform/database/migrate.ts';
import { silentLog } from '../server/src/platform/log/log.ts';
import { dataVersion, type Scale, seedMillion } from './million.data.ts';

const cache = fileURLToPath(new URL('../.cache/bench', import.meta.url));

const migrationsFolder = new URL('../server/src/platform/database/migrations/', import.meta.url);

/** What data were made by: other data, or other tables for them, and they are made anew. Tables that come later are added to them. */
const version = z.object({ data: z.int(), migrations: z.record(z.string(), z.string()) });
type Version = z.output<typeof version>;

const findVersion = async (): Promise<Version> => {
  const migrations: Version['migrations'] = {};
  for (const name of await readdir(migrationsFolder))
    if (/^\d/.test(name))
      migrations[name] = createHash('sha256')
        .update(await readFile(new URL(name, migrationsFolder)))
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
  await removeAbandonedDatabases(silentLog());
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

/** A database with that many documents. They are kept from run to run, as loading them takes minutes. */
export const startKeptData = async (scale: Scale): Promise<{ postgres: EmbeddedPostgres; folder: string }> => {
  const folder = join(cache, `documents-${scale.documents}`);
  const current = await findVersion();
  if (!(await isKept(folder, current))) await load(folder, { scale, current });
  return { postgres: await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log: silentLog() }), folder };
};
