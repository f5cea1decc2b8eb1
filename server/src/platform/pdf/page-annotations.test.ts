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
  folder = await mkdtemp(join(tmpdir(), 'page-annotations-'));
  pool = testPdfPool();
});
afterAll(() => rm(folder, { recursive: true }));

const saying = (text: string): string =>
  stream(`BT /F 12 Tf 2 4 Td (${text}) Tj ET`, '/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F 4 0 R>>>>');

/** One page that asks for a name and a day; `annotations` are the objects from the sixth on that its page and its form name, and what these need. */
const aForm = (annotations: readonly string[], ...further: string[]): Uint8Array => {
  const named = annotations.map((_, index) => `${index + 6} 0 R`).join(' ');
  return writePdf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${named}]/DR<</Font<</F 4 0 R>>>>/DA(/F 12 Tf 0 g)/NeedAppearances true>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>/Annots[${named}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    stream('BT /F 12 Tf 50 700 Td (Name:) Tj 0 -40 Td (Day:) Tj 0 -100 Td (End) Tj ET'),
    ...annotations,
    ...further,
  ]);
};

const field = (value: string, y: number, entries = '/F 4'): string =>
  `<</Type/Annot/Subtype/Widget/FT/Tx/T(field ${y})/V(${value})/DA(/F 12 Tf 0 g)/Rect[100 ${y - 4} 300 ${y + 16}]${entries}>>`;

const read = async (pdf: Uint8Array): Promise<{ lines: string[]; text: string }> => {
  const path = await keep(pdf);
  const lines: string[] = [];
  let text = '';
  await pool.readLines({
    path,
    pages: [1],
    onPage: (_, page) => void lines.push(...page.lines.map(({ runs }) => runs.map((run) => run.text.trim()).join(' '))),
  });
  await pool.readText({ path, pages: 1, onPage: (_, found) => (text = found) });
  return { lines, text };
};

let last = 0;
async function keep(pdf: Uint8Array): Promise<string> {
  const path = join(folder, `${(last += 1)}.pdf`);
  await writeFile(path, pdf);
  return path;
}

test('what a form was filled in with is read behind its labels, and found by its words', async () => {
  const { lines, text } = await read(aForm([field('Anna Nowak', 700, '/F 4/AP<</N 8 0 R>>'), field('Friday', 660)], saying('Anna Nowak')));
  expect(lines).toEqual(['Name:', 'Anna Nowak', 'Day:', 'Friday', 'End']);
  expect(text.split(/\s+/)).toEqual(['Name:', 'Anna', 'Nowak', 'Day:', 'Friday', 'End']);
});

test('a note is read where it stands, with an appearance of its own or without', async () => {
  const note = (text: string, y: number, entries: string): string =>
    `<</Type/Annot/Subtype/FreeText/Contents(${text})/DA(/F 12 Tf 0 g)/Rect[100 ${y} 300 ${y + 20}]/F 4${entries}>>`;
  const { lines } = await read(aForm([note('Signed', 670, '/AP<</N 8 0 R>>'), note('Copy', 600, '')], saying('Signed')));
  expect(lines).toEqual(['Name:', 'Signed', 'Day:', 'Copy', 'End']);
});

test('a field that is hidden, and the words of a link, are not read', async () => {
  const link = '<</Type/Annot/Subtype/Link/Contents(Secret)/Rect[0 0 9 9]>>';
  const { lines, text } = await read(aForm([field('Hidden', 700, '/F 2'), link]));
  expect(lines).toEqual(['Name:', 'Day:', 'End']);
  expect(text).not.toMatch(/Hidden|Secret/);
});

test('what a form was filled in with is read again and again', async () => {
  const path = await keep(aForm([field('Anna Nowak', 700)]));
  const texts: string[] = [];
  for (const _ of ['once', 'again']) await pool.readText({ path, pages: 1, onPage: (_page, text) => void texts.push(text) });
  expect(texts[0]).toMatch('Anna Nowak');
  expect(texts[1]).toBe(texts[0]);
});

test('a page is drawn the same before and after its fields were read', async () => {
  const path = await keep(aForm([field('Anna Nowak', 700)]));
  const draw = () => pool.drawPage({ path, page: 1, width: 600, task: { priority: 'waiting' } });
  const before = await draw();
  await pool.readLines({ path, pages: [1], onPage: () => undefined });
  const after = await draw();
  expect(after.size).toBe(before.size);
});
