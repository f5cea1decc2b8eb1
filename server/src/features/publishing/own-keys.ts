import { readFile } from 'node:fs/promises';
import { publisherScopes, type PublisherScope } from '@pergamin/contract';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import { writeNewFile } from '#platform/disk/write-new-file.ts';
import { insertKey, isKey, makeKey } from './publisher-keys.store.ts';

/** The key of the first start may do everything but act as a demonstration. */
export const firstKeyName = 'first key';

/** Names of these keys, which operators cannot give to others. */
export const ownKeyNames: readonly string[] = [firstKeyName, 'demonstration'];

/** Keys that the portal itself issues: the first one, and those of the demonstration. */
export interface OwnKeys {
  /** Makes a key and returns it, once: only its hash is kept. */
  issue(options: { name: string; scopes: readonly PublisherScope[]; demo?: boolean }): Promise<string>;
  /** Ends every key of the demonstration. */
  revokeDemo(): Promise<void>;
  /**
   * At the very first start: a key with every scope, written to `path` with mode 0600. Later starts change nothing. A key in that file
   * that the database does not know (an interrupted start, another database) becomes the first key.
   */
  ensureFirst(path: string): Promise<void>;
}

export const createOwnKeys = (db: Db, clock: Clock): OwnKeys => {
  const keep = (key: string, { name, scopes, demo = false }: Parameters<OwnKeys['issue']>[0]): Promise<string> =>
    insertKey(db, key, { name, scopes, demo, at: clock.now(), by: 'portal' });
  return {
    async issue(options) {
      const key = makeKey();
      await keep(key, options);
      return key;
    },

    revokeDemo: () => revokeDemoKeys(db),

    async ensureFirst(path) {
      const known = await db.selectFrom('publisher_key').select('id').where('name', '=', firstKeyName).executeTakeFirst();
      if (known !== undefined) return;
      // The file comes first: after an interruption in between, the next start finds the key.
      await keep(await readOrWriteKey(path), { name: firstKeyName, scopes: publisherScopes });
    },
  };
};

/** Waits for publications under way with these keys, and lets no other begin. */
export const revokeDemoKeys = async (db: Db): Promise<void> => {
  await db
    .updateTable('publisher_key')
    .set({ revoked_at: new Date(), revoked_by: 'portal' })
    .where('demo', '=', true)
    .where('revoked_at', 'is', null)
    .execute();
};

/** Writes a new key for its owner only, or reads the existing one. */
const readOrWriteKey = async (path: string): Promise<string> => {
  const key = makeKey();
  if (await writeNewFile(path, `${key}\n`, { mode: 0o600 })) return key;
  const left = (await readFile(path, 'utf8')).trim();
  if (!isKey(left)) throw new Error(`${path} holds no key; move it away to get a new one`);
  return left;
};
