import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createFileObjects } from '#platform/objects/file-objects.ts';
import type { Objects } from '#platform/objects/objects.ts';
import { PdfError, PdfPoolClosed } from '#platform/pdf/pdf.errors.ts';
import type { PageJob, PdfPool } from '#platform/pdf/pdf-pool.ts';
import { writePages } from '#testing/simple-pdf.ts';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import { createRenditions, renditionFormat, type Renditions } from '#platform/renditions/renditions.ts';
import { createRendering, type RenderableObject, type Rendering } from './rendering.door.ts';

const width = 1240;
const client = '10000001';
let pool: PdfPool;
let folder: string;
let objects: Objects;
let renditions: Renditions;
/** What the pool was asked to draw, in this order. */
let asked: number[];
/** Holds a page until the test lets it go on. */
let letThrough: (job: PageJob) => Promise<void>;
/** Pages in the order in which they were drawn. */
let drawn: number[];
let rendering: Rendering;
const opened: Rendering[] = [];

beforeAll(() => {
  pool = testPdfPool();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rendering-'));
  objects = await createFileObjects(join(folder, 'objects'));
  renditions = createRenditions({ dir: join(folder, 'renditions') });
  [asked, drawn] = [[], []];
  letThrough = async () => {};
  rendering = open();
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((made) => made.close()));
  await rm(folder, { recursive: true });
});

describe('polling', () => {
  test('tells each page that is there, and every page in the end', async () => {
    const object = await store(12);
    expect(await poll(object, { waitMs: 20_000 })).toMatchObject({ failed: false, pagesReady: expect.arrayContaining([1]) });
    await waitUntilDone(object);
    expect(await poll(object)).toEqual({ done: true, pagesReady: upTo(12), pagesFailed: [], failed: false });
    const images = await Promise.all(upTo(12).map((page) => rendering.openPage(object, { width, page })));
    expect(images.map((image) => image?.type)).toEqual(upTo(12).map(() => 'image/png'));
    expect(await rendering.openPage(object, { width, page: 13 })).toBeUndefined();
  });

  test('however many ask at once, each page is drawn once', async () => {
    const object = await store(6);
    await Promise.all([1, 1, 3, 6].map((page) => poll(object, { page, waitMs: 20_000 })));
    await Promise.all([2, 2, 5].map((page) => rendering.openPage(object, { width, page, client })));
    await waitUntilDone(object);
    expect(sorted(asked)).toEqual(upTo(6));
  });

  test('draws each width by itself', async () => {
    const object = await store(1);
    await waitUntilDone(object);
    expect(await poll(object, { width: 1860, waitMs: 0 })).toMatchObject({ done: false });
    await waitUntilDone(object, { width: 1860 });
    const [narrow, wide] = await Promise.all([1240, 1860].map((each) => rendering.openDrawn(object, { width: each, page: 1 })));
    expect(narrow?.bytes).not.toEqual(wide?.bytes);
    expect(asked).toEqual([1, 1]);
  });

  test('refuses a width that is not offered', async () => {
    await expect(poll(await store(1), { width: 20_000 })).rejects.toThrow(RangeError);
    await expect(rendering.openPage(await store(1), { width: 20_000, page: 1 })).rejects.toThrow(RangeError);
  });

  test('is answered as soon as the first page is there, not when the last one is', async () => {
    const object = await store(3);
    const last = Promise.withResolvers<void>();
    letThrough = ({ page }) => (page === 1 ? Promise.resolve() : last.promise);
    expect(await poll(object, { waitMs: 20_000 })).toMatchObject({ done: false, failed: false, pagesReady: [1] });
    expect(await rendering.openPage(object, { width, page: 1 })).toBeDefined();
    expect(await rendering.openDrawn(object, { width, page: 2 })).toBeUndefined();
    last.resolve();
    await waitUntilDone(object);
  });

  test('polling of a short document is answered when all of it is there, and in any process', async () => {
    const object = await store(2);
    // The moment that the other pages are waited for does not pass, however slow the machine is.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const everything = { done: true, pagesReady: upTo(2), pagesFailed: [], failed: false };
    expect(await poll(object, { waitMs: 20_000 })).toEqual(everything);
    expect(await open().poll(object, { width, waitMs: 20_000 })).toEqual(everything);
    expect(asked).toEqual([1, 2]);
  });

  test('polling with a viewport far behind renders that page next, and then those around it', async () => {
    const object = await store(30);
    const second = Promise.withResolvers<void>();
    letThrough = async ({ page }) => (page === 2 ? second.promise : undefined);
    await poll(object, { waitMs: 20_000 });
    const turned = poll(object, { page: 25, waitMs: 20_000 });
    second.resolve();
    expect((await turned).pagesReady).toContain(25);
    await waitUntilDone(object, { page: 25 });
    // Those that were begun before.
    expect(drawn.indexOf(25)).toBeLessThan(10);
    expect(drawn.indexOf(26)).toBeLessThan(drawn.indexOf(15));
    expect(sorted(drawn)).toEqual(upTo(30));
  });

  test('draws only the pages that are missing, and nothing of what is there', async () => {
    const object = await store(4);
    await waitUntilDone(object);
    for (const page of [2, 4])
      await rm(join(folder, 'renditions', `v${renditionFormat}`, object.sha256.slice(0, 2), object.sha256, '1240', String(page)));
    expect(await poll(object, { waitMs: 0 })).toMatchObject({ done: false, pagesReady: [1, 3] });
    await waitUntilDone(object);
    await poll(object);
    expect([sorted(asked.slice(0, 4)), sorted(asked.slice(4))]).toEqual([upTo(4), [2, 4]]);
  });

  test('goes on in another process where one has ended', async () => {
    const object = await store(3);
    const ended = Promise.withResolvers<never>();
    const here = open({ ...pool, drawPage: (job) => (job.page === 1 ? pool.drawPage(job) : ended.promise) });
    expect((await here.poll(object, { width, waitMs: 20_000 })).pagesReady).toEqual([1]);
    await waitUntilDone(object);
    expect(sorted(asked)).toEqual([2, 3]);
    ended.reject(new PdfPoolClosed());
  });

  test('leaves no copy of the document behind', async () => {
    await waitUntilDone(await store(2));
    await expect.poll(workFiles).toEqual([]);
  });
});

