import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hugeImage, nestedFilters, pageTreeCycle, withBox, withCatalogue, xrefLoop } from './hostile-pdfs.ts';
import { aBrokenPdf, aPdf, aPdfWithoutPages } from './pdfs.ts';
import { stream, writePages } from './simple-pdf.ts';

export interface CorpusFile {
  readonly name: string;
  readonly read: () => Uint8Array;
}

const encrypted = (): Uint8Array =>
  Buffer.from(
    Buffer.from(aPdf()).toString('latin1').replace('trailer<<', 'trailer<</Encrypt<</Filter/Unknown/V 9>>/ID[<00><00>]'),
    'latin1',
  );

const half = (file: Uint8Array): Uint8Array => file.subarray(0, Math.floor(file.length / 2));

/** One of each kind that makes readers fail or that the portal says something of, made here, so that they are in every clone. */
const own: readonly CorpusFile[] = [
  { name: 'own: text', read: () => aPdf({ text: 'Umowa kredytu' }) },
  { name: 'own: pages that are turned', read: () => writePages(['', '/Rotate 90', '/Rotate 180', '/Rotate -90']) },
  { name: 'own: no pages', read: aPdfWithoutPages },
  { name: 'own: no objects', read: aBrokenPdf },
  { name: 'own: nothing but a header', read: () => Buffer.from('%PDF-1.7\n') },
  { name: 'own: one half of a file', read: () => half(aPdf({ pages: 3 })) },
  { name: 'own: a table that names itself', read: xrefLoop },
  { name: 'own: pages that are their own parents', read: pageTreeCycle },
  { name: 'own: packed fifty times', read: nestedFilters },
  { name: 'own: an image larger than memory', read: () => hugeImage('DCTDecode') },
  { name: 'own: a page of no size', read: () => withBox('[0 0 0 0]') },
  { name: 'own: a page of 200 inches', read: () => withBox('[0 0 14400 14400]') },
  { name: 'own: a key that no reader knows', read: encrypted },
  { name: 'own: a script', read: () => withCatalogue('/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>') },
  {
    name: 'own: an attached file',
    read: () =>
      withCatalogue('/Names<</EmbeddedFiles<</Names[(a)5 0 R]>>>>', '<</F(a)/EF<</F 6 0 R>>>>', stream('a', '/Type/EmbeddedFile')),
  },
  { name: 'own: a link', read: () => withCatalogue('/OpenAction<</S/URI/URI(https://example.com)>>') },
  { name: 'own: a form in XML', read: () => withCatalogue('/AcroForm<</Fields[]/XFA 5 0 R>>', stream('<xdp/>')) },
];

/** Files that made other readers fail, from beside the clone; where they are not, only those made here are read. */
const folder = join(import.meta.dirname, '../../../../shared/corpus/pdf');
const fromOutside: readonly CorpusFile[] = (existsSync(folder) ? readdirSync(folder).toSorted() : [])
  .filter((name) => name.endsWith('.pdf'))
  .map((name) => ({ name, read: () => readFileSync(join(folder, name)) }));

export const pdfCorpus: readonly CorpusFile[] = [...own, ...fromOutside];
