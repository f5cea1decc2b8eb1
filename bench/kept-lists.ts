import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls, type DocumentQuery } from '@pergamin/contract';
import * as z from 'zod/mini';
import { cpuMsOf, cpuMsOfFamily } from './cpu.ts';
import { startKeptData } from './kept-data.ts';
import { createLoad } from './load.ts';
import { owners } from './million.data.ts';
import { startProgram } from './program.ts';
import type { Measuring } from './promise.ts';

/** Asked of kept data. */
export interface Asked {
  readonly documents: number;
  /** Of people without a session. */
  readonly isPublic?: boolean;
  readonly owner: keyof typeof owners;
  /** Another for each number, where it says so. */
  readonly makeQuery: (turn: number) => DocumentQuery;
  /** Asked instead: what the pages of the owner's documents say. */
  readonly makeText?: (turn: number) => string;
  /** Asked instead: which values this key has among what the query finds. */
  readonly key?: string;
  /** Answered by the least that could: Fastify without a plugin and the same prepared rows statement. */
  readonly isBare?: boolean;
  /** What the answer says there is. */
  readonly total?: number;
}

const bareGreeting = z.object({ port: z.int(), headers: z.record(z.string(), z.string()) });
const greeting = z.object({ port: z.int(), headers: z.record(z.enum(['large', 'medium', 'small']), z.record(z.string(), z.string())) });
const answer = z.object({ items: z.array(z.unknown()), total: z.optional(z.int()) });

const anonymous = { personalId: '', cif: '' };

/** Each address may ask a hundred and twenty times in a minute. */
const addressOf = (turn: number): string => `10.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`;

const callOf = ({
  makeQuery,
  makeText,
  key,
  isBare = false,
  isPublic = false,
}: Asked): { path: string; bodyOf: (turn: number) => object } => {
  if (makeText !== undefined) return { path: calls.searchOwnDocuments.path, bodyOf: (turn) => ({ text: makeText(turn), size: 10 }) };
  if (key !== undefined) return { path: calls.listOwnValues.path, bodyOf: (turn) => ({ ...makeQuery(turn), key }) };
  return { path: (isPublic && !isBare ? calls.listPublicDocuments : calls.listOwnDocuments).path, bodyOf: makeQuery };
};

interface Running {
  /** Of one request, in ms of Node and PostgreSQL together. */
  measure(): Promise<number>;
}

/** Portals on the data, one for each number of documents, and the bare programs that the comparison needs. */
const openAll = async (wanted: readonly Asked[], { inTurn, atOnce }: { inTurn: number; atOnce: number }) => {
  const cleanUp = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
    cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
    const databases = new Map<number, Awaited<ReturnType<typeof startKeptData>>['postgres']>();
    for (const documents of new Set(wanted.map((asked) => asked.documents))) {
      const { postgres } = await startKeptData({ documents });
      cleanUp.defer(() => postgres.stop());
      databases.set(documents, postgres);
    }
    const portals = new Map<number, Awaited<ReturnType<typeof startProgram>>>();
    const run = async (asked: Asked): Promise<Running> => {
      const { documents, owner, makeQuery, isBare = false, isPublic = false, total } = asked;
      const postgres = databases.get(documents);
      if (postgres === undefined) throw new Error('no database was started');
      const { connection } = postgres;
      const start = async (name: string, order: object) => {
        const program = await startProgram(name, { connection, dataDir: join(folder, `${name}-${documents}`), ...order }, folder);
        cleanUp.defer(() => program.stop());
        return program;
      };
      const { personalId, cif } = owners[owner];
      const portal = portals.get(documents) ?? (await start('list-portal', {}));
      portals.set(documents, portal);
      const program = isBare
        ? await start('bare-list', { query: makeQuery(0), caller: isPublic ? anonymous : { personalId, cif } })
        : portal;
      const { port, headers } = isBare
        ? bareGreeting.parse(program.greeting)
        : { port: greeting.parse(program.greeting).port, headers: greeting.parse(program.greeting).headers[owner] };
      let turn = 0;
      const { path, bodyOf } = callOf(asked);
      const load = createLoad({
        port,
        headers: isPublic && !isBare ? () => ({ host: headers['host'] ?? '', 'x-forwarded-for': addressOf(turn) }) : headers,
        path,
        body: () => JSON.stringify(bodyOf((turn += 1))),
      });
      cleanUp.defer(() => Promise.resolve(load.close()));
      const said = answer.parse(JSON.parse(await load.ask()));
      if (total !== undefined && said.total !== total) throw new Error(`${said.total} documents were found, and there are ${total}`);
      await load.run({ inTurn: inTurn * 2, atOnce });
      const spent = (): number => cpuMsOf(program.pid) + cpuMsOfFamily(postgres.pid);
      return {
        async measure() {
          const before = spent();
          const asked = await load.run({ inTurn, atOnce });
          return (spent() - before) / asked;
        },
      };
    };
    return { run, cleanUp };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};

/** Many short answers, or few that take long. */
export const quick = { inTurn: 150, atOnce: 352 } as const;
export const slow = { inTurn: 20, atOnce: 16 } as const;

/** Ours alone, or taking turns with a floor. */
export const open = async (asked: { ours: Asked; floor?: Asked }, round: { inTurn: number; atOnce: number }): Promise<Measuring> => {
  const { run, cleanUp } = await openAll([asked.ours, ...(asked.floor === undefined ? [] : [asked.floor])], round);
  try {
    const floor = asked.floor === undefined ? undefined : await run(asked.floor);
    const ours = await run(asked.ours);
    return {
      ours: () => ours.measure(),
      ...(floor === undefined ? {} : { floor: () => floor.measure() }),
      [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
    };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};
