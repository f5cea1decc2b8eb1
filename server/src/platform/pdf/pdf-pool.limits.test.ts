import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createPdfPool, type PdfPool, type PdfPoolOptions, type TaskOptions } from './pdf-pool.ts';
import { clippedLetters } from '#testing/hostile-pdfs.ts';
import { isNightly } from '#testing/nightly.ts';
import { stream, writePages, writePdf } from '#testing/simple-pdf.ts';

let folder: string;
let endless: string;
let twentyPages: string;
/** For tests that leave no work behind in it: starting a thread costs more than most of what they draw. */
let pool: PdfPool;
/** What it has logged in a test. */
let warnings: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pdf-limits-'));
  endless = await keep('endless.pdf', endlessPage());
  twentyPages = await keep('twenty.pdf', writePages(Array.from({ length: 20 }, () => '')));
  pool = open({ log: warningLog(), minThreads: 1 });
});
beforeEach(() => (warnings = []));
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

test('a page without end is tried once, for as much processor time as a page may take, and the next document is drawn all the same', async () => {
  await using pool = open({ log: warningLog(), pageCpuMs: 500 });
  await expect(draw(pool, endless)).rejects.toMatchObject({ code: 'RENDER_FAILED' });
  expect(warnings).toEqual([expect.stringContaining('no answer within 500 ms of processor time')]);
  expect([await draw(pool, twentyPages, 1), await draw(pool, twentyPages, 2)]).toEqual([1, 2]);
});

// By day a quarter of them, which takes what a quarter may if no cost grows with the square.
const share = isNightly ? 1 : 4;
test(`a page of ${16_384 / share} letters, each with a clip, and ${32_768 / share} links is drawn and read in ${5 / share} s each`, async () => {
  const path = await keep('clipped.pdf', clippedLetters({ letters: 16_384 / share, links: 32_768 / share }));
  const task: TaskOptions = { priority: 'waiting' };
  await using pool = open({ log: warningLog(), pageCpuMs: 5_000 / share });
  await pool.inspect({ path });
  await pool.drawPage({ path, page: 1, width: 1860, task });
  const texts: string[] = [];
  await pool.readText({ path, pages: 1, onPage: (_, text) => texts.push(text) });
  await pool.readLines({ path, pages: [1], onPage: (_, { lines }) => void texts.push(String(lines.length)) });
  expect(texts.map((text) => text.length > 0)).toEqual([true, true]);
  expect(warnings).toEqual([]);
});

describe('an engine may have so much memory', () => {
  const heapLimitBytes = 24 * 1024 * 1024;
  let small: PdfPool;
  beforeAll(() => {
    small = open({ heapLimitBytes });
  });
  afterAll(() => small.close());

  test('a page that needs more memory than an engine may have fails, and the next one is drawn', async () => {
    const tooWide = small.drawPage({ path: twentyPages, page: 1, width: 4000, task: { priority: 'waiting' } });
    await expect(tooWide).rejects.toMatchObject({ code: 'RENDER_FAILED' });
    expect(await small.drawPage({ path: twentyPages, page: 1, width: 1240, task: { priority: 'waiting' } })).toMatchObject({ page: 1 });
  });

  test('a page that grows without end as it is read fails, and the next one is drawn', async () => {
    await expect(draw(small, await keep('exploding.pdf', explodingPage()))).rejects.toMatchObject({ code: 'RENDER_FAILED' });
    expect(await draw(small, twentyPages)).toBe(1);
  });

  test('a page that grows without end leaves the text of the other pages to be read', async () => {
    const found: number[] = [];
    await small.readText({ path: await keep('growing.pdf', explodingPage()), pages: 2, onPage: (page) => found.push(page) });
    expect(found).toEqual([2]);
  });

  test('a file larger than the memory of an engine is broken, not an accident', async () => {
    const path = await keep('large.pdf', Buffer.concat([writePages(['']), Buffer.alloc(heapLimitBytes)]));
    await expect(small.inspect({ path })).rejects.toMatchObject({ code: 'BROKEN' });
    await expect(small.inspect({ path: twentyPages })).resolves.toMatchObject({ pages: 20 });
  });
});

