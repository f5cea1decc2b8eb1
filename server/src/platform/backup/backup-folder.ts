import { join } from 'node:path';
import { hasCode, listFolder } from '#platform/disk/files.ts';
import { BackupError, type BackupFiles, isListItself, writeList } from './backup-list.ts';
import { copyFile, hashFile, listEntries, listFiles, makeFolder, type Owner, syncFolders } from './copied-files.ts';

/** @throws BackupError when something is there already. */
export const makeBackupFolder = async (folder: string): Promise<void> => {
  try {
    if ((await listFolder(folder)).length > 0) throw new BackupError(`${folder} is not empty: a backup gets a folder of its own`);
    await makeFolder(folder);
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM', 'ENOTDIR', 'EROFS')) throw new BackupError(`${folder} cannot be written`, { cause: error });
    throw error;
  }
};

/** Copies the files below `from` that `to` does not have yet. Gives how many. */
export const copyMissing = async (from: string, to: string, isLeftOut: (path: string) => boolean = () => false): Promise<number> => {
  const there = new Set<string>();
  for await (const path of listFiles(to)) there.add(path);
  let copied = 0;
  for await (const path of listFiles(from)) {
    if (there.has(path) || isLeftOut(path)) continue;
    if ((await copyFile(join(from, path), join(to, path))) !== undefined) copied += 1;
  }
  return copied;
};

/** Hashes what was copied, as the disk holds it now, and completes the backup; `key` authenticates it. */
export const completeBackup = async (folder: string, key?: Buffer): Promise<number> => {
  const files = new Map<string, string>();
  for await (const path of listFiles(folder)) files.set(path, (await hashFile(join(folder, path))) ?? '');
  await syncFolders(folder, files.keys());
  await writeList(folder, files, key);
  await syncFolders(folder, []);
  return files.size;
};

/** Nothing may lie in a backup that nobody has listed, and nothing that leads elsewhere. @throws BackupError */
export const requireListedOnly = async (folder: string, files: BackupFiles): Promise<void> => {
  const foreign: string[] = [];
  for await (const { path, isFile } of listEntries(folder)) if (!isFile || !(files.has(path) || isListItself(path))) foreign.push(path);
  if (foreign.length > 0)
    throw new BackupError(
      `${folder} holds ${foreign.length} files that are not on its list, or are links or devices: ${foreign.slice(0, 5).join(', ')}`,
    );
};

/** Reads and hashes each file of a list. @throws BackupError naming the first ones that are missing or were changed. */
export const verifyFiles = async (folder: string, files: BackupFiles): Promise<number> => {
  const wrong: string[] = [];
  for (const [path, sha256] of files) if ((await hashFile(join(folder, path))) !== sha256) wrong.push(path);
  if (wrong.length > 0)
    throw new BackupError(
      `${wrong.length} of ${files.size} files of ${folder} are missing or were changed: ${wrong.slice(0, 5).join(', ')}`,
    );
  return files.size;
};

interface Part {
  readonly files: BackupFiles;
  readonly part: string;
  readonly to: string;
  readonly owner: Owner;
  /** Says of a path in the part whether it is restored. Left out: all are. */
  readonly isRestored?: (path: string) => boolean;
}

/** Copies the files below `part` of a backup to `to`, where none of them is, and hashes the bytes that were copied. @throws BackupError */
export const restorePart = async (folder: string, { files, part, to, owner, isRestored = () => true }: Part): Promise<void> => {
  await makeFolder(to, owner);
  const restored: string[] = [];
  for (const [path, sha256] of files) {
    if (!path.startsWith(`${part}/`)) continue;
    const inside = path.slice(part.length + 1);
    if (!isRestored(inside)) continue;
    if ((await copyFile(join(folder, path), join(to, inside), owner)) !== sha256)
      throw new BackupError(`${path} of ${folder} is missing or was changed`);
    restored.push(inside);
  }
  await syncFolders(to, restored);
};