describe('what a person waits for', () => {
  /** By page: with which priority each was asked for. */
  const prioritiesOf = (): { readonly priorities: Map<number, string>; readonly pdf: PdfPool } => {
    const priorities = new Map<number, string>();
    const usual = watched();
    const pdf: PdfPool = {
      ...usual,
      async drawPage(job) {
        priorities.set(job.page, job.task.priority);
        return usual.drawPage(job);
      },
    };
    return { priorities, pdf };
  };

  test('is the page after the viewed one when that was drawn ahead, and the others are drawn behind it', async () => {
    const object = await store(9);
    await rendering.openPage(object, { width, page: 1 });
    const { priorities, pdf } = prioritiesOf();
    rendering = open(pdf);
    await poll(object, { waitMs: 0 });
    await expect.poll(() => priorities.get(2)).toBe('waiting');
    await waitUntilDone(object);
    expect(priorities.has(1)).toBe(false);
    expect(priorities.get(9)).toBe('prefetch');
  });

  test('is the viewed page, whichever that is, and not the first one', async () => {
    const object = await store(9);
    const { priorities, pdf } = prioritiesOf();
    rendering = open(pdf);
    letThrough = () => new Promise((resolve) => setImmediate(resolve));
    expect((await poll(object, { page: 7, waitMs: 20_000 })).pagesReady).toContain(7);
    expect([...priorities][0]).toEqual([7, 'waiting']);
    await waitUntilDone(object, { page: 7 });
    expect(drawn.indexOf(8)).toBeLessThan(drawn.indexOf(1));
  });
});

describe('a page that is asked for', () => {
  test('is drawn, and no other one', async () => {
    const object = await store(5);
    expect(await rendering.openDrawn(object, { width, page: 4 })).toBeUndefined();
    expect(await rendering.openPage(object, { width, page: 4, client })).toBeDefined();
    expect(await renditions.listPages({ sha256: object.sha256, width })).toEqual(new Set([4]));
    expect(asked).toEqual([4]);
  });

  test('goes before those that are drawn in the background', async () => {
    const object = await store(20);
    await poll(object, { waitMs: 0 });
    expect(await rendering.openPage(object, { width, page: 19, client })).toBeDefined();
    expect(drawn.indexOf(19)).toBeLessThan(10);
    await waitUntilDone(object);
  });

  test('is drawn again when its image was removed', async () => {
    const object = await store(4);
    await waitUntilDone(object);
    await renditions.remove(object.sha256);
    expect(await rendering.openPage(object, { width, page: 3 })).toBeDefined();
    expect(await poll(object, { waitMs: 0 })).toMatchObject({ done: false, pagesReady: [3] });
    await waitUntilDone(object);
  });
});

