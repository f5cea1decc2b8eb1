import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import type { PdfPool } from './pdf-pool.ts';
import { stream, writePdf } from '#testing/simple-pdf.ts';

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pdf-text-'));
  pool = testPdfPool();
});
afterAll(() => rm(folder, { recursive: true }));

let last = 0;
const keep = async (...contents: string[]): Promise<string> => {
  const path = join(folder, `${(last += 1)}.pdf`);
  const kids = contents.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  const pdf = writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${contents.length}/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...contents.flatMap((content, index) => [`<</Type/Page/Parent 2 0 R/Contents ${5 + index * 2} 0 R>>`, stream(content)]),
  ]);
  await writeFile(path, pdf);
  return path;
};

const textsOf = async (path: string, pages: number): Promise<string[]> => {
  const texts: string[] = [];
  await pool.readText({ path, pages, onPage: (page, text) => void (texts[page - 1] = text) });
  return texts;
};

test('the text of every page is read, line by line; a page without text has none', async () => {
  const path = await keep(
    'BT /F 12 Tf 50 700 Td (Umowa kredytu) Tj 0 -20 Td (zdolno\\234\\346 i wk\\363ad) Tj ET',
    '0 0 50 50 re f',
    'BT /F 12 Tf 50 700 Td (Strona 3) Tj ET',
  );
  const [first, second, third] = await textsOf(path, 3);
  expect(first?.split(/\r?\n/)).toEqual(['Umowa kredytu', 'zdolnoœæ i wkóad']);
  expect([second, third]).toEqual(['', 'Strona 3']);
});

test('a page of very much text is read to its limit, and the next one whole', async () => {
  const line = `(${'a'.repeat(90)}) Tj 0 -.33 Td `;
  const path = await keep(`BT /F .3 Tf 10 830 Td ${line.repeat(1_250)} ET`, 'BT /F 12 Tf 50 700 Td (Dalej) Tj ET');
  const [first, second] = await textsOf(path, 2);
  expect(first?.length).toBeGreaterThan(95_000);
  expect(first?.length).toBeLessThanOrEqual(100_000);
  expect(second).toBe('Dalej');
});

test('what is no PDF is refused, and the next document is read all the same', async () => {
  const broken = join(folder, 'broken.pdf');
  await writeFile(broken, 'nothing that could be read');
  await expect(textsOf(broken, 1)).rejects.toMatchObject({ name: 'PdfError', code: 'BROKEN' });
  expect(await textsOf(await keep('BT /F 12 Tf 50 700 Td (Cala) Tj ET'), 1)).toEqual(['Cala']);
});

test('a reading that is called off ends', async () => {
  const path = await keep('BT /F 12 Tf 50 700 Td (Umowa) Tj ET');
  await expect(pool.readText({ path, pages: 1, onPage() {}, signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
});
