import { readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { unlessMissing } from '#platform/disk/files.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { type OperatingSystemUser, runProgram } from './run-program.ts';

export type { OperatingSystemUser } from './run-program.ts';

/** The user that a start by root runs as when DATA_DIR does not belong to an ordinary user. */
export const SERVICE_USER = 'pergamin';

const MOST_ATTEMPTS = 5;
const RETRY_MS = 500;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The user that a start by root runs the database (and the portal) as: the owner of `dataDir`, unless that is root; else `pergamin`. Undefined
 * when it is missing.
 */
export async function findServiceUser(dataDir: string): Promise<OperatingSystemUser | undefined> {
  const owner = await findOwner(dataDir);
  return findUser(owner === undefined || owner === 0 ? SERVICE_USER : owner);
}

/**
 * As findServiceUser; it is made when it is missing.
 * @throws EmbeddedPostgresError when it is missing and cannot be made.
 */
export async function getServiceUser(dataDir: string): Promise<OperatingSystemUser> {
  const owner = await findOwner(dataDir);
  return (await findServiceUser(dataDir)) ?? makeServiceUser(owner === 0 ? undefined : owner);
}

/** @throws EmbeddedPostgresError when our user id has no name: PostgreSQL knows users by their names only. */
export function getOwnName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The user id ${process.getuid?.() ?? ''} has no name on this machine, and PostgreSQL needs one: add it to /etc/passwd, or set DATABASE_URL`,
      { cause: error },
    );
  }
}

/** By name or by number. */
export async function findUser(key: string | number): Promise<OperatingSystemUser | undefined> {
  const local = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return findLine(local, key) ?? findLine(await askDirectory(key), key);
}

/** Whether this user may enter the folder, and every folder above it. */
export async function canEnter(folder: string, user: OperatingSystemUser): Promise<boolean> {
  return runProgram({ file: '/bin/sh', args: ['-c', 'cd -- "$1"', 'sh', folder], cwd: '/', user }).then(
    () => true,
    () => false,
  );
}

/** The number of the file's owner; undefined when there is no such file. */
export const findOwner = async (path: string): Promise<number | undefined> => (await unlessMissing(stat(path)))?.uid;

function findLine(passwd: string, key: string | number): OperatingSystemUser | undefined {
  for (const line of passwd.split('\n')) {
    const [name = '', , uid, gid] = line.split(':');
    const isMeant = typeof key === 'number' ? Number(uid) === key : name === key;
    if (isMeant && Number(uid) > 0 && Number(gid) > 0) return { uid: Number(uid), gid: Number(gid), name };
  }
  return undefined;
}

/** Users of a network directory (LDAP) are in no file; musl has no such program, and no such directory either. */
async function askDirectory(key: string | number): Promise<string> {
  return runProgram({ file: 'getent', args: ['passwd', String(key)], cwd: '/' }).catch(() => '');
}

/** `uid`: of a DATA_DIR whose owner has no name any more, as in a recreated container. */
async function makeServiceUser(uid?: number): Promise<OperatingSystemUser> {
  const args = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin'];
  let reason: unknown;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    try {
      await runProgram({ file: 'useradd', args: [...args, ...(uid === undefined ? [] : ['--uid', String(uid)]), SERVICE_USER], cwd: '/' });
    } catch (error) {
      reason = error;
    }
    const made = await findUser(uid ?? SERVICE_USER);
    if (made !== undefined) return made;
    // Another process may be changing /etc/passwd at this moment, even to the same end.
    await pause(RETRY_MS);
  }
  const [missing, remedy] =
    uid === undefined
      ? [`the user "${SERVICE_USER}" could not be made`, `useradd --system --shell /usr/sbin/nologin ${SERVICE_USER}`]
      : [`the owner of DATA_DIR (user id ${uid}) has no name`, `useradd --system --shell /usr/sbin/nologin --uid ${uid} NAME`];
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and ${missing} (${reason instanceof Error ? reason.message : 'unknown'}). ` +
      `Make it (${remedy}), give DATA_DIR to an ordinary user, start as one, or set DATABASE_URL`,
    { cause: reason },
  );
}
