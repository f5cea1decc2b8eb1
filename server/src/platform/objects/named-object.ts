import type { Db, Trx } from '#platform/database/schema.ts';
import { noteLocks } from './object-locks.store.ts';
import type { Objects, StoredObject, WholeFile } from './objects.ts';

/**
 * Stores files as objects, and in one transaction the rows that name them. A failure leaves nothing: the objects are removed at once, or set aside
 * by the sweep of objects that no row names.
 */
export const storeNamed = async <const Files extends readonly WholeFile[], Result>(
  { db, objects }: { readonly db: Db; readonly objects: Pick<Objects, 'putFiles' | 'discard'> },
  files: Files,
  name: (trx: Trx, stored: { -readonly [Index in keyof Files]: StoredObject }) => Promise<Result>,
): Promise<Result> => {
  const stored = await objects.putFiles(files);
  let isCommitting = false;
  try {
    return await db.transaction().execute(async (trx) => {
      const named = await name(trx, stored);
      await noteLocks(
        trx,
        stored.filter((_, nth) => files[nth]?.keptUntil !== undefined),
      );
      isCommitting = true;
      return named;
    });
  } catch (error) {
    // Whether a commit whose answer got lost has happened is not known yet: the sweep finds out a day later. It also finds what could not be removed here.
    if (!isCommitting) for (const { key } of stored) await objects.discard(key).catch(() => undefined);
    throw error;
  }
};
