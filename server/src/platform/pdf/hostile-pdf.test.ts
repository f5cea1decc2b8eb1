import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDF } from '@libpdf/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import * as hostile from '#testing/hostile-pdfs.ts';
import { isNightly } from '#testing/nightly.ts';
import { createPdfPool, type PdfPool } from './pdf-pool.ts';
import { PdfError } from './pdf.errors.ts';
import { writePages } from '#testing/simple-pdf.ts';

// The portal's own limits, but for the time of a page: ten seconds would be most of this test.
const pageCpuMs = 3_000;
const inspectionCpuMs = 5_000;
const engineLimitBytes = 256 * 1024 * 1024;
const mutations = isNightly ? 2_000 : 12;
/** By day a few more than are allowed. */
const tooManyPages = isNightly ? 100_000 : 11_000;

const warmUpPage = readFileSync(new URL('./warm-up.pdf', import.meta.url));

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-pdf-'));
  pool = createPdfPool({ log: silentLog(), workers: 1, pageCpuMs, heapLimitBytes: engineLimitBytes });
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

type Hostile = [name: string, make: () => Uint8Array, expected: RegExp];

/** Uses up both attempts, as a page without end in pdf-pool.limits.test.ts does by day. */
const fullTime: Hostile[] = isNightly
  ? [['a packed image of 65 535²', () => hostile.hugeImage('FlateDecode'), /^image|UNDRAWABLE|RENDER_FAILED/]]
  : [];

describe('a PDF made to do harm gives a page or says why not, in time', () => {
  test.each<Hostile>([
    ['tables that name themselves', hostile.xrefLoop, /^image|BROKEN/],
    ['pages that are their own parents', hostile.pageTreeCycle, /BROKEN|UNDRAWABLE|RENDER_FAILED/],
    // By day as much as the engine’s memory does not suffice for, either.
    ['a content of ten thousand to one', () => hostile.flateBomb(isNightly ? 200 : 20), /^image|UNDRAWABLE|RENDER_FAILED/],
    ['fifty filters', hostile.nestedFilters, /^image|UNDRAWABLE|RENDER_FAILED/],
    ['a million objects in one stream', hostile.millionObjects, /^image|BROKEN/],
    ['fifty streams of objects', hostile.manyObjectStreams, /^image|BROKEN/],
    ['a page of a thousand million points', () => hostile.withBox('[0 0 1000000000 1000000000]'), /^image|UNDRAWABLE|RENDER_FAILED/],
    ['a page of no number', () => hostile.withBox('[0 0 NaN NaN]'), /^image|UNDRAWABLE|RENDER_FAILED/],
    ['a page of infinity', () => hostile.withBox('[0 0 1e309 1e309]'), /^image|UNDRAWABLE|RENDER_FAILED/],
    ['a page without size', () => hostile.withBox('[0 0 0 0]'), /^image|UNDRAWABLE|RENDER_FAILED/],
    ['a page the other way round', () => hostile.withBox('[100 100 -100 -100]'), /^image|UNDRAWABLE|RENDER_FAILED/],
    ['a strip as thin as a hair', () => hostile.withBox('[0 0 0.000001 1000000]'), /^image|UNDRAWABLE|RENDER_FAILED/],
    ['an inch of 75 000', () => hostile.withBox('[0 0 595 842]', '/UserUnit 75000'), /^image|UNDRAWABLE|RENDER_FAILED/],
    ['a JBIG2 image of 65 535²', () => hostile.hugeImage('JBIG2Decode'), /^image|UNDRAWABLE|RENDER_FAILED/],
    ['a JPEG 2000 image of 65 535²', () => hostile.hugeImage('JPXDecode'), /^image|UNDRAWABLE|RENDER_FAILED/],
    ['a fax of 65 535²', () => hostile.hugeImage('CCITTFaxDecode'), /^image|UNDRAWABLE|RENDER_FAILED/],
    ['a JPEG of 65 535²', () => hostile.hugeImage('DCTDecode'), /^image|UNDRAWABLE|RENDER_FAILED/],
    ...fullTime,
    [`${tooManyPages} pages`, () => writePages(Array.from({ length: tooManyPages }, () => '')), /TOO_MANY_PAGES/],
  ])('%s', { timeout: 30_000 }, async (_name, make, expected) => {
    const startedAt = performance.now();
    expect(await outcomeOf(pool, await keep(make()), 1240)).toMatch(expected);
    // Also where a worker was lost and the page is tried again, and a thread starts on a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(inspectionCpuMs + 2 * pageCpuMs + 5_000);
  });
});

/** Hostile files between two measurements of how long an ordinary page takes alone. */
const round = 10;

