/**
 * A PDF out of its bare objects, the first of them the catalogue; no table of offsets (readers rebuild it).
 * One char of the strings is one byte of the file.
 */
export function writePdf(objects: readonly string[], version = '1.7'): Uint8Array {
  const body = objects.map((object, index) => `${index + 1} 0 obj ${object} endobj`);
  return Buffer.from([`%PDF-${version}`, ...body, `trailer<</Root 1 0 R/Size ${objects.length + 1}>>`, '%%EOF', ''].join('\n'), 'latin1');
}

/** Pages with their own entries (`/Rotate 90`) and one content for all. */
export function writePages(entries: readonly string[], version = '1.7', content = '0 0 10 10 re f'): Uint8Array {
  const first = 5;
  const kids = entries.map((_, index) => `${first + index} 0 R`).join(' ');
  return writePdf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[${kids}]/Count ${entries.length}/MediaBox[0 0 100 100]/Resources<</Font<</F 4 0 R>>>>>>`,
      stream(content),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      ...entries.map((entry) => `<</Type/Page/Parent 2 0 R/Contents 3 0 R${entry}>>`),
    ],
    version,
  );
}

export function stream(content: string, dictionary = ''): string {
  return `<<${dictionary}/Length ${content.length}>>stream\n${content}\nendstream`;
}
