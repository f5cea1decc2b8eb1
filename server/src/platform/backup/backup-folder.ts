import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, listFolder } from '#platform/disk/files.ts';
import { copyFile, hashFile, listFiles, makeFolder, type Owner, syncFolders } from './copied-files.ts';

/** Something that an operator can put right, in a sentence. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** As `sha256sum` writes it, so that `sha256sum --check` judges a backup without the product. Written last: without it a backup is not complete. */
const listName = 'files.sha256';
const linePattern = /^([0-9a-f]{64}) {2}([^\0\n]+)$/;

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

/** Hashes what was copied, as the disk holds it now, and completes the backup. */
export const completeBackup = async (folder: string): Promise<number> => {
  const lines = new Map<string, string>();
  for await (const path of listFiles(folder)) lines.set(path, (await hashFile(join(folder, path))) ?? '');
  await syncFolders(folder, lines.keys());
  const text = [...lines].map(([path, sha256]) => `${sha256}  ${path}\n`).join('');
  await writeFile(join(folder, listName), text, { flag: 'wx', mode: 0o400, flush: true });
  await syncFolders(folder, []);
  return lines.size;
};

/** Of a complete backup: SHA-256 by path. @throws BackupError */
const readList = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const text = await readFile(join(folder, listName), 'utf8').catch((error: unknown) => {
    throw new BackupError(`${folder} holds no complete backup: its ${listName} cannot be read`, { cause: error });
  });
  const files = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, sha256, path] = linePattern.exec(line) ?? [];
    const isInside = path !== undefined && !path.startsWith('/') && !path.split('/').includes('..');
    if (sha256 === undefined || !isInside) throw new BackupError(`${listName} of ${folder} is damaged`);
    files.set(path, sha256);
  }
  return files;
};

/** Reads and hashes each file. @throws BackupError naming the first ones that are missing or were changed. */
export const verifyBackup = async (folder: string): Promise<number> => {
  const files = await readList(folder);
  const wrong: string[] = [];
  for (const [path, sha256] of files) if ((await hashFile(join(folder, path))) !== sha256) wrong.push(path);
  if (wrong.length > 0)
    throw new BackupError(
      `${wrong.length} of ${files.size} files of ${folder} are missing or were changed: ${wrong.slice(0, 5).join(', ')}`,
    );
  return files.size;
};

/** Copies the files below `part` of a backup to `to`, where none of them is, and hashes the bytes that were copied. @throws BackupError */
export const restorePart = async (folder: string, { part, to, owner }: { part: string; to: string; owner: Owner }): Promise<void> => {
  await makeFolder(to, owner);
  const restored: string[] = [];
  for (const [path, sha256] of await readList(folder)) {
    if (!path.startsWith(`${part}/`)) continue;
    const inside = path.slice(part.length + 1);
    if ((await copyFile(join(folder, path), join(to, inside), owner)) !== sha256)
      throw new BackupError(`${path} of ${folder} is missing or was changed`);
    restored.push(inside);
  }
  await syncFolders(to, restored);
};

/** Folders of a backup that hold no file, which PostgreSQL needs. */
export const restoreFolders = async (from: string, to: string, owner: Owner): Promise<void> => {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    await makeFolder(join(to, entry.name), owner);
    await restoreFolders(join(from, entry.name), join(to, entry.name), owner);
  }
};