test(
  `${mutations} files that were cut off or had bits turned: each is answered, and no other page waits`,
  { timeout: 1_200_000 },
  async () => {
    const originals = await samples();
    const random = randomFrom(20_261_120);
    const outcomes = new Map<string, number>();
    const normal: number[] = [];
    const others: number[] = [];
    const memory = watchMemory();
    let slowestMs = 0;
    const answer = async (number: number): Promise<void> => {
      const original = originals[number % originals.length] ?? new Uint8Array();
      const path = await keep(number % 4 === 0 ? cutOff(original, random) : turned(original, random));
      const startedAt = performance.now();
      const outcome = (await outcomeOf(pool, path, 400)).replace(/ .*/s, '');
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    };
    // Alternates with an idle pool: other load on the machine slows both down.
    for (let begun = 0; begun < mutations; begun += round) {
      normal.push(...(await timesOfOthers(1)));
      const over = new AbortController();
      const watching = (async () => {
        while (!over.signal.aborted) others.push(...(await timesOfOthers(1)));
      })();
      for (let number = begun; number < Math.min(begun + round, mutations); number++) await answer(number);
      over.abort();
      await watching;
    }
    const grownBytes = memory.stop();
    const figures = {
      outcomes: Object.fromEntries(outcomes),
      slowestMs: Math.round(slowestMs),
      grownMB: Math.round(grownBytes / 1e6),
      othersMs: Math.round(median(others)),
      normalMs: Math.round(median(normal)),
    };
    process.stdout.write(`mutated PDFs: ${JSON.stringify(figures)}\n`);
    expect(
      [...outcomes.keys()].filter(
        (outcome) => !/^(image|NOT_A_PDF|ENCRYPTED|BROKEN|TOO_MANY_PAGES|UNDRAWABLE|RENDER_FAILED)$/.test(outcome),
      ),
    ).toEqual([]);
    // Both are needed for the rest to mean anything.
    expect(outcomes.get('image')).toBeGreaterThan(mutations / 10);
    expect(mutations - (outcomes.get('image') ?? 0)).toBeGreaterThan(mutations / 10);
    expect(slowestMs).toBeLessThan(inspectionCpuMs + 2 * pageCpuMs + 5_000);
    expect(grownBytes).toBeLessThan(engineLimitBytes);
    // What the machine does besides must not decide: a page is waited for, not a document. The strict ratio is measured by the bench.
    if (isNightly) expect(median(others)).toBeLessThan(median(normal) * 2 + 100);
    else expect(median(others)).toBeLessThan(pageCpuMs);
  },
);

/** `image`, or the code of what was wrong. Anything else is an accident, and is thrown. */
async function outcomeOf(from: PdfPool, path: string, width: number): Promise<string> {
  try {
    await from.inspect({ path, cpuMs: inspectionCpuMs, client: 'hostile' });
    const { size } = await from.drawPage({ path, page: 1, width, task: { priority: 'waiting', client: 'hostile' } });
    return `image ${size}`;
  } catch (error) {
    if (error instanceof PdfError) return `${error.code} ${error.message}`;
    throw error;
  }
}

/** How long it takes to see the first page of a plain letter, so often. */
async function timesOfOthers(times: number): Promise<number[]> {
  const found = [];
  const path = join(folder, 'letter.pdf');
  await writeFile(path, warmUpPage);
  for (let time = 0; time < times; time++) {
    const startedAt = performance.now();
    await pool.drawPage({ path, page: 1, width: 620, task: { priority: 'waiting', client: 'other' } });
    found.push(performance.now() - startedAt);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return found;
}

/** Letters as different writers make them: with tables and without, packed and plain, with a picture and a form. */
async function samples(): Promise<Uint8Array[]> {
  const packed = PDF.create();
  for (let page = 0; page < 3; page++) packed.addPage({ size: 'a4' }).drawText(`Umowa, strona ${page + 1}`, { x: 60, y: 700 });
  return [
    warmUpPage,
    writePages(['', '/Rotate 90', ''], '1.4', 'BT /F 20 Tf 10 50 Td (Umowa) Tj ET'),
    await packed.save(),
    await packed.save({ useXRefStream: true }),
    hostile.hugeImage('CCITTFaxDecode'),
    hostile.withCatalogue('/AcroForm<</Fields[5 0 R]>>', '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Kowalska)/Rect[20 20 80 60]>>'),
  ];
}

function cutOff(original: Uint8Array, random: () => number): Uint8Array {
  return Uint8Array.from(original.subarray(0, Math.floor(random() * original.length)));
}

function turned(original: Uint8Array, random: () => number): Uint8Array {
  // A Buffer's own slice would be the same bytes.
  const bytes = Uint8Array.from(original);
  for (let turn = 0; turn < 1 + random() * 8; turn++) {
    const at = Math.floor(random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  return bytes;
}

/** The same numbers in each run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** By how much this process, with all of its threads, grew at most. */
function watchMemory() {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  return {
    stop() {
      clearInterval(timer);
      return most - before;
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

let kept = 0;
async function keep(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${++kept}.pdf`);
  await writeFile(path, bytes);
  return path;
}
