import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/schema.ts';
import { PortalError } from '#platform/http/errors.ts';
import { SettingsError } from '#platform/settings/settings.ts';
import { createFileReader } from './file-objects.ts';
import { fileStorePlace } from './file-store-id.ts';
import type { LockLevel } from './lock-level.ts';
import type { Objects } from './objects.ts';
import { type OpenStore, openStore, type StoreSettings } from './open-store.ts';
import { judgeStore, recogniseStore } from './store-id.ts';

/**
 * The store of the settings, once it is known to be that of the database, and what keeps objects in it.
 * @throws SettingsError, also where a bucket cannot be reached or used; STORAGE_ERROR where a folder cannot
 */
export const openRecognisedStore = async ({
  db,
  settings,
}: {
  readonly db: Kysely<Database>;
  readonly settings: StoreSettings;
}): Promise<{ readonly objects: Objects; readonly lock: LockLevel }> => {
  const store = await openStore(settings);
  return orSentence(store, async () => {
    await recogniseStore({ db, ...store });
    return { objects: store.objects, lock: await store.probeLock() };
  });
};

/**
 * Whether the store of the settings is that of the database, which has no tables yet where `db` is undefined. Makes nothing.
 * @throws SettingsError, also where a bucket cannot be reached or used
 */
export const judgeStoreOf = async ({ db, settings }: { db: Kysely<Database> | undefined; settings: StoreSettings }): Promise<void> => {
  const { bucket, dataDir } = settings;
  if (bucket === undefined) {
    const root = join(dataDir, 'objects');
    return judgeStore({ db, objects: createFileReader(root), place: fileStorePlace(root) });
  }
  // Its spool is not used.
  const spool = await mkdtemp(join(tmpdir(), 'pergamin-look-'));
  try {
    const store = await openStore({ bucket, dataDir: spool });
    await orSentence(store, () => judgeStore({ db, ...store }));
  } finally {
    await rm(spool, { recursive: true, force: true });
  }
};

/** Tells an operator in a sentence why a bucket cannot be used. @throws SettingsError */
export const orSentence = async <Result>(
  { place: { setting, kind, name } }: Pick<OpenStore, 'place'>,
  act: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await act();
  } catch (error) {
    if (kind === 'folder' || !(error instanceof PortalError)) throw error;
    throw new SettingsError(`${setting}: ${name} cannot be used: ${reasonOf(error.cause)}`, { cause: error });
  }
};

/** Of an error of the service its code, of one of the network the operating system's. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'no answer';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' || error.message === code ? code : `${code} (${error.message})`;
};
