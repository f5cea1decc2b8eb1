import { Gauge, type Registry } from 'prom-client';
import type { OutageStanding } from '#platform/log/outages.ts';

/** What this process has met last. What is used seldom stays 1 until it is used again. */
export const observeOutages = (registry: Registry, list: () => readonly OutageStanding[]): void => {
  const outage: Gauge = new Gauge({
    name: 'pergamin_outage',
    help: '1 while this process cannot use what it works with, as far as it has tried: database, identity, mail, objects, scanner, sms, timestamps, webhooks, witness',
    labelNames: ['of', 'which'],
    registers: [registry],
    collect(): void {
      for (const { of, which, isUnderWay } of list()) outage.set({ of, which }, isUnderWay ? 1 : 0);
    },
  });
};
