import type { Width } from './address.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long a link works that sets a new password. */
export const resetLifetimeMs = 30 * minuteMs;

/** How many tries one counter allows, and what follows the last of them. */
export interface Policy {
  /** This many may be made; the next one is refused. */
  readonly limit: number;
  /** Tries are counted together for this long: after the last one when it slides, after the first one otherwise. */
  readonly windowMs: number;
  readonly isSliding: boolean;
  /** `growing`: 15, 30, then 60 minutes. `window`: until the window ends. */
  readonly block: 'growing' | 'window';
}

/**
 * Wrong passwords in a row (B20). A try is counted before the password is verified, so that concurrent tries do not bypass the limit, and given
 * back when the password was right.
 */
export const policies = {
  account: { limit: 5, windowMs: 24 * hourMs, isSliding: true, block: 'growing' },
  passwordLinks: { limit: 3, windowMs: hourMs, isSliding: false, block: 'window' },
  /** Counted for as long as a link works: a person at the limit still has a link that works. */
  linksMailed: { limit: 3, windowMs: resetLifetimeMs, isSliding: false, block: 'window' },
} as const satisfies Record<string, Policy>;

const perQuarter = (limit: number): Policy => ({ limit, windowMs: 15 * minuteMs, isSliding: false, block: 'growing' });
const perHour = (limit: number): Policy => ({ limit, windowMs: hourMs, isSliding: false, block: 'window' });

/** Limits per network: many people may share one, as may an attacker who tries one password on many people. A wider one has more people. */
export const networkPolicies = {
  passwords: { own: perQuarter(50), site: perQuarter(100), block: perQuarter(500) },
  passwordLinks: { own: perHour(20), site: perHour(40), block: perHour(200) },
} as const satisfies Record<string, Readonly<Record<Width, Policy>>>;

export interface Counter {
  readonly taken: number;
  readonly windowEndsAt: Date;
  /** How often it has blocked since it was last forgotten. */
  readonly blocks: number;
  readonly blockedUntil: Date | null;
  /** Nothing of it matters after this. */
  readonly forgetAt: Date;
}

/** A first block is this long; each further one twice as long as the one before, up to four times. */
const firstBlockMs = 15 * minuteMs;
const longestBlock = 4;
/** How long a counter remembers that it has blocked. */
const memoryMs = 24 * hourMs;

const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

const isOver = (counter: Counter, now: Date): boolean =>
  counter.windowEndsAt <= now || (counter.blockedUntil !== null && counter.blockedUntil <= now);

/** Seconds until the next try may be made; 0 when it may be made now. */
export const waitSeconds = (counter: Counter, now: Date): number =>
  counter.blockedUntil === null ? 0 : Math.max(0, Math.ceil((counter.blockedUntil.getTime() - now.getTime()) / 1_000));

/** The counter after one more try. Only for a counter that does not block now. */
export const takeTry = (counter: Counter, policy: Policy, now: Date): Counter => {
  const blocks = counter.forgetAt <= now ? 0 : counter.blocks;
  const isFresh = isOver(counter, now);
  const taken = isFresh ? 1 : counter.taken + 1;
  const windowEndsAt = isFresh || policy.isSliding ? later(now, policy.windowMs) : counter.windowEndsAt;
  if (taken < policy.limit)
    return { taken, windowEndsAt, blocks, blockedUntil: null, forgetAt: blocks === 0 ? windowEndsAt : later(windowEndsAt, memoryMs) };
  const blockedUntil = policy.block === 'window' ? windowEndsAt : later(now, firstBlockMs * Math.min(2 ** blocks, longestBlock));
  return { taken, windowEndsAt, blocks: blocks + 1, blockedUntil, forgetAt: later(blockedUntil, memoryMs) };
};

/** The counter without one of its tries, for a password that was right or was not verified after all. */
export const giveBackTry = (counter: Counter, policy: Policy): Counter => {
  const wasLast = counter.taken === policy.limit && counter.blockedUntil !== null;
  return {
    ...counter,
    taken: Math.max(0, counter.taken - 1),
    blockedUntil: wasLast ? null : counter.blockedUntil,
    blocks: wasLast ? Math.max(0, counter.blocks - 1) : counter.blocks,
  };
};
