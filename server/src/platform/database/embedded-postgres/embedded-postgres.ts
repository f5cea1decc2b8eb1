import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseLog } from '../connection.ts';
import { preparePackagedBinaries } from './binaries.ts';
import { nameAbandoned } from './abandoned.ts';
import { DATABASE_NAME, DATABASE_OWNER, findCluster, hasAuthentication, PORTAL_ROLE, prepareCluster } from './cluster.ts';
import { lockDataFolder } from './data-folder-lock.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { STATE_FOLDER } from './instances.ts';
import { type Judge, lookAsItsOwner, lookAtCluster } from './look-at-database.ts';
import { makePortalRole } from './portal-role.ts';
import type { Postmaster } from './postmaster.ts';
import { prepareClusterPlace, SOCKET_PORT as PORT, type ClusterPlace } from './cluster-place.ts';
import { startRestartedPostmaster } from './restarted-postmaster.ts';
import { endPreviousProcesses } from './running-processes.ts';

export type { Judge } from './look-at-database.ts';
export { AlreadyRunningError, EmbeddedPostgresError } from './errors.ts';

const SETTINGS: Readonly<Record<string, string>> = {
  port: String(PORT),
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '128MB',
  // A page of a long sorted list is sorted in memory.
  work_mem: '16MB',
  // Many small queries at once: neither parallel workers nor JIT compilation pay off.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '',
  // Failed statements are their callers' to report; their texts and details hold customers' data, which no log may have.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

export interface EmbeddedPostgresPlan {
  /** Made when it does not exist. */
  readonly dataDir: string;
  readonly log: DatabaseLog;
  /** The folder of other programs of PostgreSQL (15 or later) than the packaged ones; unless given, the environment's POSTGRES_BIN. */
  readonly binFolder?: string | undefined;
  /** PostgreSQL settings over ours. Only tests may give up durability here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when the database ends without having been stopped; it is restarted until it runs. Left out: an error is logged. */
  readonly onUnexpectedExit?: (error: EmbeddedPostgresError) => void;
  /** Instead of /var/lib/pergamin. */
  readonly stateFolder?: string;
  /** Of a database that is there already: before anything in it or of its folders is changed. */
  readonly judge?: Judge | undefined;
}

export type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

/**
 * Starts this DATA_DIR's own PostgreSQL, made at the first start. It listens on a unix socket in a private folder, writes durably, recovers
 * by itself from any kind of end, and stops with this process, also on kill -9. What `judge` throws ends the start.
 * @throws AlreadyRunningError when another process serves the folder; EmbeddedPostgresError for everything an operator can put right.
 */
export async function startEmbeddedPostgres(plan: EmbeddedPostgresPlan) {
  if (process.platform === 'win32') {
    throw new EmbeddedPostgresError('The embedded PostgreSQL runs on Linux and macOS: set DATABASE_URL to a PostgreSQL server');
  }
  await mkdir(plan.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(plan.dataDir);
  const lock = await lockDataFolder(dataDir);
  const leave = new AsyncDisposableStack();
  leave.defer(async () => lock.release());
  try {
    const place = await prepareClusterPlace({ dataDir, stateFolder: plan.stateFolder ?? STATE_FOLDER });
    leave.defer(async () => place.release());
    const connection = { host: place.socketFolder, port: PORT, user: DATABASE_OWNER, database: DATABASE_NAME };
    const { postmaster, isJudged } = await startIn(plan, place);
    leave.defer(async () => postmaster.stop());
    if (!isJudged) await plan.judge?.(connection);
    await place.confirm();
    await makePortalRole(connection);
    return {
      /** As the owner of everything, a superuser: for migrations. */
      connection,
      /** As an ordinary role that has what the owner grants it. */
      portalConnection: { ...connection, user: PORTAL_ROLE },
      /** The postmaster; its children are the backends. */
      pid: postmaster.pid,
      /** Waits until everything committed is on disk and the process is gone; then the data folder may be started again. */
      stop: async () => leave.disposeAsync(),
    };
  } catch (error) {
    await leave.disposeAsync();
    throw error;
  }
}

/** Of a database that is about to change hands, for root; see lookAsItsOwner. */
export const lookAtDatabase = (look: Omit<Parameters<typeof lookAsItsOwner>[0], 'settings'>): Promise<void> =>
  lookAsItsOwner({ ...look, settings: SETTINGS });

interface Started {
  readonly postmaster: Postmaster;
  /** Whether nothing is left to judge. */
  readonly isJudged: boolean;
}

async function startIn(plan: EmbeddedPostgresPlan, place: ClusterPlace): Promise<Started> {
  const { log, binFolder, settings, onUnexpectedExit, stateFolder = STATE_FOLDER, judge } = plan;
  const { folder, user, allowed } = place;
  const began = performance.now();
  await endPreviousProcesses(join(folder, 'data'));
  const programs =
    binFolder ??
    process.env['POSTGRES_BIN'] ??
    (await preparePackagedBinaries({ stageFolder: place.programsFolder, mustStage: user !== undefined }));
  const isThere = await findCluster({ binFolder: programs, folder, user });
  // Who may connect is written beside the database only after it was judged.
  const isLookedAt = isThere && judge !== undefined && !(await hasAuthentication({ folder: join(folder, 'data'), allowed }));
  if (isLookedAt) await lookAtCluster({ programs, folder, user, settings: SETTINGS, log, judge });
  const dataFolder = await prepareCluster({ binFolder: programs, folder, user, allowed, log });
  await nameAbandoned({ stateFolder, log });
  const postmaster = await startRestartedPostmaster({
    binFolder: programs,
    dataFolder,
    user,
    settings: { ...SETTINGS, unix_socket_directories: `"${place.socketFolder}"`, ...settings },
    log,
    onUnexpectedExit: onUnexpectedExit ?? ((error) => log.error({ err: error }, 'the embedded PostgreSQL ended unexpectedly')),
  });
  log.info({ dataFolder, pid: postmaster.pid, durationMs: Math.round(performance.now() - began) }, 'embedded PostgreSQL started');
  return { postmaster, isJudged: !isThere || isLookedAt };
}
