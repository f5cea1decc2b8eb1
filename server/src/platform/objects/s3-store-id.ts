import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { type Bucket, isAnswered, versionOf } from './s3-bucket.ts';
import { listVersions } from './s3-versions.ts';
import { putBytes } from './s3-writing.ts';
import { orStorageError } from './storage-error.ts';
import { type StorePlace, storeIdName } from './store-place.ts';

/** An object beside the others. Its oldest version counts: some services let two first starts write, although each asks for the name to be free. */
export const s3StorePlace = (bucket: Bucket, name: string): StorePlace => ({
  setting: 'OBJECTS_URL',
  kind: 'bucket',
  name,
  read: () => orStorageError(() => readOldest(bucket)),
  make: (id) => orStorageError(() => makeObject(bucket, id)),
});

const readOldest = async (bucket: Bucket): Promise<string | undefined> => {
  const Key = bucket.prefix + storeIdName;
  let oldest: string | undefined;
  for await (const { versions } of listVersions(bucket, storeIdName))
    for (const version of versions) if (version.Key === Key) oldest = version.VersionId ?? 'null';
  if (oldest === undefined) return undefined;
  const { Body: body } = await bucket.client.send(new GetObjectCommand({ Bucket: bucket.bucket, Key, ...versionOf(oldest) }));
  return body instanceof Readable ? text(body) : '';
};

const makeObject = async (bucket: Bucket, id: string): Promise<void> => {
  const object = { name: storeIdName, bytes: Buffer.from(`${id}\n`) };
  try {
    await putBytes(bucket, { ...object, IfNoneMatch: '*' });
  } catch (error) {
    // Another process was faster.
    if (isAnswered(error, 409, 412)) return;
    // The service knows of no conditions.
    if (!isAnswered(error, 501)) throw error;
    await putBytes(bucket, object);
  }
};
