import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import { stream, writePdf } from '#testing/simple-pdf.ts';
import type { PdfPool } from './pdf-pool.ts';

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drawn-colours-'));
  pool = testPdfPool();
});
afterAll(() => rm(folder, { recursive: true }));

const page = (content: string, resources = '', ...objects: string[]): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 40 10]/Contents 4 0 R/Resources<<${resources}>>>>`,
    stream(content),
    ...objects,
  ]);

let last = 0;
/** Of four fields beside one another, red, green and blue of each in steps of a sixteenth. */
const coloursOf = async (pdf: Uint8Array): Promise<string[]> => {
  const path = join(folder, `${(last += 1)}.pdf`);
  await writeFile(path, pdf);
  const { imagePath } = await pool.drawPage({ path, page: 1, width: 80, task: { priority: 'waiting' } });
  const { data, info } = await sharp(imagePath).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return [10, 30, 50, 70].map((x) => {
    const at = (10 * info.width + x) * info.channels;
    return Array.from(data.subarray(at, at + 3), (value) => Math.round(value / 17).toString(16)).join('');
  });
};

const field = (operators: readonly string[]): string =>
  operators.map((operator, index) => `${operator} ${index * 10} 0 10 10 re f`).join('\n');

/** An image of four pixels. */
const image = (pixels: string, dictionary: string): Uint8Array =>
  page(
    '1 1 0 rg 0 0 40 10 re f 40 0 0 10 0 0 cm /I Do',
    '/XObject<</I 5 0 R>>',
    stream(pixels, `/Type/XObject/Subtype/Image/Width 4/Height 1${dictionary}`),
  );
const rainbow = '/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB 3<FF000000FF000000FF888888>]';
/** Purer colours than those of a screen, and a lighter middle. */
const calibration = '/WhitePoint[.9505 1 1.089]/Gamma[1.8 1.8 1.8]/Matrix[.4497 .2446 .0252 .3163 .672 .1412 .1845 .0833 .9227]';
const inks = '/ColorSpace[/Indexed/DeviceCMYK 3<FF00000000FF00000000FF00000000FF>]';

test.each([
  ['inks without a profile', page(field(['1 0 0 0 k', '0 1 0 0 k', '0 0 1 0 k', '0 0 0 1 k'])), ['0ae', 'e08', 'fe0', '222']],
  ['indexes of colours', image('\0\u0001\u0002\u0003', rainbow), ['f00', '0f0', '00f', '888']],
  ['indexes of inks', image('\0\u0001\u0002\u0003', `/BitsPerComponent 8${inks}`), ['0ae', 'e08', 'fe0', '222']],
  ['indexes of two bits', image('\u001b', `/BitsPerComponent 2${inks}`), ['0ae', 'e08', 'fe0', '222']],
  [
    'indexes that are counted backwards',
    image('\u00a0', '/BitsPerComponent 1/Decode[1 0]/ColorSpace[/Indexed/DeviceRGB 1<FF000000FF00>]'),
    ['f00', '0f0', 'f00', '0f0'],
  ],
  ['an index that is left out of the picture', image('\0\u0001\u0002\u0003', `${rainbow}/Mask[1 1]`), ['f00', 'ff0', '00f', '888']],
  [
    'calibrated colours (CalRGB) of fields',
    page(field(['/C cs 1 0 0 sc', '0 1 0 sc', '0 0 1 sc', '.5 .5 .5 sc']), `/ColorSpace<</C[/CalRGB<<${calibration}>>]>>`),
    ['f20', '0f3', '12f', '999'],
  ],
  [
    'a table of colours that is too short',
    image('\0\u0001\u0002\u0002', '/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB 255<FF000000FF000000FF>]'),
    ['f00', '0f0', '00f', '00f'],
  ],
])('%s are drawn in their colours', async (_, pdf, expected) => {
  expect(await coloursOf(pdf)).toEqual(expected);
});
