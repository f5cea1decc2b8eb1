import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createJobs } from '#platform/jobs/jobs.ts';
import { migrateJobs, startWorker, type Worker } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';
import { createFileObjects } from '#platform/objects/file-objects.ts';
import type { Objects } from '#platform/objects/objects.ts';
import type { PdfPool } from '#platform/pdf/pdf-pool.ts';
import { writePages } from '#testing/simple-pdf.ts';
import { createRenditions, type Renditions } from '#platform/renditions/renditions.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import { createRendering, type RenderableObject, type Rendering } from './rendering.door.ts';

/** A job prefetches the first page of a publication, before the document is opened. */

const width = 1240;
const client = '10000001';
const maxBytes = 2 ** 20;
let database: TestDatabase;
let pool: PdfPool;
let folder: string;
let objects: Objects;
let renditions: Renditions;
let worker: Worker;
let rendering: Rendering;
/** Pages in the order in which they were drawn. */
let drawn: number[];
/** Holds the reading of a document until the test lets it go on. */
let letRead: (objectKey: string) => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateJobs(database.pool, silentLog());
  pool = testPdfPool();
  folder = await mkdtemp(join(tmpdir(), 'ahead-of-readers-'));
  objects = await createFileObjects(join(folder, 'objects'));
  renditions = createRenditions({ dir: join(folder, 'renditions'), maxBytes });
  rendering = createRendering({
    renditions,
    jobs: createJobs(database.db),
    log: silentLog(),
    objects: {
      async open(key) {
        await letRead(key);
        return objects.open(key);
      },
    },
    pdf: {
      ...pool,
      async drawPage(job) {
        drawn.push(job.page);
        return pool.drawPage(job);
      },
    },
  });
  worker = await startWorker({ pool: database.pool, handlers: rendering.jobs, concurrency: 3, log: silentLog() });
});
afterAll(async () => {
  await worker.stop();
  await rendering.close();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  drawn = [];
  letRead = async () => {};
});

const publish = (object: RenderableObject): Promise<void> => database.db.transaction().execute((trx) => rendering.prepare(trx, [object]));
const isPrepared = (object: RenderableObject): Promise<boolean> => renditions.has({ sha256: object.sha256, width, page: 1 });

test('the first page is drawn, once however often it is published, and is there at once', { timeout: 30_000 }, async () => {
  const object = await store(5);
  await Promise.all([publish(object), publish(object)]);
  await expect.poll(() => isPrepared(object), { timeout: 20_000 }).toBe(true);
  await publish(object);
  const { pagesReady } = await rendering.poll(object, { width, waitMs: 0, client });
  expect(pagesReady).toEqual([1]);
  await waitUntilDone(object);
  expect(drawn.filter((page) => page === 1)).toEqual([1]);
});

test('nothing is drawn of a publication that failed', async () => {
  const object = await store(1);
  const undone = database.db.transaction().execute(async (trx) => {
    await rendering.prepare(trx, [object]);
    throw new Error('no publication');
  });
  await expect(undone).rejects.toThrow('no publication');
  const { rows } = await database.pool.query("select from graphile_worker.jobs where task_identifier = 'render-first-page'");
  expect(rows).toEqual([]);
});

test('many publications never keep more than one of the jobs from customers', { timeout: 30_000 }, async () => {
  const held = Promise.withResolvers<void>();
  const published = await Promise.all(Array.from({ length: 4 }, () => store(1)));
  const keys = new Set(published.map(({ objectKey }) => objectKey));
  letRead = async (key) => (keys.has(key) ? held.promise : undefined);
  for (const object of published) await publish(object);
  const begun = async (): Promise<number> => {
    const { rows } = await database.pool.query('select from graphile_worker.jobs where locked_at is not null');
    return rows.length;
  };
  await expect.poll(begun, { timeout: 20_000 }).toBe(1);
  const customer = await store(2);
  expect((await rendering.poll(customer, { width, waitMs: 20_000, client })).pagesReady).toContain(1);
  expect(await begun()).toBe(1);
  held.resolve();
  for (const object of published) await expect.poll(() => isPrepared(object), { timeout: 20_000 }).toBe(true);
  await waitUntilDone(customer);
});

test('a first page that cannot be drawn fails no document: its job ends', async () => {
  const object = { ...(await store(1)), sha256: 'ab'.repeat(32) };
  await publish(object);
  const waiting = async (): Promise<number> => (await database.pool.query('select from graphile_worker.jobs')).rows.length;
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
  expect(await isPrepared(object)).toBe(false);
});

test('each process that renders keeps the images within their limit', { timeout: 60_000 }, async () => {
  const before = await renditions.sweep();
  for (let written = before.bytes; written < maxBytes * 1.5; written += maxBytes / 4) {
    const imagePath = await renditions.makeWorkPath();
    await writeFile(imagePath, new Uint8Array(maxBytes / 4));
    await renditions.put({ sha256: hashOf(written), width, page: 1 }, { imagePath, size: maxBytes / 4 });
  }
  expect(renditions.isSweepDue()).toBe(true);
  const object = await store(1);
  await rendering.poll(object, { width, waitMs: 20_000, client });
  await expect.poll(() => renditions.isSweepDue(), { timeout: 20_000 }).toBe(false);
});

function hashOf(number: number): string {
  return String(number).padStart(64, '0').slice(-64);
}

async function waitUntilDone(object: RenderableObject): Promise<void> {
  await expect.poll(async () => (await rendering.poll(object, { width, waitMs: 0, client })).done, { timeout: 20_000 }).toBe(true);
}

let stored = 0;
async function store(pages: number): Promise<RenderableObject> {
  const entries = Array.from({ length: pages }, () => '');
  const { key, sha256 } = await objects.put(Readable.from([writePages(entries, '1.7', `% ${++stored}\n0 0 10 10 re f`)]));
  return { objectKey: key, sha256, pages };
}
