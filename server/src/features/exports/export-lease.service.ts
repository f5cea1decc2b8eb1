import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { exportLimits } from '@pergamin/contract';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db } from '#platform/database/schema.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import type { Log } from '#platform/log/log.ts';
import { deleteLease, renewLease, takeLease } from './export-lease.store.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ExportedFile {
  readonly fileName: string;
  /** Undefined where it is not known before everything was written. */
  readonly size?: bigint;
  readonly body: Readable;
}

/** Releases the lease; may be called more than once. */
export type ReleaseLease = () => Promise<void>;

/**
 * One export of a client at a time, over all processes: takes a lease, and renews it until it is released. That of a process that died expires
 * by itself. Throws CALL_NOT_PERMITTED (429) while another export is under way.
 */
export type AcquireLease = (personalId: string) => Promise<ReleaseLease>;

/** No export takes longer than some hours; a lease that is never released must end all the same. */
const maxRenewals = 500;

export const createAcquireLease = ({ db, clock, log }: Parts): AcquireLease => {
  const expiry = (): Date => new Date(clock.now().getTime() + exportLimits.leaseMs);
  return async (personalId) => {
    const lease = { personalId, holder: randomUUID() };
    if (!(await takeLease(db, lease, { now: clock.now(), expiresAt: expiry() })))
      throw new PortalError('CALL_NOT_PERMITTED', {
        message: 'Another export is under way',
        retryAfterSeconds: Math.ceil(exportLimits.leaseMs / 1_000 / 4),
      });
    let renewals = 0;
    const keep = setInterval(() => {
      renewals += 1;
      if (renewals === maxRenewals) clearInterval(keep);
      renewLease(db, lease, expiry()).catch((error: unknown) => log.warn({ err: error }, 'the lease of an export could not be renewed'));
    }, exportLimits.leaseMs / 3);
    keep.unref();
    let ended: Promise<void> | undefined;
    const end = async (): Promise<void> => {
      clearInterval(keep);
      try {
        await deleteLease(db, lease);
      } catch (error) {
        // It ends by itself.
        log.warn({ err: error }, 'the lease of an export could not be released');
      }
    };
    return () => (ended ??= end());
  };
};

/** Makes a file under a lease, which ends with the file's body, or when it cannot be made. */
export const exportUnderLease = async (
  acquireLease: AcquireLease,
  { personalId }: ClientCaller,
  make: (releaseLease: ReleaseLease) => Promise<ExportedFile>,
): Promise<ExportedFile> => {
  const releaseLease = await acquireLease(personalId);
  try {
    const file = await make(releaseLease);
    // The body of a client who left before its first byte never ends, but it closes.
    file.body.once('close', () => void releaseLease());
    return file;
  } catch (error) {
    await releaseLease();
    throw error;
  }
};
