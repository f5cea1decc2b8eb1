import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, syncFolder, unlessMissing } from '#platform/disk/files.ts';
import { type StorePlace, storeIdName } from './store-place.ts';

/** A file in the folder of objects. */
export const fileStorePlace = (root: string): StorePlace => ({
  setting: 'DATA_DIR',
  kind: 'folder',
  name: root,
  read: () => unlessMissing(readFile(join(root, storeIdName), 'utf8')),
  make: (id) => makeFile(root, id),
});

const makeFile = async (root: string, id: string): Promise<void> => {
  const written = join(root, 'spool', randomUUID());
  const file = await open(written, 'wx', 0o400);
  try {
    await file.writeFile(`${id}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(written, join(root, storeIdName));
    await syncFolder(root);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(written, { force: true });
  }
};
