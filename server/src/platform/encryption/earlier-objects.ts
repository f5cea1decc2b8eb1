import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#platform/clock/clock.ts';
import { createLocalTime } from '#platform/clock/local-time.ts';
import type { Db } from '#platform/database/schema.ts';
import type { JobHandler } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import { copyHashed } from '#platform/objects/hashed-copy.ts';
import { findKeptUntil } from '#platform/objects/object-locks.store.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { listNamingTables } from '#platform/objects/unnamed-objects.ts';
import { type EarlierObject, forgetReplaced, listEarlier, listReplaced, replaceObject } from './earlier-objects.store.ts';

interface Parts {
  readonly db: Db;
  /** With encryption above it. */
  readonly objects: Objects;
  readonly settings: { readonly encryption: 'on' | 'all' | 'off'; readonly encryptionSpool: string; readonly timeZone: string };
  readonly clock: Clock;
  readonly log: Log;
  /** Left out: ten minutes. */
  readonly removedAfterMinutes?: number;
}

const limit = 100;
/** A reading that began before has ended. */
const readForMinutes = 10;

/**
 * With ENCRYPTION=all: encrypts what was stored as it came, portion by portion. Each object is verified, stored anew and named by its row instead; a later round
 * removes the former one. A killed round is continued by the next one. What is damaged, or cannot be read, stays as it is.
 */
export const createEarlierObjects = ({ db, objects, settings, clock, log, removedAfterMinutes = readForMinutes }: Parts): JobHandler => {
  const { dayOf } = createLocalTime(settings.timeZone);
  const { encryption, encryptionSpool: spool } = settings;
  /** All of them: what comes in since is encrypted. */
  let isDone = false;

  const encrypt = async (object: EarlierObject): Promise<void> => {
    const { key, sha256, size, owners } = object;
    const path = join(spool, randomUUID());
    try {
      if ((await copyHashed(await objects.open(key), path)) !== sha256) throw new Error('the stored bytes are not those published');
      const day = { timeZone: settings.timeZone, today: dayOf(clock.now()) };
      const keptUntil = (await findKeptUntil(db, [key], day)).get(key);
      const [stored] = await objects.putFiles([{ path, sha256, size, owners, keptUntil }]);
      if (!(await replaceObject(db, object, stored.key))) await objects.discard(stored.key);
    } finally {
      await rm(path, { force: true });
    }
  };

  const encryptTable = async (table: string, signal: AbortSignal): Promise<{ encrypted: number; failed: number }> => {
    const counts = { encrypted: 0, failed: 0 };
    let portion: EarlierObject[] = [];
    do {
      portion = await listEarlier(db, { table, after: portion.at(-1)?.key ?? '', limit });
      for (const object of portion) {
        if (signal.aborted) return counts;
        try {
          await encrypt(object);
          counts.encrypted += 1;
        } catch (error) {
          counts.failed += 1;
          log.warn({ err: error, object: object.key }, 'an object could not be encrypted');
        }
      }
    } while (portion.length === limit);
    return counts;
  };

  return async (_, signal) => {
    for (const former of await listReplaced(db, removedAfterMinutes)) {
      if (signal.aborted) return;
      await objects.discard(former);
      await forgetReplaced(db, former);
    }
    if (encryption !== 'all' || isDone) return;
    const total = { encrypted: 0, failed: 0 };
    for (const table of await listNamingTables(db)) {
      if (table === 'encryption_object_key') continue;
      const { encrypted, failed } = await encryptTable(table, signal);
      total.encrypted += encrypted;
      total.failed += failed;
    }
    if (total.encrypted > 0) log.info(total, 'objects of before were encrypted');
    if (total.failed > 0) log.error({ alarm: 'encryption', ...total }, 'objects could not be encrypted; the next round tries again');
    isDone = total.failed === 0 && !signal.aborted;
  };
};
