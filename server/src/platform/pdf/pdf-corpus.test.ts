import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createPdfPool, type PdfPool } from './pdf-pool.ts';

// Files that made other readers fail, from outside this repository: each of them, by night as wide as a dense screen shows it.
const folder = new URL('../../../../../shared/corpus/pdf/', import.meta.url);
const width = process.env['NIGHTLY'] === '1' ? 1860 : 620;
const files = existsSync(folder) ? readdirSync(folder).toSorted() : [];

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
