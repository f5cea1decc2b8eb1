import { access, constants, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '#platform/disk/files.ts';
import type { DatabaseConnection } from '../connection.ts';
import { DATABASE_NAME, PORTAL_ROLE } from './cluster.ts';
import { findSocketFolder, SOCKET_PORT } from './cluster-place.ts';
import { isDataFolderLocked } from './data-folder-lock.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { exists, findInstance, STATE_FOLDER } from './instances.ts';

interface Places {
  readonly dataDir: string;
  /** Instead of /var/lib/pergamin. */
  readonly stateFolder?: string;
}

const enter = async (dataDir: string): Promise<string> => {
  try {
    await access(dataDir, constants.R_OK | constants.X_OK);
    return await realpath(dataDir);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) throw noDatabase(dataDir);
    if (!hasCode(error, 'EACCES', 'EPERM')) throw error;
    throw new EmbeddedPostgresError(`${dataDir} is closed to this user: run this as the user that the portal runs as, or as root`);
  }
};

const noDatabase = (dataDir: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(`There is no portal’s database in ${dataDir}: set DATA_DIR or DATABASE_URL as the portal has them`);

/**
 * How a program beside the portal gets to the embedded database, as the portal's own role; undefined while no portal runs. Makes nothing.
 * @throws EmbeddedPostgresError where no portal was ever started, or as a user who may not enter DATA_DIR.
 */
export async function findRunningDatabase(places: Places): Promise<DatabaseConnection | undefined> {
  const dataDir = await enter(places.dataDir);
  if ((await findInstance(dataDir)) === undefined && !(await exists(join(dataDir, 'postgres', 'data')))) throw noDatabase(dataDir);
  if (!isDataFolderLocked(dataDir)) return undefined;
  const host = await findSocketFolder({ dataDir, stateFolder: places.stateFolder ?? STATE_FOLDER });
  if (host === undefined) throw new EmbeddedPostgresError(`The portal on ${dataDir} is just starting or stopping: try again in a moment`);
  return { host, port: SOCKET_PORT, user: PORTAL_ROLE, database: DATABASE_NAME };
}
