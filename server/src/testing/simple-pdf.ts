/** A PDF out of its bare objects, the first of them the catalogue. One char of the strings is one byte of the file. */
export function writePdf(objects: readonly string[], version = '1.7'): Uint8Array {
  const parts = [`%PDF-${version}`, ...objects.map((object, index) => `${index + 1} 0 obj ${object} endobj`)];
  const starts: string[] = [];
  let at = 0;
  for (const part of parts) {
    starts.push(`${String(at).padStart(10, '0')} 00000 n `);
    at += part.length + 1;
  }
  const size = objects.length + 1;
  const table = ['xref', `0 ${size}`, '0000000000 65535 f ', ...starts.slice(1)];
  const end = [`trailer<</Root 1 0 R/Size ${size}>>`, 'startxref', String(at), '%%EOF', ''];
  return Buffer.from([...parts, ...table, ...end].join('\n'), 'latin1');
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
