import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises';
import module from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { DatabaseConnection } from '#platform/database/connection.ts';
import { completePackagedBinaries } from '#platform/database/embedded-postgres/binaries.ts';
import { lockDataFolder } from '#platform/database/embedded-postgres/data-folder-lock.ts';
import { lookAtDatabase } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { EmbeddedPostgresError } from '#platform/database/embedded-postgres/errors.ts';
import {
  findDatabaseFolder,
  giveDatabase,
  handOver,
  isOfAnother,
  keepForRoot,
  needsKeeping,
} from '#platform/database/embedded-postgres/hand-over.ts';
import {
  canEnter,
  findServiceUser,
  findUser,
  getServiceUser,
  isRoot,
  type OperatingSystemUser,
  SERVICE_USER,
} from '#platform/database/embedded-postgres/operating-system-user.ts';
import { unlessMissing } from '#platform/disk/files.ts';
import type { Log } from '#platform/log/log.ts';
import { type Settings, SettingsError } from '#platform/settings/settings.ts';

interface Plan {
  readonly settings: Pick<Settings, 'dataDir' | 'databaseUrl'> &
    Partial<Pick<Settings, 'brandingDir' | 'fontDir' | 'ledgerPolicyFile' | 'ledgerKeyFile' | 'encryptionKeyFile'>>;
  /** Those to listen on, by the names of their settings. */
  readonly ports?: Readonly<Record<string, number>>;
  readonly log: Log;
  /**
   * Asked before anything is given away: with a connection to the embedded database where that, or DATA_DIR, is about to change hands; without
   * one where the settings name a server. What it throws ends the start.
   */
  readonly judge?: ((connection?: DatabaseConnection) => Promise<void>) | undefined;
}

const program = fileURLToPath(new URL('../../../', import.meta.url));
/** What runs, and what is loaded later. Permissions are checked on these only: the rest was installed in the same step. */
const programFolders = [
  'server/src',
  'contract/src',
  'ledger/src',
  'identity/src',
  'languages',
  'design',
  'tools',
  'node_modules/pg',
  'web/dist',
];

/** What the portal puts into its DATA_DIR; anything else there is not ours to give away. */
const ownNames = new Set([
  'encrypting',
  'encryption.key',
  'instance',
  'ledger',
  'ledger.key',
  'objects',
  'pergamin.lock',
  'pergamin.lock-journal',
  'pergamin.pid',
  'postgres',
  'postgres-programs',
  'publisher.key',
  'renditions',
  'storing',
  'uploads',
]);

/**
 * A portal that root starts goes on as an ordinary user before it opens anything: as the owner of DATA_DIR, or as `pergamin` (see
 * getServiceUser), who gets DATA_DIR. Where that user may not read the program it stays root, and says so. Does nothing when root did not start
 * it. What can be refused is refused before anything is made or given away.
 * @throws SettingsError when only root may listen on a port; EmbeddedPostgresError for everything else that an operator can put right; what
 * `judge` throws.
 */
export const leaveRoot = async ({ settings, ports = {}, log, judge }: Plan): Promise<void> => {
  if (!isRoot()) return;
  const { dataDir, isThere, above } = await findPlace(settings.dataDir);
  const known = await findServiceUser(dataDir);
  // One that is to be made may do what everybody may.
  const tried = known ?? (await findUser('nobody')) ?? { uid: 65_534, gid: 65_534, name: SERVICE_USER };
  const obstacle = await findObstacle(tried, settings, { dataDir, isThere, above });
  if (obstacle === undefined) await refusePortsOfRoot(ports);
  await judgeData({ dataDir, isThere, settings, user: tried, staysRoot: obstacle !== undefined, log, judge });

  const user = known ?? (await makeUser(dataDir, settings));
  if (typeof user === 'string') return stay(user, log);
  const made = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (obstacle !== undefined) {
    if (obstacle.keeps) await keepForRoot(dataDir, user);
    return stay(obstacle.reason, log);
  }
  if (settings.databaseUrl === undefined && process.env['POSTGRES_BIN'] === undefined) await completePackagedBinaries();
  await giveDataDir({ dataDir, top: made ?? dataDir, user, log });
  // Afterwards root's cache could not be written any more.
  module.flushCompileCache();
  process.setgroups?.([user.gid]);
  process.setgid?.(user.gid);
  process.setuid?.(user.uid);
  log.info({ user: user.name }, 'started by root, continues as an ordinary user');
};

interface DataPlace {
  /** Without links. */
  readonly dataDir: string;
  readonly isThere: boolean;
  /** The nearest folder above it that is there. */
  readonly above: string;
}

const findPlace = async (written: string): Promise<DataPlace> => {
  const missing: string[] = [];
  for (let path = resolve(written); ; path = dirname(path)) {
    const real = await unlessMissing(realpath(path));
    if (real !== undefined)
      return { dataDir: join(real, ...missing), isThere: missing.length === 0, above: missing.length === 0 ? dirname(real) : real };
    missing.unshift(basename(path));
  }
};

interface Obstacle {
  readonly reason: string;
  /** Whether DATA_DIR stays root's own. */
  readonly keeps: boolean;
}

const findObstacle = async (user: OperatingSystemUser, settings: Plan['settings'], place: DataPlace): Promise<Obstacle | undefined> => {
  // As in a container without the capabilities to do so.
  if (!(await canEnter('/', user))) return { reason: `this root may not go on as ${user.name}. Start as an ordinary user`, keeps: false };
  const reason = (await findClosed(user, settings, place)) ?? (place.isThere ? await findForeign(place.dataDir) : undefined);
  return reason === undefined ? undefined : { reason, keeps: true };
};

