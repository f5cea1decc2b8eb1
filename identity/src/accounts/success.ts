import { randomBytes } from 'node:crypto';
import type { AdapterPayload } from 'oidc-provider';
import { type Statement, type Statements, asyncCommit } from '../database/statements.ts';
import type { Clock } from '../parts.ts';
import { takeInteraction } from '../provider/interactions.ts';
import { clearCounters, type Subject, type Throttle } from '../throttle/throttle.ts';
import { deviceHash } from './devices.ts';

/** A person whose password was right. */
interface SignedIn {
  readonly personalId: string;
  /** The token that this browser had. */
  readonly device: string | undefined;
  /** What waited for the password. */
  readonly interaction: string;
  /** The counters of the try: the first forgets all of its tries, the others get this one back. */
  readonly counted: readonly [Subject, ...Subject[]];
}

interface Kept {
  /** Keys of the counters that are gone. */
  readonly cleared: readonly Buffer[];
  readonly ended: AdapterPayload | null;
}

const record = `insert into identity.sign_in_record as record (personal_id, last_success_at) values ($3, $4)
  on conflict (personal_id) do update set previous_success_at = record.last_success_at, last_success_at = excluded.last_success_at`;

const insertDevice = 'insert into identity.known_device (token_hash, personal_id, used_at) values ($5, $3, $4)';

const always = `cleared as (${clearCounters}), record as (${record}), ended as (${takeInteraction('$6')})`;
const outcome = `select array(select key from cleared) as cleared, (select payload from ended) as ended, ${asyncCommit}`;

const fromNewBrowser: Statement = {
  name: 'identity-success-new-browser',
  text: `with ${always}, device as (${insertDevice}) ${outcome}`,
};

/** Other people of this browser stay known by the new token, and this person's old one is removed. */
const fromKnownBrowser: Statement = {
  name: 'identity-success-known-browser',
  text: `with ${always},
    others as (update identity.known_device set token_hash = $5 where token_hash = $7 and personal_id <> $3),
    own as (delete from identity.known_device where token_hash = $7 and personal_id = $3),
    device as (${insertDevice}) ${outcome}`,
};

/**
 * Records a success in one statement: counters, the record, the browser, the end of the interaction. Gives the browser's
 * new token (one that was planted before is worth nothing) and the interaction, unless a concurrent request has ended it.
 */
export const createSuccess =
  ({ statements, throttle, clock }: { statements: Statements; throttle: Throttle; clock: Clock }) =>
  async ({ personalId, device, interaction, counted: [own, ...others] }: SignedIn) => {
    const next = randomBytes(32).toString('base64url');
    const values = [own.key, others.map(({ key }) => key), personalId, clock.now(), deviceHash(next), interaction];
    const { rows } = await (device === undefined
      ? statements.run<Kept>(fromNewBrowser, values)
      : statements.run<Kept>(fromKnownBrowser, [...values, deviceHash(device)]));
    await throttle.settle(others, rows[0]?.cleared ?? []);
    return { device: next, ended: rows[0]?.ended ?? undefined };
  };
