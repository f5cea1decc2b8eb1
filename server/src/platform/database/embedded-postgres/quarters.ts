import { rm, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { createFolder, isMissing, listFolder, replaceFile } from './folders.ts';
import { assignInstanceFolder, confirmInstance, findInstance } from './instances.ts';
import { getUnprivilegedUser, isRoot, type OperatingSystemUser } from './operating-system-user.ts';

/** Where one database lives, and as whom it runs. */
export interface Quarters {
  /** Holds the data folder and what is made on the way to it; `user` may enter it. */
  readonly folder: string;
  readonly socketFolder: string;
  /** Where a complete copy of the programs goes when they cannot be used where they are installed. */
  readonly programsFolder: string;
  /** The unprivileged user PostgreSQL runs as; undefined: our own. */
  readonly user: OperatingSystemUser | undefined;
  /** To be called once the database exists: from then on the DATA_DIR insists on this very database. */
  confirm(): Promise<void>;
  /** Removes what only a running database needs. */
  vacate(): Promise<void>;
}

/** `sun_path` holds 107 bytes and a terminating zero; the socket's own name is `/.s.PGSQL.5432`. */
const MAX_SOCKET_FOLDER_BYTES = 107 - '/.s.PGSQL.5432'.length;
const SOCKET_FOLDER_NOTE = 'socket-folder';

/** The caller holds the lock of `dataDir`, which is an absolute path without links. */
export async function prepareQuarters({ dataDir, stateFolder }: { dataDir: string; stateFolder: string }): Promise<Quarters> {
  return isRoot() ? prepareQuartersOfRoot({ dataDir, stateFolder }) : prepareOwnQuarters(dataDir);
}

/** root's folders are often closed to everybody else, so the database lives outside DATA_DIR, which keeps only the id of its folder. */
async function prepareQuartersOfRoot({ dataDir, stateFolder }: { dataDir: string; stateFolder: string }): Promise<Quarters> {
  const user = await getUnprivilegedUser();
  if ((await listFolder(join(dataDir, 'postgres'))).length > 0) {
    throw new EmbeddedPostgresError(
      `The database in ${join(dataDir, 'postgres')} was made by an ordinary user: start as that user, not as root`,
    );
  }
  await createFolder(stateFolder, { mode: 0o755 });
  const instance = await assignInstanceFolder({ dataDir, stateFolder });
  await createFolder(instance.folder, { mode: 0o700, owner: user });
  const socketFolder = join(instance.folder, 'run');
  await rm(socketFolder, { recursive: true, force: true });
  await createFolder(socketFolder, { mode: 0o700, owner: user });
  return {
    folder: instance.folder,
    socketFolder,
    programsFolder: join(stateFolder, 'bin'),
    user,
    confirm: async () => confirmInstance({ dataDir, id: instance.id }),
    vacate: async () => rm(socketFolder, { recursive: true, force: true }),
  };
}

async function prepareOwnQuarters(dataDir: string): Promise<Quarters> {
  if ((await findInstance(dataDir)) !== undefined) {
    throw new EmbeddedPostgresError(`The database of ${dataDir} was made by root: start as root, or name another folder in DATA_DIR`);
  }
  const folder = join(dataDir, 'postgres');
  await createFolder(folder, { mode: 0o700 });
  await removeSocketFolder(folder);
  const socketFolder = await mkdtemp(join(chooseFolderForSockets(), 'pergamin-'));
  await replaceFile(join(folder, SOCKET_FOLDER_NOTE), `${socketFolder}\n`);
  return {
    folder,
    socketFolder,
    programsFolder: join(dataDir, 'postgres-programs'),
    user: undefined,
    confirm: async () => {},
    vacate: async () => removeSocketFolder(folder),
  };
}

/** The folder for temporary files, as a DATA_DIR may be too long for a socket, or on a file system that knows none. */
function chooseFolderForSockets(): string {
  const chosen = tmpdir();
  return Buffer.byteLength(join(chosen, 'pergamin-XXXXXX')) <= MAX_SOCKET_FOLDER_BYTES ? chosen : '/tmp';
}

/** After kill -9 the socket's folder stays behind; the note says which one it was. */
async function removeSocketFolder(folder: string): Promise<void> {
  const note = join(folder, SOCKET_FOLDER_NOTE);
  try {
    const socketFolder = (await readFile(note, 'utf8')).trim();
    if (/\/pergamin-\w{6}$/.test(socketFolder)) await rm(socketFolder, { recursive: true, force: true });
    await rm(note);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
