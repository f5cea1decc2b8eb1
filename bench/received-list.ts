import { join } from 'node:path';
import { calls, type DocumentQuery } from '@pergamin/contract';
import * as z from 'zod/mini';
import { openDatabase } from '../server/src/platform/database/database.ts';
import { silentLog } from '../server/src/platform/log/log.ts';
import { cpuMsOf, cpuMsOfFamily } from './cpu.ts';
import { onFreshPostgres } from './fresh-postgres.ts';
import { createLoad } from './load.ts';
import { startProgram } from './program.ts';
import type { Measuring, Promised } from './promise.ts';
import { seedDocuments } from './received-list.data.ts';

/** As the web client asks for the first window of the received list. */
const query: DocumentQuery = {
  text: null,
  criteria: {
    metadata: [
      { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
      { id: 'PERGAMIN_ST_DOC_TYPE', operator: 'NOT_EQUALS', value: 'STATEMENTS' },
    ],
    period: null,
  },
  sort: [{ by: 'PUBLICATION_DATE', order: 'desc' }],
  page: 0,
  size: 100,
};

const greeting = z.object({ port: z.int(), headers: z.record(z.string(), z.string()) });
const list = z.object({ items: z.array(z.unknown()).check(z.length(100)), total: z.literal(100) });

const warmUp = { inTurn: 200, atOnce: 400 } as const;
const measured = { inTurn: 300, atOnce: 704 } as const;
/** Many short rounds, for small differences: a disturbance by other processes then hits both sides. */
const measuredOften = { inTurn: 60, atOnce: 144 } as const;

type Program = Awaited<ReturnType<typeof startProgram>>;

interface Programs {
  readonly portal: Program;
  readonly start: (name: string, order?: object) => Promise<Program>;
}

/** The portal on a hundred thousand documents, and two programs that answer the same call. */
const open = (
  choose: (programs: Programs) => Promise<{ ours: Program; floor: Program }>,
  round: Parameters<ReturnType<typeof createLoad>['run']>[0] = measured,
): Promise<Measuring> =>
  onFreshPostgres(async ({ folder, postgres, cleanUp }) => {
    const start: Programs['start'] = async (name, order = {}) => {
      const program = await startProgram(name, { connection: postgres.connection, dataDir: join(folder, name), query, ...order }, folder);
      cleanUp.defer(() => program.stop());
      return program;
    };
    const portal = await start('portal');
    const { pool, close } = openDatabase({ connection: postgres.connection, maxConnections: 1, log: silentLog() });
    await seedDocuments(pool);
    await close();
    const programs = await choose({ portal, start });

    const target = async (program: Program) => {
      const { port, headers } = greeting.parse(program.greeting);
      const load = createLoad({ port, headers, path: calls.listOwnDocuments.path, body: JSON.stringify(query) });
      cleanUp.defer(() => Promise.resolve(load.close()));
      list.parse(JSON.parse(await load.ask()));
      await load.run(warmUp);
      return async (): Promise<number> => {
        const before = cpuMsOf(program.pid) + cpuMsOfFamily(postgres.pid);
        const asked = await load.run(round);
        return (cpuMsOf(program.pid) + cpuMsOfFamily(postgres.pid) - before) / asked;
      };
    };
    return { floor: await target(programs.floor), ours: await target(programs.ours) };
  });

/** CPU of the server and of PostgreSQL's processes together, for one request. */
export const receivedList: Promised = {
  name: 'received-list',
  promise: '100 of 100 000 documents listed, against bare Fastify and the same prepared rows query',
  unit: 'ms CPU',
  limit: 3,
  rounds: 5,
  open: () => open(async ({ portal, start }) => ({ ours: portal, floor: await start('bare-list') })),
};

const headersOf = ({ greeting: said }: Program) => ({ headers: greeting.parse(said).headers });

/** The same call, with and without finding out who makes it. */
export const sessionCheck: Promised = {
  name: 'session-check',
  promise: '100 documents listed with the session verified, against the same call for a caller who is trusted without one',
  unit: 'ms CPU',
  limit: 1.15,
  rounds: 31,
  open: () =>
    open(
      async ({ portal, start }) => ({
        ours: await start('list-call', { ...headersOf(portal), checksSession: true }),
        floor: await start('list-call', { ...headersOf(portal), checksSession: false }),
      }),
      measuredOften,
    ),
};
