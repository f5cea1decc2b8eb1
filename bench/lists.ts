import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls, type Criterion, type DocumentQuery } from '@pergamin/contract';
import * as z from 'zod/mini';
import { cpuMsOf, cpuMsOfFamily } from './cpu.ts';
import { startKeptData } from './kept-data.ts';
import { createLoad } from './load.ts';
import { owners } from './million.data.ts';
import { startProgram } from './program.ts';
import type { Measuring, Promised } from './promise.ts';

type Owner = keyof typeof owners;

interface Asked {
  readonly documents: number;
  readonly owner: Owner;
  /** Another for each number, where an answer could be remembered. */
  readonly makeQuery: (turn: number) => DocumentQuery;
  /** Asked instead: what the pages of the owner's documents say. */
  readonly makeText?: (turn: number) => string;
  /** Answered by the least that could: Fastify without a plugin and the same prepared rows statement. */
  readonly isBare?: boolean;
  /** What the answer says there is. */
  readonly total?: number;
}

const million = 1_000_000;

const queryOf = (
  query: Partial<Omit<DocumentQuery, 'criteria'>> & { metadata?: Criterion[]; isOfAllTime?: boolean } = {},
): DocumentQuery => ({
  text: query.text ?? null,
  criteria: {
    metadata: [
      { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
      { id: 'PERGAMIN_ST_DOC_TYPE', operator: 'NOT_EQUALS', value: 'STATEMENTS' },
      ...(query.metadata ?? []),
    ],
    // LAST_3_MONTHS on the last day of the data.
    period:
      query.isOfAllTime === true
        ? null
        : { start: Date.parse('2026-08-01T00:00:00+02:00'), end: Date.parse('2026-11-01T23:59:59.999+01:00') },
  },
  sort: query.sort ?? [{ by: 'PUBLICATION_DATE', order: 'desc' }],
  page: query.page ?? 0,
  size: 100,
});

const bareGreeting = z.object({ port: z.int(), headers: z.record(z.string(), z.string()) });
const greeting = z.object({ port: z.int(), headers: z.record(z.enum(['large', 'small']), z.record(z.string(), z.string())) });
const answer = z.object({ items: z.array(z.unknown()), total: z.int() });

interface Running {
  /** Of one request, in ms of Node and PostgreSQL together. */
  measure(): Promise<number>;
}

/** Portals on the data, one for each number of documents, and whatever bare programs are wanted beside them. */
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
    const run = async ({ documents, owner, makeQuery, makeText, isBare = false, total }: Asked): Promise<Running> => {
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
      const program = isBare ? await start('bare-list', { query: makeQuery(0), caller: { personalId, cif } }) : portal;
      const { port, headers } = isBare
        ? bareGreeting.parse(program.greeting)
        : { port: greeting.parse(program.greeting).port, headers: greeting.parse(program.greeting).headers[owner] };
      let turn = 0;
      const makeBody = (): object => {
        turn += 1;
        return makeText === undefined ? makeQuery(turn) : { text: makeText(turn), size: 10 };
      };
      const { path } = makeText === undefined ? calls.listOwnDocuments : calls.searchOwnDocuments;
      const load = createLoad({ port, headers, path, body: () => JSON.stringify(makeBody()) });
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
const quick = { inTurn: 150, atOnce: 352 } as const;
const slow = { inTurn: 20, atOnce: 16 } as const;

const open = async (asked: { ours: Asked; floor: Asked }, round: { inTurn: number; atOnce: number }): Promise<Measuring> => {
  const { run, cleanUp } = await openAll([asked.ours, asked.floor], round);
  try {
    const floor = await run(asked.floor);
    const ours = await run(asked.ours);
    return { floor: () => floor.measure(), ours: () => ours.measure(), [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};

const large = (makeQuery: Asked['makeQuery'], total?: number): Asked => ({
  documents: million,
  owner: 'large',
  makeQuery,
  ...(total === undefined ? {} : { total }),
});
const opening = (): DocumentQuery => queryOf();
/** What the owner's lists hold: a hundred thousand of their own and those of two groups since they joined. */
const largeTotal = 100_055;
const bare: Asked = { ...large(opening), isBare: true };

const ratio = (name: string, promise: string, limit: number, asked: { ours: Asked; floor: Asked }): Promised => ({
  name,
  promise,
  unit: 'ms CPU',
  limit,
  rounds: 7,
  open: () => open(asked, quick),
});

/** Beside the opening list of the same owner, answered by the least that could. */
const within = (name: string, promise: string, limit: number, ours: Asked): Promised => ({
  name,
  promise,
  unit: 'ms CPU',
  limit,
  isAbsolute: true,
  rounds: 5,
  open: () => open({ ours, floor: bare }, slow),
});

const allTime = (page: number): Asked => large(() => queryOf({ isOfAllTime: true, page }), largeTotal);
const sorted = (by: string, order: 'asc' | 'desc'): Asked => large(() => queryOf({ isOfAllTime: true, sort: [{ by, order }] }), largeTotal);
const filtered = (makeCriteria: (turn: number) => Criterion[], sort?: DocumentQuery['sort']): Asked =>
  large((turn) => queryOf({ isOfAllTime: true, metadata: makeCriteria(turn), ...(sort === undefined ? {} : { sort }) }));

/** Case numbers end in six digits. */
const caseNumbers = (turn: number): Criterion[] => [
  { id: 'PRIV_CASE_NUMBER', operator: 'LIKE', value: `%${String(100_000 + ((turn * 7_919) % 900_000))}%` },
];
const options = ['LOANS', 'ACCOUNTS', 'CARDS', 'DEPOSITS', 'INSURANCE', 'INVESTMENTS', 'LEASING', 'OTHER'];
const days = (turn: number): string => `2019-${String(1 + (turn % 12)).padStart(2, '0')}-${String(1 + (turn % 28)).padStart(2, '0')}`;

/** A million documents, of which one owner has a hundred thousand and another a hundred. */
export const lists: readonly Promised[] = [
  ratio('lists-floor', 'the opening list of an owner of 100 000, against bare Fastify and the same prepared rows query', 2.5, {
    ours: large(opening),
    floor: bare,
  }),
  ratio('lists-owner', 'the opening list of an owner of 100 000, against that of an owner of 100', 2, {
    ours: large(opening),
    floor: { documents: million, owner: 'small', makeQuery: opening, total: 100 },
  }),
  ratio('lists-million', 'the opening list of an owner of 100 among 1 000 000 documents, against 100 000 in all', 1.2, {
    ours: { documents: million, owner: 'small', makeQuery: opening, total: 100 },
    floor: { documents: 100_000, owner: 'small', makeQuery: opening, total: 100 },
  }),
  ratio('lists-last-page', 'the last full page of 100 055, against the first', 2, { ours: allTime(999), floor: allTime(0) }),
  ratio('lists-last-page-of-period', 'the last full page of the opening list, against the first', 2, {
    ours: large(() => queryOf({ page: 29 })),
    floor: large(opening),
  }),
  within('lists-any-page', 'the page in the middle of 100 055, farthest from both ends', 20, allTime(500)),
  within('lists-sort-text', '100 055 sorted by case number', 30, sorted('PRIV_CASE_NUMBER', 'asc')),
  within('lists-sort-option', '100 055 sorted by product group', 30, sorted('PRIV_DOC_PRODUCT_GROUP', 'asc')),
  within('lists-sort-date', '100 055 sorted by registration date', 30, sorted('REG_DATE', 'asc')),
  within('lists-filter-text', '100 055 searched for a part of a case number', 30, filtered(caseNumbers)),
  within(
    'lists-filter-many',
    '100 055 narrowed by product group, account and date, sorted by case number',
    30,
    filtered(
      (turn) => [
        { id: 'PRIV_DOC_PRODUCT_GROUP', operator: 'EQUALS', value: options[turn % options.length] ?? '' },
        { id: 'ACCOUNT_NUMBER', operator: 'LIKE', value: '%1090%' },
        { id: 'REG_DATE', operator: 'GQ', value: days(turn) },
      ],
      [{ by: 'PRIV_CASE_NUMBER', order: 'asc' }],
    ),
  ),
  within(
    'lists-free-text',
    '100 055 searched by the free text',
    30,
    large((turn) => queryOf({ isOfAllTime: true, text: `%${String(100_000 + ((turn * 7_919) % 900_000))}%` })),
  ),
];

const searched = (makeText: (turn: number) => string): Asked => ({ ...large(opening), makeText });

/** Full text of an owner of 100 000 documents of two pages, among the texts of twice as many. */
export const searches: readonly Promised[] = [
  within(
    'search-rare',
    'a word of a few of 112 000 documents',
    30,
    searched((turn) => `slowo${15_000 + ((turn * 7_919) % 5_000)}`),
  ),
  within(
    'search-several',
    'a frequent word and the beginning of another',
    100,
    searched((turn) => `umowa slowo1${String(turn % 90).padStart(2, '0')}`),
  ),
  within(
    'search-all',
    'a word that all 112 000 documents have',
    250,
    searched(() => 'umowa'),
  ),
];
