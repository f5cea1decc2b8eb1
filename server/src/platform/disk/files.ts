import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether it is an error of the operating system with one of these codes (`ENOENT`). */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

/** Undefined when there is no such file or folder. */
export const unlessMissing = async <Result>(result: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await result;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
};

/** Names of what is in it; none when it is not there. */
export const listFolder = async (path: string): Promise<string[]> => (await unlessMissing(readdir(path))) ?? [];

/** Makes renames and links inside the folder survive a power loss. */
export const syncFolder = async (path: string): Promise<void> => {
  // Windows has no such thing as a folder's handle; its file system keeps names in order by itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};

/** Removes what killed processes left in a folder; says how many. Other processes may be removing, or finishing, meanwhile. */
export const removeOlder = async (folder: string, before: Date): Promise<number> => {
  let removed = 0;
  for (const name of await listFolder(folder)) {
    const path = join(folder, name);
    const found = await unlessMissing(stat(path));
    if (found === undefined || found.mtime >= before) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
};
