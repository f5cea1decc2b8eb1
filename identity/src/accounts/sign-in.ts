import { type Statement, type Statements, asyncCommit } from '../database/statements.ts';
import type { AdapterPayload } from 'oidc-provider';
import type { IdentityDatabase } from '../database/tables.ts';
import { type Clock, type IdentityLog, personalIdPattern } from '../parts.ts';
import { firstTries, subjects, type Subject, takeFirst, type Throttle } from '../throttle/throttle.ts';
import type { Devices } from './devices.ts';
import type { Passwords } from './passwords.ts';
import { createSuccess } from './success.ts';
import { type Asker, askers, TooBusyError } from './hash-queue.ts';

export interface SignInTry {
  readonly personalId: string;
  readonly password: string;
  /** The client's address as far as it can be trusted. */
  readonly address: string;
  /** The token that this browser got at an earlier sign-in. */
  readonly device: string | undefined;
  /** The interaction that waits for the password. A right one ends it. */
  readonly interaction: string;
}

export type SignInOutcome =
  /** `device` replaces the browser's token. `ended`: what the interaction was made with, undefined when a concurrent request has ended it. */
  | { readonly kind: 'right'; readonly device: string; readonly ended: AdapterPayload | undefined }
  /** The same for every reason: no such account, a disabled one, another password. */
  | { readonly kind: 'wrong' }
  /** Throttled: the password was not verified. */
  | { readonly kind: 'wait'; readonly seconds: number };

export interface SignInHistory {
  readonly lastSuccessAt: Date | null;
  readonly previousSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
}

/** Retry-After when too many passwords are being verified at once. */
export const busySeconds = 5;

/** Failures for unknown ids are kept this long. */
const keepFailuresMs = 30 * 24 * 3_600_000;

interface Place {
  readonly counted: readonly [Subject, ...Subject[]];
  readonly asker: Asker;
}

/** The state before the password is verified. */
interface Begun {
  /** Keys of the subjects for which this try is counted. */
  readonly counted: readonly Buffer[];
  readonly password_hash: string | null;
  readonly is_open: boolean | null;
}

/** $7, null: an id that no account can have. A wrong password is recorded in a statement that is waited for (recordFailure). */
const begin: Statement = {
  name: 'identity-sign-in-begin',
  text: `with counted as (${takeFirst})
    select array(select key from counted) as counted, account.password_hash, account.disabled_at is null as is_open, ${asyncCommit}
    from (select) as once left join identity.account on account.personal_id = $7`,
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

/** Verifies passwords at sign-in, and records each try: the same for known and unknown ids. */
export const createSignInCheck = ({ db, statements, passwords, throttle, devices, clock, log }: Parts) => {
  const keepSuccess = createSuccess({ statements, throttle, clock });

  return {
    async signIn(attempt: SignInTry): Promise<SignInOutcome> {
      const { personalId, password } = attempt;
      const isWellFormed = personalIdPattern.test(personalId);
      const { counted, asker } = await findPlace(devices, attempt);
      const { rows } = await statements.run<Begun>(begin, [...firstTries(counted, clock.now()), isWellFormed ? personalId : null]);
      const begun = rows[0] ?? { counted: [], password_hash: null, is_open: null };
      const seconds = await throttle.takeRest(counted, begun.counted);
      if (seconds > 0) {
        log.warn({ seconds, ...(isWellFormed ? { personalId } : {}) }, 'identity: too many wrong passwords');
        return { kind: 'wait', seconds };
      }
      const right = await isRight(passwords, { ...begun, password, asker });
      if (right === undefined) {
        await throttle.giveBack(counted);
        log.warn({}, 'identity: too many passwords are waiting to be checked');
        return { kind: 'wait', seconds: busySeconds };
      }
      if (!right) {
        if (isWellFormed) await recordFailure(db, personalId, clock.now());
        log.info({ personalId: isWellFormed ? personalId : 'malformed' }, 'identity: wrong password');
        return { kind: 'wrong' };
      }
      // The account's own count begins anew; the network's does not, or one good account would pay for tries on all others.
      return { kind: 'right', ...(await keepSuccess({ ...attempt, counted })) };
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

/** The counters that a try is charged to, and the queue in which its hash waits. */
const findPlace = async (devices: Devices, { personalId, address, device }: SignInTry): Promise<Place> => {
  const stranger = askers.stranger(address);
  if (!personalIdPattern.test(personalId)) return { counted: subjects.networks(address), asker: stranger };
  const isKnown = device !== undefined && (await devices.isKnown(device, personalId));
  if (isKnown) return { counted: [subjects.device(personalId, device)], asker: askers.person(personalId) };
  return { counted: [subjects.account(personalId), ...subjects.networks(address)], asker: stranger };
};

interface PasswordToCheck extends Pick<Begun, 'password_hash' | 'is_open'> {
  readonly password: string;
  readonly asker: Asker;
}

/** Undefined when the hash queue is full and the password was not verified. */
const isRight = async (
  passwords: Passwords,
  { password_hash, is_open, password, asker }: PasswordToCheck,
): Promise<boolean | undefined> => {
  try {
    return await passwords.isRight(is_open === true ? (password_hash ?? undefined) : undefined, password, asker);
  } catch (error) {
    if (error instanceof TooBusyError) return undefined;
    throw error;
  }
};

const recordFailure = async (db: IdentityDatabase, personalId: string, last_failure_at: Date): Promise<void> => {
  await db
    .insertInto('sign_in_record')
    .values({ personal_id: personalId, last_failure_at })
    .onConflict((conflict) => conflict.column('personal_id').doUpdateSet({ last_failure_at }))
    .execute();
};

export type SignInCheck = ReturnType<typeof createSignInCheck>;
