import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseLog } from '../connection.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { flushFolder, isMissing, listFolder, randomName } from './folders.ts';
import type { OperatingSystemUser } from './operating-system-user.ts';
import { runProgram } from './run-program.ts';

export const DATABASE_NAME = 'pergamin';
export const DATABASE_USER = 'pergamin';

const UNFINISHED_PREFIX = 'data.new-';
const FIRST_VERSION_WITH_BUILTIN_LOCALES = 17;

export interface ClusterPlace {
  readonly binFolder: string;
  /** Gets a folder `data`. */
  readonly folder: string;
  readonly user: OperatingSystemUser | undefined;
  readonly log: DatabaseLog;
}

/**
 * Gives the data folder of the database cluster, made when it is not there: it appears complete, with our database in it, or not at all.
 * @throws EmbeddedPostgresError when it was made by another major version.
 */
export async function prepareCluster({ binFolder, folder, user, log }: ClusterPlace): Promise<string> {
  const dataFolder = join(folder, 'data');
  const majorVersion = await getMajorVersion({ binFolder, folder, user });
  const found = await findClusterVersion(dataFolder);
  if (found !== undefined && found !== majorVersion) {
    throw new EmbeddedPostgresError(
      `The database in ${dataFolder} was made by PostgreSQL ${found}; ${binFolder} holds PostgreSQL ${majorVersion}`,
    );
  }
  await removeUnfinished(folder);
  if (found !== undefined) return dataFolder;

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
    await rename(unfinished, dataFolder);
    await flushFolder(folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  log.info({ dataFolder, durationMs: Math.round(performance.now() - began) }, 'database created');
  return dataFolder;
}

async function getMajorVersion({ binFolder, folder, user }: Omit<ClusterPlace, 'log'>): Promise<number> {
  const text = await runProgram({ file: join(binFolder, 'postgres'), args: ['--version'], cwd: folder, user });
  const version = /\b(\d+)(?:\.\d+|devel|beta\d+|rc\d+)/.exec(text)?.[1];
  if (version === undefined) throw new EmbeddedPostgresError(`${binFolder} holds no PostgreSQL: ${text.trim()}`);
  return Number(version);
}

async function findClusterVersion(dataFolder: string): Promise<number | undefined> {
  try {
    return Number.parseInt(await readFile(join(dataFolder, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await listFolder(folder)) {
    if (name.startsWith(UNFINISHED_PREFIX)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

interface InitialisePlan extends Omit<ClusterPlace, 'log'> {
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
      `--username=${DATABASE_USER}`,
      // Only the socket's private folder leads here.
      '--auth=trust',
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
