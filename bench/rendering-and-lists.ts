import { join } from 'node:path';
import { calls, type DocumentQuery } from '@pergamin/contract';
import * as z from 'zod/mini';
import { onFreshPostgres } from './fresh-postgres.ts';
import { createLoad } from './load.ts';
import { type RunningProgram, startProgram } from './program.ts';
import type { Measuring, Promised } from './promise.ts';
import { startRenderer } from './render-page.ts';

const query: DocumentQuery = {
  text: null,
  criteria: { metadata: [{ id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' }], period: null },
  sort: [{ by: 'PUBLICATION_DATE', order: 'desc' }],
  page: 0,
  size: 100,
};

const greeting = z.object({ port: z.int(), headers: z.record(z.string(), z.string()) });
const figures = z.object({ mainThreadMs: z.number(), delayP99Ms: z.number(), isAtWork: z.boolean() });
/** Of one round: what a list call took, in ms, and what it cost the thread that answers. */
interface Round {
  readonly p95Ms: number;
  readonly mainThreadMs: number;
  readonly delayP99Ms: number;
  /** Pages were still drawn when the last call was answered. */
  readonly isAtWork: boolean;
}

const rounds = 5;
/** Twenty pages each: a little more than is drawn while the calls of a round are made. */
const documentsPerRound = 16;
const callsPerRound = 200;
/** Milliseconds between two calls of one person reading lists; this is no load test. */
const pauseMs = 5;

/** Draws the same pages again and again, until what is done beside it is done. */
const beside = async <T>(renderer: RunningProgram, work: () => Promise<T>): Promise<T> => {
  const over = new AbortController();
  const drawing = (async () => {
    while (!over.signal.aborted) await renderer.ask('look');
  })();
  try {
    return await work();
  } finally {
    over.abort();
    await drawing;
  }
};

/** What a list call is compared with. */
type Floor = 'rest' | 'drawn elsewhere' | undefined;

const open = (valueOf: (round: Round) => number, floor: Floor): Promise<Measuring> =>
  onFreshPostgres(async ({ folder, postgres, cleanUp }) => {
    const documents = rounds * documentsPerRound + documentsPerRound;
    const order = { connection: postgres.connection, dataDir: join(folder, 'portal'), documents };
    const portal = await startProgram('rendering-portal', order, folder);
    cleanUp.defer(() => portal.stop());
    const { port, headers } = greeting.parse(portal.greeting);
    const load = createLoad({ port, headers, path: calls.listOwnDocuments.path, body: JSON.stringify(query) });
    cleanUp.defer(() => Promise.resolve(load.close()));

    const askInTurn = async (): Promise<Round> => {
      await portal.ask('figures');
      const times: number[] = [];
      for (let call = 0; call < callsPerRound; call += 1) {
        const startedAt = performance.now();
        await load.ask();
        times.push(performance.now() - startedAt);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      const { mainThreadMs, delayP99Ms, isAtWork } = figures.parse(await portal.ask('figures'));
      const p95Ms = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? Number.NaN;
      return { p95Ms, mainThreadMs: mainThreadMs / callsPerRound, delayP99Ms, isAtWork };
    };
    await askInTurn();
    const renderer = floor === 'drawn elsewhere' ? (await startRenderer(cleanUp)).renderer : undefined;
    await renderer?.ask('look');
    const idle = async (): Promise<number> => {
      await portal.ask('rest');
      return valueOf(await (renderer === undefined ? askInTurn() : beside(renderer, askInTurn)));
    };
    return {
      async ours() {
        await portal.ask(`draw ${documentsPerRound}`);
        if (renderer === undefined) return valueOf(await askInTurn());
        // The floor renders outside the portal, so calls for documents are sent only in our own round and their cost is counted there.
        await portal.ask('answered');
        const round = await askInTurn();
        if (!round.isAtWork) throw new Error('the documents were drawn before the lists were asked for: there was nothing to compare');
        return valueOf(round);
      },
      ...(floor === undefined ? {} : { floor: idle }),
    };
  });

/** Lists stay as fast while documents are rendered. */
export const renderingAndLists: readonly Promised[] = [
  {
    name: 'rendering-and-lists-p95',
    promise: 'the slowest twentieth of list calls while documents are drawn, against a portal at rest',
    unit: 'ms',
    limit: 2,
    rounds,
    open: () => open(({ p95Ms }) => p95Ms, 'rest'),
  },
  {
    name: 'rendering-and-lists-cpu',
    promise: 'the main thread for one list call while documents are drawn (with what their keeping takes), against a portal at rest',
    unit: 'ms CPU',
    limit: 1.5,
    rounds,
    open: () => open(({ mainThreadMs }) => mainThreadMs, 'rest'),
  },
  {
    // Other processes share our caches and cores; the share of the CPU that they cost us is not counted as ours.
    name: 'rendering-and-lists-own-cpu',
    promise:
      'the same, once those who opened documents are answered, against a portal at rest beside another process that draws the same pages',
    unit: 'ms CPU',
    limit: 1.1,
    rounds,
    open: () => open(({ mainThreadMs }) => mainThreadMs, 'drawn elsewhere'),
  },
  {
    name: 'rendering-and-lists-delay',
    promise: 'delay of the event loop while documents are drawn and lists are asked for, 99 of 100',
    unit: 'ms',
    limit: 10,
    rounds,
    open: () => open(({ delayP99Ms }) => delayP99Ms, undefined),
  },
];
