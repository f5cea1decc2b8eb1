import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '#platform/log/log.ts';
import { maxPixelsPerPage } from './pdf-document.ts';
import { createPdfPool, type PdfPool, type RenderedPage } from './pdf-pool.ts';
import { aProtectedPdf } from '#testing/pdfs.ts';
import { stream, writePages, writePdf } from '#testing/simple-pdf.ts';

let folder: string;
let pool: PdfPool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pdf-pool-'));
  pool = createPdfPool({ log: silentLog(), workers: 1, maxPages: 50 });
});
afterAll(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

describe('inspection', () => {
  test('tells the pages, their sizes after rotation and the version', async () => {
    const path = await keep(writePages(['/MediaBox[0 0 595 842]', '/MediaBox[0 0 595 842]/Rotate 90'], '1.4'));
    const sizes = [
      { width: 595, height: 842 },
      { width: 842, height: 595 },
    ];
    expect(await pool.inspect({ path })).toEqual({ pages: 2, sizes, version: '1.4', flags: [] });
  });

  test.each([
    ['nothing at all', Buffer.alloc(0)],
    ['a text', Buffer.from('Agreement')],
    ['a PDF behind other bytes', Buffer.concat([Buffer.from('MZ'), writePages([''])])],
  ])('%s is not a PDF', async (_name, bytes) => {
    await expect(pool.inspect({ path: await keep(bytes) })).rejects.toMatchObject({ code: 'NOT_A_PDF' });
  });

  test('a PDF with a password to open it is refused as encrypted', async () => {
    const path = await keep(await aProtectedPdf('open'));
    await expect(pool.inspect({ path })).rejects.toMatchObject({ code: 'ENCRYPTED' });
  });

  test('a PDF with a password only to change it is inspected behind its encryption, drawn and read', async () => {
    const path = await keep(await aProtectedPdf('change'));
    expect(await pool.inspect({ path, mustBeReadWhole: true })).toMatchObject({ pages: 1, flags: [] });
    expect(await pool.drawPage({ path, page: 1, width: 300, task: { priority: 'waiting' } })).toMatchObject({ page: 1 });
    const texts: string[] = [];
    await pool.readText({ path, pages: 1, onPage: (_, text) => texts.push(text) });
    expect(texts).toEqual(['Umowa']);
  });

  test('a script that is packed in an encrypted stream is found', async () => {
    const path = await keep(await aProtectedPdf('change', packedScript()));
    expect(await pool.inspect({ path, mustBeReadWhole: true })).toMatchObject({ flags: ['JAVASCRIPT'] });
  });

  test.each([
    ['its header only', Buffer.from('%PDF-1.7\n')],
    ['noise behind the header', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4096, 0x5a)])],
    ['no page', writePdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'])],
  ])('a PDF of %s is broken', async (_name, bytes) => {
    await expect(pool.inspect({ path: await keep(bytes) })).rejects.toMatchObject({ code: 'BROKEN' });
  });

  test.each([
    ['without size', writePages(['', '/CropBox[200 200 300 300]', ''])],
    [
      'that is not there',
      Buffer.from(
        Buffer.from(writePages(['', '', '']))
          .toString('latin1')
          .replace('6 0 R', '99 0 R'),
        'latin1',
      ),
    ],
  ])('a PDF with a page %s is accepted and flagged, and its other pages are drawn', async (_name, bytes) => {
    const path = await keep(bytes);
    const { sizes, flags } = await pool.inspect({ path });
    expect(flags).toEqual(['PAGE_UNDRAWABLE']);
    expect(sizes).toEqual([
      { width: 100, height: 100 },
      { width: 0, height: 0 },
      { width: 100, height: 100 },
    ]);
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map((page) => pool.drawPage({ path, page, width: 100, task: { priority: 'waiting' } })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'UNDRAWABLE' } });
  });

  test('more pages than the limit are refused', async () => {
    const path = await keep(writePages(Array.from({ length: 51 }, () => '')));
    await expect(pool.inspect({ path })).rejects.toMatchObject({ code: 'TOO_MANY_PAGES' });
  });

  test('a file that is not there is no verdict about a PDF', async () => {
    await expect(pool.inspect({ path: join(folder, 'missing.pdf') })).rejects.toMatchObject({
      code: 'STORAGE_ERROR',
      cause: expect.objectContaining({ message: expect.stringContaining('ENOENT') }),
    });
  });
});

