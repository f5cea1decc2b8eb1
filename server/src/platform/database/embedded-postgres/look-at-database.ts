import { chmod, chown, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DatabaseConnection, DatabaseLog } from '../connection.ts';
import { completePackagedBinaries, preparePackagedBinaries } from './binaries.ts';
import { DATABASE_NAME, DATABASE_OWNER, findCluster, writeAuthentication } from './cluster.ts';
import { makeSocketFolder, SOCKET_PORT } from './cluster-place.ts';
import { STATE_FOLDER } from './instances.ts';
import { canEnter, findOwner, findUser, getOwnName, isRoot, type OperatingSystemUser } from './operating-system-user.ts';
import { startPostmaster } from './postmaster.ts';
import { endPreviousProcesses } from './running-processes.ts';

/** Looks at a database with a connection as its owner. What it throws ends the start. */
export type Judge = (connection: DatabaseConnection) => Promise<void>;

interface Look {
  readonly programs: string;
  /** Holds the data folder. */
  readonly folder: string;
  /** The owner of the data folder, when root looks. */
  readonly user: OperatingSystemUser | undefined;
  /** PostgreSQL's, as a start has them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly log: DatabaseLog;
  readonly judge: Judge;
}

/**
 * Runs PostgreSQL on an existing data folder for the time of `judge`: as the user that it belongs to, and with settings beside it. Beyond what
 * every start and stop of PostgreSQL writes of its own (its log, its control file), nothing is changed. The caller holds the lock of DATA_DIR.
 */
export async function lookAtCluster({ programs, folder, user, settings, log, judge }: Look): Promise<void> {
  const dataFolder = join(folder, 'data');
  await endPreviousProcesses(dataFolder);
  const socketFolder = await makeSocketFolder(user);
  try {
    await writeAuthentication({ folder: socketFolder, user, allowed: [getOwnName()] });
    const postmaster = await startPostmaster({
      binFolder: programs,
      dataFolder,
      user,
      settings: {
        ...settings,
        unix_socket_directories: `"${socketFolder}"`,
        hba_file: join(socketFolder, 'pg_hba.conf'),
        ident_file: join(socketFolder, 'pg_ident.conf'),
        // Nothing but the look uses it.
        autovacuum: 'off',
      },
      log,
      onUnexpectedExit: (error) => log.error({ err: error }, 'PostgreSQL ended while its database was looked at'),
    });
    try {
      await judge({ host: socketFolder, port: SOCKET_PORT, user: DATABASE_OWNER, database: DATABASE_NAME });
    } finally {
      await postmaster.stop();
    }
  } finally {
    await rm(socketFolder, { recursive: true, force: true });
  }
}

/**
 * For root, who is about to give DATA_DIR or its database to another user: looks at the database as the user that it belongs to now. Does nothing
 * where there is none, or where an earlier start was interrupted while it handed it over.
 */
export async function lookAsItsOwner(look: Omit<Look, 'programs' | 'user'> & { readonly dataDir: string }): Promise<void> {
  const { dataDir, folder } = look;
  const owner = await findOwner(join(folder, 'data'));
  if (owner === undefined) return;
  const user = owner === 0 ? undefined : await findUser(owner);
  await using _opened = await openFor(folder.startsWith(`${dataDir}/`) ? dataDir : folder, user);
  const programs = process.env['POSTGRES_BIN'] ?? (await findPrograms(user));
  const isThere = await findCluster({ binFolder: programs, folder, user });
  if (isThere && !(isRoot() && user === undefined)) await lookAtCluster({ ...look, programs, user });
}

/** A DATA_DIR that only root may enter is opened for this user until it is disposed. */
async function openFor(dataDir: string, user: OperatingSystemUser | undefined): Promise<AsyncDisposable> {
  if (user === undefined || (await canEnter(dataDir, user)) || !(await canEnter(dirname(dataDir), user)))
    return { async [Symbol.asyncDispose]() {} };
  const { uid, gid, mode } = await stat(dataDir);
  await chown(dataDir, uid, user.gid);
  await chmod(dataDir, 0o710);
  return {
    async [Symbol.asyncDispose]() {
      await chown(dataDir, uid, gid);
      await chmod(dataDir, mode & 0o7777);
    },
  };
}

async function findPrograms(user: OperatingSystemUser | undefined): Promise<string> {
  await completePackagedBinaries();
  const installed = await preparePackagedBinaries({ stageFolder: join(STATE_FOLDER, 'bin'), mustStage: false });
  if (user === undefined || (await canEnter(installed, user))) return installed;
  return preparePackagedBinaries({ stageFolder: join(STATE_FOLDER, 'bin'), mustStage: true });
}
