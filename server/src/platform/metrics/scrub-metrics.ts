import { Gauge, type Registry } from 'prom-client';

/** The last scrub of all processes of the database. */
export interface LastScrub {
  /** Null when none has ended yet. */
  readonly endedOn: Date | null;
  readonly read: number;
  readonly damaged: number;
  readonly unreadable: number;
  readonly disputed: number;
  /** Published documents without an entry in the ledger. */
  readonly missing: number;
  /** Entries whose document, publication, delivery or bytes are gone. */
  readonly lost: number;
  readonly isLedgerSound: boolean;
  /** When the database was made: a scrub is due some time after it. */
  readonly madeOn: Date;
}

/** Read from the database, so that every process tells the same, also after a restart. */
export const observeScrub = (registry: Registry, readLast: () => Promise<LastScrub>): void => {
  const add = (
    name: string,
    { help, labels }: { help: string; labels?: readonly 'what'[] },
    tell: (gauge: Gauge, last: LastScrub) => void,
  ): void => {
    const gauge: Gauge = new Gauge({
      name: `pergamin_scrub_${name}`,
      help,
      labelNames: labels ?? [],
      registers: [registry],
      async collect(): Promise<void> {
        // While the database is away, the last value stays, and other metrics are answered.
        const last = await readLast().catch(() => undefined);
        if (last !== undefined) tell(gauge, last);
      },
    });
  };
  add('ledger_sound', { help: '1: the entries of the ledger gave its root and its tiles; 0: they did not' }, (gauge, last) =>
    gauge.set(Number(last.isLedgerSound)),
  );
  add('ended_seconds', { help: 'When the last scrub ended; before the first one, when the database was made' }, (gauge, last) =>
    gauge.set((last.endedOn ?? last.madeOn).getTime() / 1_000),
  );
  const help =
    'Documents that the last scrub read again, and of these the damaged and unreadable ones, and those that the ledger disputes; of all documents those without an entry (missing), and entries whose document is gone (lost)';
  add('documents', { help, labels: ['what'] }, (gauge, last) => {
    for (const what of ['read', 'damaged', 'unreadable', 'disputed', 'missing', 'lost'] as const) gauge.set({ what }, last[what]);
  });
};