describe('drawing', () => {
  test('a page of text comes as a PNG of the width that was asked for', async () => {
    const page = await drawFirst(writePages(['/MediaBox[0 0 595 842]'], '1.7', 'BT /F 20 Tf 50 700 Td (Umowa) Tj ET'));
    expect(page).toMatchObject({ page: 1, width: 1240, height: 1755, type: 'image/png' });
    expect(await sharp(page.imagePath).metadata()).toMatchObject({ format: 'png', width: 1240, height: 1755 });
  });

  test('a picture that does not fill its page is drawn, as a JPEG', async () => {
    const noise = await sharp({
      create: { width: 300, height: 400, channels: 3, background: 'white', noise: { type: 'gaussian', mean: 200, sigma: 40 } },
    })
      .jpeg()
      .toBuffer();
    const page = await drawFirst(
      writePdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>',
        stream(
          noise.toString('latin1'),
          '/Type/XObject/Subtype/Image/Width 300/Height 400/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode',
        ),
        stream('200 0 0 400 0 0 cm /I Do'),
      ]),
    );
    expect(page.type).toBe('image/jpeg');
    expect(await sharp(page.imagePath).metadata()).toMatchObject({ format: 'jpeg', width: 1240, height: 1653 });
  });

  test('what was typed into a form field is drawn', async () => {
    const form = (value: string) =>
      writePdf([
        '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/DR<</Font<</F 5 0 R>>>>/DA(/F 20 Tf 0 g)/NeedAppearances true>>>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Annots[4 0 R]>>',
        `<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(${value})/Rect[20 20 280 60]/DA(/F 20 Tf 0 g)/P 3 0 R/F 4>>`,
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      ]);
    const whole = { left: 0, top: 0, width: 600, height: 200 };
    expect(await inkIn(await drawFirst(form(''), 600), whole)).toBe(0);
    expect(await inkIn(await drawFirst(form('Kowalska'), 600), whole)).toBeGreaterThan(500);
  });

  test.each([
    ['an ordinary page asked for far too wide', '/MediaBox[0 0 600 600]', 9000],
    ['an endless strip', '/MediaBox[0 0 10 14400]', 1240],
  ])('%s is drawn with no more pixels than the limit', async (_name, box, width) => {
    const page = await drawFirst(writePages([box]), width);
    expect(page.width * page.height).toBeLessThanOrEqual(maxPixelsPerPage);
    expect(page.width * page.height).toBeGreaterThan(maxPixelsPerPage * 0.9);
    expect(await sharp(page.imagePath).metadata()).toMatchObject({ width: page.width, height: page.height });
  });

  test('pages of one client are drawn in the order that was asked for', async () => {
    const path = await keep(writePages(Array.from({ length: 12 }, () => '')));
    const drawn: number[] = [];
    const draw = async (page: number) => drawn.push((await pool.drawPage({ path, page, width: 100, task: { priority: 'waiting' } })).page);
    await Promise.all([3, 1, 12, 2].map(draw));
    expect(drawn).toEqual([3, 1, 12, 2]);
  });

  test('a page that is not in the document fails', async () => {
    const path = await keep(writePages(['']));
    await pool.drawPage({ path, page: 1, width: 100, task: { priority: 'waiting' } });
    const missing = pool.drawPage({ path, page: 2, width: 100, task: { priority: 'waiting' } });
    await expect(missing).rejects.toMatchObject({ code: 'UNDRAWABLE' });
  });
});

let kept = 0;
/** The script is an object of a stream that the catalogue names. */
const packedScript = (): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R/Packed 4 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>',
    stream('9 0 <</S/JavaScript/JS(app.alert)>>', '/Type/ObjStm/N 1/First 4'),
  ]);

async function keep(bytes: Uint8Array): Promise<string> {
  const path = join(folder, `${++kept}.pdf`);
  await writeFile(path, bytes);
  return path;
}

async function drawFirst(bytes: Uint8Array, width = 1240): Promise<RenderedPage> {
  return pool.drawPage({ path: await keep(bytes), page: 1, width, task: { priority: 'waiting' } });
}

/** Pixels darker than mid-grey. */
async function inkIn(page: RenderedPage, area: { left: number; top: number; width: number; height: number }): Promise<number> {
  const pixels = await sharp(page.imagePath).extract(area).greyscale().raw().toBuffer();
  return pixels.filter((value) => value < 128).length;
}
