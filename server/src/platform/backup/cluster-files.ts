import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError, type BackupFiles } from './backup-list.ts';
import { makeFolder, type Owner, syncFolders } from './copied-files.ts';

/**
 * What makes a database, and nothing else: no configuration, which may name commands; no signal of a recovery; no map of tablespaces, which PostgreSQL would
 * follow to other folders. What it makes anew at its start is not among them either (its documentation, “Making a Base Backup Using the Low Level API”).
 */
const ofCluster = [
  /^(PG_VERSION|backup_label)$/,
  /^(base|global)\/([\w.-]+\/)*[\w.-]+$/,
  /^pg_wal\/[0-9A-F]{24}$/,
  /^pg_(xact|multixact|commit_ts|twophase|stat|logical)\/([\w.-]+\/)*[\w.-]+$/,
];
const madeAnew = [/(^|\/)pgsql_tmp/, /(^|\/)pg_internal\.init(\.\d+)?$/];
/** Backups of before have them; they are never restored. */
const configuration = ['postgresql.conf', 'postgresql.auto.conf', 'pg_hba.conf', 'pg_ident.conf'];

/** Folders that a cluster must have, also with nothing in them. */
export const emptyFolders = [
  'pg_wal/archive_status',
  'pg_wal/summaries',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_tblspc',
  'pg_twophase',
  'pg_commit_ts',
  'pg_logical/snapshots',
  'pg_logical/mappings',
];

/** Whether a file of a data folder belongs into a copy of the database. */
export const isOfCluster = (path: string): boolean =>
  ofCluster.some((pattern) => pattern.test(path)) && !madeAnew.some((pattern) => pattern.test(path));

/** That the database of a backup has only what is restored, or was restored once. @throws BackupError */
export const requireClusterOnly = (folder: string, files: BackupFiles): void => {
  const prefix = 'postgres/';
  const inside = [...files.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const foreign = inside.filter((path) => !isOfCluster(path) && !configuration.includes(path));
  if (foreign.length > 0) throw new BackupError(`${folder} holds files that are no part of a database: ${foreign.slice(0, 5).join(', ')}`);
};

const note = '# Written by the restore. Each start gives its settings itself.\n';
/** The start writes who may connect. Until then nobody may. */
const texts: Readonly<Record<string, string>> = {
  'postgresql.conf': note,
  'postgresql.auto.conf': note,
  'pg_hba.conf': 'local all all reject\n',
  'pg_ident.conf': '',
};

/** Writes the folders and the configuration of a cluster, in which its files are restored afterwards. */
export const makeClusterFolder = async (data: string, owner: Owner): Promise<void> => {
  for (const folder of emptyFolders) await makeFolder(join(data, folder), owner);
  for (const [name, text] of Object.entries(texts)) {
    const path = join(data, name);
    await writeFile(path, text, { flag: 'wx', mode: 0o600, flush: true });
    await chown(path, owner.uid, owner.gid);
  }
  await syncFolders(data, emptyFolders);
};