describe('failing', () => {
  const pass = (ms: number): void => void vi.advanceTimersByTime(ms);

  test('bytes other than the published ones are never shown', async () => {
    const object = { ...(await store(1)), sha256: 'ab'.repeat(32) };
    expect(await poll(object, { waitMs: 20_000 })).toEqual({ done: false, pagesReady: [], pagesFailed: [], failed: true });
    expect(asked).toEqual([]);
    expect(await rendering.openPage(object, { width, page: 1 })).toBeUndefined();
    await expect.poll(workFiles).toEqual([]);
  });

  test('a page that cannot be read leaves the others to be shown, and is not drawn again for each who looks', async () => {
    const object = { ...(await store(2)), pages: 3 };
    await waitUntilDone(object);
    expect(await poll(object)).toEqual({ done: true, failed: false, pagesReady: [1, 2], pagesFailed: [{ page: 3, isFinal: true }] });
    const before = asked.length;
    expect(await rendering.openPage(object, { width, page: 3 })).toBeUndefined();
    await poll(object, { page: 3 });
    expect(asked).toHaveLength(before);
  });

  test('a page that was lost leaves the others to be shown, and is drawn when it is asked for again', async () => {
    const object = await store(4);
    let isLost = true;
    rendering = open(losing((page) => isLost && page === 2));
    await waitUntilDone(object);
    expect(await poll(object)).toEqual({ done: true, failed: false, pagesReady: [1, 3, 4], pagesFailed: [{ page: 2, isFinal: false }] });
    expect(asked.filter((page) => page === 2)).toHaveLength(1);
    isLost = false;
    expect(await rendering.openPage(object, { width, page: 2 })).toBeDefined();
    expect(await poll(object)).toMatchObject({ done: true, pagesReady: upTo(4), pagesFailed: [] });
  });

  test('two minutes after the last page was lost, a poll tries again', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const object = await store(3);
    let isLost = true;
    rendering = open(losing((page) => isLost && page > 1));
    await waitUntilDone(object);
    pass(119_000);
    expect(await poll(object)).toMatchObject({ done: true, pagesFailed: [{ page: 2 }, { page: 3 }] });
    isLost = false;
    pass(2_000);
    await expect.poll(() => poll(object), { timeout: 20_000 }).toMatchObject({ done: true, pagesReady: upTo(3), pagesFailed: [] });
  });

  test('drawing ahead ends at the third page that was lost; the next poll goes on', async () => {
    const object = await store(12);
    rendering = open(losing((page) => page > 1));
    await poll(object, { waitMs: 20_000 });
    await rendering.close();
    const before = asked.length;
    // Two are drawn at once.
    expect(before).toBeLessThanOrEqual(1 + 3 + 1);
    rendering = open(losing((page) => page > 1));
    await waitUntilDone(object);
    expect(asked.length).toBeGreaterThanOrEqual(before + 11);
  });

  test('a document none of whose pages can be drawn, now or later, has failed', async () => {
    const object = await store(2);
    rendering = open(losing(() => true, 'UNDRAWABLE'));
    await expect.poll(() => poll(object), { timeout: 20_000 }).toMatchObject({ done: false, failed: true, pagesReady: [] });
  });

  test('the only page of a document, when it took too long, can be asked for again', async () => {
    const object = await store(1);
    let isLost = true;
    rendering = open(losing(() => isLost));
    await waitUntilDone(object);
    expect(await poll(object)).toEqual({ done: true, failed: false, pagesReady: [], pagesFailed: [{ page: 1, isFinal: false }] });
    isLost = false;
    expect(await rendering.openPage(object, { width, page: 1 })).toBeDefined();
    expect(await poll(object)).toEqual({ done: true, failed: false, pagesReady: [1], pagesFailed: [] });
  });

  test('a store that cannot be read is no fault of the document, and is soon tried again', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const object = await store(1);
    const lost = { ...object, objectKey: '00000000-0000-4000-8000-000000000000' };
    expect(await poll(lost, { waitMs: 20_000 })).toMatchObject({ failed: true, isStoreAtFault: true });
    await expect(rendering.openPage(lost, { width, page: 1 })).rejects.toMatchObject({ code: 'STORAGE_ERROR' });
    pass(6_000);
    expect(await poll(object, { waitMs: 20_000 })).toMatchObject({ failed: false, pagesReady: [1] });
  });
});

