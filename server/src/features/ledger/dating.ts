import { hash } from 'node:crypto';
import type { Db } from '#platform/database/schema.ts';
import type { JobHandler } from '#platform/jobs/jobs.ts';
import type { Log } from '#platform/log/log.ts';
import { outagesOf } from '#platform/log/outages.ts';
import { requestTimestamp } from '#platform/timestamps/timestamps.ts';
import { findUndated, insertTimestamp } from './dating.store.ts';

export interface Authority {
  readonly url: URL;
  /** PEM. */
  readonly anchors: string;
  readonly policy: string | undefined;
}

/**
 * The newest checkpoint, as the log signed it, is dated by a time-stamping authority (RFC 3161): nothing that it covers was entered later. A checkpoint is
 * dated once. Throws TimestampError, so that the job runner tries again.
 */
export const createDating =
  ({ db, authority, log }: { db: Db; authority: Authority | undefined; log: Log }): JobHandler =>
  async (_payload, signal) => {
    const checkpoint = authority === undefined ? undefined : await findUndated(db);
    if (authority === undefined || checkpoint === undefined) return;
    const outage = outagesOf(log).of('timestamps');
    const asked = requestTimestamp({ ...authority, sha256: hash('sha256', checkpoint.note, 'buffer'), signal });
    const { token, time } = await asked.catch((error: unknown) => {
      if (!signal.aborted) outage.failed(error);
      throw error;
    });
    outage.worked();
    await insertTimestamp(db, { size: checkpoint.size, token, at: time });
    log.info({ size: checkpoint.size, at: time }, 'a checkpoint was dated');
  };
