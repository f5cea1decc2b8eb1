import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Statement, Statements } from '../database/statements.ts';
import type { IdentityDatabase, IdentityTables } from '../database/tables.ts';
import type { Clock } from '../parts.ts';
import { type Network, networksOf, type Width } from './address.ts';
import { type Counter, giveBackTry, networkPolicies, policies, takeTry, waitSeconds, type Policy } from './throttle.rules.ts';

/** What is counted together: one account, one network, one device of one person… */
export interface Subject {
  readonly key: Buffer;
  readonly policy: Policy;
}

// Only a hash is kept: a counter needs no readable addresses or unknown ids.
const keyOf = (...parts: readonly string[]): Buffer => createHash('sha256').update(JSON.stringify(parts)).digest();

const ofNetworks = (what: string, address: string, policyOf: Readonly<Record<Width, Policy>>): readonly [Subject, ...Subject[]] => {
  const [first, ...wider] = networksOf(address);
  const subject = ({ name, width }: Network): Subject => ({ key: keyOf(what, name), policy: policyOf[width] });
  return [subject(first), ...wider.map(subject)];
};

export const subjects = {
  account: (personalId: string): Subject => ({ key: keyOf('account', personalId), policy: policies.account }),
  device: (personalId: string, device: string): Subject => ({ key: keyOf('device', personalId, device), policy: policies.account }),
  /** Of each width around it. */
  networks: (address: string): readonly [Subject, ...Subject[]] => ofNetworks('network', address, networkPolicies.passwords),
  /** A change of password has counters of its own: its caller has a session, and strangers at the sign-in page must not block it. */
  oldPassword: (personalId: string): Subject => ({ key: keyOf('old password', personalId), policy: policies.account }),
  /** Only the holder of the link can try codes. */
  activationCode: (personalId: string): Subject => ({ key: keyOf('activation code', personalId), policy: policies.account }),
  /** Unknown devices, their networks and the owner are counted apart, so that others cannot use up the owner's tries. */
  linksForOwner: (personalId: string): Subject => ({ key: keyOf('links', personalId), policy: policies.passwordLinks }),
  linksForDevice: (personalId: string, device: string): Subject => ({
    key: keyOf('links of device', personalId, device),
    policy: policies.passwordLinks,
  }),
  linksForStranger: (personalId: string, address: string): Subject => ({
    key: keyOf('links of stranger', personalId, networksOf(address)[0].name),
    policy: policies.passwordLinks,
  }),
  linksMailed: (personalId: string): Subject => ({ key: keyOf('links mailed', personalId), policy: policies.linksMailed }),
  linksFrom: (address: string): readonly Subject[] => ofNetworks('links from', address, networkPolicies.passwordLinks),
};

export interface Throttle {
  /**
   * Counts a try for all these subjects, or for none when one of them blocks: then it gives the seconds to wait. Concurrent tries
   * are limited like sequential ones.
   */
  take(wanted: readonly Subject[]): Promise<number>;
  /** The rest of `takeFirst`, for callers that run it inside their own statement; gives what `take` gives. */
  takeRest(wanted: readonly Subject[], counted: readonly Buffer[]): Promise<number>;
  /** Gives one try back to each. */
  giveBack(subjects: readonly Subject[]): Promise<void>;
  /** After a success: forgets all tries of `cleared`, and gives one back to each of the others. */
  succeed(cleared: Subject, others?: readonly Subject[]): Promise<void>;
  /** The rest of `clearCounters`, for callers that run it inside their own statement. */
  settle(others: readonly Subject[], gone: readonly Buffer[]): Promise<void>;
  sweep(): Promise<void>;
}

/** The counter before the first try. */
const unused: Counter = { taken: 0, windowEndsAt: new Date(0), blocks: 0, blockedUntil: null, forgetAt: new Date(0) };

interface Kept {
  readonly key: Buffer;
  readonly counter: Counter;
}

const rowOf = ({ key, counter }: Kept) => ({
  key,
  taken: counter.taken,
  blocks: counter.blocks,
  window_ends_at: counter.windowEndsAt,
  blocked_until: counter.blockedUntil,
  forget_at: counter.forgetAt,
});

/**
 * Counts a first try for each of some subjects that have no counter yet; gives the keys for which it was counted, the rest is for
 * `takeRest`. $1 to $6 are `firstTries`. Each key is looked up by itself: a plan made for all of them at once, while the table is small, would
 * read the whole of it later.
 */
export const takeFirst = `insert into identity.attempt_counter (key, taken, blocks, window_ends_at, blocked_until, forget_at)
  select * from unnest($1::bytea[], $2::integer[], $3::integer[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[]) first
  where not exists (
    select from unnest($1::bytea[]) as wanted (key)
      cross join lateral (select from identity.attempt_counter counter where counter.key = wanted.key limit 1) counted)
  order by 1
  on conflict do nothing returning key`;

const takeFirstStatement: Statement = { name: 'identity-throttle-take-first', text: takeFirst };

const columnsOfCounter = ['key', 'taken', 'blocks', 'window_ends_at', 'blocked_until', 'forget_at'] as const;

