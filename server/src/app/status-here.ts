import { readLastScrub } from '#features/documents/documents.door.ts';
import { type LedgerStanding, readLedgerStanding, readWitnesses } from '#features/ledger/ledger.door.ts';
import type { LastScrub } from '#platform/metrics/scrub-metrics.ts';
import { openPolicy } from '#platform/witnesses/open-policy.ts';
import { openDatabaseHere } from './open-database-here.ts';

/** `LOOK`: an operator has to do something. `UNKNOWN`: it could not be found out. */
export type StatusState = 'FINE' | 'LOOK' | 'UNKNOWN';

export interface StatusPart {
  readonly name: string;
  readonly state: StatusState;
  /** The first one says it all; the others say more. */
  readonly words: readonly string[];
  /** The same for programs. */
  readonly data: object | null;
}

type Here = Awaited<ReturnType<typeof openDatabaseHere>>;
type Found = Omit<StatusPart, 'name'>;

/** A part of the status is a name and what finds it out. */
const parts: Readonly<Record<string, (here: Here) => Promise<Found>>> = {
  async ledger({ db, settings }) {
    return aboutLedger(await readLedgerStanding({ db, settings }), new Date());
  },
  async witnesses({ db, settings }) {
    return aboutWitnesses(await readWitnesses(db, await openPolicy(settings.ledgerPolicyFile)), new Date());
  },
  async scrub({ db }) {
    return aboutScrub(await readLastScrub(db), new Date());
  },
};

/**
 * For `pergamin status`: what is known of this portal by its database and its folders, beside a portal that runs as well as while none does.
 * @throws SettingsError, MigrationError, EmbeddedPostgresError, KeyRegisterError
 */
export const readStatusHere = async (environment: NodeJS.ProcessEnv): Promise<readonly StatusPart[]> => {
  const here = await openDatabaseHere(environment);
  try {
    const found: StatusPart[] = [];
    for (const [name, find] of Object.entries(parts)) found.push({ name, ...(await find(here).catch(unknown)) });
    return found;
  } finally {
    await here.close();
  }
};

const unknown = (error: unknown): Found => {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  return { state: 'UNKNOWN', words: [reason], data: null };
};

const pendingForMs = 5 * 60_000;
/** As of the alert PergaminWitnessBehind. */
const witnessBehindForMs = 3_600_000;
/** As of the alert PergaminScrubMissing. */
const scrubMissingForMs = 3 * 86_400_000;

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

const ageOf = (at: Date, now: Date): string => {
  const ms = Math.max(0, now.getTime() - at.getTime());
  const [unit, length] = units.find(([, least]) => ms >= 2 * least) ?? units[3];
  return `${Math.floor(ms / length)} ${unit}s`;
};

const aboutLedger = ({ checkpoint, halted, pending, oldestAt, adoptions }: LedgerStanding, now: Date): Found => {
  const isLate = oldestAt !== null && now.getTime() - oldestAt.getTime() > pendingForMs;
  const covered =
    checkpoint === null
      ? 'no checkpoint was published yet'
      : `${checkpoint.size} entries, the last checkpoint ${ageOf(checkpoint.at, now)} ago`;
  const waiting = oldestAt === null ? 'nothing waits' : `${pending} wait to be entered, the oldest for ${ageOf(oldestAt, now)}`;
  return {
    state: halted === null && !isLate ? 'FINE' : 'LOOK',
    words: [
      ...(halted === null ? [] : [`HALTED: ${halted.reason}: ${halted.details}`]),
      `${covered}; ${waiting}`,
      ...adoptions.map(
        ({ at, reason, size, takenOver, unregistered }) =>
          `adopted ${at.toISOString()} after ${reason}: of ${size} entries, ${takenOver} taken over from files, ${unregistered} documents without an entry`,
      ),
    ],
    data: { checkpoint, halted, pending, oldestAt, adoptions },
  };
};

const aboutWitnesses = (witnesses: Awaited<ReturnType<typeof readWitnesses>>, now: Date): Found => {
  if (witnesses.length === 0)
    return { state: 'FINE', words: ['no witness is configured: nobody outside watches the log (LEDGER_POLICY_FILE)'], data: { witnesses } };
  const late = witnesses.filter(({ behindSince }) => behindSince !== null && now.getTime() - behindSince.getTime() > witnessBehindForMs);
  return {
    state: late.length === 0 ? 'FINE' : 'LOOK',
    words: witnesses.map(({ name, size, at, behindSince }) => {
      const last = size === null || at === null ? 'has cosigned nothing yet' : `cosigned ${size} entries, ${ageOf(at, now)} ago`;
      const standing = behindSince === null ? 'nothing newer is published' : `behind for ${ageOf(behindSince, now)}`;
      return `${name} ${last}; ${standing}`;
    }),
    data: { witnesses },
  };
};

const aboutScrub = (last: LastScrub, now: Date): Found => {
  const { endedOn, madeOn, read, damaged, unreadable, disputed, isLedgerSound } = last;
  const isMissing = now.getTime() - (endedOn ?? madeOn).getTime() > scrubMissingForMs;
  const isSound = isLedgerSound && damaged + unreadable + disputed === 0;
  const found = `${read} documents read, ${damaged} damaged, ${unreadable} unreadable, ${disputed} disputed; the ledger was ${isLedgerSound ? 'sound' : 'NOT SOUND'}`;
  return {
    state: isSound && !isMissing ? 'FINE' : 'LOOK',
    words: [endedOn === null ? 'none has ended yet' : `ended ${ageOf(endedOn, now)} ago: ${found}`],
    data: last,
  };
};
