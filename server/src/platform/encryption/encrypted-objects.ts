import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { removeOlder } from '#platform/disk/files.ts';
import { isDatabaseUnavailable } from '#platform/database/unavailable.ts';
import { PortalError } from '#platform/http/errors.ts';
import { AlteredObject } from '#platform/objects/altered-object.ts';
import type { Objects, StoredObject, WholeFile } from '#platform/objects/objects.ts';
import { hashBytes } from '#platform/objects/verified-bytes.ts';
import type { ClientKeys, ObjectKey } from './client-keys.ts';
import { type ByteRange, type Encrypted, encryptToFile, mark, openDecrypted } from './encrypted-file.ts';
import { KeyUnavailable } from './key-provider.ts';

interface Parts {
  /** Gets ciphertext only. */
  readonly store: Objects;
  readonly keys: Pick<ClientKeys, 'newObjectKey' | 'keep' | 'find'>;
  /** Deletes the keys of an object. */
  readonly destroyKeys: (objectKey: string) => Promise<void>;
  /** Folder in which ciphertext waits for the store. */
  readonly spool: string;
  /** False: what comes in is stored as it is. What was encrypted before is still read. */
  readonly encrypts: boolean;
}

/** Everybody's: documents without an owner. */
export const publicOwner = 'public';

const unfinishedAgeMs = 24 * 3_600_000;
const readBytes = 512 * 1024;

/** A stream allocates as much as it may read at once, also for the smallest file, and the garbage collector then costs more than the encryption. */
const openFile = async ({ path, size }: WholeFile): Promise<Readable> =>
  size > readBytes ? createReadStream(path, { highWaterMark: readBytes }) : Readable.from([await readFile(path)]);

/** Files encrypted at once: each waits for the disk most of the time. */
const encryptedAtOnce = 8;

/** An object that is encrypted into the spool. */
interface Spooled extends Encrypted, Pick<WholeFile, 'keptUntil'> {
  readonly path: string;
  readonly objectKey: ObjectKey;
  readonly owners: readonly string[];
}

/**
 * Objects that are encrypted before the store below gets them, each with a key of its own. An altered one is AlteredObject as soon as the altered
 * part is read; STORAGE_ERROR when its key is not there. Objects that were stored before are read as they are.
 */
export const createEncryptedObjects = async (parts: Parts): Promise<Objects> => {
  const { store, spool, encrypts } = parts;
  await orStorageError(async () => {
    await mkdir(spool, { recursive: true, mode: 0o700 });
    await removeOlder(spool, new Date(Date.now() - unfinishedAgeMs));
  });
  const opened = createOpening(parts);
  const written = createWriting(parts);
  if (!encrypts) return { ...store, open: opened, discard: createDiscard(parts) };
  return {
    ...store,
    put: (source, options) => written.put(source, options),
    async putFiles<const Files extends readonly WholeFile[]>(files: Files) {
      // One for each, in the same order.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (await written.putAll(files)) as { -readonly [Index in keyof Files]: StoredObject };
    },
    open: opened,
    discard: createDiscard(parts),
  };
};

/** Without its keys the object is gone, even where the store may not remove it yet. */
const createDiscard =
  ({ store, destroyKeys }: Pick<Parts, 'store' | 'destroyKeys'>): Objects['discard'] =>
  async (key) => {
    requireKey(key);
    await destroyKeys(key);
    return store.discard(key);
  };

const clear = async (paths: readonly string[]): Promise<void> => {
  // What cannot be removed is swept at a later start.
  await Promise.all(paths.map((path) => rm(path, { force: true }).catch(() => {})));
};

/** Encrypts into the spool; a failure leaves nothing there. */
const createSpooling = ({ keys, spool }: Pick<Parts, 'keys' | 'spool'>) => {
  const encrypt = async (source: Readable, owners: readonly string[]): Promise<Spooled> => {
    const objectKey = keys.newObjectKey();
    const path = join(spool, randomUUID());
    try {
      return { path, objectKey, owners, ...(await encryptToFile(source, path, objectKey)) };
    } catch (error) {
      await clear([path]);
      throw error;
    } finally {
      source.destroy();
    }
  };

  const encryptFile = async (file: WholeFile): Promise<Spooled> => {
    const { owners = [publicOwner], sha256, size, keptUntil } = file;
    const spooled = await orStorageError(async () => encrypt(await openFile(file), owners));
    if (spooled.plain.sha256 === sha256 && spooled.plain.size === size) return { ...spooled, keptUntil };
    await clear([spooled.path]);
    throw new PortalError('STORAGE_ERROR', { cause: new Error('the file has other bytes than were written') });
  };

  const encryptAll = async (files: readonly WholeFile[]): Promise<Spooled[]> => {
    const spooled: Spooled[] = [];
    const queue = files.entries();
    const work = async (): Promise<void> => {
      for (const [nth, file] of queue) spooled[nth] = await encryptFile(file);
    };
    const works = await Promise.allSettled(Array.from({ length: Math.min(encryptedAtOnce, files.length) }, work));
    const failed = works.find((one) => one.status === 'rejected');
    if (failed === undefined) return spooled;
    await clear(spooled.map(({ path }) => path));
    throw failed.reason;
  };

  return { encrypt, encryptAll };
};

