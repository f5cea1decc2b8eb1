import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNightly } from '#testing/nightly.ts';
import { pdfCorpus } from '#testing/pdf-corpus.ts';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import type { PdfPool } from './pdf-pool.ts';

// At night each of them, as wide as a dense screen shows it; by day those made here and those whose structure is broken, and of the others,
// which stand together by kind, every thirtieth. hostile-pdf.test.ts reads some of them by day, too.
const width = isNightly ? 1860 : 620;
const isBroken = (name: string): boolean => /^own|fuzzed|poppler|xref|bad|eof|cycle|empty|encrypted|saslprep|stripe-initially/i.test(name);
const isReadElsewhere = (name: string): boolean =>
  /^own: (a table that|pages that are their|packed fifty|an image larger|a page of no)/.test(name);
const isReadByDay = (name: string, index: number): boolean => !isReadElsewhere(name) && (index % 30 === 0 || isBroken(name));
const files = pdfCorpus.filter(({ name }, index) => isNightly || isReadByDay(name, index));

describe('a corpus of awkward PDFs', () => {
  let pool: PdfPool;
  let copies: string;
  beforeAll(async () => {
    copies = await mkdtemp(join(tmpdir(), 'pdf-corpus-'));
    pool = testPdfPool();
  });
  afterAll(() => rm(copies, { recursive: true }));

  test.each(files)('$name gives a page image or says why not', { timeout: 60_000 }, async (file) => {
    const path = join(copies, `${String(files.indexOf(file))}.pdf`);
    await writeFile(path, file.read());
    expect(await outcomeOf(pool, path)).toMatch(/^(image of [0-9]{3,} bytes|PdfError: [A-Z_]+: .+)$/);
  });
});

async function outcomeOf(pool: PdfPool, path: string): Promise<string> {
  try {
    await pool.inspect({ path, cpuMs: 10_000 });
    const { size } = await pool.drawPage({ path, page: 1, width, task: { priority: 'waiting' } });
    return `image of ${size} bytes`;
  } catch (error) {
    return String(error);
  }
}
