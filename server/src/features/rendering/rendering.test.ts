import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createJobs, type AddOptions, type Jobs } from '#platform/jobs/jobs.ts';
import { migrateJobs, startWorker } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';
import { createFileObjects } from '#platform/objects/file-objects.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { createPdfPool, type PdfPool } from '#platform/pdf/pdf-pool.ts';
import { writePages } from '#platform/pdf/simple-pdf.ts';
import { createRenditions, renditionFormat, type Renditions } from '#platform/renditions/renditions.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createRendering, type RenderableObject, type Rendering } from './rendering.door.ts';

const width = 1240;
const progress = { done: false, pagesReady: [] as number[], failed: false };
let database: TestDatabase;
let pool: PdfPool;
let folder: string;
let objects: Objects;
let renditions: Renditions;
let queue: { payload: object; options: AddOptions }[];
let drawn: number[][];
let rendering: Rendering;

/** Keeps jobs until the test says that a worker takes them. */
const collectingJobs: Jobs = {
  add: async (_name, payload, options = {}) => void queue.push({ payload, options }),
  isWaiting: async () => false,
};
/** The pool, with a record of what it was asked to draw. */
const watchedPdf: Pick<PdfPool, 'render' | 'readLines'> = {
  render: (job) => {
    const pages = [...job.pages];
    drawn.push(pages);
    return pool.render({ ...job, pages });
  },
  readLines: (job) => pool.readLines(job),
};

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPdfPool({ log: silentLog(), workers: 1 });
});
afterAll(async () => {
  await pool.close();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rendering-'));
  objects = await createFileObjects(join(folder, 'objects'));
  renditions = createRenditions({ dir: join(folder, 'renditions') });
  queue = [];
  drawn = [];
  rendering = open();
  await database.db.deleteFrom('rendition').execute();
});
afterEach(() => rm(folder, { recursive: true }));

describe('asking', () => {
  test('the first to ask puts the document in the queue, the second only learns how far it is', async () => {
    const object = await store(3);
    expect(await rendering.request(object, width)).toEqual(progress);
    expect(await rendering.request(object, width)).toEqual(progress);
    expect(queue).toHaveLength(1);
  });

  test('of many who ask at once, one puts the document in the queue', async () => {
    const object = await store(1);
    await Promise.all(Array.from({ length: 5 }, () => rendering.request(object, width)));
    expect(queue).toHaveLength(1);
  });

  test('each width is made for itself', async () => {
    const object = await store(1);
    await rendering.request(object, 1240);
    await rendering.request(object, 1860);
    await runQueue();
    expect(await rendering.request(object, 1860)).toEqual({ done: true, pagesReady: upTo(1), failed: false });
    const [narrow, wide] = await Promise.all([1240, 1860].map((each) => rendering.openPage(object, { width: each, page: 1 })));
    expect(narrow?.bytes).not.toEqual(wide?.bytes);
  });

  test('a width nobody is offered is refused', async () => {
    await expect(rendering.request(await store(1), 20_000)).rejects.toThrow(RangeError);
  });

  test('whoever begins to look goes before work done ahead of time', async () => {
    const object = await store(1);
    await rendering.request(object, width);
    await rendering.requestAndWait(object, { width, waitMs: 0 });
    const [ahead, looking] = queue.map(({ options }) => options);
    expect(looking?.jobKey).toBe(ahead?.jobKey);
    expect(looking?.priority).toBeLessThan(ahead?.priority ?? 0);
    expect(looking?.runAt).toBeInstanceOf(Date);
  });
});

