import { addDays, calendarDay, publisherScopes, startOfDay } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import type { Clock } from '#platform/clock/clock.ts';
import type { Db, Trx } from '#platform/database/schema.ts';
import { ownKeyNames } from './own-keys.ts';
import { endKeyAt, findSuccessor, insertKey, listKeys, lockKey, makeKey, revokeKey } from './publisher-keys.store.ts';

/** An operator asked for something that cannot be done with the keys that there are; the message says why, in a sentence. */
export class KeyRegisterError extends Error {
  override readonly name = 'KeyRegisterError';
}

export interface IssuedKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Null: it does not expire. */
  readonly expiresAt: Date | null;
  /** Said this once: only its hash is kept. */
  readonly key: string;
}

interface Parts {
  readonly clock: Clock;
  /** Recorded with everything that is done: a user of the operating system. */
  readonly by: string;
  /** The organisation's, in which days end. */
  readonly timeZone: string;
}

type Found = NonNullable<Awaited<ReturnType<typeof lockKey>>>;

const idPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const assertName = (name: string): void => {
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(name) || name.trim() !== name)
    throw new KeyRegisterError('a name has 1 to 64 characters on one line, without spaces at its ends');
  if (ownKeyNames.includes(name)) throw new KeyRegisterError(`${name} is the name of a key of the portal’s own: choose another one`);
};

const assertScopes = (scopes: readonly string[]): void => {
  const unknown = scopes.filter((scope) => !publisherScopes.some((known) => known === scope));
  if (unknown.length === 0 && scopes.length > 0) return;
  const problem = unknown.length === 0 ? 'a key needs a scope' : `there is no scope ${unknown.join(', ')}`;
  throw new KeyRegisterError(`${problem}; these there are: ${publisherScopes.join(', ')}`);
};

const getKey = async (trx: Trx, id: string): Promise<Found> => {
  const found = idPattern.test(id) ? await lockKey(trx, id) : undefined;
  if (found === undefined) throw new KeyRegisterError(`there is no key ${id}; see pergamin keys list`);
  return found;
};

const assertWorking = ({ id, name, revokedAt, expiresAt }: Found, now: Date): void => {
  if (revokedAt !== null) throw new KeyRegisterError(`the key ${id} of ${name} is revoked`);
  if (expiresAt !== null && expiresAt <= now) throw new KeyRegisterError(`the key ${id} of ${name} has expired`);
};

/** `yyyy-mm-dd`, the last day, or a moment with its offset: without one it would be another moment on each machine. */
const readExpiry = (text: string, timeZone: string): Date => {
  if (safeParse(calendarDay, text).success) return new Date(startOfDay(addDays(text, 1), timeZone));
  const isMoment = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const moment = new Date(isMoment ? text : Number.NaN);
  if (Number.isNaN(moment.getTime()))
    throw new KeyRegisterError(`there is no day or moment ${text}: write 2027-01-31 or 2027-01-31T12:00:00+01:00`);
  return moment;
};

export type KeyRegister = ReturnType<typeof createKeyRegister>;

/** What operators do with the keys of publishers. Each throws KeyRegisterError for what cannot be done. */
export const createKeyRegister = (db: Db, { clock, by, timeZone }: Parts) => {
  const insert = async (into: Db, draft: { name: string; scopes: readonly string[]; expiresAt: Date | null; replaces?: string }) => {
    const key = makeKey();
    const { name, scopes, expiresAt } = draft;
    const id = await insertKey(into, key, { ...draft, at: clock.now(), by });
    return { id, name, scopes, expiresAt, key } satisfies IssuedKey;
  };
  return {
    list: () => listKeys(db),

    /** `expires`: the last day, or a moment; left out: never. */
    async issue({ name, scopes, expires }: { name: string; scopes: readonly string[]; expires?: string | undefined }): Promise<IssuedKey> {
      assertName(name);
      assertScopes(scopes);
      const expiresAt = expires === undefined ? null : readExpiry(expires, timeZone);
      if (expiresAt !== null && expiresAt <= clock.now()) throw new KeyRegisterError('the key would have expired already');
      return insert(db, { name, scopes: [...new Set(scopes)], expiresAt });
    },

    /**
     * A successor with the same name and scopes, which lasts as long as the former key was to last. The former key ends after the overlap, and
     * never later than it would have.
     */
    rotate: (id: string, overlapMs: number): Promise<{ readonly successor: IssuedKey; readonly formerEndsAt: Date }> =>
      db.transaction().execute(async (trx) => {
        const former = await getKey(trx, id);
        const now = clock.now();
        assertWorking(former, now);
        if (former.demo) throw new KeyRegisterError(`the key ${id} belongs to the demonstration, and ends with it`);
        const successor = await findSuccessor(trx, id);
        if (successor !== undefined)
          throw new KeyRegisterError(`the key ${id} of ${former.name} was rotated before: its successor is ${successor.id}`);
        const { name, scopes, issuedAt } = former;
        const expiresAt = former.expiresAt === null ? null : new Date(now.getTime() + former.expiresAt.getTime() - issuedAt.getTime());
        const overlapEndsAt = new Date(now.getTime() + overlapMs);
        await endKeyAt(trx, id, overlapEndsAt);
        const formerEndsAt = former.expiresAt !== null && former.expiresAt < overlapEndsAt ? former.expiresAt : overlapEndsAt;
        return { successor: await insert(trx, { name, scopes, expiresAt, replaces: id }), formerEndsAt };
      }),

    /** Once it has resolved, no call is answered and nothing is published with the key, in any process. */
    revoke: (id: string): Promise<{ readonly name: string }> =>
      db.transaction().execute(async (trx) => {
        const found = await getKey(trx, id);
        if (found.revokedAt !== null) throw new KeyRegisterError(`the key ${id} of ${found.name} is revoked already`);
        await revokeKey(trx, id, { at: clock.now(), by });
        return { name: found.name };
      }),
  };
};
