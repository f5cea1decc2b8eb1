import { lchownSync, lstatSync, readdirSync } from 'node:fs';
import { chmod, chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';
import { assignInstanceFolder, findInstance, STATE_FOLDER } from './instances.ts';
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
 * Gives a database folder that an earlier start made for root or for `nobody` to the user that it runs as from now on.
 * @throws EmbeddedPostgresError when another user owns it.
 */
export async function takeOverCluster(folder: string, user: OperatingSystemUser): Promise<void> {
  const data = join(folder, 'data');
  const owner = await findOwner(data);
  if (owner === undefined || owner === user.uid) return;
  const nobody = await findUser('nobody');
  if (owner !== 0 && owner !== nobody?.uid) {
    const name = (await findUser(owner))?.name ?? `user id ${owner}`;
    throw new EmbeddedPostgresError(`The database in ${data} belongs to ${name}: start as that user, not as root`);
  }
  await endPreviousProcesses(data);
  // Closed first: no process of the former owner may exchange something while it is handed over.
  await chown(folder, 0, 0);
  await chmod(folder, 0o700);
  handOver(folder, { from: nobody === undefined ? [0] : [0, nobody.uid], to: user });
}

/** Of a DATA_DIR that root serves no longer; the caller holds its lock. */
export async function giveDatabase(dataDir: string, user: OperatingSystemUser): Promise<void> {
  const isElsewhere = (await findInstance(dataDir)) !== undefined;
  const { folder } = isElsewhere
    ? await assignInstanceFolder({ dataDir, stateFolder: STATE_FOLDER })
    : { folder: join(dataDir, 'postgres') };
  await takeOverCluster(folder, user);
}

/**
 * For a portal that stays root: DATA_DIR is root's own, as its files will be, and the database's user may pass through it where root may
 * decide that.
 * @throws EmbeddedPostgresError when an ordinary user owns it, whom root's files would lock out.
 */
export async function keepForRoot(dataDir: string, user: OperatingSystemUser): Promise<void> {
  const { uid, mode } = await stat(dataDir);
  if (uid !== 0 && user.name !== SERVICE_USER) {
    throw new EmbeddedPostgresError(`${dataDir} belongs to ${user.name}: start as that user, not as root`);
  }
  const isClosedToOthers = (mode & 0o077) === 0;
  if (uid === 0 && (!isClosedToOthers || (await canEnter(dataDir, user)))) return;
  await chown(dataDir, 0, user.gid);
  await chmod(dataDir, 0o710);
}
