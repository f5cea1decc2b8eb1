import { setTimeout as pause } from 'node:timers/promises';
import { RefusedError } from './errors.ts';

const maxAttempts = 8;
const longestPauseMs = 30_000;

/** The portal is restarting, busy, or behind a line that broke: the same call may succeed in a while. */
const isPassing = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && !error.isLasting && (error.status === undefined || [429, 502, 503].includes(error.status));

/** Makes the call again, for some minutes, while the portal restarts or is busy. Throws RefusedError. */
export const patiently = async <T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error) || attempt === maxAttempts) throw error;
      const waitMs = error.retryAfterSeconds === undefined ? 250 * 2 ** attempt : error.retryAfterSeconds * 1_000;
      await pause(Math.min(waitMs, longestPauseMs), undefined, { signal }).catch((cause: unknown) => {
        throw new RefusedError('interrupted', { cause });
      });
    }
};
