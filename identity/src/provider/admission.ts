import type { Statement, Statements } from '../database/statements.ts';
import type { Clock } from '../parts.ts';

/** Sign-ins that may wait for a password at once. Everyone may begin one, and each is a row until it ends or expires. */
const maxWaiting = 100_000;
const countEveryMs = 10_000;
const countEveryCalls = 1_000;

const count: Statement = {
  name: 'identity-interaction-count',
  text: `select count(*)::integer as count from (select from identity.oidc_payload where kind = 'Interaction' limit $1) waiting`,
};
const deleteExpired: Statement = {
  name: 'identity-interaction-delete-expired',
  text: `delete from identity.oidc_payload where kind = 'Interaction' and expires_at < $1`,
};

/**
 * Bounds the rows of sign-ins that were begun and not ended, from however many networks. Counts the rows of all processes every ten seconds or
 * thousand calls, so that each process may exceed the limit by a thousand.
 */
export const createAdmissionControl = ({
  statements,
  clock,
  maxCount = maxWaiting,
  countAfterCalls = countEveryCalls,
}: {
  statements: Statements;
  clock: Clock;
  maxCount?: number | undefined;
  countAfterCalls?: number;
}): { isFull(): Promise<boolean> } => {
  let countedAtMs = Number.NEGATIVE_INFINITY;
  let calls = 0;
  let isFull = false;
  const isAtMost = async (): Promise<boolean> => {
    const { rows } = await statements.run<{ count: number }>(count, [maxCount]);
    return (rows[0]?.count ?? 0) >= maxCount;
  };
  return {
    async isFull() {
      const nowMs = clock.now().getTime();
      calls += 1;
      if (calls < countAfterCalls && nowMs - countedAtMs < countEveryMs) return isFull;
      calls = 0;
      countedAtMs = nowMs;
      isFull = await isAtMost();
      if (isFull) {
        await statements.run(deleteExpired, [clock.now()]);
        isFull = await isAtMost();
      }
      return isFull;
    },
  };
};
