import { encodeIndexedPng } from './indexed-png.ts';
import { reduceColours } from './page-colours.ts';
import type { Bitmap } from './pdf-document.ts';

export interface PageImage {
  width: number;
  height: number;
  type: 'image/png' | 'image/jpeg';
  bytes: Uint8Array<ArrayBuffer>;
}

/** PNG with a palette for text and drawings, JPEG for photographs and scans. */
export async function encodePage(bitmap: Bitmap): Promise<PageImage> {
  const indexed = reduceColours(bitmap);
  const { width, height } = bitmap;
  if (indexed !== undefined) return { width, height, type: 'image/png', bytes: encodeIndexedPng(indexed) };
  return { width, height, type: 'image/jpeg', bytes: await encodeJpeg(bitmap) };
}

const jpegQuality = 80;

async function encodeJpeg({ pixels, width, height }: Bitmap): Promise<Uint8Array<ArrayBuffer>> {
  // Load the library with the first photograph only.
  const { default: sharp } = await import('sharp');
  // Our threads already use the cores: libvips needs none of its own.
  sharp.concurrency(1);
  sharp.cache(false);
  const raw = { width, height, channels: 4 } as const;
  const bytes = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  return Uint8Array.from(await sharp(bytes, { raw }).removeAlpha().jpeg({ quality: jpegQuality }).toBuffer());
}
