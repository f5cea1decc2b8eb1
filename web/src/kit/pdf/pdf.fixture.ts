/** A PDF of A4 pages, each with a line of its own, in a language that it names; the second one lies across. */
export const aPdf = (pages: number, textOf: (page: number) => string = (page) => `Line of page ${page}`): Uint8Array<ArrayBuffer> => {
  const first = 4;
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/Lang(pl-PL)>>',
    `<</Type/Pages/Kids[${numbers.map((page) => `${first + 2 * (page - 1)} 0 R`).join(' ')}]/Count ${pages}/Resources<</Font<</F 3 0 R>>>>>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...numbers.flatMap((page) => {
      const content = `BT /F 24 Tf 60 700 Td (${textOf(page)}) Tj ET`;
      const box = page === 2 ? '0 0 842 595' : '0 0 595 842';
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[${box}]/Contents ${first + 2 * (page - 1) + 1} 0 R>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ];
    }),
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj ${object} endobj`);
  const text = ['%PDF-1.7', ...body, `trailer<</Root 1 0 R/Size ${objects.length + 1}>>`, '%%EOF', ''].join('\n');
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
};

export const pdfAnswer = (bytes: Uint8Array<ArrayBuffer>): Response =>
  new Response(bytes, { headers: { 'content-type': 'application/pdf' } });
