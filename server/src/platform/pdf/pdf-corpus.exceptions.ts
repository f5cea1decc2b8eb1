type Exceptions = Readonly<Record<string, readonly string[]>>;

/** First pages that poppler 22.12 draws otherwise, by the reason. */
export const drawnOtherwise: Exceptions = {
  'poppler draws nothing': [
    'bitmap-halftone-skip-grid-template2.pdf',
    'bitmap-symbol-context-reuse.pdf',
    'issue14953.pdf',
    'issue17333.pdf',
    'issue17871_top_right.pdf',
    'issue5954.pdf',
  ],
  'poppler ignores the colour behind a soft mask, or its function': ['smask_alpha_bc.pdf', 'smask_luminosity_oob_transfer.pdf'],
  'poppler draws the frame of a link over the text': ['bug1552113.pdf'],
  'poppler clips a turned mask by a box that is not turned': ['issue16742.pdf'],
  'poppler moves or thins lines and tiles by less than a pixel': [
    'bug1974436.pdf',
    'issue10572.pdf',
    'issue18823.pdf',
    'issue6231_1.pdf',
    'issue7115.pdf',
  ],
  'poppler smooths enlarged pixels otherwise': ['issue9713.pdf', 'issue19176.pdf'],
  'a font is not in the file: each reader takes another one': [
    'ZapfDingbats.pdf',
    'issue11242_reduced.pdf',
    'issue15443.pdf',
    'issue18059.pdf',
    'issue19695.pdf',
    'issue20453.pdf',
    'issue4934.pdf',
    'issue8697.pdf',
  ],
  'letters that no font has: poppler draws boxes': ['90ms_rksj_h_sample.pdf', 'issue2128r.pdf', 'issue8372.pdf', 'noembed-sjis.pdf'],
  'frames of form fields are drawn otherwise': ['bug1844576.pdf', 'bug1863910.pdf', 'opt_demo.pdf', 'pr19449.pdf'],
  'a note without an appearance is not drawn (docs/pdf.md)': ['annotation-line-without-appearance-empty-Rect.pdf'],
  'the engine is wrong: a font set by a graphics state (docs/pdf.md)': ['extgstate.pdf'],
  'the engine is wrong: letters made of faxed bitmaps (docs/pdf.md)': ['issue19532.pdf'],
  'the engine is wrong: opacity within a JPEG 2000 picture (docs/pdf.md)': ['jpx_smaskindata.pdf'],
  'readers differ: patterns and letters that are drawings within drawings': ['ContentStreamNoCycleType3insideType3.pdf', 'issue2177.pdf'],
};

/** First pages that poppler draws and the portal does not. */
export const notDrawn: Exceptions = {
  'refused: the table of pages promises one that is not there': ['issue19484_1.pdf'],
  'refused: text before the header': ['issue6069.pdf'],
};

/** First pages of whose words, as poppler 22.12 reads them, more than one in ten is missing. */
export const readOtherwise: Exceptions = {
  'codes without a meaning: poppler guesses by the font in the file': ['bug894572.pdf'],
  'glyph numbers of fonts that are not embedded: poppler reads them as letters': [
    'issue11242_reduced.pdf',
    'issue15443.pdf',
    'issue19695.pdf',
    'issue20453.pdf',
  ],
  'poppler divides or joins words otherwise': ['bug1871353.pdf', 'bug2025674.pdf', 'french_diacritics.pdf', 'issue18117.pdf'],
};