describe('whose turn it is', () => {
  const placeInQueue = (jobKey: string | undefined): number | undefined =>
    queue.findLast(({ options }) => options.jobKey === jobKey)?.options.priority;
  /** The pool, which tells of each page that it handed over. */
  const noting = (pages: number[]): Pick<PdfPool, 'render' | 'readLines'> => ({
    render: (job) =>
      pool.render({
        ...job,
        async onPage(page) {
          pages.push(page.page);
          await job.onPage(page);
        },
      }),
    readLines: (job) => pool.readLines(job),
  });
  const look = async (reader: string, content: string): Promise<{ object: RenderableObject; jobKey: string | undefined }> => {
    const object = await store(1, content);
    await rendering.requestAndWait(object, { width, waitMs: 0, reader });
    return { object, jobKey: queue.at(-1)?.options.jobKey };
  };

  test('the second document of one reader goes after the first of another', async () => {
    const greedy = [await look('10000001', '% a'), await look('10000001', '% b'), await look('10000001', '% c')];
    const modest = await look('10000002', '% d');
    expect(greedy.map(({ jobKey }) => placeInQueue(jobKey))).toEqual([0, 1, 2]);
    expect(placeInQueue(modest.jobKey)).toBe(0);
  });

  test('a document moves up when an earlier one of its reader is done', async () => {
    const [first, second] = [await look('10000001', '% e'), await look('10000001', '% f')];
    expect(placeInQueue(second.jobKey)).toBe(1);
    queue = queue.filter(({ options }) => options.jobKey === first.jobKey);
    await runQueue();
    await rendering.requestAndWait(second.object, { width, waitMs: 0, reader: '10000001' });
    expect(placeInQueue(second.jobKey)).toBe(0);
  });

  test('work done ahead of time goes after the last place of anybody', async () => {
    const last = [];
    for (let count = 0; count < 30; count++) last.push((await look('10000001', `% g${count}`)).jobKey);
    await rendering.request(await store(1, '% h'), width);
    expect(placeInQueue(last.at(-1))).toBeLessThan(queue.at(-1)?.options.priority ?? 0);
  });

  test('a long document lets a more urgent one go first, and goes on where it stopped', async () => {
    const waiting: number[] = [];
    const jobs: Jobs = { ...collectingJobs, isWaiting: async (_name, { priority }) => waiting.some((other) => other <= priority) };
    const watched: number[] = [];
    rendering = open({ jobs, pdf: noting(watched) });
    await look('10000001', '% i');
    const long = await store(40, '% j');
    await rendering.requestAndWait(long, { width, waitMs: 0, reader: '10000001' });
    queue = queue.slice(-1);
    waiting.push(0);
    await runQueue();
    // Another is looked for every 40 ms; a page is drawn while the one before is stored.
    expect(watched.length).toBeLessThan(40);
    const { pagesReady, done } = await rendering.requestAndWait(long, { width, waitMs: 0, reader: '10000001' });
    expect([done, pagesReady]).toEqual([false, upTo(watched.length)]);
    expect(new Set(queue.map(({ options }) => options.priority))).toEqual(new Set([21]));
    waiting.pop();
    await runQueue();
    expect(watched).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(await rendering.request(long, width)).toMatchObject({ done: true });
  });

  test('one as urgent waits for a longer turn', async () => {
    const drawnPages: number[] = [];
    const jobs: Jobs = { ...collectingJobs, isWaiting: async (_name, { priority }) => priority >= 20 };
    rendering = open({ jobs, pdf: noting(drawnPages) });
    await rendering.requestAndWait(await store(40, '% k'), { width, waitMs: 0, reader: '10000001' });
    await runQueue();
    expect(drawnPages.length).toBeGreaterThanOrEqual(24);
  });
});

