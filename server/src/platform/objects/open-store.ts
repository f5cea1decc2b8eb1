import { join } from 'node:path';
import type { ObjectSettings } from '#platform/settings/object-settings.ts';
import { createFileObjects } from './file-objects.ts';
import { fileStorePlace } from './file-store-id.ts';
import type { Objects } from './objects.ts';
import type { LockLevel } from './lock-level.ts';
import type { StorePlace } from './store-place.ts';

export interface OpenStore {
  readonly objects: Objects;
  readonly place: StorePlace;
  /** Finds out what keeps objects from being removed: writes one as all are written, and tries to remove it. */
  readonly probeLock: () => Promise<LockLevel>;
}

export type StoreSettings = Pick<ObjectSettings, 'bucket'> & { readonly dataDir: string };

/** Where the settings say that objects are: files in DATA_DIR, or a bucket. Throws STORAGE_ERROR. */
export const openStore = async ({ bucket, dataDir }: StoreSettings): Promise<OpenStore> => {
  // The client of S3 is loaded only where it is used.
  if (bucket !== undefined) return (await import('./s3-store.ts')).openS3Store(bucket, join(dataDir, 'storing'));
  const root = join(dataDir, 'objects');
  return {
    objects: await createFileObjects(root),
    place: fileStorePlace(root),
    // An administrator of the machine removes any file.
    probeLock: async () => 'none',
  };
};
