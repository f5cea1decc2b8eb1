import { PDF } from '@libpdf/core';
import { stream, writePages, writePdf } from './simple-pdf.ts';

/** A readable PDF; another text gives other bytes, and thereby another checksum. Its pages are low: hundreds are drawn in each run. */
export const aPdf = ({ pages = 1, text = 'Umowa' }: { pages?: number; text?: string } = {}): Uint8Array =>
  writePages(
    Array.from({ length: pages }, () => '/MediaBox[0 0 100 20]'),
    '1.7',
    `BT /F 12 Tf 10 5 Td (${text.replaceAll(/[()\\]/g, '')}) Tj ET`,
  );

/** Of about so many bytes, most of them in a stream that no page names: reading them takes least. */
export const aLongPdf = ({ bytes, text = 'Umowa' }: { bytes: number; text?: string }): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 100 20]>>',
    '<</Type/Page/Parent 2 0 R>>',
    stream(text.padEnd(bytes, 'x')),
  ]);

/** One of its pages has no size: what is shown of it lies outside of it. */
export const aPdfWithoutSizeOf = (page: number, { pages }: { pages: number }): Uint8Array =>
  writePages(Array.from({ length: pages }, (_, index) => (index + 1 === page ? '/CropBox[200 200 300 300]' : '')));

/** Begins like a PDF and is none. */
export const aBrokenPdf = (): Uint8Array => Buffer.from('%PDF-1.7\nnothing that could be read\n%%EOF\n', 'latin1');

/** A document of no pages. */
export const aPdfWithoutPages = (): Uint8Array => writePdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>']);

/** More pages than a publication may have: one page object, listed again and again. */
export const aPdfOfTooManyPages = (pages: number): Uint8Array =>
  writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${'3 0 R '.repeat(pages)}]/Count ${pages}/MediaBox[0 0 100 100]>>`,
    '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
    stream('0 0 10 10 re f'),
  ]);

/** Encrypted: with a password to open it, or only one to change it. */
export const aProtectedPdf = async (neededTo: 'open' | 'change', pdf = aPdf()): Promise<Uint8Array> => {
  const document = await PDF.load(pdf);
  document.setProtection({ ownerPassword: 'owner', ...(neededTo === 'open' ? { userPassword: 'user' } : {}) });
  return document.save();
};
