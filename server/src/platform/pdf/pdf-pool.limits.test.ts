import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createPdfPool, type PdfPool, type PdfPoolOptions } from './pdf-pool.ts';
import { stream, writePages, writePdf } from './simple-pdf.ts';

let folder: string;
let endless: string;
let twentyPages: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pdf-limits-'));
  endless = await keep('endless.pdf', endlessPage());
  twentyPages = await keep('twenty.pdf', writePages(Array.from({ length: 20 }, () => '')));
});
afterAll(() => rm(folder, { recursive: true }));

test('a page without end runs into the deadline twice, and the next document is drawn all the same', async () => {
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(line) });
  await using pool = open({ log, pageDeadlineMs: 700 });
  await expect(pool.render(drawing(endless, [1]))).rejects.toMatchObject({ code: 'RENDER_FAILED' });
  expect(warnings).toEqual([expect.stringContaining('no answer within 700 ms'), expect.stringContaining('no answer within 700 ms')]);
  const seen: number[] = [];
  await pool.render(drawing(twentyPages, [1, 2], seen));
  expect(seen).toEqual([1, 2]);
});

test('a page that needs more memory than an engine may have fails, and the next one is drawn', async () => {
  await using pool = open({ heapLimitBytes: 48 * 1024 * 1024 });
  await expect(pool.render({ ...drawing(twentyPages, [1]), width: 4000 })).rejects.toMatchObject({ code: 'RENDER_FAILED' });
  const seen: number[] = [];
  await pool.render({ ...drawing(twentyPages, [1], seen), width: 1240 });
  expect(seen).toEqual([1]);
});

test('a page that grows without end as it is read fails, and the next one is drawn', async () => {
  await using pool = open();
  await expect(pool.render(drawing(await keep('exploding.pdf', explodingPage()), [1]))).rejects.toMatchObject({ code: 'RENDER_FAILED' });
  const seen: number[] = [];
  await pool.render(drawing(twentyPages, [1], seen));
  expect(seen).toEqual([1]);
});

test('a file larger than the memory of an engine is broken, not an accident', async () => {
  await using pool = open({ heapLimitBytes: 32 * 1024 * 1024 });
  const path = await keep('large.pdf', Buffer.concat([writePages(['']), Buffer.alloc(40 * 1024 * 1024)]));
  await expect(pool.inspect({ path })).rejects.toMatchObject({ code: 'BROKEN' });
  await expect(pool.inspect({ path: twentyPages })).resolves.toMatchObject({ pages: 20 });
});

test('an inspection does not wait for a long document that is drawn in the background', async () => {
  await using pool = open();
  const seen: number[] = [];
  let inspected: Promise<number> | undefined;
  await pool.render({
    ...drawing(twentyPages, range(20)),
    onPage({ page }) {
      seen.push(page);
      inspected ??= pool.inspect({ path: twentyPages }).then(() => seen.length);
    },
  });
  expect(seen).toEqual(range(20));
  // The page that is drawn at that moment, and the one that is handed over behind it.
  expect(await inspected).toBeLessThanOrEqual(3);
});

test('two long documents take turns', async () => {
  await using pool = open();
  const order: string[] = [];
  const draw = (name: string) =>
    pool.render({ ...drawing(twentyPages, range(20)), onPage: () => void (order.at(-1) === name || order.push(name)) });
  await Promise.all([draw('first'), draw('second')]);
  // The second one has had no turn yet and goes at once; then it is eight pages each.
  expect(order).toEqual(['first', 'second', 'first', 'second', 'first', 'second', 'first']);
});

test('a document that has had no turn yet goes before long ones that have', async () => {
  await using pool = open();
  const order: string[] = [];
  const draw = (name: string, pages: number[], onPage: (page: { page: number }) => void = () => {}) =>
    pool.render({
      ...drawing(twentyPages, pages),
      onPage(page) {
        if (order.at(-1) !== name) order.push(name);
        onPage(page);
      },
    });
  let late: Promise<void> | undefined;
  // The third comes while the second has its first turn, and the first waits for its second one.
  const second = (): Promise<void> => draw('second', range(20), () => void (late ??= draw('third', [1])));
  await Promise.all([draw('first', range(20)), second()]);
  await late;
  expect(order.slice(0, 4)).toEqual(['first', 'second', 'third', 'first']);
});

test.each([1, 2])('one who begins to wait while the threads are stuck in %i pages that do not end is served', async (pages) => {
  await using pool = open({ spareThreads: 1 });
  let isOver = false;
  for (let page = 0; page < pages; page++) void pool.render({ ...drawing(endless, [1]), priority: 'now' }).catch(() => (isOver = true));
  for (let reader = 0; reader < 3; reader++) {
    const seen: number[] = [];
    await pool.render({ ...drawing(twentyPages, [1, 2], seen), priority: 'now' });
    expect(seen).toEqual([1, 2]);
  }
  expect(isOver).toBe(false);
});