const createWriting = (parts: Parts) => {
  const { store, keys } = parts;
  const { encrypt, encryptAll } = createSpooling(parts);
  const discard = createDiscard(parts);

  /** The objects first, then their keys: an object whose key was not kept is an unnamed one, and nothing was acknowledged. */
  const storeAll = async (spooled: readonly Spooled[]): Promise<StoredObject[]> => {
    const stored = await store.putFiles(spooled.map(({ path, sealed, keptUntil }) => ({ path, ...sealed, keptUntil })));
    const objects = stored.flatMap(({ sha256: _, size: __, ...kept }, nth) => {
      const one = spooled[nth];
      return one === undefined ? [] : [{ ...one, ...kept }];
    });
    try {
      await orStorageError(() => keys.keep(objects.map(({ key, objectKey, owners }) => ({ objectKey: key, owners, ...objectKey }))));
    } catch (error) {
      for (const { key } of stored) await discard(key).catch(() => {});
      throw error;
    }
    return objects.map(({ key, plain, lockedUntil }) => ({ key, ...plain, ...(lockedUntil === undefined ? {} : { lockedUntil }) }));
  };

  /** What the store has not taken is removed. */
  const storeAndClear = async (spooled: readonly Spooled[]): Promise<StoredObject[]> => {
    try {
      return await storeAll(spooled);
    } finally {
      await clear(spooled.map(({ path }) => path));
    }
  };

  return {
    async put(source: Readable, options: Pick<WholeFile, 'keptUntil'> = {}): Promise<StoredObject> {
      const [stored] = await storeAndClear([{ ...(await encrypt(source, [publicOwner])), ...options }]);
      if (stored === undefined) throw new Error('the store kept nothing');
      return stored;
    },
    putAll: async (files: readonly WholeFile[]): Promise<StoredObject[]> =>
      files.length === 0 ? [] : storeAndClear(await encryptAll(files)),
  };
};

const createOpening = ({ store, keys }: Pick<Parts, 'store' | 'keys'>): Objects['open'] => {
  /** As it came, unless it is one whose key is not there any more. */
  const openPlain = async (key: string, range?: ByteRange): Promise<Readable> => {
    const plain = await store.open(key, range);
    if (range !== undefined) return plain;
    const checked = Readable.from(refuseEncrypted(plain, key), { objectMode: false });
    checked.once('close', () => plain.destroy());
    return checked;
  };

  return async (key, range) => {
    requireKey(key);
    const objectKey = await orStorageError(() => keys.find(key));
    if (objectKey === undefined) return openPlain(key, range);
    return openDecrypted(
      {
        open: (part) => store.open(key, part),
        objectKey,
        onWrong: async (error) => new AlteredObject(await hashBytes(await store.open(key)), error),
      },
      range,
    );
  };
};

async function* refuseEncrypted(plain: AsyncIterable<Buffer>, key: string): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const piece of plain) {
    if (isFirst && piece.subarray(0, mark.length).equals(mark))
      throw new PortalError('STORAGE_ERROR', { cause: new Error(`the object ${key} is encrypted, and its key is not there`) });
    isFirst = false;
    yield piece;
  }
}

/** The database takes no text with a NUL. */
const requireKey = (key: string): void => {
  if (key.includes('\0')) throw new PortalError('STORAGE_ERROR', { cause: new Error('not a key of this store') });
};

const orStorageError = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  try {
    return await act();
  } catch (error) {
    if (!isOfKeysOrDisk(error)) throw error;
    throw new PortalError('STORAGE_ERROR', { cause: error });
  }
};

/** Errors of the database stay what they are: it is told apart when it is away. */
const isOfKeysOrDisk = (error: unknown): boolean =>
  error instanceof KeyUnavailable || (error instanceof Error && 'syscall' in error && !isDatabaseUnavailable(error));