describe('texts of pages', () => {
  const text = 'BT /F 8 Tf 10 70 Td (Umowa) Tj ET';

  test('neighbours are read together, once for however many ask, and kept', async () => {
    const read: number[][] = [];
    const here = open({
      ...pool,
      readLines: (job) => {
        read.push([...job.pages]);
        return pool.readLines(job);
      },
    });
    const object = await store(20, text);
    const texts = await Promise.all([3, 1, 3].map((page) => here.readPageText(object, { page, client })));
    expect(texts.map(({ lines }) => lines[0]?.runs[0]?.text)).toEqual(['Umowa', 'Umowa', 'Umowa']);
    await here.readPageText(object, { page: 16 });
    expect(read.map(sorted)).toEqual([upTo(16)]);
    expect(read[0]?.[0]).toBe(3);
    await here.readPageText(object, { page: 20 });
    expect(read[1]).toEqual([20, 17, 18, 19]);
    await expect.poll(workFiles).toEqual([]);
    await renditions.remove(object.sha256);
    await here.readPageText(object, { page: 20 });
    expect(read).toHaveLength(3);
    await expect.poll(workFiles).toEqual([]);
  });

  test('a page that cannot be read keeps no other page from being read', async () => {
    const here = open({
      ...pool,
      async readLines({ pages, onLost, ...job }) {
        onLost?.(2, new PdfError('RENDER_FAILED', 'no answer within 10000 ms'));
        await pool.readLines({ ...job, pages: pages.filter((page) => page !== 2) });
      },
    });
    const object = await store(3, text);
    const texts = await Promise.allSettled([1, 2, 3].map((page) => here.readPageText(object, { page, client })));
    expect(texts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    // It took too long: another attempt may succeed.
    expect(texts[1]).toMatchObject({ reason: { code: 'CALL_NOT_PERMITTED', status: 429, retryAfterSeconds: 30 } });
  });

  test('no text is read of a document whose bytes are not those that were published', async () => {
    const object = { ...(await store(1, text)), sha256: 'ef'.repeat(32) };
    await expect(rendering.readPageText(object, { page: 1, client })).rejects.toMatchObject({ code: 'RENDER_ERROR' });
    expect(await renditions.openText({ sha256: object.sha256, page: 1 })).toBeUndefined();
    // The same client is served all the same.
    expect((await rendering.readPageText(await store(1, text), { page: 1, client })).lines).toHaveLength(1);
  });
});

function open(pdf: PdfPool = watched()): Rendering {
  const made = createRendering({ objects, pdf, renditions, jobs: { addAll: async () => {} }, log: silentLog() });
  opened.push(made);
  return made;
}

/** The pool, with a record of what it was asked to draw. */
function watched(): PdfPool {
  return {
    ...pool,
    async drawPage(job) {
      asked.push(job.page);
      const image = await pool.drawPage(job);
      await letThrough(job);
      drawn.push(job.page);
      return image;
    },
  };
}

/** The watched pool, some of whose pages are too slow, or cannot be drawn at all. */
function losing(isLost: (page: number) => boolean, code: 'RENDER_FAILED' | 'UNDRAWABLE' = 'RENDER_FAILED'): PdfPool {
  const usual = watched();
  return {
    ...usual,
    async drawPage(job) {
      if (!isLost(job.page)) return usual.drawPage(job);
      asked.push(job.page);
      throw new PdfError(code, 'no answer within 10000 ms of processor time');
    },
  };
}

function poll(object: RenderableObject, view: { width?: number; page?: number; waitMs?: number } = {}) {
  return rendering.poll(object, { width, waitMs: 800, client, ...view });
}

async function waitUntilDone(object: RenderableObject, view: { width?: number; page?: number } = {}): Promise<void> {
  await expect.poll(async () => (await poll(object, view)).done, { timeout: 20_000 }).toBe(true);
}

async function store(pages: number, content?: string): Promise<RenderableObject> {
  // Pages without text are low: what takes long is to pack their pixels.
  const entry = content === undefined ? '/MediaBox[0 0 100 10]' : '';
  const bytes = writePages(
    Array.from({ length: pages }, () => entry),
    '1.7',
    content,
  );
  const { key, sha256 } = await objects.put(Readable.from([bytes]));
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  return { objectKey: key, sha256, pages };
}

async function workFiles(): Promise<string[]> {
  return readdir(join(folder, 'renditions', 'work'));
}

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

function sorted(pages: readonly number[]): number[] {
  return pages.toSorted((one, other) => one - other);
}