interface Judged extends Pick<Plan, 'settings' | 'log' | 'judge'>, Pick<DataPlace, 'dataDir' | 'isThere'> {
  readonly user: OperatingSystemUser;
  readonly staysRoot: boolean;
}

/** Whether the database may be used, and changes hands at all. */
const judgeData = async ({ dataDir, isThere, settings, user, staysRoot, log, judge }: Judged): Promise<void> => {
  if (settings.databaseUrl !== undefined) return judge?.();
  if (!isThere) return;
  const folder = await findDatabaseFolder(dataDir);
  const changesHands = await isOfAnother(folder, user);
  const changesDataDir = staysRoot ? await needsKeeping(dataDir, user) : (await stat(dataDir)).uid === 0;
  if (judge === undefined || !(changesHands || changesDataDir)) return;
  const lock = await lockDataFolder(dataDir);
  try {
    await lookAtDatabase({ dataDir, folder, log, judge });
  } finally {
    await lock.release();
  }
};

const stay = (reason: string, log: Log): void => {
  log.warn({ reason }, 'the portal stays root');
  process.stderr.write(`Pergamin stays root: ${reason}\n`);
};

/** The user is made only when nothing was refused. A sentence, when that fails and the portal can do without. */
const makeUser = async (dataDir: string, { databaseUrl }: Plan['settings']): Promise<OperatingSystemUser | string> => {
  try {
    return await getServiceUser(dataDir);
  } catch (error) {
    if (databaseUrl !== undefined && error instanceof EmbeddedPostgresError) return error.message;
    throw error;
  }
};

const checkProgram = `
  const { accessSync, constants, statSync } = require('node:fs');
  for (const path of process.argv.slice(1))
    try {
      accessSync(path, statSync(path).isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
    } catch (error) {
      if (error.code === 'ENOENT') continue;
      console.log(path);
      break;
    }`;

/** Tries as that user, whom rights of every kind may stop. Gives a sentence when something is closed. */
const findClosed = async (user: OperatingSystemUser, settings: Plan['settings'], place: DataPlace): Promise<string | undefined> => {
  const { uid, gid, name } = user;
  const { dataDir } = place;
  const above = place.isThere && (await stat(dataDir)).uid === uid ? dataDir : place.above;
  const { brandingDir, fontDir, ledgerPolicyFile, ...keys } = settings;
  const inside = [`${dataDir}/`, `${resolve(settings.dataDir)}/`];
  const outside = [keys.ledgerKeyFile, keys.encryptionKeyFile].filter((path) => !inside.some((folder) => path?.startsWith(folder)));
  const named = [brandingDir, fontDir, ledgerPolicyFile, ...outside].flatMap((path) => (path === undefined ? [] : [resolve(path)]));
  const folders = [...programFolders.map((folder) => join(program, folder)), ...named];
  // Of the folders above DATA_DIR the right to enter is enough.
  const script = `cd -- "$1" || { echo "$1"; exit; }; shift; exec "$@"`;
  const child = spawn('/bin/sh', ['-c', script, 'sh', above, process.execPath, '-e', checkProgram, ...folders], {
    uid,
    gid,
    cwd: '/',
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const closed = said.trim() !== '' ? said.trim() : child.exitCode === 0 ? undefined : process.execPath;
  if (closed === undefined) return undefined;
  return `the user ${name} may not get to ${closed}. Let others read the program and enter the folders above it and above DATA_DIR, or start as an ordinary user`;
};

/** A folder with foreign contents, such as /var/lib, is not handed over because DATA_DIR names it. */
const findForeign = async (dataDir: string): Promise<string | undefined> => {
  const names = (await readdir(dataDir)).filter((name) => name !== 'lost+found');
  if ((await stat(dataDir)).uid !== 0 || names.length === 0 || names.some((name) => ownNames.has(name))) return undefined;
  return `${dataDir} holds other things than the portal’s. Name a folder of its own in DATA_DIR, or give this one to an ordinary user`;
};

const refusePortsOfRoot = async (ports: Readonly<Record<string, number>>): Promise<void> => {
  const written = await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8').catch(() => '1024');
  const first = Number(written);
  for (const [name, asked] of Object.entries(ports))
    if (asked < first)
      throw new SettingsError(
        `${name}: only root may listen on port ${asked}, and the portal does not stay root. ` +
          `Let a reverse proxy listen there, or allow it (sysctl net.ipv4.ip_unprivileged_port_start=${asked})`,
      );
};

interface Gift {
  readonly dataDir: string;
  /** DATA_DIR, or the first of the folders above it that were made with it. */
  readonly top: string;
  readonly user: OperatingSystemUser;
  readonly log: Log;
}

/** DATA_DIR last: while it is root's, something in it may be, too. */
const giveDataDir = async ({ dataDir, top, user, log }: Gift): Promise<void> => {
  const isRoots = (await stat(dataDir)).uid === 0;
  const names = (await readdir(dataDir)).filter((name) => ownNames.has(name));
  if (!isRoots && !names.includes('instance')) return;
  const lock = await lockDataFolder(dataDir);
  try {
    await giveDatabase(dataDir, user);
    if (!isRoots) return;
    log.info({ dataDir, user: user.name }, 'DATA_DIR was handed over to the user that the portal runs as');
    for (const name of await readdir(dataDir)) if (ownNames.has(name)) handOver(join(dataDir, name), { from: [0], to: user });
    for (let folder = dataDir; folder.startsWith(top); folder = dirname(folder)) await chown(folder, user.uid, user.gid);
  } finally {
    await lock.release();
  }
};
