import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createJobs } from '#platform/jobs/jobs.ts';
import { migrateJobs } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';
import { createFileObjects } from '#platform/objects/file-objects.ts';
import type { PageJob } from '#platform/pdf/pdf-pool.ts';
import { writePages } from '#testing/simple-pdf.ts';
import { createRenditions, type Rendition } from '#platform/renditions/renditions.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { createRendering, type RenderableObject, type Rendering } from './rendering.door.ts';

/** Which callers share a rendering, on threads that render only what the test releases. */

const pngHead = Buffer.from('89504e470d0a1a0a', 'hex');
const pngTail = Buffer.from('0000000049454e44ae426082', 'hex');

let folder: string;
let opened: Rendering[];
/** Drawings that were asked for, in this order; each waits to be let go on. */
let asked: { readonly job: PageJob; readonly finish: () => void }[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'single-flight-'));
  [opened, asked] = [[], []];
});
afterEach(async () => {
  for (const { finish } of asked) finish();
  await Promise.all(opened.map((rendering) => rendering.close()));
  await rm(folder, { recursive: true });
});

const open = async (
  jobs: Parameters<typeof createRendering>[0]['jobs'] = { addAll: async () => {} },
): Promise<{ rendering: Rendering; object: RenderableObject }> => {
  const objects = await createFileObjects(join(folder, 'objects'));
  const { key, sha256 } = await objects.put(Readable.from([writePages(['', ''])]));
  const rendering = createRendering({
    objects,
    renditions: createRenditions({ dir: join(folder, 'renditions') }),
    jobs,
    log: silentLog(),
    pdf: {
      async drawPage(job) {
        const drawn = Promise.withResolvers<void>();
        asked.push({ job, finish: drawn.resolve });
        await drawn.promise;
        const image = Buffer.concat([pngHead, Buffer.from(`page ${job.page}, ${job.width} px`), pngTail]);
        const imagePath = join(folder, `${job.page}-${job.width}`);
        await writeFile(imagePath, image);
        return { imagePath, size: image.length, type: 'image/png', page: job.page, width: job.width, height: 1 };
      },
      raise: () => {},
      readLines: () => Promise.reject(new Error('nothing is read here')),
    },
  });
  opened.push(rendering);
  return { rendering, object: { objectKey: key, sha256, pages: 2 } };
};

/** What a drawn page says. */
const textOf = (image: Rendition | undefined): string | undefined =>
  image === undefined ? undefined : Buffer.from(image.bytes.subarray(pngHead.length, -pngTail.length)).toString();

const drawings = (): string[] => asked.map(({ job }) => `${job.page} at ${job.width}`);

test('a page that is asked for in two widths at once is drawn in both, and neither waits for the other', async () => {
  const { rendering, object } = await open();
  const narrow = rendering.openPage(object, { width: 1240, page: 1 });
  await expect.poll(drawings).toEqual(['1 at 1240']);
  const wide = rendering.openPage(object, { width: 1860, page: 1 });
  await expect.poll(drawings).toEqual(['1 at 1240', '1 at 1860']);
  asked[1]?.finish();
  expect(textOf(await wide)).toBe('page 1, 1860 px');
  asked[0]?.finish();
  expect(textOf(await narrow)).toBe('page 1, 1240 px');
});

test('two pages that are asked for at once are drawn each by itself', async () => {
  const { rendering, object } = await open();
  const pages = [1, 2].map((page) => rendering.openPage(object, { width: 1240, page }));
  await expect.poll(() => drawings().toSorted()).toEqual(['1 at 1240', '2 at 1240']);
  for (const { finish } of asked) finish();
  expect((await Promise.all(pages)).map(textOf)).toEqual(['page 1, 1240 px', 'page 2, 1240 px']);
});

test('however many ask for a page while it is drawn, they all get the one drawing', async () => {
  const { rendering, object } = await open();
  const all = Array.from({ length: 5 }, () => rendering.openPage(object, { width: 1240, page: 1 }));
  await expect.poll(drawings).toEqual(['1 at 1240']);
  asked[0]?.finish();
  expect((await Promise.all(all)).map(textOf)).toEqual(all.map(() => 'page 1, 1240 px'));
  expect(drawings()).toEqual(['1 at 1240']);
});

test('a document that is published many times before its first page is drawn has one job, another document has its own', async () => {
  await using database = await createTestDatabase();
  await migrateJobs(database.pool, silentLog());
  const { rendering, object } = await open(createJobs(database.db));
  const publish = (published: RenderableObject): Promise<void> =>
    database.db.transaction().execute((trx) => rendering.prepare(trx, [published]));
  for (let times = 0; times < 3; times += 1) await publish(object);
  await publish({ ...object, sha256: 'cd'.repeat(32) });
  const { rows } = await database.pool.query("select from graphile_worker.jobs where task_identifier = 'render-first-page'");
  expect(rows).toHaveLength(2);
});
