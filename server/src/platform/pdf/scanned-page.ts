import { namesOfObject, wantNames } from './pdf-names.ts';
import type { Pdfium } from './pdfium.ts';
import { plainJpeg } from './plain-jpeg.ts';

/** The JPEG of a scanned page as it lies in the file. */
export interface ScannedPage {
  readonly width: number;
  readonly height: number;
  readonly type: 'image/jpeg';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** By the requested width: larger pictures are drawn, because sending them costs more. */
const mostByWidth = 1.4;
const maxBytes = 600_000;
/** In points, between picture and edge of the page. */
const edge = 1;

const textObject = 1;
const imageObject = 3;
const invisibleText = 3;
const grey = 1;
const rgb = 2;
/** Entries of a picture's dictionary that make a PDF reader show it differently from the bare JPEG. */
const changing = [
  'Decode',
  'DecodeParms',
  'DP',
  'SMask',
  'Mask',
  'ImageMask',
  'Matte',
  'SMaskInData',
  'Indexed',
  'ICCBased',
  'CalRGB',
  'OC',
];
const wanted = wantNames(['DCTDecode', ...changing]);

/** The JPEG of a page that is one JPEG from edge to edge, and invisible text. Undefined for any other page, or when the picture is too large. */
export function createScanReader(pdfium: Pdfium, file: Uint8Array): (page: number, width: number) => ScannedPage | undefined {
  const { api } = pdfium;
  const scratch = pdfium.allocate(64);
  let buffer = 0;
  const floats = (count: number): number[] => {
    const numbers = pdfium.numbers();
    return Array.from({ length: count }, (_, index) => numbers.getFloat32(scratch + index * 4, true));
  };

  /** The picture when the page shows nothing else. */
  function onlyPicture(page: number): number | undefined {
    const count = api.FPDFPage_CountObjects(page);
    let picture: number | undefined;
    for (let index = 0; index < count; index++) {
      const object = api.FPDFPage_GetObject(page, index);
      const type = api.FPDFPageObj_GetType(object);
      if (type === textObject && api.FPDFTextObj_GetTextRenderMode(object) === invisibleText) continue;
      if (type !== imageObject || picture !== undefined) return undefined;
      picture = object;
    }
    return picture;
  }

  function fillsPage(page: number, picture: number): boolean {
    if (!api.FPDF_GetPageBoundingBox(page, scratch)) return false;
    const [left = 0, top = 0, right = 0, bottom = 0] = floats(4);
    if (!api.FPDFPageObj_GetMatrix(picture, scratch)) return false;
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = floats(6);
    const isUpright = b === 0 && c === 0 && a > 0 && d > 0;
    return isUpright && [e - left, f - bottom, e + a - right, f + d - top].every((distance) => Math.abs(distance) <= edge);
  }

  function isPlain(page: number, picture: number): boolean {
    return (
      api.FPDFPage_GetRotation(page) === 0 &&
      api.FPDFPage_GetAnnotCount(page) === 0 &&
      !api.FPDFPageObj_HasTransparency(picture) &&
      api.FPDFClipPath_CountPaths(api.FPDFPageObj_GetClipPath(picture)) <= 0 &&
      api.FPDFImageObj_GetImageFilterCount(picture) === 1
    );
  }

  /** Width, height and components of the picture, where its colours are those of a bare JPEG. */
  function shapeOf(page: number, picture: number): { width: number; height: number; components: number } | undefined {
    if (!api.FPDFImageObj_GetImageMetadata(picture, page, scratch)) return undefined;
    const numbers = pdfium.numbers();
    const [width, height, bits, space] = [0, 4, 16, 20].map((offset) => numbers.getUint32(scratch + offset, true));
    if (width === undefined || height === undefined) return undefined;
    if (space === grey && bits === 8) return { width, height, components: 1 };
    if (space === rgb && bits === 24) return { width, height, components: 3 };
    return undefined;
  }

  function bytesOf(picture: number): Uint8Array | undefined {
    const size = api.FPDFImageObj_GetImageDataRaw(picture, 0, 0);
    if (size === 0 || size > maxBytes) return undefined;
    // All pages reuse it, because the engine's memory is never released.
    if (buffer === 0) buffer = pdfium.allocate(maxBytes);
    api.FPDFImageObj_GetImageDataRaw(picture, buffer, size);
    return Uint8Array.from(pdfium.bytes().subarray(buffer, buffer + size));
  }

  return (page, width) => {
    const picture = onlyPicture(page);
    if (picture === undefined || !isPlain(page, picture) || !fillsPage(page, picture)) return undefined;
    const shape = shapeOf(page, picture);
    if (shape === undefined || shape.width > width * mostByWidth) return undefined;
    const pageShape = api.FPDF_GetPageHeightF(page) / api.FPDF_GetPageWidthF(page);
    if (Math.abs(shape.height / shape.width / pageShape - 1) > 0.02) return undefined;
    const raw = bytesOf(picture);
    if (raw === undefined || !isUnchanged(file, raw)) return undefined;
    const bytes = plainJpeg(raw, shape);
    return bytes === undefined ? undefined : { width: shape.width, height: shape.height, type: 'image/jpeg', bytes };
  };
}

/** Whether the dictionary before these bytes has no entry that changes them. */
function isUnchanged(file: Uint8Array, raw: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const at = bytes.indexOf(raw);
  const start = at < 0 ? -1 : bytes.lastIndexOf(' obj', at);
  if (start < 0) return false;
  const object = namesOfObject(bytes, start + 4, { wanted });
  return object.stream === at && object.names.has('DCTDecode') && !changing.some((name) => object.names.has(name));
}