describe('drawing', () => {
  test('every page can be opened when the document is done', async () => {
    const object = await store(12);
    await rendering.request(object, width);
    expect(await rendering.openPage(object, { width, page: 1 })).toBeUndefined();
    await runQueue();
    expect(await rendering.request(object, width)).toEqual({ done: true, pagesReady: upTo(12), failed: false });
    const images = await Promise.all(Array.from({ length: 12 }, (_, index) => rendering.openPage(object, { width, page: index + 1 })));
    expect(images.map((image) => image?.type)).toEqual(Array.from({ length: 12 }, () => 'image/png'));
    expect(await rendering.openPage(object, { width, page: 13 })).toBeUndefined();
  });

  test('pages are told while later ones are still being drawn', async () => {
    const object = await store(3);
    const second = Promise.withResolvers<void>();
    const resumed = Promise.withResolvers<void>();
    rendering = open({
      pdf: {
        ...watchedPdf,
        render: (job) =>
          pool.render({
            ...job,
            async onPage(page) {
              if (page.page === 2) {
                second.resolve();
                await resumed.promise;
              }
              await job.onPage(page);
            },
          }),
      },
    });
    await rendering.request(object, width);
    const running = runQueue();
    await second.promise;
    expect(await rendering.request(object, width)).toEqual({ done: false, pagesReady: upTo(1), failed: false });
    expect(await rendering.openPage(object, { width, page: 1 })).toBeDefined();
    expect(await rendering.openPage(object, { width, page: 2 })).toBeUndefined();
    resumed.resolve();
    await running;
    expect(await rendering.request(object, width)).toEqual({ done: true, pagesReady: upTo(3), failed: false });
  });

  test('a job begun again draws only the pages that are missing', async () => {
    const object = await store(4);
    await rendering.request(object, width);
    await runQueue({ andKeep: true });
    for (const page of [2, 4])
      await rm(join(folder, 'renditions', `v${renditionFormat}`, object.sha256.slice(0, 2), object.sha256, '1240', String(page)));
    await database.db.updateTable('rendition').set({ state: 'rendering' }).execute();
    await runQueue();
    expect(drawn).toEqual([
      [1, 2, 3, 4],
      [2, 4],
    ]);
    expect(await rendering.request(object, width)).toEqual({ done: true, pagesReady: upTo(4), failed: false });
  });

  test('a job for what is done already draws nothing', async () => {
    await rendering.request(await store(2), width);
    await runQueue({ andKeep: true });
    await runQueue();
    expect(drawn).toHaveLength(1);
  });

  test('a document whose images were deleted is drawn again', async () => {
    const object = await store(2);
    await rendering.request(object, width);
    await runQueue();
    await renditions.remove(object.sha256);
    expect(await rendering.openPage(object, { width, page: 1 })).toBeUndefined();
    expect(await rendering.request(object, width)).toEqual(progress);
    await runQueue();
    expect(await rendering.openPage(object, { width, page: 2 })).toBeDefined();
  });

  test('no copy of the document stays behind', async () => {
    const object = await store(1);
    await rendering.request(object, width);
    await runQueue();
    expect(await workFiles()).toEqual([]);
  });
});

