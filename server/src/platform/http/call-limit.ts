import { type Area, type Call, callLimits } from '@pergamin/contract';
import type { LRUCache } from 'lru-cache';
import { createBoundedCache } from '#platform/cache/bounded-cache.ts';
import type { Clock } from '#platform/clock/clock.ts';
import type { Log } from '#platform/log/log.ts';
import { createRepeatedLines } from '#platform/log/repeated-lines.ts';
import type { ClientCaller, PublisherCaller } from './caller.ts';
import { PortalError } from './errors.ts';
import { networkOf, siteOf } from './network.ts';

/** Of more than these the least recently used are forgotten, and begin anew. */
const maxSubjects = 50_000;

const minuteMs = 60_000;

/** When each subject will have paid for its calls, by limit and subject. */
type PaidAt = LRUCache<string, number>;

/** Counts one more call of a subject; gives the seconds to wait when it made too many, else 0. */
type CallLimit = (subject: string) => number;

/** A token bucket: a burst of `perMinute`, then as many a minute. */
const createCallLimit = (name: string, { perMinute, paidAt, clock }: { perMinute: number; paidAt: PaidAt; clock: Clock }): CallLimit => {
  const costMs = minuteMs / perMinute;
  return (subject) => {
    const key = `${name} ${subject}`;
    const nowMs = clock.now().getTime();
    const atMs = Math.max(nowMs, paidAt.get(key) ?? 0) + costMs;
    // In whole ms: a minute that is divided and added up again is a fraction of a ms more for some numbers.
    const waitMs = Math.floor(atMs - nowMs - minuteMs + 0.5);
    if (waitMs > 0) return Math.max(1, Math.ceil(waitMs / 1_000));
    paidAt.set(key, atMs);
    return 0;
  };
};

/** A call of the contract, or another request that is counted like one. */
export type LimitedCall = Pick<Call, 'name' | 'area' | 'perMinute'>;

/** Holds floods back. Each throws CALL_NOT_PERMITTED (429) when too many calls were made. */
export interface CallLimits {
  /** Counts a call for the network that the address is in, and of IPv6 for the place that has the network. */
  takeFrom(call: LimitedCall, address: string): void;
  takeOf(call: LimitedCall, caller: Pick<ClientCaller, 'personalId' | 'sessionId'>): void;
  takeOfKey(call: LimitedCall, caller: Pick<PublisherCaller, 'keyId'>): void;
}

/** A site with IPv6 has 65 536 networks, of which only so many are counted separately. */
const networksOfSite = 16;

/**
 * By the numbers of the contract: its own for a call that has one, else that of the area, for all others of the area together. Kept in this
 * process alone, and forgotten with it, as nothing but its own work is protected; what must be exact over all processes is counted in the
 * database.
 */
export const createCallLimits = ({
  clock,
  log,
  publisherCallsPerMinute = callLimits.publisher,
}: {
  clock: Clock;
  log: Log;
  publisherCallsPerMinute?: number;
}): CallLimits => {
  const ofArea: Record<Area, number> = { ...callLimits, publisher: publisherCallsPerMinute };
  const paidAt: PaidAt = createBoundedCache(maxSubjects);
  const limits = new Map<string, { one: CallLimit; site: CallLimit }>();
  const lines = createRepeatedLines({ log, clock });
  const limitsOf = ({ name, area, perMinute }: LimitedCall) => {
    const key = perMinute === undefined ? area : name;
    const known = limits.get(key);
    if (known !== undefined) return known;
    const calls = perMinute ?? ofArea[area];
    const made = {
      one: createCallLimit(`one ${key}`, { perMinute: calls, paidAt, clock }),
      site: createCallLimit(`site ${key}`, { perMinute: calls * networksOfSite, paidAt, clock }),
    };
    limits.set(key, made);
    return made;
  };
  const refuse = (retryAfterSeconds: number, subject: string, about: object): void => {
    if (retryAfterSeconds === 0) return;
    lines.warn(subject, about, 'calls were refused: too many in a minute');
    throw new PortalError('CALL_NOT_PERMITTED', { message: 'Too many calls', retryAfterSeconds });
  };
  return {
    takeFrom(call, address) {
      const { one, site } = limitsOf(call);
      const network = networkOf(address);
      refuse(one(network), network, { call: call.name, network });
      const place = siteOf(address);
      if (place !== undefined) refuse(site(place), place, { call: call.name, network: place });
    },
    takeOf(call, { personalId, sessionId }) {
      // The log knows people by their sessions.
      refuse(limitsOf(call).one(personalId), `session ${sessionId}`, { call: call.name, sessionId });
    },
    takeOfKey(call, { keyId }) {
      refuse(limitsOf(call).one(keyId), `key ${keyId}`, { call: call.name, keyId });
    },
  };
};
