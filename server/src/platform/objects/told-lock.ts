import type { DocumentLock } from '@pergamin/contract';
import type { Clock } from '#platform/clock/clock.ts';
import type { Objects } from './objects.ts';

/** The lock of one object, as clients are told of it. Throws STORAGE_ERROR when the store gives no answer. */
export const tellLock = async (
  { objects, clock }: { readonly objects: Pick<Objects, 'findLock'>; readonly clock: Clock },
  key: string,
): Promise<DocumentLock> => {
  const lock = await objects.findLock(key);
  return { lock: lock === undefined ? null : { mode: lock.mode, until: lock.until.getTime() }, askedAt: clock.now().getTime() };
};
