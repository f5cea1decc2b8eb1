import { lchownSync, lstatSync, readdirSync } from 'node:fs';
import { chmod, chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { findInstanceFolder, noteInstance, STATE_FOLDER } from './instances.ts';
import { canEnter, findOwner, findUser, type OperatingSystemUser, SERVICE_USER } from './operating-system-user.ts';
import { endPreviousProcesses } from './running-processes.ts';

/**
 * Gives `path` and everything below it that belongs to one of `from` to another user: never the target of a link, and a folder after its
 * contents, so that an interrupted run can be repeated.
 * @NOTE synchronous, and only for a start: there may be a million files, and no other work meanwhile.
 */
export function handOver(path: string, plan: { from: readonly number[]; to: OperatingSystemUser }): void {
  const entry = lstatSync(path);
  if (entry.isDirectory()) for (const name of readdirSync(path)) handOver(join(path, name), plan);
  if (plan.from.includes(entry.uid)) lchownSync(path, plan.to.uid, plan.to.gid);
}

/**
 * Whether the database folder has to be given to the user. Changes nothing.
 * @throws EmbeddedPostgresError when it belongs to another user than root or `nobody`, whom earlier starts made it for.
 */
export async function isOfAnother(folder: string, user: OperatingSystemUser): Promise<boolean> {
  const data = join(folder, 'data');
  const owner = await findOwner(data);
  if (owner === undefined || owner === user.uid) return false;
  if (owner === 0 || owner === (await findUser('nobody'))?.uid) return true;
  const name = (await findUser(owner))?.name ?? `user id ${owner}`;
  throw new EmbeddedPostgresError(`The database in ${data} belongs to ${name}: start as that user, not as root`);
}

/**
 * Gives a database folder that an earlier start made for root or for `nobody` to the user that it runs as from now on.
 * @throws EmbeddedPostgresError when another user owns it.
 */
export async function takeOverCluster(folder: string, user: OperatingSystemUser): Promise<void> {
  if (!(await isOfAnother(folder, user))) return;
  await endPreviousProcesses(join(folder, 'data'));
  // Closed first: no process of the former owner may exchange something while it is handed over.
  await chown(folder, 0, 0);
  await chmod(folder, 0o700);
  const nobody = await findUser('nobody');
  handOver(folder, { from: nobody === undefined ? [0] : [0, nobody.uid], to: user });
}

/** The folder of the DATA_DIR's database, which may not be there yet. Throws EmbeddedPostgresError as findInstanceFolder. */
export async function findDatabaseFolder(dataDir: string, stateFolder = STATE_FOLDER): Promise<string> {
  return (await findInstanceFolder({ dataDir, stateFolder }))?.folder ?? join(dataDir, 'postgres');
}

/** Of a DATA_DIR that root serves no longer; the caller holds its lock. */
export async function giveDatabase(dataDir: string, user: OperatingSystemUser): Promise<void> {
  const instance = await findInstanceFolder({ dataDir, stateFolder: STATE_FOLDER });
  if (instance !== undefined) await noteInstance({ dataDir, folder: instance.folder });
  await takeOverCluster(instance?.folder ?? join(dataDir, 'postgres'), user);
}

/**
 * Whether DATA_DIR has to change for a portal that stays root. Changes nothing.
 * @throws EmbeddedPostgresError when an ordinary user owns it, whom root's files would lock out.
 */
export async function needsKeeping(dataDir: string, user: OperatingSystemUser): Promise<boolean> {
  const { uid, mode } = await stat(dataDir);
  if (uid !== 0 && user.name !== SERVICE_USER) {
    throw new EmbeddedPostgresError(`${dataDir} belongs to ${user.name}: start as that user, not as root`);
  }
  const isClosedToOthers = (mode & 0o077) === 0;
  return uid !== 0 || (isClosedToOthers && !(await canEnter(dataDir, user)));
}

/**
 * For a portal that stays root: DATA_DIR is root's own, as its files will be, and the database's user may pass through it where root may
 * decide that.
 * @throws EmbeddedPostgresError as needsKeeping
 */
export async function keepForRoot(dataDir: string, user: OperatingSystemUser): Promise<void> {
  if (!(await needsKeeping(dataDir, user))) return;
  await chown(dataDir, 0, user.gid);
  await chmod(dataDir, 0o710);
}
