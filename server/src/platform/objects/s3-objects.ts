import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, NoSuchKey, PutObjectRetentionCommand } from '@aws-sdk/client-s3';
import { removeOlder } from '#platform/disk/files.ts';
import { PortalError } from '#platform/http/errors.ts';
import { writeHashed } from './hashed-file.ts';
import type { ObjectLock, Objects, StoredObject, WholeFile } from './objects.ts';
import { type Bucket, isAnswered, versionOf } from './s3-bucket.ts';
import { readLock } from './s3-lock.ts';
import { findLockRule } from './s3-lock-rule.ts';
import { listVersions } from './s3-versions.ts';
import { putBytes, putFile } from './s3-writing.ts';
import { orStorageError } from './storage-error.ts';
import { storeIdName } from './store-place.ts';

export interface S3Parts {
  readonly bucket: Bucket;
  /** Folder in which objects wait for the bucket whose size is not known yet. */
  readonly spool: string;
}

/** A random id and the version that was written under it: a later version is another object, of which no row knows. */
const keyPattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:@([!-~]{1,1024}))?$/;
const folder = 'o/';
/** An empty object for each that was set aside: it is no part of the object itself, which may be locked. */
const asideFolder = 'set-aside/';
const unfinishedAgeMs = 24 * 3_600_000;
const sentAtOnce = 8;
/** A row is held meanwhile, and a document that nobody can change for minutes would be worse than one that the next round locks. */
const lockWithinMs = 15_000;

interface Name {
  readonly id: string;
  readonly version: string | undefined;
}

const readKey = (key: string): Name => {
  const [, id, version] = keyPattern.exec(key) ?? [];
  if (id === undefined) throw new PortalError('STORAGE_ERROR', { cause: new Error('not a key of this store') });
  return { id, version };
};

const keyOf = (id: string, version: string | undefined): string => (version === undefined || version === 'null' ? id : `${id}@${version}`);

/** Objects in a bucket of an S3 service. Each name has its version in it. Throws STORAGE_ERROR when `spool` is not usable. */
export const createS3Objects = async (parts: S3Parts): Promise<Objects> => {
  const { bucket, spool } = parts;
  await orStorageError(async () => {
    await mkdir(spool, { recursive: true, mode: 0o700 });
    await removeOlder(spool, new Date(Date.now() - unfinishedAgeMs));
  });
  const discard = createDiscard(bucket);
  const putAll = createPutAll({ bucket, discard });
  return {
    put: (source, options) => putSpooled(source, { spool, putAll, ...options }),
    async putFiles<const Files extends readonly WholeFile[]>(files: Files) {
      // One for each, in the same order.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (await putAll(files)) as { -readonly [Index in keyof Files]: StoredObject };
    },
    open: createOpen(bucket),
    discard,
    async setAside(key) {
      const { id } = readKey(key);
      await orStorageError(() => putBytes(bucket, { name: asideFolder + id, bytes: Buffer.alloc(0) }));
    },
    list: () => listObjects(bucket),
    listDiscarded: () => listDiscarded(bucket),
    retain: (key, until) => orStorageError(() => retain(bucket, readKey(key), until)),
    findLock: (key) => orStorageError(() => findLock(bucket, readKey(key))),
    probe: () => orStorageError(() => probe(bucket)),
  };
};

/** The right to see a bucket is not the right to read from it. */
const probe = async (bucket: Bucket): Promise<void> => {
  try {
    const { Body: body } = await bucket.client.send(new GetObjectCommand({ Bucket: bucket.bucket, Key: bucket.prefix + storeIdName }));
    if (body instanceof Readable) await buffer(body);
  } catch (error) {
    if (!(error instanceof NoSuchKey)) throw error;
  }
};

type PutAll = (files: readonly WholeFile[]) => Promise<StoredObject[]>;

/** A request needs to know how long it is and, signed, what its bytes are: both are known when the source has ended. */
const putSpooled = async (
  source: Readable,
  { spool, putAll, keptUntil }: { spool: string; putAll: PutAll } & Pick<WholeFile, 'keptUntil'>,
): Promise<StoredObject> => {
  const path = join(spool, randomUUID());
  try {
    const written = await writeHashed(source, await orStorageError(() => open(path, 'wx', 0o400)));
    const [stored] = await putAll([{ path, ...written, keptUntil }]);
    if (stored === undefined) throw new Error('the bucket kept nothing');
    return stored;
  } finally {
    source.destroy();
    // What cannot be removed is swept at a later start.
    await rm(path, { force: true }).catch(() => {});
  }
};

const createPutAll =
  ({ bucket, discard }: { bucket: Bucket; discard: Objects['discard'] }): PutAll =>
  async (files) => {
    const stored: StoredObject[] = [];
    const queue = files.entries();
    const work = async (): Promise<void> => {
      for (const [nth, file] of queue) {
        const id = randomUUID();
        const { version, ...locked } = await putFile(bucket, { name: folder + id, file });
        stored[nth] = { key: keyOf(id, version), sha256: file.sha256, size: file.size, ...locked };
      }
    };
    const works = await Promise.allSettled(Array.from({ length: Math.min(sentAtOnce, files.length) }, work));
    const failed = works.find((one) => one.status === 'rejected');
    if (failed === undefined) return stored;
    // What cannot be removed is an object that no row names.
    for (const one of stored) if (one !== undefined) await discard(one.key).catch(() => {});
    throw new PortalError('STORAGE_ERROR', { cause: failed.reason });
  };

