import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as passing } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createJobs } from '#platform/jobs/jobs.ts';
import { migrateJobs, startWorker, type Worker } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';
import { createFileObjects } from '#platform/objects/file-objects.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { createPdfPool, type PdfPool } from '#platform/pdf/pdf-pool.ts';
import { writePages } from '#platform/pdf/simple-pdf.ts';
import { createRenditions, type Renditions } from '#platform/renditions/renditions.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { createRendering, type RenderableObject, type Rendering } from './rendering.door.ts';

const width = 1240;
const reader = '10000001';
const maxBytes = 2 ** 20;
const pageMs = 10;
let database: TestDatabase;
let pool: PdfPool;
let folder: string;
let objects: Objects;
let renditions: Renditions;
let worker: Worker;
/** Two processes of one portal: one is asked, the other draws. */
let here: Rendering;
let elsewhere: Rendering;
/** Pages in the order in which they were drawn; each waits until it is let through. */
let drawn: number[];
let letThrough: (page: number) => Promise<void>;
/** Likewise, before a document is read. */
let letRead: (objectKey: string) => Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  await migrateJobs(database.pool, silentLog());
  pool = createPdfPool({ log: silentLog(), workers: 1 });
  folder = await mkdtemp(join(tmpdir(), 'looking-'));
  objects = await createFileObjects(join(folder, 'objects'));
  renditions = createRenditions({ dir: join(folder, 'renditions'), maxBytes });
  const parts = { db: database.db, objects, renditions, jobs: createJobs(database.db), log: silentLog() };
  here = createRendering({ ...parts, pdf: pool });
  elsewhere = createRendering({
    ...parts,
    objects: {
      async open(key) {
        await letRead(key);
        return objects.open(key);
      },
    },
    pdf: {
      readLines: (job) => pool.readLines(job),
      render: (job) =>
        pool.render({
          ...job,
          async onPage(page) {
            await letThrough(page.page);
            drawn.push(page.page);
            await job.onPage(page);
          },
        }),
    },
  });
  worker = await startWorker({ pool: database.pool, handlers: elsewhere.jobs, concurrency: 3, log: silentLog() });
});
afterAll(async () => {
  await worker.stop();
  await pool.close();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  drawn = [];
  letThrough = async () => {};
  letRead = async () => {};
});

