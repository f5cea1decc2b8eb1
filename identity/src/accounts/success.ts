import { randomBytes } from 'node:crypto';
import type { Statement, Statements } from '../database/statements.ts';
import type { Clock } from '../parts.ts';
import { clearCounters, type Subject, type Throttle } from '../throttle/throttle.ts';
import { deviceHash } from './devices.ts';

/** Somebody whose password was right. */
interface SignedIn {
  readonly personalId: string;
  /** The token that this browser had. */
  readonly device: string | undefined;
  /** For whom the try was counted: the first forgets all of its tries, the others get this one back. */
  readonly counted: readonly [Subject, ...Subject[]];
}

const record = `insert into identity.sign_in_record as record (personal_id, last_success_at) values ($3, $4)
  on conflict (personal_id) do update set previous_success_at = record.last_success_at, last_success_at = excluded.last_success_at`;

const insertDevice = 'insert into identity.known_device (token_hash, personal_id, used_at) values ($5, $3, $4)';

const fromNewBrowser: Statement = {
  name: 'identity-success-new-browser',
  text: `with cleared as (${clearCounters}), record as (${record}), device as (${insertDevice}) select key from cleared`,
};

/** Who else uses this browser keeps being known by the new token, and this person's old one is gone. */
const fromKnownBrowser: Statement = {
  name: 'identity-success-known-browser',
  text: `with cleared as (${clearCounters}), record as (${record}),
    others as (update identity.known_device set token_hash = $5 where token_hash = $6 and personal_id <> $3),
    own as (delete from identity.known_device where token_hash = $6 and personal_id = $3),
    device as (${insertDevice})
    select key from cleared`,
};

/**
 * Everything that is kept of a success, in one statement: counters, the record, the browser. Gives the browser's new token: one that somebody
 * planted before is worth nothing.
 */
export const createSuccess =
  ({ statements, throttle, clock }: { statements: Statements; throttle: Throttle; clock: Clock }) =>
  async ({ personalId, device, counted: [own, ...others] }: SignedIn): Promise<string> => {
    const next = randomBytes(32).toString('base64url');
    const values = [own.key, others.map(({ key }) => key), personalId, clock.now(), deviceHash(next)];
    const { rows } = await (device === undefined
      ? statements.run<{ key: Buffer }>(fromNewBrowser, values)
      : statements.run<{ key: Buffer }>(fromKnownBrowser, [...values, deviceHash(device)]));
    await throttle.settle(others, rows);
    return next;
  };
