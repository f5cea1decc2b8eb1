import { deflateSync } from 'node:zlib';
import { stream, writePdf } from './simple-pdf.ts';

/** PDFs that were made to do harm, or to keep their reader busy. */

const page = ['<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 100 100]>>', '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>'];
const square = stream('0 0 10 10 re f');
const packed = (content: Buffer, entries = ''): string =>
  stream(deflateSync(content, { level: 9 }).toString('latin1'), `${entries}/Filter/FlateDecode`);

/** A page as it should be, and a catalogue with this in it. */
export const withCatalogue = (entry: string, ...objects: string[]): Uint8Array =>
  writePdf([`<</Type/Catalog/Pages 2 0 R${entry}>>`, ...page, square, ...objects]);

/** A PDF of one page with this content and further entries in the page's dictionary. */
const withContent = (content: string, entries = '', ...objects: string[]): Uint8Array =>
  writePdf(['<</Type/Catalog/Pages 2 0 R>>', page[0] ?? '', `<</Type/Page/Parent 2 0 R/Contents 4 0 R${entries}>>`, content, ...objects]);

export const withBox = (box: string, entries = ''): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox${box}${entries}>>`,
    square,
  ]);

/** Its cross-reference table names itself as the one before. */
export const xrefLoop = (): Uint8Array => {
  const body = Buffer.from(withCatalogue(''))
    .toString('latin1')
    .replace(/trailer[^]*$/, '');
  const at = body.length;
  return Buffer.from(
    `${body}xref\n0 1\n0000000000 65535 f \ntrailer<</Root 1 0 R/Size 5/Prev ${at}>>\nstartxref\n${at}\n%%EOF\n`,
    'latin1',
  );
};

/** Pages that are their own parents and children. */
export const pageTreeCycle = (): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 2 0 R]/Count 4/Parent 3 0 R>>',
    '<</Type/Pages/Kids[2 0 R]/Count 2/Parent 2 0 R>>',
  ]);

/** A content of ten thousand to one. */
export const flateBomb = (megabytes = 200): Uint8Array => withContent(packed(Buffer.alloc(megabytes * 1024 * 1024, 'q\n')));

/** Packed fifty times. */
export const nestedFilters = (): Uint8Array =>
  withContent(stream('789c', `/Filter[${'/ASCIIHexDecode'.repeat(25)}${'/FlateDecode'.repeat(25)}]`));

/** 266 kB whose streams of objects unpack to 60 MB of names that have to be decoded; with fewer streams, to a share of that. */
export const manyObjectStreams = (streams = 50): Uint8Array => {
  const names = packed(Buffer.from(`99 0 <<${'/J#61'.repeat(250_000)}>>`), '/Type/ObjStm/N 1/First 5');
  return withCatalogue('', ...Array.from({ length: streams }, () => names), stream(' '.repeat(170_000)));
};

/** What others take for a format of their own, put where readers of PDFs look for nothing. */
export const foreign = {
  /** Of the last record of an archive. */
  endBytes: 22,
  /** One empty file; its end says that `more` bytes follow. */
  zip: (more = 0): Buffer => {
    const archive = Buffer.from(
      'PK\u0003\u0004\u000a\0\0\0\0\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\u0001\0\0\0aPK\u0001\u0002\u000a\0\u000a\0\0\0\0\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\u0001\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0aPK\u0005\u0006\0\0\0\0\u0001\0\u0001\0/\0\0\0\u001f\0\0\0\0\0',
      'latin1',
    );
    archive.writeUInt16LE(more, archive.length - 2);
    return archive;
  },
  html: Buffer.from('<html><script>alert(1)</script></html>'),
  program: Buffer.from('MZ\u0090\0\u0003\0\0\0', 'latin1'),
};

/** A million objects in one stream. */
export const millionObjects = (): Uint8Array => {
  const count = 1_000_000;
  const table = Array.from({ length: count }, (_, index) => `${index + 10} 0`).join(' ');
  return withCatalogue('', packed(Buffer.from(`${table} null`), `/Type/ObjStm/N ${count}/First ${table.length + 1}`));
};

export const hugeImage = (filter: string): Uint8Array =>
  withContent(
    stream('q 100 0 0 100 0 0 cm /I Do Q'),
    '/Resources<</XObject<</I 5 0 R>>>>',
    stream(
      '\0\u0001\u0002\u0003'.repeat(64),
      `/Type/XObject/Subtype/Image/Width 65535/Height 65535/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/${filter}`,
    ),
  );

/** A page of letters, each with a clip of its own, and of links; some producers write tables so. */
export const clippedLetters = ({ letters = 16_385, links = 32_768 } = {}): Uint8Array => {
  const columns = 160;
  const at = (index: number): [number, number] => [(index % columns) * 6, 1_200 - Math.floor(index / columns) * 8];
  const content = Array.from({ length: letters }, (_, index) => {
    const [x, y] = at(index);
    return `q ${x} ${y} 6 8 re W n BT /F 8 Tf ${x} ${y} Td (a) Tj ET Q`;
  });
  const first = 6;
  const link = (index: number): string => {
    const [x, y] = at(index % letters);
    return `<</Type/Annot/Subtype/Link/Rect[${x} ${y} ${x + 6} ${y + 8}]/Border[0 0 0]/Dest[3 0 R/Fit]>>`;
  };
  const annotations = Array.from({ length: links }, (_, index) => `${first + index} 0 R`);
  return writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 960 1208]>>',
    `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/Annots[${annotations.join(' ')}]>>`,
    packed(Buffer.from(content.join('\n'))),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...Array.from({ length: links }, (_, index) => link(index)),
  ]);
};
