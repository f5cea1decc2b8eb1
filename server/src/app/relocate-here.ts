import { resolve } from 'node:path';
import { createLog } from '#platform/log/log.ts';
import { createFileObjects } from '#platform/objects/file-objects.ts';
import { fileStorePlace } from '#platform/objects/file-store-id.ts';
import { openStore, type OpenStore } from '#platform/objects/open-store.ts';
import { orSentence } from '#platform/objects/recognised-store.ts';
import { type Copied, relocate, RelocationError, removeMoved } from '#platform/objects/relocation.ts';
import { bucketAddress, readBucketAddress } from '#platform/settings/object-settings.ts';
import { readSettings, type Settings } from '#platform/settings/settings.ts';
import { leaveRoot } from './leave-root.ts';
import { createMigratedJudge, openDatabaseHere } from './open-database-here.ts';

export { RelocationError } from '#platform/objects/relocation.ts';

/** A bucket, as OBJECTS_URL has it, or a folder of objects, as DATA_DIR/objects. The access key of the settings opens both buckets. */
const openNamed = async (written: string, { dataDir, s3Access }: Settings): Promise<OpenStore> => {
  if (!written.includes('://')) {
    const root = resolve(written);
    const objects = await createFileObjects(root).catch((error: unknown) => {
      throw new RelocationError(`${root} cannot be used: the portal’s user needs to write there`, { cause: error });
    });
    return { objects, place: fileStorePlace(root), probeLock: async () => 'none' };
  }
  const address = bucketAddress.safeParse(written).success ? readBucketAddress(written) : undefined;
  if (address === undefined) throw new RelocationError(`${written} is not an address as OBJECTS_URL has it`);
  return openStore({ bucket: { ...address, ...s3Access }, dataDir });
};

type Parts = Parameters<typeof relocate>[0];

const withStores = async <Result>(
  environment: NodeJS.ProcessEnv,
  other: string,
  act: (parts: Parts, stores: { readonly present: OpenStore; readonly other: OpenStore }) => Promise<Result>,
): Promise<Result> => {
  const read = readSettings(environment);
  // Folders that root would make could not be used by the portal's user.
  const log = createLog('warn');
  await leaveRoot({ settings: { ...read, dataDir: resolve(read.dataDir) }, log, judge: createMigratedJudge(read, log) });
  const { db, settings, close } = await openDatabaseHere(environment);
  try {
    const stores = { present: await openStore(settings), other: await openNamed(other, settings) };
    return await orSentence(stores.present, () =>
      orSentence(stores.other, () => act({ db, timeZone: settings.timeZone, log: createLog('warn') }, stores)),
    );
  } finally {
    await close();
  }
};

/**
 * For `pergamin relocate --to`: from the store of these settings.
 * @throws RelocationError, and what `openDatabaseHere` throws
 */
export const relocateHere = (environment: NodeJS.ProcessEnv, to: string): Promise<Copied> =>
  withStores(environment, to, (parts, { present, other }) => relocate(parts, { from: present, to: other }));

/**
 * For `pergamin relocate --remove --from`: the settings name the store that the objects are in now.
 * @throws RelocationError, and what `openDatabaseHere` throws
 */
export const removeMovedHere = (environment: NodeJS.ProcessEnv, from: string): Promise<{ removed: number; failed: number }> =>
  withStores(environment, from, (parts, { present, other }) => removeMoved(parts, { from: other, to: present }));
