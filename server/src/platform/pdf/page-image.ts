import { encodeIndexedPng } from './indexed-png.ts';
import { createPaletteMaker } from './palette.ts';
import type { Bitmap } from './pdf-document.ts';

export interface PageImage {
  width: number;
  height: number;
  type: 'image/png' | 'image/jpeg';
  bytes: Uint8Array<ArrayBuffer>;
}

/** One thread's encoder: PNG with a palette for text and drawings, JPEG for photographs and scans. */
export function createPageEncoder(): (bitmap: Bitmap) => Promise<PageImage> {
  const palettes = createPaletteMaker();

  return async (bitmap) => {
    const palette = shareOfChanges(bitmap) > noisy ? undefined : (palettes.make(bitmap) ?? palettes.makeExact(bitmap));
    const { width, height } = bitmap;
    if (palette) return { width, height, type: 'image/png', bytes: encodeIndexedPng({ width, height, ...palette }) };
    return { width, height, type: 'image/jpeg', bytes: await encodeJpeg(bitmap) };
  };
}

/** Share of pixels that differ from their left neighbour: text has few, a scan many. */
const noisy = 0.4;
const jpegQuality = 80;
const sampledRows = 16;

function shareOfChanges({ pixels, width, height }: Bitmap): number {
  let changes = 0;
  let seen = 0;
  for (let row = height > sampledRows ? sampledRows >> 1 : 0; row < height; row += sampledRows) {
    const end = (row + 1) * width;
    for (let at = row * width + 1; at < end; at++) if (pixels[at] !== pixels[at - 1]) changes++;
    seen += width;
  }
  return changes / seen;
}

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
