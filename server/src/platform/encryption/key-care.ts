import { resolve } from 'node:path';
import type { Db } from '#platform/database/schema.ts';
import type { EncryptionSettings } from '#platform/settings/encryption-settings.ts';
import { createClientKeys } from './client-keys.ts';
import { findBackedUpVersion, noteBackedUp } from './key-backup.store.ts';
import { addKeyVersion, createFileKeys, readKeyFile, writeNewKeyFile } from './key-file.ts';
import { KeyUnavailable } from './key-provider.ts';
import { countByVersion } from './keys.store.ts';

export interface EncryptionStatus {
  readonly encryption: EncryptionSettings['encryption'];
  readonly keyFile: string;
  /** Oldest first; none when there is no file. */
  readonly versions: readonly number[];
  readonly backedUpVersion: number | null;
  /** Clients' keys by the version that they are wrapped by. */
  readonly clientKeys: readonly { readonly version: number; readonly keys: number }[];
}

export type KeyCare = ReturnType<typeof createKeyCare>;

/** What an operator does with the key file. Every method but `status` throws KeyUnavailable. */
export const createKeyCare = ({ db, settings }: { readonly db: Db; readonly settings: EncryptionSettings }) => {
  const { encryption, encryptionKeyFile: path } = settings;
  const keys = createClientKeys({ db, provider: createFileKeys(path) });

  const readFile = async (): Promise<ReadonlyMap<number, Buffer>> => {
    const file = await readKeyFile(path);
    if (file === undefined) throw new KeyUnavailable(`there is no encryption key at ${path}`);
    return file;
  };

  /** Copies the key file to a new file that only its owner can read, and notes that it was. Gives the version. */
  const backup = async (target: string): Promise<number> => {
    await keys.assertUsable();
    const file = await readFile();
    const isWritten = await writeNewKeyFile(resolve(target), file).catch((error: unknown) => {
      throw new KeyUnavailable(`${target} cannot be written`, { cause: error });
    });
    if (!isWritten) throw new KeyUnavailable(`${target} is there already`);
    const version = Math.max(...file.keys());
    await noteBackedUp(db, version);
    return version;
  };

  return {
    async status(): Promise<EncryptionStatus> {
      return {
        encryption,
        keyFile: path,
        versions: [...((await readKeyFile(path))?.keys() ?? [])].toSorted((one, other) => one - other),
        backedUpVersion: (await findBackedUpVersion(db)) ?? null,
        clientKeys: await countByVersion(db),
      };
    },

    backup,

    /**
     * Adds a version to the key file, backs the file up, and wraps the keys of all clients by it; one that was broken off is finished instead. Documents are not
     * touched, and the versions before stay in the file. Gives the version, and how many keys were wrapped anew.
     */
    async rotate(target: string): Promise<{ version: number; keys: number }> {
      await keys.assertUsable();
      const current = Math.max(...(await readFile()).keys());
      if ((await countByVersion(db)).every(({ version }) => version === current)) await addKeyVersion(path);
      const version = await backup(target);
      let [wrapped, more] = [0, 0];
      do wrapped += more = await keys.rewrapSome();
      while (more > 0);
      return { version, keys: wrapped };
    },
  };
};
