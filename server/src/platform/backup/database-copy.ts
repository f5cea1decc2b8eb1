import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import * as z from 'zod/mini';
import type { DatabaseConnection } from '#platform/database/connection.ts';
import { emptyFolders, isOfCluster } from './cluster-files.ts';
import { copyFile, listFiles } from './copied-files.ts';

const started = z.object({ data_directory: z.string(), wal: z.string() });
const stopped = z.object({ labelfile: z.string(), wal: z.string() });

interface Plan {
  /** As a superuser, on the machine of the database. */
  readonly connection: DatabaseConnection;
  /** Becomes a data folder of PostgreSQL. */
  readonly target: string;
  /** Copies what must not be newer than the copy of the database; runs before the moment that the copy shows. */
  readonly before: () => Promise<void>;
}

/**
 * Copies the embedded database while it is used. The copy shows the moment at which this resolves or a little before it: PostgreSQL recovers it at
 * its first start, from the write-ahead log that is copied with it. A temporary replication slot keeps that log until it is copied.
 */
export const copyDatabase = async ({ connection, target, before }: Plan): Promise<void> => {
  const client = new Client({ ...connection, statement_timeout: 0 });
  await client.connect();
  try {
    await client.query(`select pg_create_physical_replication_slot('pergamin_backup_' || pg_backend_pid(), true, true)`);
    const begun = await client.query(
      `select current_setting('data_directory') as data_directory, pg_walfile_name(pg_backup_start('pergamin', true)) as wal`,
    );
    const { data_directory: source, wal: first } = started.parse(begun.rows[0]);
    for (const folder of emptyFolders) await mkdir(join(target, folder), { recursive: true, mode: 0o700 });
    for await (const path of listFiles(source))
      if (isOfCluster(path) && !path.startsWith('pg_wal/')) await copyFile(join(source, path), join(target, path));
    await before();
    const ended = await client.query(`select labelfile, pg_walfile_name(lsn) as wal from pg_backup_stop(false)`);
    const { labelfile, wal: last } = stopped.parse(ended.rows[0]);
    await writeFile(join(target, 'backup_label'), labelfile, { flag: 'wx', mode: 0o600, flush: true });
    await copyLog({ source, target, first, last });
  } finally {
    await client.end();
  }
};

/** Segments of the write-ahead log, by the names of the first and the last. */
const copyLog = async ({ source, target, first, last }: { source: string; target: string; first: string; last: string }): Promise<void> => {
  const names = (await readdir(join(source, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last);
  if (!names.includes(first) || !names.includes(last)) throw new Error('the write-ahead log of the time of the backup is not complete');
  for (const name of names) await copyFile(join(source, 'pg_wal', name), join(target, 'pg_wal', name));
};