test('an inspection does not wait for a long document that is drawn in the background', async () => {
  const seen: number[] = [];
  const pages = range(20).map(async (page) => seen.push(await draw(pool, twentyPages, page, { priority: 'prefetch', client: 'reader' })));
  await pages[0];
  await pool.inspect({ path: twentyPages, client: 'publisher' });
  // The page that is drawn at that moment, and the one before it.
  expect(seen.length).toBeLessThanOrEqual(3);
  await Promise.all(pages);
  expect(seen).toEqual(range(20));
});

test('two clients with long documents alternate', async () => {
  const order: string[] = [];
  const drawAll = (client: string) =>
    range(6).map(async (page) => {
      await draw(pool, twentyPages, page, { priority: 'prefetch', client });
      order.push(client);
    });
  await Promise.all([...drawAll('first'), ...drawAll('second')]);
  expect(order).toEqual(range(6).flatMap(() => ['first', 'second']));
});

test.each(isNightly ? [1, 2] : [2])(
  'one who begins to wait while the threads are stuck in %i pages that do not end is served',
  async (pages) => {
    await using pool = open({ spareThreads: 1 });
    let isOver = false;
    for (const page of range(pages))
      draw(pool, endless, 1, { priority: 'waiting', client: `hostile ${page}` }).catch(() => (isOver = true));
    for (const reader of range(3))
      expect(await draw(pool, twentyPages, reader, { priority: 'waiting', client: `reader ${reader}` })).toBe(reader);
    expect(isOver).toBe(false);
  },
);

test('a client whose pages do not end leaves threads to the others', async () => {
  await using pool = open();
  let isOver = false;
  for (const page of range(isNightly ? 5 : 3))
    draw(pool, endless, page, { priority: 'waiting', client: 'hostile' }).catch(() => (isOver = true));
  expect(await draw(pool, twentyPages, 2, { priority: 'waiting', client: 'other' })).toBe(2);
  expect(isOver).toBe(false);
});

test('work with a limit of its own is ended by that', async () => {
  const drawing = pool.drawPage({ path: endless, page: 1, width: 100, cpuMs: 200, task: { priority: 'waiting' } });
  await expect(drawing).rejects.toMatchObject({ code: 'RENDER_FAILED' });
  expect(warnings).toEqual([expect.stringContaining('no answer within 200 ms of processor time')]);
});

test('requests that a client waits for do not wait for the background, where first pages go before everything else', async () => {
  const order: string[] = [];
  const add = async (priority: TaskOptions['priority'], name: string = priority) => {
    await draw(pool, twentyPages, 1, { priority });
    order.push(name);
  };
  await Promise.all([add('prefetch', 'running'), add('prefetch'), add('publication'), add('waiting')]);
  expect(order.filter((name) => name !== 'waiting')).toEqual(['running', 'publication', 'prefetch']);
  expect(order.indexOf('waiting')).toBeLessThan(order.indexOf('publication'));
});

test('a page that a person begins to wait for leaves the others of its client behind', async () => {
  const order: number[] = [];
  const tasks = range(4).map((): TaskOptions => ({ priority: 'prefetch', client: 'reader' }));
  const pages = tasks.map(async (task, index) => order.push(await draw(pool, twentyPages, index + 1, task)));
  if (tasks[3] !== undefined) pool.raise(tasks[3], { priority: 'waiting', client: 'reader' });
  await Promise.all(pages);
  expect(order.toSorted((one, other) => one - other)).toEqual(range(4));
  expect(order.slice(2)).toEqual([2, 3]);
});

