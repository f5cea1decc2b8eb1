import type { Pdfium } from './pdfium.ts';

/** What a tagged document says of a page. */
export interface Structure {
  readonly language: string | null;
  /** Of an object of the page: its place in reading order, and its level when it is a heading. */
  placeOf(object: number): { rank: number | undefined; heading: number | undefined };
}

const mostElements = 20_000;
const deepest = 64;
/** What `readStructure` needs for itself. */
export const bufferBytes = 128;

/** Reads the structure tree of a page, within limits: the tree of a hostile file may lead in circles. */
export function readStructure(pdfium: Pdfium, { document, page, buffer }: { document: number; page: number; buffer: number }): Structure {
  const { api } = pdfium;
  const places = new Map<number, { rank: number; heading: number | undefined }>();
  const textAt = (bytes: number): string =>
    bytes < 4 || bytes > bufferBytes ? '' : Buffer.from(pdfium.bytes().subarray(buffer, buffer + bytes - 2)).toString('utf16le');
  let visited = 0;

  function visit(element: number, depth: number, above: number | undefined): void {
    if (element === 0 || depth > deepest || ++visited > mostElements) return;
    const heading = headingLevel(textAt(api.FPDF_StructElement_GetType(element, buffer, bufferBytes))) ?? above;
    const children = api.FPDF_StructElement_CountChildren(element);
    for (let index = 0; index < children && visited <= mostElements; index++) {
      const content = api.FPDF_StructElement_GetChildMarkedContentID(element, index);
      if (content < 0) visit(api.FPDF_StructElement_GetChildAtIndex(element, index), depth + 1, heading);
      else if (!places.has(content)) places.set(content, { rank: places.size, heading });
    }
  }

  const tree = api.FPDF_StructTree_GetForPage(page);
  if (tree !== 0) {
    const roots = api.FPDF_StructTree_CountChildren(tree);
    for (let index = 0; index < roots && visited <= mostElements; index++)
      visit(api.FPDF_StructTree_GetChildAtIndex(tree, index), 0, undefined);
    api.FPDF_StructTree_Close(tree);
  }
  const known = new Map<number, { rank: number | undefined; heading: number | undefined }>();
  return {
    language: asLanguage(textAt(api.FPDFCatalog_GetLanguage(document, buffer, bufferBytes))),
    placeOf(object) {
      if (object === 0 || places.size === 0) return nowhere;
      const before = known.get(object);
      if (before !== undefined) return before;
      const place = places.get(api.FPDFPageObj_GetMarkedContentID(object)) ?? nowhere;
      known.set(object, place);
      return place;
    },
  };
}

const nowhere = { rank: undefined, heading: undefined };

function headingLevel(type: string): number | undefined {
  if (type === 'Title' || type === 'H') return 1;
  const level = /^H([1-6])$/.exec(type)?.[1];
  return level === undefined ? undefined : Number(level);
}

/** As BCP 47 writes it; anything else is no language. */
function asLanguage(text: string): string | null {
  return /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(text) ? text : null;
}