export const firstTries = (wanted: readonly Subject[], now: Date): readonly unknown[] => {
  const rows = wanted.map(({ key, policy }) => rowOf({ key, counter: takeTry(unused, policy, now) }));
  return columnsOfCounter.map((name) => rows.map((row) => row[name]));
};

/**
 * After a success: $1 is the counter that is cleared, $2 are the ones that get one try back. A missing counter has counted
 * nothing, so most of them are deleted. Gives the keys of those that were deleted; `settle` handles the rest.
 */
export const clearCounters = `delete from identity.attempt_counter where key in (
    select key from identity.attempt_counter
    where key = $1 or (key = any($2::bytea[]) and taken = 1 and blocks = 0 and blocked_until is null)
    order by key for update)
  returning key`;

const succeedStatement: Statement = { name: 'identity-throttle-succeed', text: clearCounters };

const write = async (trx: Transaction<IdentityTables>, kept: readonly Kept[]): Promise<void> => {
  await trx
    .insertInto('attempt_counter')
    .values(kept.map(rowOf))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((row) => ({
        taken: row.ref('excluded.taken'),
        blocks: row.ref('excluded.blocks'),
        window_ends_at: row.ref('excluded.window_ends_at'),
        blocked_until: row.ref('excluded.blocked_until'),
        forget_at: row.ref('excluded.forget_at'),
      })),
    )
    .execute();
};

type Decide<Result> = (counters: readonly { subject: Subject; counter: Counter }[]) => { kept: readonly Kept[]; result: Result };

/** Locks the counters of these subjects while it runs, and stores the counters that it returns. */
const changeCounters = async <Result>(db: IdentityDatabase, wanted: readonly Subject[], decide: Decide<Result>): Promise<Result> => {
  // Always in the same order, which prevents deadlocks.
  const ordered = wanted.toSorted((left, right) => Buffer.compare(left.key, right.key));
  const keys = ordered.map(({ key }) => key);
  return db.transaction().execute(async (trx) => {
    // An upsert that changes nothing, for the lock: an existing counter is locked, a missing one is created.
    const rows = await trx
      .insertInto('attempt_counter')
      .values(keys.map((key) => rowOf({ key, counter: unused })))
      .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ key: row.ref('excluded.key') })))
      .returningAll()
      .execute();
    const counters = ordered.flatMap((subject) => {
      const row = rows.find(({ key }) => key.equals(subject.key));
      if (row === undefined) return [];
      const { taken, blocks, window_ends_at: windowEndsAt, blocked_until: blockedUntil, forget_at: forgetAt } = row;
      return [{ subject, counter: { taken, blocks, windowEndsAt, blockedUntil, forgetAt } }];
    });
    const { kept, result } = decide(counters);
    if (kept.length > 0) await write(trx, kept);
    return result;
  });
};

export const createThrottle = ({ db, statements, clock }: { db: IdentityDatabase; statements: Statements; clock: Clock }): Throttle => {
  const takeAgain = (wanted: readonly Subject[]): Promise<number> =>
    changeCounters(db, wanted, (counters) => {
      const now = clock.now();
      const result = Math.max(0, ...counters.map(({ counter }) => waitSeconds(counter, now)));
      const kept =
        result > 0 ? [] : counters.map(({ subject, counter }) => ({ key: subject.key, counter: takeTry(counter, subject.policy, now) }));
      return { kept, result };
    });

  const giveBack = (wanted: readonly Subject[]): Promise<void> =>
    changeCounters(db, wanted, (counters) => ({
      kept: counters.map(({ subject, counter }) => ({ key: subject.key, counter: giveBackTry(counter, subject.policy) })),
      result: undefined,
    }));

  const takeRest: Throttle['takeRest'] = async (wanted, keys) => {
    const isCounted = ({ key }: Subject): boolean => keys.some((counted) => counted.equals(key));
    const left = wanted.filter((subject) => !isCounted(subject));
    if (left.length === 0) return 0;
    const seconds = await takeAgain(left);
    if (seconds > 0 && left.length < wanted.length) await giveBack(wanted.filter((subject) => isCounted(subject)));
    return seconds;
  };

  const settle: Throttle['settle'] = async (others, gone) => {
    const left = others.filter(({ key }) => !gone.some((cleared) => cleared.equals(key)));
    if (left.length > 0) await giveBack(left);
  };

  return {
    // Most people type their right password, and no counter exists for them: one statement then, without locks.
    async take(wanted) {
      const { rows } = await statements.run<{ key: Buffer }>(takeFirstStatement, firstTries(wanted, clock.now()));
      return takeRest(
        wanted,
        rows.map(({ key }) => key),
      );
    },

    takeRest,

    giveBack,

    settle,

    async succeed(cleared, others = []) {
      const { rows } = await statements.run<{ key: Buffer }>(succeedStatement, [cleared.key, others.map(({ key }) => key)]);
      await settle(
        others,
        rows.map(({ key }) => key),
      );
    },

    async sweep() {
      await db.deleteFrom('attempt_counter').where('forget_at', '<', clock.now()).execute();
    },
  };
};
