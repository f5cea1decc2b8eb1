import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, chown, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder, unlessMissing } from '#platform/disk/files.ts';

const chunkBytes = 256 * 1024;

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Everything but folders below `root`, by paths relative to it, in no order; links are told and not followed. A folder that is removed meanwhile counts
 * as empty.
 */
export async function* listEntries(root: string, below = ''): AsyncGenerator<{ readonly path: string; readonly isFile: boolean }> {
  for (const entry of (await unlessMissing(readdir(join(root, below), { withFileTypes: true }))) ?? []) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* listEntries(root, path);
    else yield { path, isFile: entry.isFile() };
  }
}

/** Of these the files. */
export async function* listFiles(root: string): AsyncGenerator<string> {
  for await (const { path, isFile } of listEntries(root)) if (isFile) yield path;
}

/** For reading, and never what a link leads to. Undefined when it is not there. Does not wait for the writer of a pipe. */
const openFile = (path: string): Promise<FileHandle | undefined> =>
  unlessMissing(open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));

/** Makes a folder and those above it; those that were made get this owner. */
export const makeFolder = async (path: string, owner?: Owner): Promise<void> => {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined || owner === undefined) return;
  for (let folder = path; folder.startsWith(first); folder = dirname(folder)) await chown(folder, owner.uid, owner.gid);
};

/** From where it stands to its end. Most files are small, and a whole chunk for each keeps the garbage collector busier than the copy itself. */
const readPieces = async (file: FileHandle): Promise<AsyncIterable<Buffer>> => {
  const { size } = await file.stat();
  return file.createReadStream({ highWaterMark: Math.min(chunkBytes, size + 1), autoClose: false });
};

const writeHashed = async (source: FileHandle, target: FileHandle): Promise<string> => {
  const hash = createHash('sha256');
  for await (const piece of await readPieces(source)) {
    hash.update(piece);
    await target.appendFile(piece);
  }
  return hash.digest('hex');
};

/**
 * Copies one file to a place where none is, flushed; whether it may be written goes with it.
 * @returns its SHA-256 in lower-case hexadecimal; undefined when it is not there any more.
 */
export const copyFile = async (from: string, to: string, owner?: Owner): Promise<string | undefined> => {
  const source = await openFile(from);
  if (source === undefined) return undefined;
  try {
    await makeFolder(dirname(to), owner);
    const { mode } = await source.stat();
    // No program among them.
    const target = await open(to, 'wx', mode & 0o600);
    try {
      const sha256 = await writeHashed(source, target);
      if (owner !== undefined) await target.chown(owner.uid, owner.gid);
      await target.sync();
      return sha256;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

/** SHA-256 of a file in lower-case hexadecimal; undefined when it is not there. */
export const hashFile = async (path: string): Promise<string | undefined> => {
  const file = await openFile(path);
  if (file === undefined) return undefined;
  try {
    const hash = createHash('sha256');
    for await (const piece of await readPieces(file)) hash.update(piece);
    return hash.digest('hex');
  } finally {
    await file.close();
  }
};

/** Flushes the folders of these files, so that their names survive a power cut. */
export const syncFolders = async (root: string, paths: Iterable<string>): Promise<void> => {
  const folders = new Set<string>(['.']);
  for (const path of paths) for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  for (const folder of folders) await syncFolder(join(root, folder));
};
