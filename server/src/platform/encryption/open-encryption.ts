import type { Db } from '#platform/database/schema.ts';
import { hasCode } from '#platform/disk/files.ts';
import type { Log } from '#platform/log/log.ts';
import type { Objects } from '#platform/objects/objects.ts';
import type { EncryptionSettings } from '#platform/settings/encryption-settings.ts';
import { SettingsError } from '#platform/settings/settings.ts';
import { createClientKeys } from './client-keys.ts';
import { createEncryptedObjects, publicOwner } from './encrypted-objects.ts';
import { findBackedUpVersion } from './key-backup.store.ts';
import { createFileKeys, readKeyFile, writeNewKeyFile } from './key-file.ts';
import { KeyUnavailable } from './key-provider.ts';
import { destroyObjectKeys, hasClientKeys, sampleClientKeys } from './keys.store.ts';
import { createSealing, type Sealing } from './sealed-bytes.ts';

interface Parts {
  readonly db: Db;
  readonly store: Objects;
  readonly settings: EncryptionSettings;
  readonly log: Log;
}

/**
 * Whether the key file is the one that the keys of the database need, which has no tables yet where `db` is undefined. Makes nothing. Gives how many
 * keys of the database it has opened: one of each version.
 * @throws SettingsError
 */
export const judgeEncryption = async ({
  db,
  settings: { encryptionKeyFile: path },
}: {
  db: Db | undefined;
  settings: EncryptionSettings;
}): Promise<number> => {
  try {
    const isThere = (await readKeyFile(path)) !== undefined;
    const needed = db !== undefined && (await hasClientKeys(db)) ? (await sampleClientKeys(db)).length : 0;
    if (db === undefined || needed === 0) return 0;
    if (!isThere) throw new SettingsError(`ENCRYPTION_KEY_FILE: there is no key at ${path}. ${howToRestore}`);
    await createClientKeys({ db, provider: createFileKeys(path) }).assertUsable();
    return needed;
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'EISDIR')) throw new SettingsError(`ENCRYPTION_KEY_FILE: ${path} cannot be read by this user`);
    if (!(error instanceof KeyUnavailable)) throw error;
    throw new SettingsError(`ENCRYPTION_KEY_FILE: ${error.message}. ${howToRestore}`, { cause: error });
  }
};

export interface Encryption {
  readonly objects: Objects;
  /** For page images and page texts; undefined while encryption is off. */
  readonly sealing: Sealing | undefined;
}

/** Page images and texts of all documents: they are removed with their document, and made again by this machine. */
const ownerOfPages = 'pages';

const howToRestore = 'Without it documents cannot be read: restore it from its backup (docs/encryption.md)';

/**
 * The store with encryption above it. The first start makes the key file; later ones refuse to start without it, or with another one, and warn
 * until it has been backed up. Throws SettingsError.
 */
export const openEncryption = async ({ db, store, settings, log }: Parts): Promise<Encryption> => {
  const { encryption, encryptionKeyFile: path, encryptionSpool: spool } = settings;
  const provider = createFileKeys(path);
  const keys = createClientKeys({ db, provider });
  const isInUse = (await sampleClientKeys(db)).length > 0;
  try {
    if ((await readKeyFile(path)) === undefined) {
      if (isInUse) throw new SettingsError(`ENCRYPTION_KEY_FILE: there is no key at ${path}. ${howToRestore}`);
      if (encryption !== 'off') await writeNewKeyFile(path);
    }
    // Two machines that start for the first time with files of their own: the second one finds the key of the first, and is refused.
    if (encryption !== 'off') await keys.ensure([publicOwner]);
    await keys.assertUsable();
  } catch (error) {
    if (!(error instanceof KeyUnavailable)) throw error;
    throw new SettingsError(`ENCRYPTION_KEY_FILE: ${error.message}. ${howToRestore}`, { cause: error });
  }
  if (isInUse || encryption !== 'off') await warnUntilBackedUp({ db, version: await provider.currentVersion(), path, log });
  const objects = await createEncryptedObjects({
    store,
    keys,
    destroyKeys: (objectKey) => destroyObjectKeys(db, objectKey),
    spool,
    encrypts: encryption !== 'off',
  });
  const pages = encryption === 'off' ? undefined : (await keys.ensure([ownerOfPages])).get(ownerOfPages)?.key;
  return { objects, sealing: pages === undefined ? undefined : createSealing(pages) };
};

const warnUntilBackedUp = async ({
  db,
  version,
  path,
  log,
}: Pick<Parts, 'db' | 'log'> & { version: number; path: string }): Promise<void> => {
  if (((await findBackedUpVersion(db)) ?? 0) >= version) return;
  log.warn({ file: path, version }, 'the key of all documents was not backed up yet: pergamin encryption backup FILE');
};
