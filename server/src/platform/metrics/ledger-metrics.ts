import { Gauge, type Registry } from 'prom-client';
import { singleFlight } from './single-flight.ts';

interface LedgerStanding {
  readonly size: number;
  readonly pending: number;
  readonly oldestSeconds: number;
}

export interface ObservedLedger {
  readonly readStanding: () => Promise<LedgerStanding>;
  /** Why it is; undefined: it is not. */
  readonly haltedBy: () => string | undefined;
  /** `behindSince`: since when a checkpoint is published that the witness has not cosigned, nor a later one; null: there is none. */
  readonly readWitnesses: () => Promise<readonly { readonly name: string; readonly behindSince: Date | null }[]>;
}

export const observeLedger = (registry: Registry, { readStanding, haltedBy, readWitnesses }: ObservedLedger): void => {
  const readOnce = singleFlight(readStanding);
  const add = (name: string, help: string, valueOf: (standing: LedgerStanding) => number): void => {
    const gauge: Gauge = new Gauge({
      name: `pergamin_ledger_${name}`,
      help,
      registers: [registry],
      async collect(): Promise<void> {
        // While the database is away, the last value stays, and other metrics are answered.
        const standing = await readOnce();
        if (standing !== undefined) gauge.set(valueOf(standing));
      },
    });
  };
  add('size', 'Entries that a published checkpoint covers', ({ size }) => size);
  add('pending', 'Facts that no published checkpoint covers yet', ({ pending }) => pending);
  add('oldest_pending_seconds', 'How long the oldest of them has waited', ({ oldestSeconds }) => oldestSeconds);
  const halted: Gauge = new Gauge({
    name: 'pergamin_ledger_halted',
    help: '1 while nothing is entered, because going on would sign a second history',
    registers: [registry],
    collect: () => halted.set(haltedBy() === undefined ? 0 : 1),
  });
  const reasons: Gauge = new Gauge({
    name: 'pergamin_ledger_halt_reason',
    help: 'Why the ledger is halted; docs/alerts.md says what each means. No series while it goes on',
    labelNames: ['reason'],
    registers: [registry],
    collect(): void {
      const reason = haltedBy();
      reasons.reset();
      if (reason !== undefined) reasons.set({ reason }, 1);
    },
  });
  observeWitnesses(registry, readWitnesses);
};

/** Read from the database, so that every process tells the same. */
const observeWitnesses = (registry: Registry, read: ObservedLedger['readWitnesses']): void => {
  const gauge: Gauge = new Gauge({
    name: 'pergamin_ledger_witness_age_seconds',
    help: 'For how long a checkpoint has been published that this witness has not cosigned; 0: it has cosigned the newest one',
    labelNames: ['witness'],
    registers: [registry],
    async collect(): Promise<void> {
      // While the database is away, the last values stay, and other metrics are answered.
      const witnesses = await read().catch(() => undefined);
      for (const { name, behindSince } of witnesses ?? [])
        gauge.set({ witness: name }, behindSince === null ? 0 : Math.max(0, (Date.now() - behindSince.getTime()) / 1_000));
    },
  });
};
