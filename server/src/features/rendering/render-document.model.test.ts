import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import type { RenderJob } from '#platform/pdf/pdf-pool.ts';
import { renditionFormat, type Renditions } from '#platform/renditions/renditions.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { renderDocument, type RenderPayload } from './render-document.ts';
import { findRendition, insertQueued, lookAtPage } from './rendering.store.ts';

const width = 1240;
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'render-document-'));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** What happens while one page is drawn. */
interface Moment {
  /** Somebody turns to this page. */
  readonly looksAt: number | null;
  /** Somebody asks for another document, here or in another process. */
  readonly isAsked: boolean;
  /** Another one is as urgent as this one, or more. */
  readonly isAnotherWaiting: boolean;
  readonly passesMs: number;
}

const moment: fc.Arbitrary<Moment> = fc.record({
  looksAt: fc.option(fc.integer({ min: 1, max: 45 }), { freq: 2 }),
  isAsked: fc.boolean(),
  isAnotherWaiting: fc.boolean(),
  passesMs: fc.constantFrom(5, 20, 200),
});
const quiet: Moment = { looksAt: null, isAsked: false, isAnotherWaiting: false, passesMs: 20 };

interface Story {
  readonly pages: number;
  readonly present: readonly number[];
  readonly moments: readonly Moment[];
  /** The how manieth page cannot be drawn, and which one not put in its place; the queue tries again. */
  readonly failures: readonly { readonly at: number; readonly where: 'drawing' | 'keeping' }[];
}

const story: fc.Arbitrary<Story> = fc.record({
  pages: fc.integer({ min: 1, max: 40 }),
  present: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 40 }),
  moments: fc.array(moment, { maxLength: 60 }),
  failures: fc.array(fc.record({ at: fc.integer({ min: 1, max: 40 }), where: fc.constantFrom('drawing', 'keeping') }), { maxLength: 3 }),
});

/** Draws as the threads do: the next page is asked for while the last one is put in its place. */
const renderAsThreadsDo = async (job: RenderJob, drawPage: (page: number) => Promise<void>): Promise<void> => {
  let handedOver = Promise.resolve();
  try {
    for (const page of job.pages) {
      await drawPage(page);
      await handedOver;
      handedOver = Promise.resolve(job.onPage({ page, imagePath: `${job.path}.${page}`, size: 1, width: 1, height: 1, type: 'image/png' }));
      handedOver.catch(() => undefined);
    }
  } finally {
    await handedOver;
  }
};

/** Runs what the queue holds until it holds nothing; which pages were put in place, and in how many turns. */
const play = async ({ pages, present, moments, failures }: Story) => {
  const bytes = Buffer.from(randomUUID());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const there = new Set(present.filter((page) => page <= pages));
  const put: number[] = [];
  const left = [...moments];
  const toFail = [...failures];
  let now = quiet;
  let [requests, drawn] = [0, 0];
  const failsNow = (where: 'drawing' | 'keeping'): boolean => {
    const index = toFail.findIndex((failure) => failure.where === where && failure.at <= drawn);
    if (index >= 0) toFail.splice(index, 1);
    return index >= 0;
  };
  const renditions: Pick<Renditions, 'listPages' | 'put' | 'makeWorkPath'> = {
    listPages: async () => new Set(there),
    makeWorkPath: async () => join(folder, randomUUID()),
    async put({ page }) {
      if (failsNow('keeping')) throw new Error('no place');
      there.add(page);
      put.push(page);
    },
  };
  const drawPage = async (): Promise<void> => {
    drawn += 1;
    now = left.shift() ?? quiet;
    if (now.looksAt !== null) await lookAtPage(database.db, { sha256, width, page: now.looksAt });
    if (now.isAsked) requests += 1;
    vi.advanceTimersByTime(now.passesMs);
    if (failsNow('drawing')) throw new Error('a thread that was lost');
  };
  const queue: RenderPayload[] = [
    { objectKey: 'key', sha256, pages, width, format: renditionFormat, priority: 'now', urgency: 0, queue: 'reader' },
  ];
  await insertQueued(database.db, { sha256, width, pages });
  let [turns, failed] = [0, 0];
  for (let payload = queue.shift(); payload !== undefined; payload = queue.shift()) {
    const of = payload;
    turns += 1;
    if (turns > 2 * pages + 10) throw new Error('it goes on for ever');
    const parts = {
      db: database.db,
      objects: { open: async () => Readable.from([bytes]) },
      pdf: { render: (job: RenderJob) => renderAsThreadsDo(job, drawPage) },
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Only these are used.
      renditions: renditions as Renditions,
      log: silentLog(),
      turns: {
        requests: () => requests,
        onNews: () => {},
        isAnotherMoreUrgent: async () => now.isAnotherWaiting,
        isAnotherAsUrgent: async () => now.isAnotherWaiting,
        goOnLater: async (next: RenderPayload) => void queue.push(next),
      },
    };
    await renderDocument(parts, of).catch(() => {
      failed += 1;
      queue.push(of);
    });
  }
  return { put, turns, failed, row: await findRendition(database.db, { sha256, width }) };
};

test(
  'wherever anybody looks, whoever else asks and whatever fails: each missing page is drawn, once, in no more turns than pages and failures',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        const { put, turns, failed, row } = await play(told);
        const missing = Array.from({ length: told.pages }, (_, index) => index + 1).filter((page) => !told.present.includes(page));
        expect(put.toSorted((one, other) => one - other)).toEqual(missing);
        expect(row?.state).toBe('done');
        expect(failed).toBeLessThanOrEqual(told.failures.length);
        // A turn that does not fail draws at least one page.
        expect(turns - failed).toBeLessThanOrEqual(Math.max(1, missing.length));
      }),
      { numRuns: process.env['NIGHTLY'] === '1' ? 500 : 60 },
    );
  },
);
