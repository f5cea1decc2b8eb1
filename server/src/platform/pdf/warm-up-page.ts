import { stream, writePdf } from './simple-pdf.ts';

/** A page of text in fonts that are not embedded, so that drawing it takes the paths that most pages take. */
export const warmUpPage: Uint8Array = writePdf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 4 0 R/G 5 0 R>>>>/Contents 6 0 R>>',
  '<</Type/Font/Subtype/TrueType/BaseFont/Arial/Encoding/WinAnsiEncoding>>',
  '<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>',
  stream(
    [
      '0.9 0.95 1 rg 50 700 495 60 re f 0 0 0 RG 50 700 495 60 re S',
      '0 g BT /F 12 Tf 60 730 Td (The quick brown fox jumps over the lazy dog 0123456789) Tj ET',
      'BT /G 11 Tf 60 660 Td 14 TL (Sphinx of black quartz, judge my vow) Tj T* (Pack my box with five dozen liquor jugs) Tj ET',
      '0.8 0.1 0.2 rg 60 500 m 200 620 300 380 500 560 c f',
    ].join('\n'),
  ),
]);
