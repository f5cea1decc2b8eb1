import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseLog } from '../connection.ts';
import { listFolder, syncFolder, unlessMissing } from '#platform/disk/files.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { randomName, replaceFile } from './folders.ts';
import type { OperatingSystemUser } from './operating-system-user.ts';
import { runProgram } from './run-program.ts';

export const DATABASE_NAME = 'pergamin';
/** Owns the database and everything in it, as a superuser: for migrations. */
export const DATABASE_OWNER = 'pergamin';
/** An ordinary role, which the portal itself uses. */
export const PORTAL_ROLE = 'pergamin_portal';

const UNFINISHED_PREFIX = 'data.new-';
/** Only what this file named: an operator's own copy beside it may be called alike. */
const UNFINISHED_PATTERN = /^data\.new-[0-9a-f]{16}$/;
const FIRST_VERSION_WITH_BUILTIN_LOCALES = 17;

export interface ClusterPlace {
  readonly binFolder: string;
  /** Gets a folder `data`. */
  readonly folder: string;
  readonly user: OperatingSystemUser | undefined;
  /** Names of the operating system's users that may connect. */
  readonly allowed: readonly string[];
  readonly log: DatabaseLog;
}

/**
 * Whether there is a database cluster in the folder. Changes nothing.
 * @throws EmbeddedPostgresError when these programs cannot serve what is there.
 */
export async function findCluster({ binFolder, folder, user }: Pick<ClusterPlace, 'binFolder' | 'folder' | 'user'>): Promise<boolean> {
  const dataFolder = join(folder, 'data');
  const found = await findClusterVersion(dataFolder);
  if (found !== undefined) {
    const majorVersion = await getMajorVersion({ binFolder, user });
    if (found === majorVersion) return true;
    throw new EmbeddedPostgresError(
      `The database in ${dataFolder} was made by PostgreSQL ${found}; ${binFolder} holds PostgreSQL ${majorVersion}`,
    );
  }
  // A disk that is not mounted, or a database that is being brought back: an empty one must not take its place.
  if ((await listFolder(folder)).includes('data')) {
    throw new EmbeddedPostgresError(
      `${dataFolder} exists and holds no database (no PG_VERSION). Restore the database, or remove the folder`,
    );
  }
  return false;
}

/**
 * Gives the data folder of the database cluster, made when it is not there: it appears complete, with our database in it, or not at all.
 * @throws EmbeddedPostgresError when it was made by another major version.
 */
export async function prepareCluster({ binFolder, folder, user, allowed, log }: ClusterPlace): Promise<string> {
  const dataFolder = join(folder, 'data');
  const isThere = await findCluster({ binFolder, folder, user });
  await removeUnfinished(folder);
  if (isThere) {
    await writeAuthentication({ folder: dataFolder, user, allowed });
    return dataFolder;
  }
  const majorVersion = await getMajorVersion({ binFolder, user });
  const began = performance.now();
  const unfinished = join(folder, `${UNFINISHED_PREFIX}${randomName()}`);
  try {
    await initialise({ binFolder, folder, user, dataFolder: unfinished, majorVersion });
    await runProgram({
      file: join(binFolder, 'postgres'),
      args: ['--single', '-D', unfinished, 'postgres'],
      cwd: folder,
      user,
      input: `create database ${DATABASE_NAME}\n`,
    });
    await writeAuthentication({ folder: unfinished, user, allowed });
    await rename(unfinished, dataFolder);
    await syncFolder(folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  log.info({ dataFolder, durationMs: Math.round(performance.now() - began) }, 'database created');
  return dataFolder;
}

async function getMajorVersion({ binFolder, user }: Pick<ClusterPlace, 'binFolder' | 'user'>): Promise<number> {
  const text = await runProgram({ file: join(binFolder, 'postgres'), args: ['--version'], cwd: '/', user });
  const version = /\b(\d+)(?:\.\d+|devel|beta\d+|rc\d+)/.exec(text)?.[1];
  if (version === undefined) throw new EmbeddedPostgresError(`${binFolder} holds no PostgreSQL: ${text.trim()}`);
  return Number(version);
}

async function findClusterVersion(dataFolder: string): Promise<number | undefined> {
  const written = await unlessMissing(readFile(join(dataFolder, 'PG_VERSION'), 'utf8'));
  return written === undefined ? undefined : Number.parseInt(written, 10);
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await listFolder(folder)) {
    if (UNFINISHED_PATTERN.test(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

type Connecting = Pick<ClusterPlace, 'folder' | 'allowed'>;

const authenticationTexts = ({ allowed }: Pick<Connecting, 'allowed'>): [name: string, text: string][] => {
  const lines = allowed.flatMap((name) => [DATABASE_OWNER, PORTAL_ROLE].map((role) => `portal "${name}" ${role}\n`));
  return [
    ['pg_ident.conf', lines.join('')],
    ['pg_hba.conf', 'local all all peer map=portal\n'],
  ];
};

/** Whether these users may connect, and no others, by the files that are in the folder. */
export async function hasAuthentication({ folder, allowed }: Connecting): Promise<boolean> {
  const found = await Promise.all(
    authenticationTexts({ allowed }).map(async ([name, text]) => (await readFile(join(folder, name), 'utf8').catch(() => '')) === text),
  );
  return found.every(Boolean);
}

/**
 * Who may connect: over the socket only, and only the operating system's users that are named, as the kernel reports them (`peer`). Written at
 * every start, as a data folder may change hands, and as earlier versions let in every process that reached the socket.
 */
export async function writeAuthentication({ folder, user, allowed }: Connecting & Pick<ClusterPlace, 'user'>): Promise<void> {
  // A start on a full disk writes what it must.
  if (await hasAuthentication({ folder, allowed })) return;
  for (const [name, text] of authenticationTexts({ allowed })) await replaceFile(join(folder, name), text, { owner: user, mode: 0o600 });
}

interface InitialisePlan extends Omit<ClusterPlace, 'log' | 'allowed'> {
  readonly dataFolder: string;
  readonly majorVersion: number;
}

/**
 * Text is UTF-8 and sorts by code point, the same on every machine.
 * @NOTE with the character classes of plain `C`, pg_trgm takes every letter outside ASCII for a space; `C` is only for systems without C.UTF-8.
 */
async function initialise({ binFolder, folder, user, dataFolder, majorVersion }: InitialisePlan): Promise<void> {
  const provider = majorVersion >= FIRST_VERSION_WITH_BUILTIN_LOCALES ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
  const run = async (locale: string): Promise<void> => {
    const args = [
      `--pgdata=${dataFolder}`,
      `--username=${DATABASE_OWNER}`,
      '--auth=peer',
      '--encoding=UTF8',
      `--locale=${locale}`,
      ...provider,
      '--data-checksums',
      '--no-instructions',
    ];
    await runProgram({ file: join(binFolder, 'initdb'), args, cwd: folder, user });
  };
  try {
    await run('C.UTF-8');
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('invalid locale name')) throw error;
    await run('C');
  }
}
