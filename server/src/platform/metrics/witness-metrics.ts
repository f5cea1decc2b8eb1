import { Gauge, type Registry } from 'prom-client';

/** `behindSince`: since when a checkpoint is published that the witness has not cosigned, nor a later one; null: there is none. */
export type ReadWitnesses = () => Promise<readonly { readonly name: string; readonly behindSince: Date | null }[]>;

/** Read from the database, so that every process tells the same. */
export const observeWitnesses = (registry: Registry, read: ReadWitnesses): void => {
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
