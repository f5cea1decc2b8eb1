import { hidesWords } from './page-annotations.ts';
import type { Pdfium } from './pdfium.ts';
import { removeHiddenObjects } from './shown-objects.ts';

/** Of one document: the first pages stand for the rest. */
const maxPages = 10;
/** After which no further page is begun: an ordinary page takes 1 to 7 ms. */
const maxMs = 250;
const maxRectangles = 20_000;
const maxObjects = 100_000;

/**
 * Whether pages hold words that nobody sees: of layers that are off (in a copy in which these are marked), of annotations that are hidden, or
 * outside of the page. Words that are drawn invisibly over a scanned page are none of them: the scan shows them.
 */
export function hidesContent(pdfium: Pdfium, { document, hidesLayers }: { document: number; hidesLayers: boolean }): boolean {
  const { api } = pdfium;
  const scratch = pdfium.allocate(scratchBytes);
  const pages = Math.min(api.FPDF_GetPageCount(document), maxPages);
  const startedAt = performance.now();
  try {
    for (let index = 0; index < pages && (index === 0 || performance.now() - startedAt < maxMs); index++) {
      const page = api.FPDF_LoadPage(document, index);
      if (page === 0) continue;
      const isHiding =
        (hidesLayers && removeHiddenObjects(pdfium, { page, scratch })) ||
        hidesWords(pdfium, { page, scratch }) ||
        hasTextOutside(pdfium, { page, scratch });
      api.FPDF_ClosePage(page);
      if (isHiding) return true;
    }
    return false;
  } finally {
    pdfium.release(scratch);
  }
}

const scratchBytes = 64;

type Box = readonly [left: number, bottom: number, right: number, top: number];

function hasTextOutside(pdfium: Pdfium, { page, scratch }: { page: number; scratch: number }): boolean {
  const { api } = pdfium;
  if (!api.FPDF_GetPageBoundingBox(page, scratch)) return false;
  const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => pdfium.numbers().getFloat32(scratch + at, true));
  const sheet = [left, bottom, right, top] as const;
  if (right <= left || top <= bottom || !hasObjectBeyond(pdfium, { page, scratch, sheet })) return false;
  const text = api.FPDFText_LoadPage(page);
  if (text === 0) return false;
  try {
    const count = Math.min(api.FPDFText_CountRects(text, 0, -1), maxRectangles);
    for (let index = 0; index < count; index++) {
      if (!api.FPDFText_GetRect(text, index, scratch, scratch + 8, scratch + 16, scratch + 24)) continue;
      const [x1 = 0, y2 = 0, x2 = 0, y1 = 0] = [0, 8, 16, 24].map((at) => pdfium.numbers().getFloat64(scratch + at, true));
      const isOutside = x2 <= left || x1 >= right || y2 <= bottom || y1 >= top;
      if (isOutside && saysAnything(pdfium, { text, scratch, box: [x1, y2, x2, y1] })) return true;
    }
    return false;
  } finally {
    api.FPDFText_ClosePage(text);
  }
}

const [textType, formType] = [1, 5];

/** Whether a piece of text, or a form with what it holds, reaches beyond the page: the text of most pages need not be read. */
function hasObjectBeyond(pdfium: Pdfium, { page, scratch, sheet }: { page: number; scratch: number; sheet: Box }): boolean {
  const { api } = pdfium;
  const count = Math.min(api.FPDFPage_CountObjects(page), maxObjects);
  for (let index = 0; index < count; index++) {
    const object = api.FPDFPage_GetObject(page, index);
    const type = api.FPDFPageObj_GetType(object);
    if (type !== textType && type !== formType) continue;
    if (!api.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12)) continue;
    const [left = 0, bottom = 0, right = 0, top = 0] = [0, 4, 8, 12].map((at) => pdfium.numbers().getFloat32(scratch + at, true));
    if (left < sheet[0] || bottom < sheet[1] || right > sheet[2] || top > sheet[3]) return true;
  }
  return false;
}

function saysAnything(pdfium: Pdfium, { text, scratch, box }: { text: number; scratch: number; box: Box }): boolean {
  const maxUnits = scratchBytes / 2;
  const units = pdfium.api.FPDFText_GetBoundedText(text, ...box, scratch, maxUnits);
  const bytes = pdfium.bytes().subarray(scratch, scratch + Math.min(units, maxUnits) * 2);
  return Buffer.from(bytes).toString('utf16le').replaceAll('\0', '').trim() !== '';
}
