import { createHash } from 'node:crypto';
import type { IdentityDatabase } from '../database/tables.ts';
import type { Clock } from '../parts.ts';
import { networkOf } from './address.ts';
import { type Counter, giveBackTry, policies, takeTry, waitSeconds, type Policy } from './throttle.rules.ts';

/** What is counted together: one account, one network, one device of one person… */
export interface Subject {
  readonly key: Buffer;
  readonly policy: Policy;
}

// Only a hash is kept: addresses and unknown ids are nobody's business once they are counted.
const keyOf = (...parts: readonly string[]): Buffer => createHash('sha256').update(JSON.stringify(parts)).digest();

export const subjects = {
  account: (personalId: string): Subject => ({ key: keyOf('account', personalId), policy: policies.account }),
  device: (personalId: string, device: string): Subject => ({ key: keyOf('device', personalId, device), policy: policies.account }),
  network: (address: string): Subject => ({ key: keyOf('network', networkOf(address)), policy: policies.address }),
  /** Whoever changes a password has a session already, and is not kept from it by strangers at the sign-in page. */
  oldPassword: (personalId: string): Subject => ({ key: keyOf('old password', personalId), policy: policies.account }),
  linksOf: (personalId: string): Subject => ({ key: keyOf('links', personalId), policy: policies.passwordLinks }),
  linksFrom: (address: string): Subject => ({ key: keyOf('links from', networkOf(address)), policy: policies.passwordLinksOfAddress }),
};

export interface Throttle {
  /**
   * Counts a try for all these subjects, or for none when one of them blocks: then it gives the seconds to wait. Of tries that come at once
   * no more are let through than of tries that come one by one.
   */
  take(wanted: readonly Subject[]): Promise<number>;
  /** Gives one try back to each. */
  giveBack(subject: readonly Subject[]): Promise<void>;
  /** Forgets all tries. */
  clear(subject: Subject): Promise<void>;
  sweep(): Promise<void>;
}

const longAgo = new Date(0);

export const createThrottle = ({ db, clock }: { db: IdentityDatabase; clock: Clock }): Throttle => {
  /** Runs with the counters of these subjects, which nobody else changes meanwhile; keeps what it gives. */
  const change = async <Result>(
    wanted: readonly Subject[],
    decide: (counters: readonly { subject: Subject; counter: Counter }[]) => {
      kept: readonly { key: Buffer; counter: Counter }[];
      result: Result;
    },
  ): Promise<Result> => {
    // Always in the same order, so that two who want the same counters never wait for one another.
    const ordered = wanted.toSorted((left, right) => Buffer.compare(left.key, right.key));
    const keys = ordered.map(({ key }) => key);
    return db.transaction().execute(async (trx) => {
      // An update that changes nothing, for the lock: a counter that is there is held, one that is not there is made.
      const rows = await trx
        .insertInto('attempt_counter')
        .values(keys.map((key) => ({ key, taken: 0, window_ends_at: longAgo, blocks: 0, blocked_until: null, forget_at: longAgo })))
        .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ key: row.ref('excluded.key') })))
        .returningAll()
        .execute();
      const counters = ordered.flatMap((subject) => {
        const row = rows.find(({ key }) => key.equals(subject.key));
        if (row === undefined) return [];
        const { taken, blocks } = row;
        return [
          {
            subject,
            counter: { taken, blocks, windowEndsAt: row.window_ends_at, blockedUntil: row.blocked_until, forgetAt: row.forget_at },
          },
        ];
      });
      const { kept, result } = decide(counters);
      for (const { key, counter } of kept)
        await trx
          .updateTable('attempt_counter')
          .set({
            taken: counter.taken,
            blocks: counter.blocks,
            window_ends_at: counter.windowEndsAt,
            blocked_until: counter.blockedUntil,
            forget_at: counter.forgetAt,
          })
          .where('key', '=', key)
          .execute();
      return result;
    });
  };

  return {
    take: (wanted) =>
      change(wanted, (counters) => {
        const now = clock.now();
        const result = Math.max(0, ...counters.map(({ counter }) => waitSeconds(counter, now)));
        const kept =
          result > 0 ? [] : counters.map(({ subject, counter }) => ({ key: subject.key, counter: takeTry(counter, subject.policy, now) }));
        return { kept, result };
      }),

    giveBack: (wanted) =>
      change(wanted, (counters) => ({
        kept: counters.map(({ subject, counter }) => ({ key: subject.key, counter: giveBackTry(counter, subject.policy) })),
        result: undefined,
      })),

    async clear({ key }) {
      await db.deleteFrom('attempt_counter').where('key', '=', key).execute();
    },

    async sweep() {
      await db.deleteFrom('attempt_counter').where('forget_at', '<', clock.now()).execute();
    },
  };
};
