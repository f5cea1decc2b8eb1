import { randomUUID } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasCode, syncFolder } from './files.ts';

/**
 * Writes a file as a whole, durably, and never over another one: false when there is one. So of two processes that start at once the second finds what the
 * first has written. `spool`: where it is written first, on the same disk; the folder of the file, when nothing is said.
 */
export const writeNewFile = async (
  path: string,
  content: string | Buffer,
  { mode, spool = dirname(path) }: { readonly mode: number; readonly spool?: string },
): Promise<boolean> => {
  const spooled = join(spool, `${basename(path)}.${randomUUID()}`);
  try {
    const file = await open(spooled, 'wx', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(spooled, path);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(spooled, { force: true });
  }
  await syncFolder(dirname(path));
  return true;
};
