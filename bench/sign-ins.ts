import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { removeAbandonedDatabases, startEmbeddedPostgres } from '../server/src/platform/database/embedded-postgres/embedded-postgres.ts';
import { silentLog } from '../server/src/platform/log/log.ts';
import { cpuMsOf, cpuMsOfFamily } from './cpu.ts';
import { startProgram } from './program.ts';
import type { Promised } from './promise.ts';
import { createSignIns } from './sign-in-browser.ts';

const greeting = z.object({ port: z.int(), headers: z.object({ host: z.string() }) });

const people = Array.from({ length: 40 }, (_, index) => ({
  personalId: `3${String(index).padStart(7, '0')}`,
  password: 'Bench-2026-Pergamin',
  address: `203.0.113.${index + 1}`,
}));
const atOnce = 4;
/** Until the code of a sign-in, which is much and runs once each, is compiled for good. */
// A portal is warm for months; the compiler needs about a thousand sign-ins until it has seen them all.
const warmUpRounds = 25;

type Measure = () => Promise<number>;

/** The product whole in a process of its own, asked over HTTP from this one, whose time is not counted. */
const open = async (): Promise<AsyncDisposable & { readonly ours: Measure; readonly floor: Measure }> => {
  const cleanUp = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
    cleanUp.defer(async () => {
      await rm(folder, { recursive: true, force: true });
      await removeAbandonedDatabases(silentLog());
    });
    const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), log: silentLog() });
    cleanUp.defer(() => postgres.stop());
    const clients = people.map(({ personalId, password }) => ({ personalId, password }));
    const portal = await startProgram('portal', { connection: postgres.connection, dataDir: join(folder, 'portal'), clients }, folder);
    cleanUp.defer(() => portal.stop());
    const hash = await startProgram('password-hash', {}, folder);
    cleanUp.defer(() => hash.stop());
    const { port, headers } = greeting.parse(portal.greeting);
    const signIns = createSignIns({ port, host: headers.host });
    cleanUp.defer(() => Promise.resolve(signIns.close()));

    const ours = async (): Promise<number> => {
      const before = cpuMsOf(portal.pid) + cpuMsOfFamily(postgres.pid);
      await signIns.run(people, atOnce);
      return (cpuMsOf(portal.pid) + cpuMsOfFamily(postgres.pid) - before) / people.length;
    };
    const floor = async (): Promise<number> => {
      const before = cpuMsOf(hash.pid);
      await hash.ask(String(people.length));
      return (cpuMsOf(hash.pid) - before) / people.length;
    };
    for (let round = 0; round < warmUpRounds; round += 1) await ours();
    await floor();
    return { ours, floor, [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};

export const signIns: readonly Promised[] = [
  {
    name: 'sign-ins',
    promise: 'a sign-in from the first call to the session, against looking at its password alone',
    unit: 'ms CPU',
    // 0.4 of the sign-ins that the password alone would allow in the same time.
    limit: 2.5,
    rounds: 9,
    open,
  },
  {
    name: 'sign-in-rest',
    promise: 'everything of a sign-in but looking at its password',
    unit: 'ms CPU',
    limit: 10,
    rounds: 9,
    async open() {
      const { ours, floor, ...measuring } = await open();
      return { ...measuring, ours: async () => (await ours()) - (await floor()) };
    },
  },
];
