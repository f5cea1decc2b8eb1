import { join } from 'node:path';
import * as z from 'zod/mini';
import { cpuMsOf, cpuMsOfFamily } from './cpu.ts';
import { onFreshPostgres } from './fresh-postgres.ts';
import { startProgram } from './program.ts';
import type { Measuring, Promised } from './promise.ts';
import { createSignIns } from './sign-in-browser.ts';

const greeting = z.object({ port: z.int(), headers: z.object({ host: z.string() }) });

const people = Array.from({ length: 40 }, (_, index) => ({
  personalId: `3${String(index).padStart(7, '0')}`,
  password: 'Bench-2026-Pergamin',
  address: `203.0.113.${index + 1}`,
}));
const atOnce = 4;
/** A portal is warm for months: the compiler needs about a thousand sign-ins until all their code, which is much, is compiled for good. */
const warmUpRounds = 25;

type Measure = () => Promise<number>;
interface Measures {
  readonly ours: Measure;
  readonly floor: Measure;
}

/** The product whole in a process of its own, asked over HTTP from this one, whose time is not counted. */
const open = (wanted: (measures: Measures) => Partial<Measures> & Pick<Measures, 'ours'>): Promise<Measuring> =>
  onFreshPostgres(async ({ folder, postgres, cleanUp }) => {
    const clients = people.map(({ personalId, password }) => ({ personalId, password }));
    const portal = await startProgram('portal', { connection: postgres.connection, dataDir: join(folder, 'portal'), clients }, folder);
    cleanUp.defer(() => portal.stop());
    const hash = await startProgram('password-hash', {}, folder);
    cleanUp.defer(() => hash.stop());
    const { port, headers } = greeting.parse(portal.greeting);
    const browser = createSignIns({ port, host: headers.host });
    cleanUp.defer(() => Promise.resolve(browser.close()));

    const ours = async (): Promise<number> => {
      const before = cpuMsOf(portal.pid) + cpuMsOfFamily(postgres.pid);
      await browser.run(people, atOnce);
      return (cpuMsOf(portal.pid) + cpuMsOfFamily(postgres.pid) - before) / people.length;
    };
    const floor = async (): Promise<number> => {
      const before = cpuMsOf(hash.pid);
      await hash.ask(String(people.length));
      return (cpuMsOf(hash.pid) - before) / people.length;
    };
    for (let round = 0; round < warmUpRounds; round += 1) await ours();
    await floor();
    return wanted({ ours, floor });
  });

export const signIns: readonly Promised[] = [
  {
    name: 'sign-ins',
    promise: 'a sign-in from the first call to the session, against looking at its password alone',
    unit: 'ms CPU',
    // 0.4 of the sign-ins that the password alone would allow in the same time.
    limit: 2.5,
    rounds: 9,
    open: () => open((measures) => measures),
  },
  {
    name: 'sign-in-rest',
    promise: 'everything of a sign-in but looking at its password',
    unit: 'ms CPU',
    limit: 10,
    // One password verification, on the machine that the limit was measured on.
    limitAtFloor: 6,
    rounds: 9,
    open: () => open(({ ours, floor }) => ({ floor, ours: async () => (await ours()) - (await floor()) })),
  },
];
