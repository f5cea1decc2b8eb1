import type { Pdfium } from './pdfium.ts';

/** The structure of a page of a tagged document. */
export interface Structure {
  readonly language: string | null;
  readonly figures: readonly Figure[];
  /** Of an object of the page. */
  placeOf(object: number): Place;
}

/** Its place in reading order, its level when it is a heading, and its language when that differs from the document's. */
interface Place {
  readonly rank: number | undefined;
  readonly heading: number | undefined;
  readonly language: string | undefined;
}

/** A picture and its description. */
export interface Figure {
  readonly rank: number;
  readonly text: string;
  readonly language: string | undefined;
  /** Its marked contents. */
  readonly contents: ReadonlySet<number>;
}

const maxElements = 20_000;
const deepest = 64;
const maxFigures = 500;
const longestText = 2_000;
/** The longest text in UTF-16, and its end. */
export const bufferBytes = 2 * longestText + 2;

/** Reads the structure tree of a page, within limits: a hostile tree may have cycles. */
export function readStructure(pdfium: Pdfium, { document, page, buffer }: { document: number; page: number; buffer: number }): Structure {
  const { api } = pdfium;
  const places = new Map<number, Place>();
  const figures: Figure[] = [];
  const textAt = (bytes: number): string =>
    bytes < 4 || bytes > bufferBytes ? '' : Buffer.from(pdfium.bytes().subarray(buffer, buffer + bytes - 2)).toString('utf16le');
  const language = asLanguage(textAt(api.FPDFCatalog_GetLanguage(document, buffer, bufferBytes)));
  let visited = 0;

  function visit(element: number, depth: number, above: Above): void {
    if (element === 0 || depth > deepest || ++visited > maxElements) return;
    const type = textAt(api.FPDF_StructElement_GetType(element, buffer, bufferBytes));
    const own = asLanguage(textAt(api.FPDF_StructElement_GetLang(element, buffer, bufferBytes)));
    const here = {
      heading: headingLevel(type) ?? above.heading,
      language: own === null ? above.language : own === language ? undefined : own,
      contents: isPicture(type) ? (describe(element, own ?? above.language) ?? above.contents) : above.contents,
    };
    const children = api.FPDF_StructElement_CountChildren(element);
    for (let index = 0; index < children && visited <= maxElements; index++) {
      const content = api.FPDF_StructElement_GetChildMarkedContentID(element, index);
      if (content < 0) {
        visit(api.FPDF_StructElement_GetChildAtIndex(element, index), depth + 1, here);
        continue;
      }
      here.contents?.add(content);
      if (!places.has(content)) places.set(content, { rank: places.size, heading: here.heading, language: here.language });
    }
  }

  /** The set for the contents of the picture. Undefined when it has no description. */
  function describe(element: number, spoken: string | undefined): Set<number> | undefined {
    const text = textAt(api.FPDF_StructElement_GetAltText(element, buffer, bufferBytes))
      .replaceAll('\0', '')
      .trim()
      .toWellFormed();
    if (text === '' || figures.length >= maxFigures) return undefined;
    const contents = new Set<number>();
    figures.push({ rank: places.size, text, language: spoken === language ? undefined : spoken, contents });
    return contents;
  }

  const tree = api.FPDF_StructTree_GetForPage(page);
  if (tree !== 0) {
    const roots = api.FPDF_StructTree_CountChildren(tree);
    for (let index = 0; index < roots && visited <= maxElements; index++)
      visit(api.FPDF_StructTree_GetChildAtIndex(tree, index), 0, outside);
    api.FPDF_StructTree_Close(tree);
  }
  return { language, figures, placeOf: createPlaceOf(pdfium, { places, buffer }) };
}

function createPlaceOf(
  pdfium: Pdfium,
  { places, buffer }: { places: ReadonlyMap<number, Place>; buffer: number },
): (object: number) => Place {
  const known = new Map<number, Place>();
  return (object) => {
    if (object === 0 || places.size === 0) return nowhere;
    const inTree = known.get(object) ?? places.get(pdfium.api.FPDFPageObj_GetMarkedContentID(object));
    const found = inTree ?? (isArtifact(pdfium, { object, buffer }) ? last : nowhere);
    known.set(object, found);
    return found;
  };
}

function isArtifact(pdfium: Pdfium, { object, buffer }: { object: number; buffer: number }): boolean {
  const { api } = pdfium;
  const text = buffer + lengthBytes;
  const marks = Array.from({ length: api.FPDFPageObj_CountMarks(object) }, (_, index) => api.FPDFPageObj_GetMark(object, index));
  return marks.some((mark) => {
    if (!api.FPDFPageObjMark_GetName(mark, text, bufferBytes - lengthBytes, buffer)) return false;
    const end = text + pdfium.numbers().getUint32(buffer, true) - endBytes;
    return Buffer.from(pdfium.bytes().subarray(text, end)).toString('utf16le') === 'Artifact';
  });
}

const [lengthBytes, endBytes] = [4, 2];
/** Of artifacts: page headers and numbers, which are no part of the text. */
export const afterAll = Number.MAX_SAFE_INTEGER;
const last: Place = { rank: afterAll, heading: undefined, language: undefined };

/** Inherited from the elements above. */
interface Above extends Pick<Place, 'heading' | 'language'> {
  readonly contents: Set<number> | undefined;
}

const outside: Above = { heading: undefined, language: undefined, contents: undefined };
const nowhere: Place = { rank: undefined, heading: undefined, language: undefined };

function isPicture(type: string): boolean {
  return type === 'Figure' || type === 'Formula';
}

function headingLevel(type: string): number | undefined {
  if (type === 'Title' || type === 'H') return 1;
  const level = /^H([1-6])$/.exec(type)?.[1];
  return level === undefined ? undefined : Number(level);
}

/** Null when it is no BCP 47 tag. */
function asLanguage(text: string): string | null {
  return /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(text) ? text : null;
}
