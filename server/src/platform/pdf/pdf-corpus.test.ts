import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createPdfPool, type PdfPool } from './pdf-pool.ts';

// Files that made other readers fail, from outside this repository; a sample by day, all of them by night.
const folder = new URL('../../../../../shared/corpus/pdf/', import.meta.url);
const everyNth = process.env['NIGHTLY'] === '1' ? 1 : 8;
const files = existsSync(folder)
  ? readdirSync(folder)
      .sort()
      .filter((_, index) => index % everyNth === 0)
  : [];

describe('a corpus of awkward PDFs', () => {
  let pool: PdfPool;
  beforeAll(() => {
    pool = createPdfPool({ log: silentLog() });
  });
  afterAll(() => pool.close());

  const named = files.length > 0 ? files : ['(skipped: there is no ../shared/corpus/pdf)'];
  test.skipIf(files.length === 0).each(named)('%s gives a page image or says why not', { timeout: 60_000 }, async (file) => {
    const path = decodeURIComponent(new URL(encodeURIComponent(file), folder).pathname);
    expect(await outcomeOf(pool, path)).toMatch(/^(image of [0-9]{3,} bytes|PdfError: [A-Z_]+: .+)$/);
  });
});

async function outcomeOf(pool: PdfPool, path: string): Promise<string> {
  let outcome = 'no page';
  try {
    await pool.inspect({ path });
    await pool.render({ path, width: 1240, pages: [1], onPage: ({ bytes }) => void (outcome = `image of ${bytes.length} bytes`) });
    return outcome;
  } catch (error) {
    return String(error);
  }
}
