import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** Other data, or other tables for them, and they are made anew. */
const findVersion = async (): Promise<string> => {
  const hash = createHash('sha256').update(String(dataVersion));
  for (const name of (await readdir(migrationsFolder)).toSorted())
    hash.update(name).update(await readFile(new URL(name, migrationsFolder)));
  return hash.digest('hex');
};

const readVersion = (folder: string): Promise<string> => readFile(join(folder, 'version'), 'utf8').catch(() => '');

const load = async (folder: string, { scale, version }: { scale: Scale; version: string }): Promise<void> => {
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
  await writeFile(join(folder, 'version'), version);
};

/** A database with that many documents. They are kept from run to run, as loading them takes minutes. */
export const startKeptData = async (scale: Scale): Promise<{ postgres: EmbeddedPostgres; folder: string }> => {
  const folder = join(cache, `documents-${scale.documents}`);
  const version = await findVersion();
  if ((await readVersion(folder)) !== version) await load(folder, { scale, version });
  return { postgres: await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log: silentLog() }), folder };
};
