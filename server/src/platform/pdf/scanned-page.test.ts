import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPdfPool } from '#testing/test-pdf-pool.ts';
import type { PdfPool, RenderedPage } from './pdf-pool.ts';
import { stream, writePdf } from '#testing/simple-pdf.ts';

let folder: string;
let pool: PdfPool;
let photo: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scanned-page-'));
  pool = testPdfPool();
  const noise = { type: 'gaussian', mean: 180, sigma: 40 } as const;
  photo = await sharp({ create: { width: 600, height: 800, channels: 3, background: 'white', noise } })
    .blur(2)
    .jpeg()
    .toBuffer();
});
afterAll(() => rm(folder, { recursive: true }));

test('a page that is one picture comes as a JPEG that looks like it', async () => {
  const page = await draw(photo);
  expect(page).toMatchObject({ type: 'image/jpeg', width: 600, height: 800 });
  expect(await differenceOf(page.bytes, photo)).toBeLessThan(3);
});

test('the metadata of a camera are removed, since browsers would rotate the picture by them and they may be private', async () => {
  const said = await sharp(photo)
    .withExif({ IFD0: { Make: 'Secret camera' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect(said.includes('Secret camera')).toBe(true);
  const { bytes, width, height } = await draw(said);
  expect([width, height]).toEqual([600, 800]);
  expect(Buffer.from(bytes).includes('Secret camera')).toBe(false);
  const { orientation } = await sharp(bytes).metadata();
  expect(orientation).toBeUndefined();
  expect(await differenceOf(bytes, photo)).toBeLessThan(3);
});

async function draw(jpeg: Buffer): Promise<RenderedPage & { bytes: Uint8Array }> {
  const shape = '/Width 600/Height 800/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode';
  const path = join(folder, `${randomUUID()}.pdf`);
  await writeFile(
    path,
    writePdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>',
      stream(jpeg.toString('latin1'), `/Type/XObject/Subtype/Image${shape}`),
      stream('q 300 0 0 400 0 0 cm /I Do Q'),
    ]),
  );
  const drawn = await pool.drawPage({ path, page: 1, width: 600, task: { priority: 'waiting' } });
  return { ...drawn, bytes: await readFile(drawn.imagePath) };
}

/** Of each grey value, on average. */
async function differenceOf(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [left, right] = await Promise.all([one, other].map((image) => sharp(image).greyscale().raw().toBuffer()));
  if (left === undefined || right?.length !== left.length) throw new Error('pictures of different sizes');
  return left.reduce((sum, value, at) => sum + Math.abs(value - (right[at] ?? 0)), 0) / left.length;
}
