import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import type { PdfPool } from './pdf-pool.ts';
import { stream, writePdf } from '#testing/simple-pdf.ts';

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'polish-letters-'));
  pool = testPdfPool();
});
afterAll(() => rm(folder, { recursive: true }));

/** Names of letters in a PDF, and those that they come from. */
const letters: readonly (readonly [letter: string, base: string])[] = [
  ['aogonek', 'a'],
  ['cacute', 'c'],
  ['eogonek', 'e'],
  ['lslash', 'l'],
  ['nacute', 'n'],
  ['oacute', 'o'],
  ['sacute', 's'],
  ['zacute', 'z'],
  ['zdotaccent', 'z'],
];
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const all = [...letters, ...letters.map(([letter, base]) => [capital(letter), capital(base)] as const)];
/** Nothing is called so: what is drawn for it is what is drawn for a letter that is missing. */
const missing = 'nosuchletter';

const cellPx = 60;
/** The code of the first Polish letter in such documents: behind the first half of Latin-1. */
const firstCode = 130;

test.each([
  'Helvetica',
  'Helvetica-Bold',
  'Times-Roman',
  'Times-Italic',
  'Courier',
  'Arial',
  'Arial,BoldItalic',
  'TimesNewRoman',
  'CourierNew',
  'Calibri',
])('every Polish letter of %s that is not embedded is itself: not the letter it comes from, not a box, not nothing', async (font) => {
  const drawn = await draw(font, [missing, ...all.flat()]);
  const box = drawn.get(missing) ?? Buffer.alloc(0);
  const nothing = Buffer.alloc(box.length, 255);
  const problems = all.flatMap(([letter, base]) => {
    const own = drawn.get(letter) ?? nothing;
    return [
      ...(differingPixels(own, nothing) > 60 ? [] : [`${letter} is not there`]),
      ...(differingPixels(own, drawn.get(base) ?? own) > 8 ? [] : [`${letter} looks like ${base}`]),
      ...(differingPixels(own, box) > 30 ? [] : [`${letter} is drawn as a missing letter`]),
    ];
  });
  expect(problems).toEqual([]);
  // They differ from one another, too: ź is not ż.
  const pictures = all.map(([letter]) => drawn.get(letter) ?? nothing);
  for (const [place, one] of pictures.entries())
    for (const other of pictures.slice(place + 1)) expect(differingPixels(one, other)).toBeGreaterThan(5);
});

/** The picture of each letter in grey, all of one size. */
async function draw(font: string, names: readonly string[]): Promise<Map<string, Buffer>> {
  const different = [...new Set(names)];
  const subtype = /^(Helvetica|Times-|Courier$)/.test(font) ? 'Type1' : 'TrueType';
  const shown = different.map((_, index) => {
    const code = (firstCode + index).toString(16).padStart(2, '0');
    return `BT /F 36 Tf 1 0 0 1 ${index * cellPx + 15} 20 Tm <${code}> Tj ET`;
  });
  const imagePath = await drawPage(
    writePdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${different.length * cellPx} ${cellPx}]/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>>`,
      `<</Type/Font/Subtype/${subtype}/BaseFont/${font}/Encoding<</Type/Encoding/Differences[${firstCode}/${different.join('/')}]>>>>`,
      stream(shown.join(' ')),
    ]),
    different.length * cellPx,
  );
  const cells = different.map(async (name, index): Promise<[string, Buffer]> => {
    const cell = { left: index * cellPx, top: 0, width: cellPx, height: cellPx };
    return [name, await sharp(imagePath).extract(cell).greyscale().raw().toBuffer()];
  });
  return new Map(await Promise.all(cells));
}

/** By more than the soft edge of a line. */
function differingPixels(one: Buffer, other: Buffer): number {
  return one.reduce((count, value, at) => count + (Math.abs(value - (other[at] ?? 0)) > 64 ? 1 : 0), 0);
}

/** The path of its image. */
async function drawPage(bytes: Uint8Array, width: number): Promise<string> {
  const path = join(folder, `${randomUUID()}.pdf`);
  await writeFile(path, bytes);
  return (await pool.drawPage({ path, page: 1, width, task: { priority: 'waiting' } })).imagePath;
}