test('work that nobody waits for is tried once, and within its own time', async () => {
  const warnings: string[] = [];
  await using pool = open({ log: pino({ level: 'warn' }, { write: (line) => warnings.push(line) }) });
  await expect(pool.render({ ...drawing(endless, [1]), deadlineMs: 300 })).rejects.toMatchObject({ code: 'RENDER_FAILED' });
  expect(warnings).toEqual([expect.stringContaining('no answer within 300 ms')]);
});

test('who is waiting goes before work done ahead of time', async () => {
  await using pool = open();
  const order: string[] = [];
  const draw = (name: string, priority: 'now' | 'soon' | 'background') =>
    pool.render({ ...drawing(twentyPages, [1]), priority, onPage: () => void order.push(name) });
  await Promise.all([draw('running', 'background'), draw('ahead of time', 'background'), draw('looked at', 'soon')]);
  expect(order).toEqual(['running', 'looked at', 'ahead of time']);
});

test('who waits now has a thread that a long document uses for its beginning only', async () => {
  await using pool = open();
  const order: string[] = [];
  const readers = async (): Promise<void> => {
    for (let reader = 0; reader < 3; reader++)
      await pool.render({ ...drawing(twentyPages, [1]), priority: 'now', onPage: () => void order.push('reader') });
  };
  await pool.render({
    ...drawing(twentyPages, range(20)),
    priority: 'now',
    async onPage({ page }) {
      order.push('long');
      // Goes on after them: had they to wait for its end, nobody's would come.
      if (page === 7) await readers();
    },
  });
  expect(order).toEqual([
    ...Array.from({ length: 7 }, () => 'long'),
    'reader',
    'reader',
    'reader',
    ...Array.from({ length: 13 }, () => 'long'),
  ]);
});

test.runIf(process.platform === 'linux')('a thread for long documents ends when nobody draws any more, and starts again', async () => {
  const threads = (): number => {
    const names = readdirSync('/proc/self/task').map((task) => readFileSync(`/proc/self/task/${task}/comm`, 'utf8').trim());
    return names.filter((name) => name === 'pdf').length;
  };
  await using pool = open({ restMs: 100 });
  await pool.inspect({ path: twentyPages });
  const before = threads();
  for (let time = 0; time < 2; time++) {
    const seen: number[] = [];
    await pool.render(drawing(twentyPages, range(20), seen));
    expect(seen).toEqual(range(20));
    await expect.poll(threads, { timeout: 10_000 }).toBe(before);
  }
});

test('a drawing that is called off ends, whether it runs or waits', async () => {
  await using pool = open();
  const controller = new AbortController();
  const seen: number[] = [];
  const onPage = ({ page }: { page: number }) => {
    seen.push(page);
    controller.abort(new Error('nobody looks any more'));
  };
  const running = pool.render({ ...drawing(twentyPages, range(20)), onPage, signal: controller.signal });
  const waiting = pool.render({ ...drawing(twentyPages, range(20)), onPage, signal: controller.signal });
  const calledOff = { status: 'rejected', reason: new Error('nobody looks any more') };
  expect(await Promise.allSettled([running, waiting])).toEqual([calledOff, calledOff]);
  expect(seen).toEqual([1]);
  await expect(pool.inspect({ path: twentyPages })).resolves.toMatchObject({ pages: 20 });
});

test('closing ends what runs and refuses what waits or comes later', async () => {
  const pool = createPdfPool({ log: silentLog(), workers: 1 });
  const running = pool.render(drawing(endless, [1]));
  const waiting = pool.render(drawing(twentyPages, [1]));
  const outcomes = Promise.allSettled([running, waiting]);
  await pool.close();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(pool.inspect({ path: twentyPages })).rejects.toThrow('closed');
});

function open(options: Partial<PdfPoolOptions> = {}): PdfPool & AsyncDisposable {
  const pool = createPdfPool({ log: silentLog(), workers: 1, spareThreads: 0, ...options });
  return { ...pool, [Symbol.asyncDispose]: () => pool.close() };
}

async function keep(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

function drawing(path: string, pages: readonly number[], seen: number[] = []) {
  return { path, width: 100, pages, onPage: ({ page }: { page: number }) => void seen.push(page) };
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

/** Twelve forms, each of which draws the next one ten times. */
function explodingPage(): Uint8Array {
  const first = 5;
  const depth = 12;
  const form = (level: number) =>
    level === depth
      ? stream('0 0 10 10 re f', '/Type/XObject/Subtype/Form/BBox[0 0 100 100]')
      : stream('/N Do '.repeat(10), `/Type/XObject/Subtype/Form/BBox[0 0 100 100]/Resources<</XObject<</N ${first + level} 0 R>>>>`);
  return writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Resources<</XObject<</N ${first} 0 R>>>>/Contents 4 0 R>>`,
    stream('/N Do'),
    ...Array.from({ length: depth }, (_, index) => form(index + 1)),
  ]);
}
