import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { PdfError } from '#platform/pdf/pdf.errors.ts';
import type { Renditions } from '#platform/renditions/renditions.ts';
import { propertyRuns } from '#testing/nightly.ts';
import { createRendering } from './rendering.door.ts';

const width = 1240;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rendering-model-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

interface Story {
  readonly pages: number;
  readonly present: readonly number[];
  /** The viewport while the n-th page is rendered. */
  readonly polls: readonly { readonly at: number; readonly page: number }[];
  /** The how manieth page cannot be drawn, or not be stored. */
  readonly failures: readonly { readonly at: number; readonly where: 'drawing' | 'storing' }[];
}

const page = fc.integer({ min: 1, max: 45 });
const story: fc.Arbitrary<Story> = fc.record({
  pages: fc.integer({ min: 1, max: 40 }),
  present: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 40 }),
  polls: fc.array(fc.record({ at: fc.integer({ min: 1, max: 40 }), page }), { maxLength: 10 }),
  failures: fc.array(fc.record({ at: fc.integer({ min: 1, max: 40 }), where: fc.constantFrom('drawing', 'storing') }), { maxLength: 3 }),
});

/** Polls until everything is there; which pages were stored, in this order, and how often pages or the document had failed. */
const play = async ({ pages, present, polls, failures }: Story) => {
  const bytes = Buffer.from(randomUUID());
  const object = { objectKey: 'key', sha256: createHash('sha256').update(bytes).digest('hex'), pages };
  const there = new Set(present.filter((number) => number <= pages));
  const stored: number[] = [];
  const toFail = [...failures];
  let begun = 0;
  let failed = 0;
  const failsNow = (where: 'drawing' | 'storing'): boolean => {
    const index = toFail.findIndex((failure) => failure.where === where && failure.at <= begun);
    if (index >= 0) toFail.splice(index, 1);
    return index >= 0;
  };
  const renditions: Pick<Renditions, 'has' | 'listPages' | 'put' | 'makeWorkPath' | 'isSweepDue'> = {
    has: async (key) => there.has(key.page),
    listPages: async () => new Set(there),
    makeWorkPath: async () => join(folder, randomUUID()),
    isSweepDue: () => false,
    async put(key) {
      if (failsNow('storing')) throw new Error('no place');
      there.add(key.page);
      stored.push(key.page);
    },
  };
  const rendering = createRendering({
    objects: { open: async () => Readable.from([bytes]) },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Only these are used.
    renditions: renditions as Renditions,
    pdf: {
      readLines: () => Promise.reject(new Error('nothing is read here')),
      raise: () => {},
      async drawPage({ path, page: number }) {
        begun += 1;
        for (const poll of polls) if (poll.at === begun) void rendering.poll(object, { width, page: poll.page, waitMs: 0 });
        if (failsNow('drawing')) throw new PdfError('RENDER_FAILED', 'a thread that was lost');
        return { page: number, imagePath: `${path}.${number}`, size: 1, width: 1, height: 1, type: 'image/png' };
      },
    },
    jobs: { addAll: async () => {} },
    log: silentLog(),
  });
  for (;;) {
    const progress = await rendering.poll(object, { width, waitMs: 10 });
    if (progress.done && progress.pagesFailed.length === 0) return { stored, failed };
    await new Promise((resolve) => setImmediate(resolve));
    if (!progress.failed && !progress.done) continue;
    failed += 1;
    vi.advanceTimersByTime(121_000);
  }
};

test('each missing page is rendered once, for any sequence of viewports and failures', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const { stored, failed } = await play(told);
      const missing = Array.from({ length: told.pages }, (_, index) => index + 1).filter((number) => !told.present.includes(number));
      expect(stored.toSorted((one, other) => one - other)).toEqual(missing);
      expect(failed).toBeLessThanOrEqual(told.failures.length);
    }),
    propertyRuns({ day: 8, night: 500 }),
  );
});
