import { downloadZip } from 'client-zip';

const ooxml = 'http://schemas.openxmlformats.org';
const relation = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${ooxml}/officeDocument/2006/relationships/${kind}" Target="${target}"/>`;
const relations = (...all: string[]): string =>
  `<Relationships xmlns="${ooxml}/package/2006/relationships">${all.join('')}</Relationships>`;

export interface WorkbookParts {
  /** The rows of the second sheet in the file, which is the first visible one: elements `row`. */
  readonly rows: string;
  /** Elements `si`. */
  readonly texts?: string;
  /** Formats of numbers; cells have the style 1 for the first of them. */
  readonly formats?: readonly string[];
  readonly isFrom1904?: boolean;
  /** Other contents of parts. */
  readonly parts?: Readonly<Record<string, string>>;
}

/** An XLSX workbook as spreadsheets write it. */
export const aWorkbook = async ({ rows, texts = '', formats = [], isFrom1904 = false, parts = {} }: WorkbookParts): Promise<Buffer> => {
  const codes = formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`);
  const styles = formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`);
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/_rels/workbook.xml.rels': relations(
      relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
      relation('rId2', 'worksheet', '/xl/worksheets/sheet2.xml'),
      relation('rId3', 'styles', 'styles.xml'),
      relation('rId4', 'sharedStrings', 'sharedStrings.xml'),
    ),
    'xl/workbook.xml': `<workbook xmlns:r="${ooxml}/officeDocument/2006/relationships"><workbookPr date1904="${isFrom1904}"/><sheets><sheet name="Kody" sheetId="1" state="hidden" r:id="rId1"/><sheet name="Lista" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    'xl/styles.xml': `<styleSheet><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}<xf numFmtId="14"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${texts}</sst>`,
    'xl/worksheets/sheet1.xml': '<worksheet><sheetData/></worksheet>',
    'xl/worksheets/sheet2.xml': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet><dimension ref="A1:C3"/><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  };
  const entries = Object.entries(files).map(([name, input]) => ({ name, input }));
  return Buffer.from(await downloadZip(entries).arrayBuffer());
};

const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

const textCell = (text: string, reference: string): string =>
  text === ''
    ? ''
    : `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`;

/** A row whose cells are texts, or elements `c` as they are. */
export const rowOf = (line: number, cells: readonly (string | { readonly xml: string })[]): string =>
  `<row r="${line}">${cells.map((cell, index) => (typeof cell === 'string' ? textCell(cell, `${columnName(index)}${line}`) : cell.xml)).join('')}</row>`;
