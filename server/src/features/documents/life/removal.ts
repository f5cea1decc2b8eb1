import type { DocumentsParts } from '#features/documents/parts.ts';
import { createLocalTime } from '#platform/clock/local-time.ts';
import type { JobHandler } from '#platform/jobs/jobs.ts';
import { forgetLock, noteDiscarded } from '#platform/objects/object-locks.store.ts';
import { beginRemoval, endRemoval, isContentInUse, listBegun, type RemovableDocument } from './removal.store.ts';

const limit = 200;
const beforeAll = '00000000-0000-0000-0000-000000000000';

interface Parts extends Pick<DocumentsParts, 'db' | 'settings' | 'clock' | 'log'> {
  readonly objects: Pick<DocumentsParts['objects'], 'discard'>;
  readonly rendering: Pick<DocumentsParts['rendering'], 'forget'>;
}

/**
 * Removes the bytes of deleted and forgotten documents, once their retention is over and nothing holds them: the object, and the images and texts
 * of its pages unless another document has the same content. A killed round is finished by the next one; so is what could not be removed. What a lock of the store keeps
 * counts as removed only once that has ended: until then its object is hidden, and without its keys.
 */
export const createRemoval =
  (parts: Parts): JobHandler =>
  async (_payload, signal) => {
    const { db, settings, clock, log } = parts;
    const { dayOf } = createLocalTime(settings.timeZone);
    let after: string | undefined = beforeAll;
    while (after !== undefined && !signal.aborted) {
      const at = clock.now();
      const { seen, last } = await beginRemoval(db, { after, limit, today: dayOf(at), at });
      after = seen < limit ? undefined : last;
    }
    const { removed, locked, failed } = await removeBegun(parts, signal);
    if (locked > 0) log.info({ documents: locked }, 'the bytes of documents stay until the lock of the store ends');
    if (removed > 0) log.info({ documents: removed }, 'the bytes of deleted and forgotten documents were removed');
    if (failed > 0)
      log.error({ alarm: 'removal', documents: failed }, 'the bytes of documents could not be removed; the next round tries again');
  };

const removeBegun = async (parts: Parts, signal: AbortSignal): Promise<{ removed: number; locked: number; failed: number }> => {
  const counts = { removed: 0, locked: 0, failed: 0 };
  let after: string | undefined = beforeAll;
  while (after !== undefined) {
    const documents: RemovableDocument[] = await listBegun(parts.db, { after, limit, at: parts.clock.now() });
    for (const document of documents) {
      if (signal.aborted) return counts;
      try {
        counts[await remove(parts, document)] += 1;
      } catch (error) {
        counts.failed += 1;
        parts.log.warn({ documentId: document.id, err: error }, 'the bytes of a document could not be removed');
      }
    }
    after = documents.length < limit ? undefined : documents.at(-1)?.id;
  }
  return counts;
};

const remove = async ({ db, objects, rendering, clock }: Parts, document: RemovableDocument): Promise<'removed' | 'locked'> => {
  const { id, object_key: key, sha256 } = document;
  const lock = await objects.discard(key);
  if (!(await isContentInUse(db, document))) await rendering.forget([sha256]);
  const at = clock.now();
  if (lock !== undefined) {
    await noteDiscarded(db, key, { lock, at });
    return 'locked';
  }
  await endRemoval(db, { id, at });
  await forgetLock(db, key);
  return 'removed';
};
