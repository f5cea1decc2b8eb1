import { PdfArray, PdfDict, type PDF, PdfName, PdfNumber, PdfStream } from '@libpdf/core';
import { letterOfName } from './glyph-names.ts';
import { hex, letterMap } from './letter-map.ts';

type Resolve = PDF['getObject'];

const codes = 256;

/**
 * Gives a font of drawings (Type 3) that tells nothing of their meanings those of their names, which the engine does not read. Answers whether
 * any was known.
 */
export function addLettersOfNames(font: PdfDict, pdf: PDF): boolean {
  const resolve: Resolve = (ref) => pdf.getObject(ref);
  if (font.get('ToUnicode', resolve) instanceof PdfStream) return false;
  const differences = font.getDict('Encoding', resolve)?.getArray('Differences', resolve);
  const lines = [...namesByCode(differences, resolve)].flatMap(([code, name]) => {
    const letters = letterOfName(name);
    return letters === undefined ? [] : [`<${hex(code).slice(2)}> <${Buffer.from(letters, 'utf16le').swap16().toString('hex')}>`];
  });
  if (lines.length === 0) return false;
  font.set('ToUnicode', pdf.register(letterMap('bfchar', lines)));
  return true;
}

function namesByCode(differences: PdfArray | undefined, resolve: Resolve): Map<number, string> {
  const names = new Map<number, string>();
  let code = 0;
  for (let index = 0; index < (differences?.length ?? 0); index++) {
    const item = differences?.at(index, resolve);
    if (item instanceof PdfNumber) code = item.value;
    if (!(item instanceof PdfName)) continue;
    if (Number.isInteger(code) && code >= 0 && code < codes) names.set(code, item.value);
    code += 1;
  }
  return names;
}
