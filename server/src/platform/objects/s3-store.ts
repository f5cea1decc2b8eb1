import type { BucketSettings } from '#platform/settings/object-settings.ts';
import type { OpenStore } from './open-store.ts';
import { nameOf, openBucket } from './s3-bucket.ts';
import { probeLock } from './s3-lock.ts';
import { createS3Objects } from './s3-objects.ts';
import { s3StorePlace } from './s3-store-id.ts';
import { orStorageError } from './storage-error.ts';

/** Only its lock: nothing is made on this machine. */
export const openForProbe = (settings: BucketSettings): Pick<OpenStore, 'place' | 'probeLock'> => {
  const bucket = openBucket(settings);
  return { place: s3StorePlace(bucket, nameOf(settings)), probeLock: () => orStorageError(() => probeLock(bucket)) };
};

export const openS3Store = async (settings: BucketSettings, spool: string): Promise<OpenStore> => {
  const bucket = openBucket(settings);
  return {
    objects: await createS3Objects({ bucket, spool }),
    place: s3StorePlace(bucket, nameOf(settings)),
    probeLock: () => orStorageError(() => probeLock(bucket)),
  };
};
