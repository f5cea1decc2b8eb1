import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, type FileHandle, mkdir, open, opendir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { hasCode, listFolder, removeOlder, syncFolder, unlessMissing } from '#platform/disk/files.ts';
import { PortalError } from '#platform/http/errors.ts';
import { writeHashed } from './hashed-file.ts';
import type { Objects, StoredObject, WholeFile } from './objects.ts';
import { orStorageError } from './storage-error.ts';

/** Streams of 256 KiB cost a fifth less CPU than the default of 64 KiB (toolchain measurements, section 5). */
const chunkBytes = 256 * 1024;
const keyPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const folderPattern = /^[0-9a-f]{2}$/;
/** Beside the folders of objects, whose names have two letters. */
const asideName = 'set-aside';
const unfinishedAgeMs = 24 * 3_600_000;

/**
 * Objects as files below `root`: spooled, fsynced, then moved to a random name that nothing else has, with the folders fsynced, so that an acknowledged object survives a power cut and a torn one is never seen. Throws STORAGE_ERROR when `root` is not usable.
 */
export const createFileObjects = async (root: string): Promise<Objects> => {
  const spool = join(root, 'spool');
  await orStorageError(async () => {
    await mkdir(spool, { recursive: true, mode: 0o700 });
    await syncFolder(root);
    await syncFolder(dirname(resolve(root)));
    // What a killed process left half written; it was never reported as stored.
    await removeOlder(spool, new Date(Date.now() - unfinishedAgeMs));
  });
  const pathOf = createPaths(root);
  const { put, publish } = createWriter({ root, spool, pathOf });
  const take = createMover({ publish, pathOf });
  const copyAll = createCopier({ put, pathOf });

  return {
    ...createFileReader(root),
    put,
    async putFiles<const Files extends readonly WholeFile[]>(files: Files) {
      const stored = (await take(files)) ?? (await copyAll(files));
      // One for each, in the same order.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return stored as { -readonly [Index in keyof Files]: StoredObject };
    },
    async discard(key) {
      await discard(pathOf(key));
      await discard(join(root, asideName, key));
      return undefined;
    },
    async setAside(key) {
      const path = pathOf(key);
      const folder = join(root, asideName);
      await orStorageError(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // Another process may have been faster.
        await unlessMissing(rename(path, join(folder, key)));
        await syncFolder(folder);
      });
    },
    // Nothing keeps a file from being removed.
    listDiscarded: () => Readable.from([]),
    retain: async () => {},
    async findLock(key) {
      const path = pathOf(key);
      await orStorageError(async () => (await unlessMissing(stat(path))) ?? (await stat(join(root, asideName, key))));
      return undefined;
    },
    probe: () => orStorageError(() => probe(spool)),
  };
};

/** What is there, without making anything. */
export const createFileReader = (root: string): Pick<Objects, 'list' | 'open'> => {
  const pathOf = createPaths(root);
  return {
    async open(key, range) {
      // Opened here, so that what cannot be read is known before the first byte is promised.
      const file = await orStorageError(async () => {
        // What was set aside by mistake, as while the database was an older one, is as good as ever.
        return (await unlessMissing(open(pathOf(key), 'r'))) ?? open(join(root, asideName, key), 'r');
      });
      // Where the end is known, a small file takes a buffer of its size, and none to find its end.
      const { start, end } = range ?? { start: 0, end: await orStorageError(() => lastByteOf(file)) };
      return file.createReadStream({ highWaterMark: chunkBytes, start, end });
    },
    list: () => listFiles(root),
  };
};

type PathOf = (key: string) => string;

const createPaths =
  (root: string): PathOf =>
  (key) => {
    if (!keyPattern.test(key)) throw new PortalError('STORAGE_ERROR', { cause: new Error('not a key of this store') });
    return join(root, key.slice(0, 2), key.slice(2, 4), key);
  };

/** Gives bytes their place, where they survive a power cut. */
const createWriter = ({ root, spool, pathOf }: { root: string; spool: string; pathOf: PathOf }) => {
  /** Folders that this process has fsynced: another process that made one may have crashed before it did. */
  const lasting = new Set<string>();

  /** Files by their keys, which are all of one folder. */
  const publish = async (spooled: ReadonlyMap<string, string>): Promise<void> => {
    const [first = ''] = spooled.keys();
    const folder = dirname(pathOf(first));
    const [outerName, innerName] = [first.slice(0, 2), first.slice(0, 4)];
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    const [one, ...others] = [...spooled].map(([key, path]) => ({ path, place: pathOf(key) }));
    // Alone: when it cannot be moved because the store is on another disk, none of them was.
    if (one !== undefined) await rename(one.path, one.place);
    await Promise.all(others.map(({ path, place }) => rename(path, place)));
    await syncFolder(folder);
    if (made !== undefined || !lasting.has(innerName)) await syncFolder(dirname(folder));
    const isInnerAlone = made === undefined || made === folder;
    if (!isInnerAlone || !lasting.has(outerName)) await syncFolder(root);
    lasting.add(outerName).add(innerName);
  };

  return {
    put: async (source: Readable): Promise<StoredObject> => {
      const key = randomUUID();
      const spooled = join(spool, key);
      try {
        const file = await orStorageError(() => open(spooled, 'wx', 0o400));
        const written = await writeHashed(source, file);
        await orStorageError(() => publish(new Map([[key, spooled]])));
        return { key, ...written };
      } catch (error) {
        // What cannot be removed is swept at a later start; the error to tell is the first one.
        await rm(spooled, { force: true }).catch(() => {});
        throw error;
      } finally {
        source.destroy();
      }
    },
    publish,
  };
};

