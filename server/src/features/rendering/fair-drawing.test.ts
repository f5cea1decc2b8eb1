import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createFileObjects } from '#platform/objects/file-objects.ts';
import { createPdfPool } from '#platform/pdf/pdf-pool.ts';
import { isNightly } from '#testing/nightly.ts';
import { stream, writePages, writePdf } from '#testing/simple-pdf.ts';
import { createRenditions } from '#platform/renditions/renditions.ts';
import { createRendering, type RenderableObject, type Rendering } from './rendering.door.ts';

const width = 1240;
/** First pages that are measured while the other client is there. */
const measured = isNightly ? 10 : 3;
/** And without it, to compare times, which are told at night. */
const measuredAlone = isNightly ? 10 : 1;
/** Of each of fifty documents: more in all than are drawn while the others are measured. */
const greedyPages = isNightly ? 400 : 8;
/** On each page. */
const lines = isNightly ? 40 : 8;

interface Setup extends AsyncDisposable {
  readonly rendering: Rendering;
  store(file: { bytes: Uint8Array; pages: number }): Promise<RenderableObject>;
  /** Whether pages of this document are still missing. */
  isMissing(object: RenderableObject): Promise<boolean>;
  /** Of each first page of a modest client: how many other pages were drawn between the request for it and its own drawing. */
  readonly drawnBefore: readonly number[];
}

test('a client who opens fifty huge documents does not delay the first page of another', { timeout: 60_000 }, async () => {
  await using setup = await open();
  const modest = await Promise.all(
    Array.from({ length: measuredAlone + measured }, (_, index) => setup.store(letter(1, `modest ${index}`))),
  );
  const greedy = await Promise.all(Array.from({ length: 50 }, (_, index) => setup.store(letter(greedyPages, `greedy ${index}`))));
  const normal = await firstPages(setup, modest.slice(0, measuredAlone));
  // All at once: the first pages of the fifty are in the queue when the next client comes.
  await Promise.all(greedy.map((object) => setup.rendering.poll(object, { width, waitMs: 0, client: 'greedy' })));
  const meanwhile = await firstPages(setup, modest.slice(measuredAlone));
  report('while another one has opened fifty documents', normal, meanwhile);
  expect(await Promise.all(greedy.map((object) => setup.isMissing(object)))).toContain(true);
  // Times depend on what else the machine does (a bench measures them); what was drawn in between hardly does: a page or two by the other thread.
  expect(median(setup.drawnBefore.slice(-measured))).toBeLessThanOrEqual(4);
  expect(Math.max(...setup.drawnBefore.slice(-measured))).toBeLessThan(20);
});

test('a client who opens a page whose rendering does not end does not delay others either', { timeout: 60_000 }, async () => {
  await using setup = await open();
  const modest = await Promise.all(
    Array.from({ length: measuredAlone + measured }, (_, index) => setup.store(letter(1, `other ${index}`))),
  );
  const normal = await firstPages(setup, modest.slice(0, measuredAlone));
  const hostile = await setup.store(endless());
  await setup.rendering.poll(hostile, { width, waitMs: 0, client: 'hostile' });
  const meanwhile = await firstPages(setup, modest.slice(measuredAlone));
  report('while a page does not end', normal, meanwhile);
  expect(await setup.isMissing(hostile)).toBe(true);
});

/** The time of each to its first page, one after the other, each opened by another client. */
async function firstPages({ rendering }: Setup, documents: readonly RenderableObject[]): Promise<number[]> {
  const times = [];
  for (const object of documents) {
    const startedAt = performance.now();
    const { pagesReady } = await rendering.poll(object, { width, waitMs: 30_000, client: object.sha256 });
    times.push(performance.now() - startedAt);
    expect(pagesReady).toContain(1);
  }
  return times;
}

function report(what: string, normal: readonly number[], meanwhile: readonly number[]): void {
  const ms = (values: readonly number[]): string => `${median(values).toFixed(0)} ms`;
  if (!isNightly) return;
  process.stdout.write(`first page ${what}: ${ms(meanwhile)}, otherwise ${ms(normal)} (medians of ${normal.length})\n`);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** As on the smallest machine: one thread, and the one reserved for pages that a client waits for. */
async function open(): Promise<Setup> {
  const cleanUp = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'fair-drawing-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const objects = await createFileObjects(join(folder, 'objects'));
  const renditions = createRenditions({ dir: join(folder, 'renditions') });
  const pdf = createPdfPool({ log: silentLog(), workers: 1 });
  const drawnBefore: number[] = [];
  let drawn = 0;
  const rendering = createRendering({
    objects,
    renditions,
    pdf: {
      ...pdf,
      async drawPage(job) {
        const before = drawn;
        const image = await pdf.drawPage(job);
        if (job.page === 1 && job.task.client !== 'greedy') drawnBefore.push(drawn - before);
        drawn += 1;
        return image;
      },
    },
    jobs: { addAll: async () => {} },
    log: silentLog(),
  });
  cleanUp.defer(() => rendering.close());
  cleanUp.defer(() => pdf.close());
  return {
    rendering,
    drawnBefore,
    async store({ bytes, pages }) {
      const { key, sha256 } = await objects.put(Readable.from([bytes]));
      return { objectKey: key, sha256, pages };
    },
    async isMissing({ sha256, pages }) {
      return (await renditions.listPages({ sha256, width })).size < pages;
    },
    [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
  };
}

function letter(pages: number, name: string): { bytes: Uint8Array; pages: number } {
  const written = Array.from({ length: lines }, (_, line) => `(Line ${line} of ${name}, as long as the lines of a letter are) Tj T*`);
  const top = 60 + 18 * lines;
  const entries = Array.from({ length: pages }, () => `/MediaBox[0 0 595 ${top + 60}]`);
  return { pages, bytes: writePages(entries, '1.7', `BT /F 11 Tf 60 ${top} Td 14 TL ${written.join(' ')} ET`) };
}

/** A pattern repeated some ten thousand million times. */
function endless(): { bytes: Uint8Array; pages: number } {
  const pattern = '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.001/YStep 0.001/Resources<<>>';
  const bytes = writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Resources<</Pattern<</P 5 0 R>>>>/Contents 4 0 R>>',
    stream('/Pattern cs /P scn 0 0 100 100 re f'),
    stream('1 0 0 rg 0 0 1 1 re f', pattern),
  ]);
  return { bytes, pages: 1 };
}