test('a page that takes long in the background begins anew for a person who waits, with the time of such a page', async () => {
  await using pool = open({ log: warningLog(), pageCpuMs: 200 });
  const task: TaskOptions = { priority: 'prefetch', client: 'reader' };
  const drawing = draw(pool, endless, 1, task);
  pool.raise(task, { priority: 'waiting', client: 'reader' });
  await expect(drawing).rejects.toMatchObject({ code: 'RENDER_FAILED' });
  expect(warnings).toEqual([expect.stringContaining('no answer within 200 ms of processor time')]);
});

test.runIf(process.platform === 'linux')('a thread that is not used for a while ends, and another starts', async () => {
  const threads = (): number => readdirSync('/proc/self/task').length;
  await using pool = open({ minThreads: 1, idleTimeoutMs: 100 });
  await draw(pool, twentyPages);
  const before = threads();
  for (let time = 0; time < (isNightly ? 2 : 1); time++) {
    const clients = ['one', 'another'];
    expect(await Promise.all(clients.map((client) => draw(pool, twentyPages, 1, { priority: 'waiting', client })))).toEqual([1, 1]);
    await expect.poll(threads, { timeout: 10_000 }).toBeLessThanOrEqual(before);
  }
});

test('a drawing that is called off ends, whether it runs or waits', async () => {
  const controller = new AbortController();
  const calledOff = { status: 'rejected', reason: new Error('not viewed any more') };
  const tasks = range(3).map((): TaskOptions => ({ priority: 'waiting', client: 'reader', signal: controller.signal }));
  const pages = tasks.map((task, index) => draw(pool, twentyPages, index + 1, task));
  expect(await pages[0]).toBe(1);
  controller.abort(new Error('not viewed any more'));
  expect(await Promise.allSettled(pages.slice(1))).toEqual([calledOff, calledOff]);
  await expect(pool.inspect({ path: twentyPages })).resolves.toMatchObject({ pages: 20 });
});

test('closing ends what runs and refuses what waits or comes later', async () => {
  const closing = createPdfPool({ log: silentLog(), workers: 1 });
  const outcomes = Promise.allSettled([draw(closing, endless), draw(closing, twentyPages)]);
  await closing.close();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(closing.inspect({ path: twentyPages })).rejects.toThrow('closed');
});

/** Threads start with their first tasks. */
function open(options: Partial<PdfPoolOptions> = {}): PdfPool & AsyncDisposable {
  const made = createPdfPool({ log: silentLog(), workers: 1, spareThreads: 0, minThreads: 0, ...options });
  return { ...made, [Symbol.asyncDispose]: () => made.close() };
}

const warningLog = (): PdfPoolOptions['log'] => pino({ level: 'warn' }, { write: (line) => warnings.push(line) });

async function keep(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

/** The number of the page, when it is drawn. */
async function draw(pool: PdfPool, path: string, page = 1, task: TaskOptions = { priority: 'waiting' }): Promise<number> {
  return (await pool.drawPage({ path, page, width: 100, task })).page;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1);
}

/** A pattern repeated some ten thousand million times. */
function endlessPage(): Uint8Array {
  const pattern = '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.001/YStep 0.001/Resources<<>>';
  return writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Resources<</Pattern<</P 5 0 R>>>>/Contents 4 0 R>>',
    stream('/Pattern cs /P scn 0 0 100 100 re f'),
    stream('1 0 0 rg 0 0 1 1 re f', pattern),
  ]);
}

/** Twelve forms, each of which draws the next one ten times; and a page behind it. */
function explodingPage(): Uint8Array {
  const first = 6;
  const depth = 12;
  const form = (level: number) =>
    level === depth
      ? stream('0 0 10 10 re f', '/Type/XObject/Subtype/Form/BBox[0 0 100 100]')
      : stream('/N Do '.repeat(10), `/Type/XObject/Subtype/Form/BBox[0 0 100 100]/Resources<</XObject<</N ${first + level} 0 R>>>>`);
  return writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Resources<</XObject<</N ${first} 0 R>>>>/Contents 4 0 R>>`,
    stream('/N Do'),
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>',
    ...Array.from({ length: depth }, (_, index) => form(index + 1)),
  ]);
}