describe('whoever looks', () => {
  test('at a page far behind sees it drawn next, though another process draws', { timeout: 30_000 }, async () => {
    const object = await store(60);
    const second = Promise.withResolvers<void>();
    const looked = Promise.withResolvers<void>();
    letThrough = async (page) => {
      // What a page takes at least: those drawn before the word arrives stay few, however fast the machine is.
      if (page !== 2) await passing(pageMs);
      else {
        second.resolve();
        await looked.promise;
      }
    };
    await here.requestAndWait(object, { width, waitMs: 0, reader });
    await second.promise;
    await here.requestAndWait(object, { width, waitMs: 0, reader, page: 50 });
    looked.resolve();
    const { pagesReady } = await here.requestAndWait(object, { width, waitMs: 20_000, reader, page: 50 });
    expect(pagesReady).toContain(50);
    expect(await waitUntilDone(object)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    // Told within 150 ms; around it the rest.
    expect(drawn.indexOf(50)).toBeLessThan(30);
    expect(drawn.indexOf(51)).toBeLessThan(drawn.indexOf(40));
    expect(drawn.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  test('is answered as soon as the first page is there, not when the last one is', { timeout: 30_000 }, async () => {
    const object = await store(3);
    const last = Promise.withResolvers<void>();
    letThrough = (page) => (page === 1 ? Promise.resolve() : last.promise);
    expect(await here.requestAndWait(object, { width, waitMs: 20_000, reader })).toEqual({ done: false, failed: false, pagesReady: [1] });
    last.resolve();
    await waitUntilDone(object);
  });

  test('opens a page that is still to be drawn, and waits for it a moment', { timeout: 30_000 }, async () => {
    const object = await store(40);
    await here.requestAndWait(object, { width, waitMs: 0, reader });
    const image = await here.openPage(object, { width, page: 39, reader });
    // On a machine that is busy the moment may pass: then it is asked for again.
    expect(image ?? (await here.openPage(object, { width, page: 39, reader }))).toBeDefined();
    await waitUntilDone(object);
  });

  test('at a page whose image was removed sees it again', { timeout: 30_000 }, async () => {
    const object = await store(4);
    await here.requestAndWait(object, { width, waitMs: 20_000, reader });
    await waitUntilDone(object);
    await renditions.remove(object.sha256);
    await expect.poll(() => here.openPage(object, { width, page: 3, reader }), { timeout: 20_000 }).toBeDefined();
    await waitUntilDone(object);
  });

  test('at a page of what nobody asked for starts nothing', async () => {
    const object = await store(2);
    expect(await here.openPage(object, { width, page: 1, reader })).toBeUndefined();
    expect(await countOf('rendition', object)).toBe(0);
  });
});

describe('ahead of the first reader', () => {
  const publish = (object: RenderableObject): Promise<void> => database.db.transaction().execute((trx) => here.prepare(trx, object));
  const isPrepared = (object: RenderableObject): Promise<boolean> => renditions.has({ sha256: object.sha256, width, page: 1 });

  test('the first page is drawn, once however often it is published, and is there at once', { timeout: 30_000 }, async () => {
    const object = await store(5);
    await Promise.all([publish(object), publish(object)]);
    await expect.poll(() => isPrepared(object), { timeout: 20_000 }).toBe(true);
    await publish(object);
    const { pagesReady } = await here.requestAndWait(object, { width, waitMs: 0, reader });
    expect(pagesReady).toEqual([1]);
    await waitUntilDone(object);
    expect(drawn.filter((page) => page === 1)).toEqual([1]);
  });

  test('nothing is drawn of a publication that failed', async () => {
    const object = await store(1);
    const undone = database.db.transaction().execute(async (trx) => {
      await here.prepare(trx, object);
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
    const { done } = await here.requestAndWait(customer, { width, waitMs: 20_000, reader });
    expect([done, await begun()]).toEqual([true, 1]);
    held.resolve();
    for (const object of published) await expect.poll(() => isPrepared(object), { timeout: 20_000 }).toBe(true);
  });
});

test('images are kept within their limit by whoever draws', { timeout: 60_000 }, async () => {
  const before = await renditions.sweep();
  for (let written = before.bytes; written < maxBytes * 1.5; written += maxBytes / 4) {
    const imagePath = await renditions.makeWorkPath();
    await writeFile(imagePath, new Uint8Array(maxBytes / 4));
    await renditions.put({ sha256: hashOf(written), width, page: 1 }, { imagePath, size: maxBytes / 4 });
  }
  expect(renditions.isSweepDue()).toBe(true);
  const object = await store(1);
  await here.requestAndWait(object, { width, waitMs: 20_000, reader });
  await expect.poll(() => renditions.isSweepDue(), { timeout: 20_000 }).toBe(false);
});

function hashOf(number: number): string {
  return String(number).padStart(64, '0').slice(-64);
}

async function waitUntilDone(object: RenderableObject): Promise<readonly number[]> {
  const look = () => here.request(object, width);
  await expect.poll(async () => (await look()).done, { timeout: 20_000 }).toBe(true);
  return (await look()).pagesReady;
}

async function countOf(table: 'rendition', { sha256 }: RenderableObject): Promise<number> {
  return (await database.db.selectFrom(table).select('sha256').where('sha256', '=', sha256).execute()).length;
}

let stored = 0;
async function store(pages: number): Promise<RenderableObject> {
  const entries = Array.from({ length: pages }, () => '');
  const { key, sha256 } = await objects.put(Readable.from([writePages(entries, '1.7', `% ${++stored}\n0 0 10 10 re f`)]));
  return { objectKey: key, sha256, pages };
}
