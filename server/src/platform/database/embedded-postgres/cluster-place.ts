import { chmod, chown, mkdtemp, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasCode, listFolder, unlessMissing } from '#platform/disk/files.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { createFolder, replaceFile } from './folders.ts';
import { keepForRoot, takeOverCluster } from './hand-over.ts';
import { assignInstanceFolder, confirmInstance, exists, findInstance, findInstanceFolder, noteInstance } from './instances.ts';
import { canEnter, findOwner, findUser, getOwnName, getServiceUser, isRoot, type OperatingSystemUser } from './operating-system-user.ts';

/** Where one database is, and the user that it runs as. */
export interface ClusterPlace {
  /** Holds the data folder and what is made on the way to it; `user` may enter it. */
  readonly folder: string;
  readonly socketFolder: string;
  /** For a complete copy of the programs when they cannot be used where they are installed. */
  readonly programsFolder: string;
  /** The ordinary user that PostgreSQL runs as, when root starts it; undefined: this process's user. */
  readonly user: OperatingSystemUser | undefined;
  /** Names of the operating system's users that may connect. */
  readonly allowed: readonly string[];
  /** To be called once the database exists and was judged: from then on the DATA_DIR insists on this very database. */
  confirm(): Promise<void>;
  /** Removes what only a running database needs. */
  release(): Promise<void>;
}

interface Places {
  /** An absolute path without links; the caller holds its lock. */
  readonly dataDir: string;
  readonly stateFolder: string;
}

/** Names the socket's file; nothing listens on a network port. `sun_path` holds 107 bytes and a terminating zero. */
export const SOCKET_PORT = 5432;
const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;
const MAX_SOCKET_FOLDER_BYTES = 107 - `/${SOCKET_NAME}`.length;
const SOCKET_FOLDER_NOTE = 'socket-folder';

export async function prepareClusterPlace(places: Places): Promise<ClusterPlace> {
  const user = isRoot() ? await getServiceUser(places.dataDir) : undefined;
  const { folder, confirm } = user === undefined ? await chooseOwnFolder(places) : await chooseFolderForRoot(places, user);
  if (!(await exists(folder))) await createFolder(folder, { mode: 0o700, owner: user });
  await removeSocketFolder(folder);
  const socketFolder = await makeSocketFolder(user);
  await replaceFile(join(folder, SOCKET_FOLDER_NOTE), `${socketFolder}\n`);
  return {
    folder,
    socketFolder,
    programsFolder: user === undefined ? join(places.dataDir, 'postgres-programs') : join(places.stateFolder, 'bin'),
    user,
    // root may become any of them anyhow, and may look after a database that is not its own.
    allowed: [user === undefined ? getOwnName() : user.name, 'root'],
    async confirm() {
      await closeToOthers(folder);
      await confirm();
    },
    release: async () => removeSocketFolder(folder),
  };
}

type Chosen = Pick<ClusterPlace, 'folder' | 'confirm'>;

const insideOf = (dataDir: string): Chosen => ({ folder: join(dataDir, 'postgres'), confirm: async () => {} });

/** Where the running database of this DATA_DIR has its socket; undefined while there is none. */
export async function findSocketFolder({ dataDir, stateFolder }: Places): Promise<string | undefined> {
  const id = await findInstance(dataDir);
  const folder = id === undefined ? insideOf(dataDir).folder : join(stateFolder, id);
  return (await unlessMissing(readFile(join(folder, SOCKET_FOLDER_NOTE), 'utf8')))?.trim();
}

async function closeToOthers(folder: string): Promise<void> {
  if (((await stat(folder)).mode & 0o777) !== 0o700) await chmod(folder, 0o700);
}

/** In DATA_DIR, unless an earlier start by root has put it elsewhere. */
async function chooseOwnFolder({ dataDir, stateFolder }: Places): Promise<Chosen> {
  const id = await findInstance(dataDir);
  const chosen = id === undefined ? insideOf(dataDir) : { folder: join(stateFolder, id), confirm: async () => {} };
  const owner = await findOwner(chosen.folder);
  if (owner !== undefined && owner !== process.getuid?.()) {
    const name = (await findUser(owner))?.name ?? (owner === 0 ? 'root' : `user id ${owner}`);
    throw new EmbeddedPostgresError(`The database in ${chosen.folder} belongs to ${name}: start as that user, or as root`);
  }
  if (id !== undefined) await findInstanceFolder({ dataDir, stateFolder });
  return chosen;
}

/** In DATA_DIR too, wherever the database's user can get there: root's own folders are often closed to everybody else. */
async function chooseFolderForRoot({ dataDir, stateFolder }: Places, user: OperatingSystemUser): Promise<Chosen> {
  await keepForRoot(dataDir, user);
  const isElsewhere = (await findInstance(dataDir)) !== undefined;
  const inside = insideOf(dataDir);
  if (!isElsewhere && (await canEnter(dataDir, user))) {
    await takeOverCluster(inside.folder, user);
    return inside;
  }
  if (!isElsewhere && (await listFolder(inside.folder)).length > 0) {
    throw new EmbeddedPostgresError(
      `The database in ${inside.folder} cannot be reached by ${user.name}: let others enter the folders above it`,
    );
  }
  await createFolder(stateFolder, { mode: 0o755 });
  const { id, folder } = await assignInstanceFolder({ dataDir, stateFolder });
  await takeOverCluster(folder, user);
  return {
    folder,
    async confirm() {
      await noteInstance({ dataDir, folder });
      await confirmInstance({ dataDir, id });
    },
  };
}

/** In the folder for temporary files, as a DATA_DIR may be too long for a socket, or on a file system that knows none. */
export async function makeSocketFolder(user: OperatingSystemUser | undefined): Promise<string> {
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    if (Buffer.byteLength(join(parent, 'pergamin-XXXXXX')) > MAX_SOCKET_FOLDER_BYTES) continue;
    if (user !== undefined && !(await canEnter(parent, user))) continue;
    try {
      const folder = await mkdtemp(join(parent, 'pergamin-'));
      if (user !== undefined) await chown(folder, user.uid, user.gid);
      return folder;
    } catch (error) {
      // root's own, which an earlier root has named in TMPDIR.
      if (!hasCode(error, 'EACCES')) throw error;
    }
  }
  throw new EmbeddedPostgresError('The socket of PostgreSQL needs a folder for temporary files: neither TMPDIR nor /tmp can be written');
}

/**
 * After kill -9 the socket's folder stays behind; the note names it. Only the socket's own files are removed, as a folder of that
 * name may be another's by now.
 */
async function removeSocketFolder(folder: string): Promise<void> {
  const note = join(folder, SOCKET_FOLDER_NOTE);
  const socketFolder = (await unlessMissing(readFile(note, 'utf8')))?.trim();
  if (socketFolder === undefined) return;
  if (/^\/.*\/pergamin-\w{6}$/.test(socketFolder)) await removeIfSocketFolder(socketFolder);
  await rm(note, { force: true });
}

async function removeIfSocketFolder(folder: string): Promise<void> {
  try {
    for (const name of [SOCKET_NAME, `${SOCKET_NAME}.lock`]) await rm(join(folder, name), { force: true });
    await rmdir(folder);
  } catch (error) {
    // Gone, or another's.
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST', 'EACCES', 'EPERM')) throw error;
  }
}
