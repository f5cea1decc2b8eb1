import type { AlarmName } from './alarms.ts';
import type { Log } from './log.ts';
import { markTold, silenceWhile } from './told-errors.ts';

/** What the portal works with, as the label `of` of its metric and the field `outage` of its lines name it. */
export const outageNames = ['database', 'identity', 'mail', 'objects', 'scanner', 'sms', 'timestamps', 'webhooks', 'witness'] as const;
export type OutageName = (typeof outageNames)[number];

const spoken: Readonly<Record<OutageName, string>> = {
  database: 'the database',
  identity: 'an identity service',
  mail: 'the mail server',
  objects: 'the object store',
  scanner: 'the malware scanner',
  sms: 'the SMS gateway',
  timestamps: 'the time-stamp authority',
  webhooks: 'the receiver of webhooks',
  witness: 'a witness',
};

/** What failed and what worked of one thing that the portal works with, as this process has seen it. */
export interface Outage {
  /** It gave no answer, or said that it cannot work. A line that is logged with this error is not written: the outage has told it. */
  failed(error: unknown): void;
  /** It did its work, or refused something for a reason of its own. True when an outage was under way. */
  worked(): boolean;
  readonly isUnderWay: () => boolean;
}

export interface OutageStanding {
  readonly of: OutageName;
  /** Which one, where there are several. */
  readonly which: string;
  readonly isUnderWay: boolean;
}

export interface OutageOptions {
  /** Which one, where there are several. */
  readonly which?: string;
  /** Whether an error is of this outage while it lasts, though `failed` was not given it. */
  readonly isOf?: (error: unknown) => boolean;
  /** What its first line carries. */
  readonly alarm?: AlarmName;
}

export interface Outages {
  of(name: OutageName, options?: OutageOptions): Outage;
  standing(): readonly OutageStanding[];
  /** What fails from now on is the consequence of a stop, and no line. */
  close(): void;
}

/** An outage is over when nothing has failed for so long after something worked, so that a restart under load is one outage and not fifty. */
const calmAfterMs = 1_000;

interface Running {
  readonly beganAtMs: number;
  failures: number;
  lastFailedAtMs: number;
  workedAtMs: number | undefined;
}

type OutageLog = Pick<Log, 'error' | 'warn'>;

interface Options {
  readonly log: OutageLog;
  readonly calmMs?: number;
}

type Known = OutageStanding & { readonly outage: ClosableOutage };

/** An outage is two lines of the log, one when it begins and one when it is over, however many calls and retries fail meanwhile. */
export const createOutages = ({ log, calmMs = calmAfterMs }: Options): Outages => {
  const known = new Map<string, Omit<Known, 'isUnderWay'>>();
  return {
    of(name, { which = '', isOf, alarm } = {}) {
      const key = `${name} ${which}`;
      const found = known.get(key);
      if (found !== undefined) return found.outage;
      const outage = createOutage({ log, calmMs, name, which, isOf, alarm });
      known.set(key, { of: name, which, outage });
      return outage;
    },
    standing: () => Array.from(known.values(), ({ of, which, outage }) => ({ of, which, isUnderWay: outage.isUnderWay() })),
    close() {
      for (const { outage } of known.values()) outage.close();
    },
  };
};

const ofLogs = new WeakMap<OutageLog, Outages>();

/** Those of all parts that share this log. */
export const outagesOf = (log: OutageLog): Outages => {
  const outages = ofLogs.get(log) ?? createOutages({ log });
  ofLogs.set(log, outages);
  return outages;
};

/** For programs and tests that tell each failure themselves. */
export const untoldOutage: Outage = { failed() {}, worked: () => false, isUnderWay: () => false };

interface ClosableOutage extends Outage {
  close(): void;
}

interface OneOptions extends Required<Options> {
  readonly name: OutageName;
  readonly which: string;
  readonly isOf: OutageOptions['isOf'] | undefined;
  readonly alarm: OutageOptions['alarm'] | undefined;
}

const createOutage = ({ log, calmMs, name, which, isOf, alarm }: OneOptions): ClosableOutage => {
  const fields = { outage: name, ...(which === '' ? {} : { which }) };
  let running: Running | undefined;
  let timer: NodeJS.Timeout | undefined;
  let speaksAgain: (() => void) | undefined;
  let isClosed = false;

  const end = (): void => {
    if (running?.workedAtMs === undefined) return;
    const calmForMs = performance.now() - running.lastFailedAtMs;
    if (calmForMs < calmMs) return void (timer = setTimeout(end, calmMs - calmForMs).unref());
    const seconds = Math.round((running.workedAtMs - running.beganAtMs) / 1_000);
    const { failures } = running;
    running = undefined;
    speaksAgain?.();
    log.warn({ ...fields, seconds, failures }, `${spoken[name]} works again: the outage is over`);
  };

  return {
    failed(error) {
      markTold(error);
      if (isClosed) return;
      const atMs = performance.now();
      if (running !== undefined) {
        running.failures += 1;
        running.lastFailedAtMs = atMs;
        running.workedAtMs = undefined;
        return;
      }
      running = { beganAtMs: atMs, failures: 1, lastFailedAtMs: atMs, workedAtMs: undefined };
      // What is told here is not silenced by the mark.
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      log.error(
        { ...(alarm === undefined ? {} : { alarm }), ...fields, reason: reason.slice(0, 500) },
        `${spoken[name]} cannot be used: an outage begins; its end is logged`,
      );
      speaksAgain = isOf === undefined ? undefined : silenceWhile(isOf);
    },
    worked() {
      if (running === undefined) return false;
      running.workedAtMs ??= performance.now();
      clearTimeout(timer);
      end();
      return true;
    },
    isUnderWay: () => running !== undefined,
    close() {
      isClosed = true;
      clearTimeout(timer);
      speaksAgain?.();
    },
  };
};
