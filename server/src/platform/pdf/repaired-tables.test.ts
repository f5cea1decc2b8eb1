import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDF } from '@libpdf/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import { aProtectedPdf } from '#testing/pdfs.ts';
import { writePages } from '#testing/simple-pdf.ts';
import type { PdfPool } from './pdf-pool.ts';

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repaired-tables-'));
  pool = testPdfPool();
});
afterAll(() => rm(folder, { recursive: true }));

let last = 0;
const inspect = async (pdf: Uint8Array | string) => {
  const path = join(folder, `${(last += 1)}.pdf`);
  await writeFile(path, typeof pdf === 'string' ? Buffer.from(pdf, 'latin1') : pdf);
  const { pages, flags } = await pool.inspect({ path });
  return { pages, flags };
};

const sound = Buffer.from(writePages(['', ''])).toString('latin1');
/** With all positions so much further. */
const moved = (by: number): string =>
  sound
    .replaceAll(/^(\d{10}) 00000 n/gm, (_, at: string) => `${String(Number(at) + by).padStart(10, '0')} 00000 n`)
    .replace(/startxref\n(\d+)/, (_, at: string) => `startxref\n${Number(at) + by}`);

test.each([
  ['whose table is missing', sound.replace(/xref\n0 [^]*(?=trailer)/, '')],
  ['whose table lies elsewhere', sound.replace(/startxref\n\d+/, 'startxref\n7')],
  ['whose table names wrong positions', sound.replace(/^\d{10} 00000 n/m, '0000000001 00000 n')],
  ['that does not tell where its table is', sound.replace(/startxref[^]*/, '')],
  ['that ends without its last line', sound.replace('%%EOF\n', '')],
  ['that grew by a line after it was written', sound.replace('\n', '\n%a line more\n')],
])('a file %s is accepted with all of its pages, and flagged as repaired', async (_, pdf) => {
  expect(await inspect(pdf)).toEqual({ pages: 2, flags: ['REPAIRED'] });
});

test.each([
  ['as it should be', sound],
  ['behind a byte order mark', `\u00ef\u00bb\u00bf${sound}`],
  ['behind an empty line', `\n${sound}`],
  ['behind a byte order mark that its positions count', `\u00ef\u00bb\u00bf${moved(3)}`],
  ['behind an empty line that its positions count', `\n${moved(1)}`],
  ['with empty lines at its end', `${sound}\n\n`],
])('a file %s is not flagged', async (_, pdf) => {
  expect(await inspect(pdf)).toEqual({ pages: 2, flags: [] });
});

test('tables that are packed, that are continued in another version of the file or that are encrypted are not damaged', async () => {
  const made = PDF.create();
  made.addPage({ size: 'a4' }).drawText('Umowa', { x: 60, y: 700 });
  const first = await made.save({ useXRefStream: true });
  const changed = await PDF.load(first);
  changed.setTitle('Umowa');
  const second = await changed.save({ incremental: true });
  expect(second.length).toBeGreaterThan(first.length);
  for (const pdf of [first, second, await aProtectedPdf('change')]) expect((await inspect(pdf)).flags).toEqual([]);
});
