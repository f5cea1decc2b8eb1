import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Settings of PostgreSQL that run a command, load a library, open a way in, write a file, or switch triggers off. A start gives them all itself: what the files
 * of a data folder say of them, which somebody may have changed, does not count then. The database itself may still say something else for a role of its
 * own (`alter role … set`): only who has been a superuser in it can.
 */
const decided: Readonly<Record<string, string>> = {
  archive_mode: 'off',
  archive_command: '',
  archive_library: '',
  archive_cleanup_command: '',
  restore_command: '',
  recovery_end_command: '',
  primary_conninfo: '',
  primary_slot_name: '',
  ssl: 'off',
  ssl_passphrase_command: '',
  ssl_passphrase_command_supports_reload: 'off',
  krb_server_keyfile: '',
  shared_preload_libraries: '',
  session_preload_libraries: '',
  local_preload_libraries: '',
  dynamic_library_path: '$libdir',
  jit_provider: 'llvmjit',
  listen_addresses: '',
  unix_socket_group: '',
  bonjour: 'off',
  external_pid_file: '',
  default_tablespace: '',
  temp_tablespaces: '',
  allow_in_place_tablespaces: 'off',
  allow_system_table_mods: 'off',
  session_replication_role: 'origin',
  search_path: '"$user", public',
  standard_conforming_strings: 'on',
  backslash_quote: 'safe_encoding',
  logging_collector: 'off',
  log_destination: 'stderr',
  ignore_checksum_failure: 'off',
  zero_damaged_pages: 'off',
  ignore_invalid_pages: 'off',
};

/** By the first major version that knows them: an older one refuses to start. */
const since: readonly (readonly [number, Readonly<Record<string, string>>])[] = [
  [18, { extension_control_path: '$system', oauth_validator_libraries: '' }],
];

/** What a start on this data folder gives PostgreSQL, whatever its configuration files say. */
export const ownSettings = async (dataFolder: string): Promise<Readonly<Record<string, string>>> => {
  const major = Number.parseInt(await readFile(join(dataFolder, 'PG_VERSION'), 'utf8'), 10);
  const known = since.filter(([first]) => major >= first).map(([, settings]) => settings);
  return Object.assign(
    {
      data_directory: dataFolder,
      hba_file: join(dataFolder, 'pg_hba.conf'),
      ident_file: join(dataFolder, 'pg_ident.conf'),
    },
    decided,
    ...known,
  );
};
