import { signInLimits } from '@pergamin/contract';
import type { Pool } from 'pg';
import type { Clock } from '#platform/clock/clock.ts';
import { PortalError } from '#platform/http/errors.ts';
import { countTransactions, deleteExpiredTransactions } from './sign-in.store.ts';

const countEveryMs = 10_000;
const countEveryCalls = 1_000;

/**
 * Admission control: bounds the rows of sign-ins under way, from however many networks a flood comes. Counts the rows of all processes every
 * ten seconds or thousand calls, so that each process may exceed the limit by a thousand. Throws CALL_NOT_PERMITTED (429) at the limit.
 */
export const createTransactionLimit = ({
  pool,
  clock,
  maxCount = signInLimits.maxTransactions,
  countAfterCalls = countEveryCalls,
}: {
  pool: Pool;
  clock: Clock;
  maxCount?: number;
  countAfterCalls?: number;
}): (() => Promise<void>) => {
  let countedAtMs = Number.NEGATIVE_INFINITY;
  let calls = 0;
  let isFull = false;
  const count = async (): Promise<void> => {
    isFull = (await countTransactions(pool, maxCount)) >= maxCount;
    if (!isFull) return;
    await deleteExpiredTransactions(pool, clock.now());
    isFull = (await countTransactions(pool, maxCount)) >= maxCount;
  };
  return async () => {
    const nowMs = clock.now().getTime();
    calls += 1;
    if (calls >= countAfterCalls || nowMs - countedAtMs >= countEveryMs) {
      calls = 0;
      countedAtMs = nowMs;
      await count();
    }
    if (isFull) throw new PortalError('CALL_NOT_PERMITTED', { message: 'Too many sign-ins at once', retryAfterSeconds: 60 });
  };
};
