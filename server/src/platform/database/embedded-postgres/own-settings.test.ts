import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import type { DatabaseConnection } from '../connection.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

let folder: string;
let marks: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-settings-'));
  // PostgreSQL runs as an ordinary user below it.
  await chmod(folder, 0o755);
  marks = join(folder, 'marks');
  await mkdir(marks);
  await chmod(marks, 0o777);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Setting {
  readonly name: string;
  readonly setting: string;
  readonly source: string;
}

const ask = async (connection: DatabaseConnection, text: string): Promise<Setting[]> => {
  const client = new Client({ ...connection });
  await client.connect();
  try {
    return (await client.query<Setting>(text)).rows;
  } finally {
    await client.end();
  }
};

const start = (binFolder?: string) => startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: silentLog(), binFolder });

/** Every one of them runs something, loads something, writes a file or lets somebody in, were it taken. */
const poisoned = (mark: (name: string) => string): Readonly<Record<string, string>> => ({
  archive_mode: 'on',
  archive_command: `touch ${mark('archive')}`,
  archive_cleanup_command: `touch ${mark('cleanup')}`,
  restore_command: `touch ${mark('restore')}`,
  recovery_end_command: `touch ${mark('recovery')}`,
  ssl: 'on',
  ssl_passphrase_command: `touch ${mark('passphrase')}`,
  shared_preload_libraries: mark('shared.so'),
  session_preload_libraries: mark('session.so'),
  local_preload_libraries: 'evil',
  dynamic_library_path: mark('libraries'),
  jit_provider: mark('jit'),
  listen_addresses: '*',
  external_pid_file: mark('pid'),
  hba_file: mark('hba'),
  ident_file: mark('ident'),
  data_directory: mark('data'),
  logging_collector: 'on',
  log_destination: 'csvlog',
  log_directory: mark('log'),
  unix_socket_directories: mark('socket'),
  session_replication_role: 'replica',
});

describe('what the files of a data folder say', () => {
  test.each(['postgresql.auto.conf', 'postgresql.conf'])('in %s of commands, libraries and ways in does not count', async (file) => {
    const first = await start();
    await first.stop();
    const settings = poisoned((name) => join(marks, name));
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    await appendFile(join(folder, 'data', 'postgres', 'data', file), lines.join(''));
    const second = await start();
    try {
      const told = await ask(
        second.connection,
        `select name, setting, source from pg_settings where name = any('{${Object.keys(settings).join(',')}}')`,
      );
      for (const { name, setting, source } of told) {
        if (name === 'log_directory') continue;
        expect([name, source]).toEqual([name, expect.stringMatching(/^(command line|override)$/)]);
        expect(setting).not.toContain(marks);
      }
      // A segment that an archiver would be given.
      await ask(second.connection, 'select pg_switch_wal()');
      await ask(second.connection, 'checkpoint');
    } finally {
      await second.stop();
    }
    expect(await readdir(marks)).toEqual([]);
  });
});

const debian15 = '/usr/lib/postgresql/15/bin';

/** They name files or folders, and nothing is run, loaded or written by them where the settings of a start stand. */
const harmless = [
  'config_file',
  'log_directory',
  'ssl_ca_file',
  'ssl_cert_file',
  'ssl_crl_dir',
  'ssl_crl_file',
  'ssl_dh_params_file',
  'ssl_key_file',
  'promote_trigger_file',
  'max_files_per_process',
  'temp_file_limit',
  'log_temp_files',
  'log_file_mode',
  'file_copy_method',
  'log_replication_commands',
  'file_extend_method',
  'log_filename',
  'remove_temp_files_after_crash',
  // Which plugins a role that may replicate may use. There is none.
  'output_plugin_libraries',
];

test.each([
  ['the packaged PostgreSQL', undefined],
  ...(existsSync(debian15) ? [['Debian’s PostgreSQL 15', debian15] as const] : []),
] as const)(
  'each setting of %s that names a command, a library or a file is given by the start, or known to be harmless',
  async (_, binFolder) => {
    const { connection, stop } = await start(binFolder);
    try {
      const named = await ask(
        connection,
        `select name, setting, source from pg_settings
        where name ~ '(command|librar|preload|_path$|file|director|_dir$|conninfo|provider|addresses|_socket_|tablespace)' and context <> 'internal'`,
      );
      const open = named.filter(({ name, source }) => source !== 'command line' && source !== 'override' && !harmless.includes(name));
      expect(open.map(({ name }) => name)).toEqual([]);
    } finally {
      await stop();
    }
  },
);
