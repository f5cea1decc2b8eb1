import { resolve } from 'node:path';
import { readSettings, SettingsError } from '#platform/settings/settings.ts';
import type { LockLevel } from './lock-level.ts';
import { orSentence } from './recognised-store.ts';

interface DescribedStore {
  readonly name?: string;
  /** As an attempt to remove a locked object has shown. */
  readonly lock?: LockLevel;
  readonly problem?: string;
}

/** Where these settings have objects, and what keeps them there. A folder is not looked at, as it may not be there before the first start. */
export const describeStore = async (environment: NodeJS.ProcessEnv): Promise<DescribedStore> => {
  const { bucket, dataDir } = readSettings(environment);
  if (bucket === undefined) return { name: resolve(dataDir, 'objects'), lock: 'none' };
  try {
    const store = (await import('./s3-store.ts')).openForProbe(bucket);
    return { name: store.place.name, lock: await orSentence(store, () => store.probeLock()) };
  } catch (error) {
    if (error instanceof SettingsError) return { problem: error.message };
    throw error;
  }
};
