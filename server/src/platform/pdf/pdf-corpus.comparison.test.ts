import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PageText } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { likenessOf } from '#testing/likeness.ts';
import { isNightly } from '#testing/nightly.ts';
import { pdfCorpus } from '#testing/pdf-corpus.ts';
import { hasPoppler, type Poppler, preparePoppler } from '#testing/poppler.ts';
import { drawnOtherwise, notDrawn, readOtherwise } from './pdf-corpus.exceptions.ts';
import { createPdfPool, type PdfPool } from './pdf-pool.ts';

const width = 620;
const minLikeness = 0.78;
/** Of one page; of all but a tenth of them; of every second one. */
const minRecall = 0.9;
const minUsualRecall = 0.97;
const minMedianRecall = 0.98;
const minUsualPrecision = 0.95;
const files = pdfCorpus.filter(({ name }) => name.endsWith('.pdf'));

if (isNightly && files.length === 0) process.stdout.write('skipped: there is no ../shared/corpus/pdf\n');

describe.skipIf(!isNightly || files.length === 0 || !hasPoppler())(
  'by night: first pages of a corpus, compared with those of poppler',
  () => {
    let folder: string;
    let pool: PdfPool;
    let poppler: Poppler;
    const unlike: string[] = [];
    const undrawn: string[] = [];
    const recalls = new Map<string, number>();
    const precisions: number[] = [];

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'pdf-comparison-'));
      poppler = await preparePoppler();
      pool = createPdfPool({ log: silentLog(), workers: 1, pageCpuMs: 120_000 });
      for (const { name, read } of files) {
        const path = join(folder, 'file.pdf');
        await writeFile(path, read());
        const found = await compare({ pool, poppler }, path);
        if (found.likeness === 'undrawn') undrawn.push(name);
        else if (found.likeness !== undefined && found.likeness < minLikeness) unlike.push(name);
        if (found.recall !== undefined) recalls.set(name, found.recall);
        if (found.precision !== undefined) precisions.push(found.precision);
      }
    }, 1_800_000);
    afterAll(async () => {
      await pool.close();
      await poppler[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    });

    test('what poppler draws is drawn, and alike in each part of the page but for the known exceptions', () => {
      expect(undrawn.toSorted()).toEqual(namesOf(notDrawn));
      expect(unlike.toSorted()).toEqual(namesOf(drawnOtherwise));
    });

    test('words that poppler reads are read, but for the known exceptions', () => {
      const values = [...recalls.values()].toSorted((one, other) => one - other);
      expect(values.length).toBeGreaterThan(100);
      expect(values[Math.floor(values.length / 2)]).toBeGreaterThanOrEqual(minMedianRecall);
      expect(tenthOf(values)).toBeGreaterThanOrEqual(minUsualRecall);
      expect(tenthOf(precisions)).toBeGreaterThanOrEqual(minUsualPrecision);
      const missing = [...recalls].filter(([, recall]) => recall < minRecall).map(([name]) => name);
      expect(missing.toSorted()).toEqual(namesOf(readOtherwise));
    });
  },
);

const tenthOf = (values: readonly number[]): number | undefined =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 10)];

const namesOf = (exceptions: Readonly<Record<string, readonly string[]>>): string[] => Object.values(exceptions).flat().toSorted();

/** Undefined: poppler cannot draw the page, finds no word on it, or the portal finds none. */
const compare = async (
  { pool, poppler }: { pool: PdfPool; poppler: Poppler },
  path: string,
): Promise<{ likeness?: number | 'undrawn'; recall?: number; precision?: number }> => {
  const own = await drawOwn(pool, path);
  const other = await poppler.draw(path, { width, points: own?.points ?? 612 });
  if (own === undefined) return other === undefined ? {} : { likeness: 'undrawn' };
  const read = await poppler.read(path);
  const recall = recallOf(own.text, read);
  const precision = recallOf(read, own.text);
  return {
    ...(other === undefined ? {} : { likeness: await likenessOf(own.image, other) }),
    ...(recall === undefined ? {} : { recall }),
    ...(precision === undefined ? {} : { precision }),
  };
};

const drawOwn = async (pool: PdfPool, path: string): Promise<{ points: number; image: Buffer; text: string } | undefined> => {
  try {
    const { sizes } = await pool.inspect({ path, mayHoldForeignData: true });
    const { imagePath } = await pool.drawPage({ path, page: 1, width, task: { priority: 'waiting' } });
    const image = await readFile(imagePath);
    await rm(imagePath);
    const texts: string[] = [];
    await pool.readLines({ path, pages: [1], onPage: (_, page) => void texts.push(textOf(page)) });
    return { points: sizes[0]?.width ?? 0, image, text: texts.join('\n') };
  } catch {
    return undefined;
  }
};

const textOf = ({ lines }: PageText): string =>
  lines
    .map(({ runs }) => runs.map(({ text }) => text).join('\t'))
    .join('\n')
    .replaceAll('\u{AD}\n', '');

const wordsOf = (text: string): string[] => text.normalize('NFKC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** The share of its words that are among ours, each as often. */
const recallOf = (text: string, other: string): number | undefined => {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = wordsOf(other);
  let found = 0;
  for (const word of words) {
    const count = counts.get(word) ?? 0;
    if (count > 0) found += 1;
    counts.set(word, count - 1);
  }
  return words.length === 0 ? undefined : found / words.length;
};
