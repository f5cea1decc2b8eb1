import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing } from '#platform/disk/files.ts';
import { writeNewFile } from '#platform/disk/write-new-file.ts';
import { type StorePlace, storeIdName } from './store-place.ts';

/** A file in the folder of objects. */
export const fileStorePlace = (root: string): StorePlace => ({
  setting: 'DATA_DIR',
  kind: 'folder',
  name: root,
  read: () => unlessMissing(readFile(join(root, storeIdName), 'utf8')),
  make: async (id) => void (await writeNewFile(join(root, storeIdName), `${id}\n`, { mode: 0o400, spool: join(root, 'spool') })),
});
