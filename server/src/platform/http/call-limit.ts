import type { Clock } from '#platform/clock/clock.ts';
import { PortalError } from './errors.ts';
import { networkOf } from './network.ts';

/** More networks than these are not remembered; those that have been quiet go first, then the oldest. */
const maxNetworks = 20_000;

/** Counts one more call from an address. Throws CALL_NOT_PERMITTED (429) when its network made too many. */
export type CallLimit = (address: string) => void;

/**
 * Holds a flood of anonymous calls back: `perMinute` at once, then as many a minute. Kept in this process alone, and forgotten with it, as
 * nothing but its own work is protected; what must be exact over all processes is counted in the database.
 */
export const createCallLimit = ({ perMinute, clock }: { perMinute: number; clock: Clock }): CallLimit => {
  const costMs = 60_000 / perMinute;
  /** When the network will have paid for its calls. */
  const paidAt = new Map<string, number>();
  const forget = (nowMs: number): void => {
    for (const [network, atMs] of paidAt) if (atMs <= nowMs) paidAt.delete(network);
    for (const network of paidAt.keys()) {
      if (paidAt.size < maxNetworks) break;
      paidAt.delete(network);
    }
  };
  return (address) => {
    const nowMs = clock.now().getTime();
    const network = networkOf(address);
    const atMs = Math.max(nowMs, paidAt.get(network) ?? 0) + costMs;
    const waitMs = atMs - nowMs - 60_000;
    if (waitMs > 0)
      throw new PortalError('CALL_NOT_PERMITTED', { message: 'Too many calls', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
    if (paidAt.size >= maxNetworks && !paidAt.has(network)) forget(nowMs);
    paidAt.set(network, atMs);
  };
};
