import { PdfDict, PdfStream } from '@libpdf/core';

/** Drawn as a box. */
export const unknownLetter = 0xfffd;

/** A ToUnicode stream. @NOTE The engine reads a section only when it announces the right number of lines. */
export function letterMap(section: 'bfrange' | 'bfchar', lines: readonly string[]): PdfStream {
  const content = [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def',
    '1 begincodespacerange <0000> <FFFF> endcodespacerange',
    `${lines.length} begin${section}`,
    ...lines,
    `end${section} endcmap end end`,
  ];
  return new PdfStream(new PdfDict(), Buffer.from(content.join('\n'), 'latin1'));
}

export function hex(code: number): string {
  return code.toString(16).padStart(4, '0');
}
