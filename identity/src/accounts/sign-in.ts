import type { Statement, Statements } from '../database/statements.ts';
import type { IdentityDatabase } from '../database/tables.ts';
import { type Clock, type IdentityLog, personalIdPattern } from '../parts.ts';
import { subjects, type Subject, type Throttle } from '../throttle/throttle.ts';
import type { Devices } from './devices.ts';
import type { Passwords } from './passwords.ts';
import { createSuccess } from './success.ts';
import { TooBusyError } from './turns.ts';

export interface SignInTry {
  readonly personalId: string;
  readonly password: string;
  /** Where the request comes from, as far as it can be believed. */
  readonly address: string;
  /** The token that this browser was given when somebody signed in here before. */
  readonly device: string | undefined;
}

export type SignInOutcome =
  /** `device` replaces the browser's token. */
  | { readonly kind: 'right'; readonly device: string }
  /** Whatever the reason: no such account, a disabled one, another password. */
  | { readonly kind: 'wrong' }
  /** The password was not looked at. */
  | { readonly kind: 'wait'; readonly seconds: number };

export interface SignInHistory {
  readonly lastSuccessAt: Date | null;
  readonly previousSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
}

/** How long somebody is asked to wait when too many passwords are being checked at once. */
export const busySeconds = 5;

/** Rows of ids that nobody has are kept this long. */
const keepFailuresMs = 30 * 24 * 3_600_000;

interface Account {
  readonly password_hash: string;
  readonly disabled_at: Date | null;
}

const findAccount: Statement = {
  name: 'identity-account-password',
  text: 'select password_hash, disabled_at from identity.account where personal_id = $1',
};
interface Parts {
  readonly db: IdentityDatabase;
  readonly statements: Statements;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly devices: Devices;
  readonly clock: Clock;
  readonly log: IdentityLog;
}

/** Checks passwords of people who come in, and keeps count and record of it: the same for ids that have an account and ids that have none. */
export const createSignInCheck = ({ db, statements, passwords, throttle, devices, clock, log }: Parts) => {
  const recordFailure = async (personalId: string): Promise<void> => {
    const last_failure_at = clock.now();
    await db
      .insertInto('sign_in_record')
      .values({ personal_id: personalId, last_failure_at })
      .onConflict((conflict) => conflict.column('personal_id').doUpdateSet({ last_failure_at }))
      .execute();
  };

  const keepSuccess = createSuccess({ statements, throttle, clock });

  const subjectsOf = async ({ personalId, address, device }: SignInTry): Promise<readonly [Subject, ...Subject[]]> => {
    const isKnown = device !== undefined && (await devices.isKnown(device, personalId));
    return isKnown ? [subjects.device(personalId, device)] : [subjects.account(personalId), subjects.network(address)];
  };

  /** Undefined when nobody could look: too many are waiting. */
  const isRight = async (personalId: string, password: string): Promise<boolean | undefined> => {
    const [account] = personalIdPattern.test(personalId) ? (await statements.run<Account>(findAccount, [personalId])).rows : [];
    try {
      const fits = await passwords.isRight(account?.password_hash, password);
      return fits && account?.disabled_at === null;
    } catch (error) {
      if (error instanceof TooBusyError) return undefined;
      throw error;
    }
  };

  return {
    async signIn(attempt: SignInTry): Promise<SignInOutcome> {
      const { personalId, password } = attempt;
      const isWellFormed = personalIdPattern.test(personalId);
      const counted: readonly [Subject, ...Subject[]] = isWellFormed ? await subjectsOf(attempt) : [subjects.network(attempt.address)];
      const seconds = await throttle.take(counted);
      if (seconds > 0) {
        log.warn({ seconds, ...(isWellFormed ? { personalId } : {}) }, 'identity: too many wrong passwords');
        return { kind: 'wait', seconds };
      }
      const right = await isRight(personalId, password);
      if (right === undefined) {
        await throttle.giveBack(counted);
        log.warn({}, 'identity: too many passwords are waiting to be checked');
        return { kind: 'wait', seconds: busySeconds };
      }
      if (!right) {
        if (isWellFormed) await recordFailure(personalId);
        log.info({ personalId: isWellFormed ? personalId : 'malformed' }, 'identity: wrong password');
        return { kind: 'wrong' };
      }
      // The account's own count begins anew; the network's does not, or one good account would pay for tries on all others.
      return { kind: 'right', device: await keepSuccess({ personalId, device: attempt.device, counted }) };
    },

    async signInHistory(personalId: string): Promise<SignInHistory> {
      const row = await db.selectFrom('sign_in_record').selectAll().where('personal_id', '=', personalId).executeTakeFirst();
      return {
        lastSuccessAt: row?.last_success_at ?? null,
        previousSuccessAt: row?.previous_success_at ?? null,
        lastFailureAt: row?.last_failure_at ?? null,
      };
    },

    async sweepRecords(): Promise<void> {
      await db
        .deleteFrom('sign_in_record')
        .where('last_failure_at', '<', new Date(clock.now().getTime() - keepFailuresMs))
        .where('last_success_at', 'is', null)
        .execute();
    },
  };
};

export type SignInCheck = ReturnType<typeof createSignInCheck>;
