import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { createPdfPool, type PdfPool, type RenderedPage } from './pdf-pool.ts';
import { stream, writePdf } from './simple-pdf.ts';

let folder: string;
let pool: PdfPool;
let photo: Buffer;
let greyPhoto: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scanned-page-'));
  pool = createPdfPool({ log: silentLog(), workers: 1 });
  const noise = { type: 'gaussian', mean: 180, sigma: 40 } as const;
  const paper = sharp({ create: { width: 600, height: 800, channels: 3, background: 'white', noise } }).blur(2);
  photo = await paper.clone().jpeg().toBuffer();
  greyPhoto = await paper.clone().toColourspace('b-w').jpeg().toBuffer();
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

interface Scan {
  jpeg?: Buffer;
  image?: string;
  page?: string;
  content?: string;
  space?: string;
  width?: number;
}

const fillingPage = 'q 300 0 0 400 0 0 cm /I Do Q';

test('a page that is one picture comes as that picture, byte by byte', async () => {
  const page = await draw({});
  expect(page).toMatchObject({ type: 'image/jpeg', width: 600, height: 800 });
  expect(Buffer.from(page.bytes).equals(photo)).toBe(true);
});

test('one in grey does, and one with text that recognition has put behind it', async () => {
  expect(Buffer.from((await draw({ jpeg: greyPhoto, space: '/DeviceGray' })).bytes).equals(greyPhoto)).toBe(true);
  const page = await draw({ content: `BT 3 Tr /F 12 Tf 20 20 Td (Umowa) Tj ET ${fillingPage}` });
  expect(Buffer.from(page.bytes).equals(photo)).toBe(true);
});

test('what a camera says of itself is left out, for browsers would turn the picture by it, and it is nobody’s business', async () => {
  const said = await sharp(photo)
    .withExif({ IFD0: { Make: 'Secret camera' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect(said.includes('Secret camera')).toBe(true);
  const { bytes, width, height } = await draw({ jpeg: said });
  expect([width, height]).toEqual([600, 800]);
  expect(Buffer.from(bytes).includes('Secret camera')).toBe(false);
  const { orientation } = await sharp(bytes).metadata();
  expect(orientation).toBeUndefined();
  expect(await differenceOf(bytes, photo)).toBeLessThan(3);
});

describe('whatever changes the picture has it drawn', () => {
  test.each<[string, Scan]>([
    ['a turned page', { page: '/Rotate 90' }],
    ['text upon it', { content: `${fillingPage} BT /F 40 Tf 20 20 Td (Umowa) Tj ET` }],
    ['a line upon it', { content: `${fillingPage} 0 0 m 300 400 l S` }],
    ['two pictures', { content: `${fillingPage} ${fillingPage}` }],
    ['a picture that leaves an edge free', { content: 'q 280 0 0 400 0 0 cm /I Do Q' }],
    ['a picture upside down', { content: 'q 300 0 0 -400 0 400 cm /I Do Q' }],
    ['a picture that is cut', { content: 'q 0 0 150 400 re W n 300 0 0 400 0 0 cm /I Do Q' }],
    ['a picture that shines through', { content: '/G gs q 300 0 0 400 0 0 cm /I Do Q' }],
    ['turned colours', { image: '/Decode[1 0 1 0 1 0]' }],
    ['turned colours, written in numbers', { image: '/D#65code[1 0 1 0 1 0]' }],
    ['a mask of colours', { image: '/Mask[0 10 0 10 0 10]' }],
    ['other colours', { space: '[/CalRGB<</WhitePoint[0.9505 1 1.089]/Gamma[3 3 3]>>]' }],
    ['a part of the page', { page: '/CropBox[0 0 150 200]' }],
    ['a note on the page', { page: '/Annots[<</Type/Annot/Subtype/Square/Rect[10 10 90 90]/C[1 0 0]>>]' }],
    ['more pixels than wanted', { width: 400 }],
  ])('%s', async (_, scan) => {
    const page = await draw(scan);
    expect(Buffer.from(page.bytes).equals(photo)).toBe(false);
    expect(page.width).toBe(scan.width ?? 620);
  });
});

async function draw({
  jpeg = photo,
  image = '',
  page = '',
  content = fillingPage,
  space = '/DeviceRGB',
  width = 620,
}: Scan): Promise<RenderedPage & { bytes: Uint8Array }> {
  const shape = `/Width 600/Height 800/ColorSpace${space}/BitsPerComponent 8/Filter/DCTDecode`;
  const resources = '/Resources<</XObject<</I 4 0 R>>/Font<</F 6 0 R>>/ExtGState<</G<</ca 0.5>>>>>>';
  const path = join(folder, `${randomUUID()}.pdf`);
  await writeFile(
    path,
    writePdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]${resources}/Contents 5 0 R${page}>>`,
      stream(jpeg.toString('latin1'), `/Type/XObject/Subtype/Image${shape}${image}`),
      stream(content),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ]),
  );
  const drawn = await pool.drawPage({ path, page: 1, width, task: { priority: 'waiting' } });
  return { ...drawn, bytes: await readFile(drawn.imagePath) };
}

/** Of each grey value, on average. */
async function differenceOf(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [left, right] = await Promise.all([one, other].map((image) => sharp(image).greyscale().raw().toBuffer()));
  if (left === undefined || right?.length !== left.length) throw new Error('pictures of different sizes');
  return left.reduce((sum, value, at) => sum + Math.abs(value - (right[at] ?? 0)), 0) / left.length;
}
