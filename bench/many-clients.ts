import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { calls, pathOf } from '@pergamin/contract';
import * as z from 'zod/mini';
import { cpuMsOf, cpuMsOfFamily } from './cpu.ts';
import { type Fresh, onFreshPostgres } from './fresh-postgres.ts';
import { createLoad } from './load.ts';
import { startProgram } from './program.ts';
import type { Promised } from './promise.ts';

/** At night what was promised; by day a moment of it. */
const isNightly = process.env['NIGHTLY'] === '1';
const clientCount = isNightly ? 500 : 100;
const loadMs = isNightly ? 10 * 60_000 : 30_000;
const idleLists = 300;
/** Between looking at a list, at a document, and at the list again. */
const thinkMs = { least: 2_000, most: 8_000 };

const greeting = z.object({
  port: z.int(),
  clients: z.array(z.object({ headers: z.record(z.string(), z.string()), document: z.string() })),
});

const at = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? Number.NaN;

const query = JSON.stringify({
  text: null,
  criteria: { metadata: [], period: null },
  sort: [{ by: 'PUBLICATION_DATE', order: 'desc' }],
  page: 0,
  size: 20,
});

const open = async ({ folder, postgres, cleanUp }: Fresh) => {
  const order = { connection: postgres.connection, dataDir: join(folder, 'portal'), clients: clientCount };
  const program = await startProgram('clients-portal', order, folder);
  cleanUp.defer(() => program.stop());
  const { port, clients } = greeting.parse(program.greeting);
  const people = clients.map(({ headers, document }) => {
    const listing = createLoad({ port, path: calls.listOwnDocuments.path, headers, body: query });
    const opening = createLoad({ port, path: pathOf(calls.getDocument, { params: { id: document } }), method: 'GET', headers, body: '' });
    cleanUp.defer(async () => [listing, opening].forEach((load) => load.close()));
    return { listing, opening };
  });

  const timed = async (ask: () => Promise<unknown>): Promise<number> => {
    const begunAt = performance.now();
    await ask();
    return performance.now() - begunAt;
  };
  const spent = (): number => cpuMsOf(program.pid) + cpuMsOfFamily(postgres.pid);
  return {
    /** One client alone, without thinking. */
    async floor(): Promise<number> {
      const times: number[] = [];
      for (let asked = 0; asked < idleLists; asked += 1)
        times.push(await timed(() => people[0]?.listing.ask() ?? Promise.reject(new Error('no client'))));
      return at(times, 0.99);
    },
    async ours(): Promise<number> {
      const times: number[] = [];
      let answered = 0;
      const before = spent();
      const endAt = performance.now() + loadMs;
      const think = (): Promise<void> => pause(thinkMs.least + Math.random() * (thinkMs.most - thinkMs.least));
      await Promise.all(
        people.map(async ({ listing, opening }) => {
          await pause(Math.random() * thinkMs.most);
          while (performance.now() < endAt) {
            times.push(await timed(listing.ask));
            await think();
            await opening.ask();
            answered += 2;
            await think();
          }
        }),
      );
      const cpuMs = spent() - before;
      const rate = (answered * 1_000) / loadMs;
      process.stderr.write(
        `${clientCount} clients, ${answered} calls (${rate.toFixed(0)} a second), none failed; ${(cpuMs / answered).toFixed(2)} s CPU for 1 000 calls, ` +
          `${((cpuMs / loadMs) * 100).toFixed(0)} % of one core; a list takes ${at(times, 0.5).toFixed(1)} ms, p95 ${at(times, 0.95).toFixed(1)}, p99 ${at(times, 0.99).toFixed(1)}\n`,
      );
      return at(times, 0.99);
    },
  };
};

/** Any answer but 200 fails it. */
export const manyClients: Promised = {
  name: 'many-clients',
  promise: `a list (p99) while ${clientCount} signed-in clients read lists and documents with time to think, against one client alone`,
  unit: 'ms',
  limit: 3,
  rounds: 1,
  open: () => onFreshPostgres(open),
};