const createOpen =
  ({ client, bucket, prefix }: Bucket): Objects['open'] =>
  async (key, range) => {
    const { id, version } = readKey(key);
    const Range = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
    const command = new GetObjectCommand({ Bucket: bucket, Key: prefix + folder + id, ...versionOf(version), ...Range });
    return orStorageError(async () => {
      try {
        const { Body: body, VersionId: given } = await client.send(command);
        if (!(body instanceof Readable)) throw new Error('the answer has no body');
        const isOther = version !== undefined && given !== undefined && given !== version;
        if (isOther) body.destroy();
        if (isOther) throw new Error('the bucket gave another version than was asked for');
        return translated(body);
      } catch (error) {
        // As of a file: behind its end is nothing.
        if (range !== undefined && isAnswered(error, 416)) return Readable.from([]);
        throw error;
      }
    });
  };

/** A connection that breaks while the object is read is STORAGE_ERROR. */
const translated = (body: Readable): Readable => {
  const stream = Readable.from(readAll(body), { objectMode: false });
  // A generator that was never started skips its `finally`.
  stream.once('close', () => body.destroy());
  return stream;
};

async function* readAll(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw new PortalError('STORAGE_ERROR', { cause: error });
  }
}

/** Where a lock forbids to remove the version, a delete marker hides it. */
const createDiscard =
  (bucket: Bucket): Objects['discard'] =>
  async (key) => {
    const { client } = bucket;
    const name = readKey(key);
    const { Bucket, Key, ...version } = placeOf(bucket, name);
    const isHidden = async (): Promise<boolean> => {
      try {
        await client.send(new HeadObjectCommand({ Bucket, Key }));
        return false;
      } catch (error) {
        if (isAnswered(error, 404)) return true;
        throw error;
      }
    };
    return orStorageError(async () => {
      try {
        await client.send(new DeleteObjectCommand({ Bucket, Key, ...version }));
      } catch (error) {
        if (name.version === undefined || !isAnswered(error, 403)) throw error;
        if (!(await isHidden())) await client.send(new DeleteObjectCommand({ Bucket, Key }));
        const lock = await readLock(bucket, { Bucket, Key, ...version });
        // Refused for another reason, as the want of a right: it is hidden, and no day is known on which it would go.
        if (lock === undefined) throw error;
        return lock;
      }
      // Of an earlier attempt: a marker over nothing would be listed for ever.
      for await (const { deleteMarkers } of listVersions(bucket, folder + name.id))
        for (const { VersionId: marker } of deleteMarkers)
          await client.send(new DeleteObjectCommand({ Bucket, Key, ...versionOf(marker) }));
      return undefined;
    });
  };

const idOf = ({ prefix }: Bucket, inFolder: string, name = ''): string => name.slice(prefix.length + inFolder.length);

const listObjects = async function* (bucket: Bucket): AsyncGenerator<{ key: string; storedAt: Date }> {
  const aside = new Set<string>();
  for await (const { versions } of listVersions(bucket, asideFolder))
    for (const { Key: name } of versions) aside.add(idOf(bucket, asideFolder, name));
  for await (const { versions } of listVersions(bucket, folder))
    for (const { Key: name, VersionId: version, IsLatest: isLatest, LastModified: storedAt } of versions) {
      const key = keyOf(idOf(bucket, folder, name), version);
      // One that has a marker over it was discarded; names that are not ours are none of our objects.
      if (isLatest !== true || storedAt === undefined || aside.has(idOf(bucket, folder, name)) || !keyPattern.test(key)) continue;
      yield { key, storedAt };
    }
};

const listDiscarded = async function* (bucket: Bucket): AsyncGenerator<string> {
  let hidden = '';
  for await (const { versions, deleteMarkers } of listVersions(bucket, folder)) {
    const names = new Set(deleteMarkers.filter(({ IsLatest: isLatest }) => isLatest === true).map(({ Key: name }) => name));
    for (const { Key: name = '', VersionId: version } of versions) {
      const key = keyOf(idOf(bucket, folder, name), version);
      // The marker of the first version of a page may be on the page before.
      if ((names.has(name) || name === hidden) && keyPattern.test(key)) yield key;
    }
    hidden = [...names].at(-1) ?? '';
  }
};

const placeOf = ({ bucket, prefix }: Bucket, { id, version }: Name) => ({
  Bucket: bucket,
  Key: prefix + folder + id,
  ...versionOf(version),
});

const retain = async (bucket: Bucket, name: Name, until: Date): Promise<void> => {
  const rule = await findLockRule(bucket);
  if (rule === undefined) return;
  const place = placeOf(bucket, name);
  const command = new PutObjectRetentionCommand({
    ...place,
    Retention: { Mode: rule.mode, RetainUntilDate: until },
    ChecksumAlgorithm: 'SHA256',
  });
  try {
    await bucket.client.send(command, { abortSignal: AbortSignal.timeout(lockWithinMs) });
  } catch (error) {
    if (!isAnswered(error, 403)) throw error;
    // It may be locked for longer already.
    const present = await readLock(bucket, place);
    if (present === undefined || present.until < until) throw error;
  }
};

/** Also of one that a marker hides. */
const findLock = async (bucket: Bucket, name: Name): Promise<ObjectLock | undefined> => {
  const place = placeOf(bucket, name);
  // A service tells a lock that is not there, and an object that is not there, by the same status.
  await bucket.client.send(new HeadObjectCommand(place));
  return readLock(bucket, place);
};
