import { readFile } from 'node:fs/promises';
import type { Db } from '#platform/database/schema.ts';
import { unlessMissing } from '#platform/disk/files.ts';
import { KeyRegisterError } from './key-register.ts';
import { firstKeyName } from './own-keys.ts';
import { isKey } from './publisher-keys.store.ts';

/**
 * What ensureFirst would refuse: a file in its place that holds no key. `db` is undefined where the database has no tables yet. Changes nothing.
 * @throws KeyRegisterError
 */
export const judgeFirstKey = async (db: Db | undefined, path: string): Promise<void> => {
  const known = await db?.selectFrom('publisher_key').select('id').where('name', '=', firstKeyName).executeTakeFirst();
  if (known !== undefined) return;
  const left = await unlessMissing(readFile(path, 'utf8'));
  if (left !== undefined && !isKey(left.trim())) throw new KeyRegisterError(`${path} holds no key; move it away to get a new one`);
};