interface Writer {
  readonly put: (source: Readable) => Promise<StoredObject>;
  readonly publish: (spooled: ReadonlyMap<string, string>) => Promise<void>;
  readonly pathOf: PathOf;
}

/** Moves files to their places. Undefined when their bytes have to be copied. */
const createMover = ({
  publish,
  pathOf,
}: Pick<Writer, 'publish' | 'pathOf'>): ((files: readonly WholeFile[]) => Promise<StoredObject[] | undefined>) => {
  const moveAll = async (files: ReadonlyMap<string, WholeFile>): Promise<void> => {
    await Promise.all([...files.values()].map(requireWhole));
    await publish(new Map([...files].map(([key, { path }]) => [key, path])));
  };

  return async (files) => {
    // One folder, since each that has something new is fsynced.
    const folder = randomUUID().slice(0, 4);
    const byKey = new Map(files.map((file) => [folder + randomUUID().slice(4), file]));
    try {
      if (files.length > 0) await moveAll(byKey);
      return [...byKey].map(([key, { sha256, size }]) => ({ key, sha256, size }));
    } catch (error) {
      await Promise.all([...byKey.keys()].map((key) => rm(pathOf(key), { force: true }).catch(() => {})));
      if (isElsewhere(error)) return undefined;
      throw new PortalError('STORAGE_ERROR', { cause: error });
    }
  };
};

const createCopier = ({ put, pathOf }: Pick<Writer, 'put' | 'pathOf'>): ((files: readonly WholeFile[]) => Promise<StoredObject[]>) => {
  const copy = async ({ path, sha256, size }: WholeFile): Promise<StoredObject> => {
    const copied = await put(createReadStream(path, { highWaterMark: chunkBytes }));
    if (copied.sha256 === sha256 && copied.size === size) return copied;
    await discard(pathOf(copied.key));
    throw new PortalError('STORAGE_ERROR', { cause: new Error('the object store holds other bytes than were written') });
  };

  return async (files) => {
    const copies: StoredObject[] = [];
    try {
      for (const file of files) copies.push(await copy(file));
      return copies;
    } catch (error) {
      for (const { key } of copies) await discard(pathOf(key));
      throw error;
    }
  };
};

const requireWhole = async ({ path, size }: WholeFile): Promise<void> => {
  if ((await stat(path)).size !== size) throw new Error('the file has another size than was written');
};

const discard = (path: string): Promise<void> =>
  orStorageError(async () => {
    // Windows removes no file that is read-only.
    await unlessMissing(chmod(path, 0o600));
    await unlessMissing(unlink(path));
  });

/** The folder is not there when another disk, or none, is mounted in the place of the store. */
const probe = async (spool: string): Promise<void> => {
  for await (const _ of await opendir(spool)) break;
};

/** Folder by folder, so that a million names are not in memory at once. */
const listFiles = async function* (root: string): AsyncGenerator<{ key: string; storedAt: Date }> {
  for (const first of await namesIn(root, folderPattern))
    for (const second of await namesIn(join(root, first), folderPattern))
      for (const key of await namesIn(join(root, first, second), keyPattern)) {
        const file = await orStorageError(() => unlessMissing(stat(join(root, first, second, key))));
        if (file !== undefined) yield { key, storedAt: file.mtime };
      }
};

const namesIn = async (folder: string, pattern: RegExp): Promise<string[]> => {
  const names = await orStorageError(() => listFolder(folder));
  return names.filter((name) => pattern.test(name));
};

/** On another disk: its bytes have to be copied. */
const isElsewhere = (error: unknown): boolean => hasCode(error, 'EXDEV');

/** Closes a file that cannot be looked at. Of an empty one: 0, where a reader finds its end. */
const lastByteOf = async (file: FileHandle): Promise<number> => {
  try {
    return Math.max(0, (await file.stat()).size - 1);
  } catch (error) {
    await file.close();
    throw error;
  }
};
