import type { Db, Trx } from '#platform/database/schema.ts';
import type { Objects, StoredObject } from './objects.ts';

/**
 * Stores a file as an object, and in one transaction the row that names it. A failure leaves nothing: the object is removed at once, or by the
 * sweep of objects that no row names.
 */
export const storeNamed = async <Result>(
  { db, objects }: { readonly db: Db; readonly objects: Pick<Objects, 'putFile' | 'discard'> },
  file: Parameters<Objects['putFile']>[0],
  name: (trx: Trx, object: StoredObject) => Promise<Result>,
): Promise<Result> => {
  const object = await objects.putFile(file);
  let isCommitting = false;
  try {
    return await db.transaction().execute(async (trx) => {
      const named = await name(trx, object);
      isCommitting = true;
      return named;
    });
  } catch (error) {
    // Whether a commit whose answer got lost has happened is not known yet: the sweep finds out a day later.
    if (!isCommitting) await objects.discard(object.key);
    throw error;
  }
};