describe('failing', () => {
  test('bytes other than the published ones are never shown', async () => {
    const object = { ...(await store(1)), sha256: 'ab'.repeat(32) };
    await rendering.request(object, width);
    await runQueue();
    expect(await rendering.request(object, width)).toEqual({ ...progress, failed: true });
    expect(drawn).toEqual([]);
    expect(await rendering.openPage(object, { width, page: 1 })).toBeUndefined();
    expect(await workFiles()).toEqual([]);
  });

  test('a page that cannot be drawn fails the document; a minute later it is tried again', async () => {
    const object = { ...(await store(2)), pages: 3 };
    await rendering.request(object, width);
    await runQueue();
    expect(await rendering.request(object, width)).toMatchObject({ done: false, failed: true });
    expect(queue).toHaveLength(0);
    await age('61 seconds');
    expect(await rendering.request(object, width)).toEqual({ ...progress, pagesReady: upTo(2) });
    expect(queue).toHaveLength(1);
  });

  test('a store that cannot be read fails the attempt and leaves the next one to the queue', async () => {
    const object = { ...(await store(1)), objectKey: '00000000-0000-4000-8000-000000000000' };
    await rendering.request(object, width);
    await expect(runQueue({ andKeep: true })).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
    expect(await rendering.request(object, width)).toMatchObject({ failed: true });
    await expect(runQueue()).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
  });

  test('a document whose job was lost is put in the queue again', async () => {
    const object = await store(1);
    await rendering.request(object, width);
    await age('119 seconds');
    await rendering.request(object, width);
    expect(queue).toHaveLength(1);
    await age('2 seconds');
    await Promise.all([rendering.request(object, width), rendering.request(object, width)]);
    expect(queue).toHaveLength(2);
  });

  test('a job cut short by the end of the process is left to the next one', async () => {
    const object = await store(2);
    await rendering.request(object, width);
    await expect(runQueue({ andKeep: true, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(await rendering.request(object, width)).toEqual(progress);
    await runQueue();
    expect(await rendering.request(object, width)).toMatchObject({ done: true });
  });
});

describe('texts of pages', () => {
  const text = 'BT /F 8 Tf 10 70 Td (Umowa) Tj ET';
  /** The pool, which notes which pages it read. */
  const noting = (read: number[][]): Pick<PdfPool, 'render' | 'readLines'> => ({
    ...watchedPdf,
    readLines: (job) => {
      read.push([...job.pages]);
      return pool.readLines(job);
    },
  });

  test('neighbours are read together, once for however many ask, and kept', async () => {
    const read: number[][] = [];
    const here = open({ pdf: noting(read) });
    const object = await store(20, text);
    const asked = await Promise.all([3, 1, 3].map((page) => here.readPageText(object, { page, reader: '10000001' })));
    expect(asked.map(({ lines }) => lines[0]?.runs[0]?.text)).toEqual(['Umowa', 'Umowa', 'Umowa']);
    await here.readPageText(object, { page: 16 });
    expect(read).toEqual([Array.from({ length: 16 }, (_, index) => index + 1)]);
    await here.readPageText(object, { page: 20 });
    expect(read[1]).toEqual([17, 18, 19, 20]);
    await renditions.remove(object.sha256);
    await here.readPageText(object, { page: 20 });
    expect(read).toHaveLength(3);
    expect(await workFiles()).toEqual([]);
  });

  test('nothing is read of a document whose bytes are not those that were published', async () => {
    const object = { ...(await store(1, text)), sha256: 'ef'.repeat(32) };
    await expect(rendering.readPageText(object, { page: 1, reader: '10000001' })).rejects.toMatchObject({ code: 'RENDER_ERROR' });
    expect(await renditions.openText({ sha256: object.sha256, page: 1 })).toBeUndefined();
    // The same reader is served all the same.
    expect((await rendering.readPageText(await store(1, text), { page: 1, reader: '10000001' })).lines).toHaveLength(1);
  });
});

describe('with the job runner', () => {
  test('a short document is there when the first answer is given, whichever process draws it', { timeout: 30_000 }, async () => {
    const object = await store(2);
    await migrateJobs(database.pool, silentLog());
    const jobs = createJobs(database.db);
    const elsewhere = open({ jobs });
    const worker = await startWorker({ pool: database.pool, handlers: elsewhere.jobs, concurrency: 1, log: silentLog() });
    const here = open({ jobs });
    // The moment that the other pages are waited for does not pass, however slow the machine is.
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      expect(await here.requestAndWait(object, { width, waitMs: 20_000 })).toEqual({ done: true, pagesReady: upTo(2), failed: false });
      const another = await store(1, '1 0 0 rg 0 0 5 5 re f');
      expect(await elsewhere.requestAndWait(another, { width, waitMs: 20_000 })).toEqual({
        done: true,
        pagesReady: upTo(1),
        failed: false,
      });
      expect(await here.requestAndWait({ ...another, sha256: 'cd'.repeat(32) }, { width, waitMs: 20_000 })).toMatchObject({ failed: true });
    } finally {
      vi.useRealTimers();
      await worker.stop();
    }
  });
});

function open(parts: { jobs?: Jobs; pdf?: Pick<PdfPool, 'render' | 'readLines'> } = {}): Rendering {
  return createRendering({ db: database.db, objects, pdf: watchedPdf, renditions, jobs: collectingJobs, log: silentLog(), ...parts });
}

async function store(pages: number, content?: string): Promise<RenderableObject> {
  const bytes = writePages(
    Array.from({ length: pages }, () => ''),
    '1.7',
    content,
  );
  const { key, sha256 } = await objects.put(Readable.from([bytes]));
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  return { objectKey: key, sha256, pages };
}

/** As a worker would: the payload as JSON, each job once, those of the same key replaced. */
async function runQueue({ andKeep = false, signal }: { andKeep?: boolean; signal?: AbortSignal } = {}): Promise<void> {
  const waiting = new Map(queue.map(({ payload, options }) => [options.jobKey, payload]));
  if (!andKeep) queue = [];
  const handle = rendering.jobs['render-document'];
  for (const payload of waiting.values()) await handle?.(JSON.parse(JSON.stringify(payload)), signal ?? new AbortController().signal);
}

async function age(interval: string): Promise<void> {
  await sql`update rendition set updated_at = updated_at - ${interval}::interval`.execute(database.db);
}

async function workFiles(): Promise<string[]> {
  return readdir(join(folder, 'renditions', 'work'));
}

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
