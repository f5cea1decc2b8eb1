import { Gauge, type Registry } from 'prom-client';

interface LedgerStanding {
  readonly size: number;
  readonly pending: number;
  readonly oldestSeconds: number;
}

export interface ObservedLedger {
  readonly readStanding: () => Promise<LedgerStanding>;
  readonly isHalted: () => boolean;
  /** `behindSince`: since when a checkpoint is published that the witness has not cosigned, nor a later one; null: there is none. */
  readonly readWitnesses: () => Promise<readonly { readonly name: string; readonly behindSince: Date | null }[]>;
}

export const observeLedger = (registry: Registry, { readStanding, isHalted, readWitnesses }: ObservedLedger): void => {
  const add = (name: string, help: string, valueOf: (standing: LedgerStanding) => number): void => {
    const gauge: Gauge = new Gauge({
      name: `pergamin_ledger_${name}`,
      help,
      registers: [registry],
      async collect(): Promise<void> {
        // While the database is away, the last value stays, and other metrics are answered.
        const standing = await readStanding().catch(() => undefined);
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
    collect: () => halted.set(isHalted() ? 1 : 0),
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
