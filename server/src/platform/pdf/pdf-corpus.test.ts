import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { isNightly } from '#testing/nightly.ts';
import { createPdfPool, type PdfPool } from './pdf-pool.ts';

// Files that made other readers fail, from outside this repository: at night each of them, as wide as a dense screen shows it; by day those
// whose structure is broken, and of the others, which are sorted by kind, every eighth.
const folder = new URL('../../../../../shared/corpus/pdf/', import.meta.url);
const width = isNightly ? 1860 : 620;
const isBroken = (file: string): boolean => /fuzzed|poppler|xref|bad|eof|cycle|empty|encrypted|saslprep|stripe-initially/i.test(file);
const all = existsSync(folder) ? readdirSync(folder).toSorted() : [];
const files = all.filter((file, index) => isNightly || index % 8 === 0 || isBroken(file));

describe('a corpus of awkward PDFs', () => {
  let pool: PdfPool;
  let copies: string;
  beforeAll(async () => {
    copies = await mkdtemp(join(tmpdir(), 'pdf-corpus-'));
    pool = createPdfPool({ log: silentLog() });
  });
  afterAll(async () => {
    await pool.close();
    await rm(copies, { recursive: true });
  });

  const named = files.length > 0 ? files : ['(skipped: there is no ../shared/corpus/pdf)'];
  test.skipIf(files.length === 0).each(named)('%s gives a page image or says why not', { timeout: 60_000 }, async (file) => {
    const path = join(copies, `${String(files.indexOf(file))}.pdf`);
    await copyFile(decodeURIComponent(new URL(encodeURIComponent(file), folder).pathname), path);
    expect(await outcomeOf(pool, path)).toMatch(/^(image of [0-9]{3,} bytes|PdfError: [A-Z_]+: .+)$/);
  });
});

async function outcomeOf(pool: PdfPool, path: string): Promise<string> {
  try {
    await pool.inspect({ path, deadlineMs: 10_000 });
    const { size } = await pool.drawPage({ path, page: 1, width, task: { priority: 'waiting' } });
    return `image of ${size} bytes`;
  } catch (error) {
    return String(error);
  }
}
