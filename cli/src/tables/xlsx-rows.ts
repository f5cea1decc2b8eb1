import { UsageError } from '#errors.ts';
import { type Cell, isBlank, type TableRow } from './cells.ts';
import { longestLine } from './text-lines.ts';
import { BrokenWorkbook, openWorkbook, readXml, unescapeText, type Workbook } from './xlsx-workbook.ts';
import { numberCell } from './xlsx-numbers.ts';

/** A cell as the sheet has it. */
interface SheetCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string;
  /** Of a text that only this cell has. */
  inline: string;
  hasFormula: boolean;
}

/** More than any table has. Programs format empty cells up to the last of 16 384 columns. */
const maxColumns = 1_000;

const blank: Cell = { text: '' };

/** `AB12` is in column 27, from 0. */
const columnOf = (reference: string): number => {
  const letters = /^[A-Z]{1,3}(?=\d+$)/.exec(reference)?.[0] ?? '';
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  if (column === 0) throw new BrokenWorkbook(`no cell ${reference.slice(0, 20)}`);
  return column - 1;
};

const cellOf = ({ type, style, value, inline, hasFormula }: SheetCell, { texts, formats, isFrom1904 }: Workbook): Cell => {
  if (type === 'inlineStr') return { text: unescapeText(inline).trim() };
  if (type === 'str') return { text: unescapeText(value).trim() };
  if (type === 'e') return { text: '', problem: `the spreadsheet says ${value.slice(0, 20)} there` };
  if (value === '')
    return hasFormula ? { text: '', problem: 'a formula without its result: open the file in the spreadsheet and save it' } : { text: '' };
  if (type === 's') {
    const text = texts[Number(value)];
    if (text === undefined) throw new BrokenWorkbook('a text of a cell is missing');
    return { text: text.trim() };
  }
  if (type === 'b') return { text: value === '1' ? 'true' : 'false' };
  if (type === 'd') return { text: value, keptAs: 'date' };
  return numberCell(value, { format: formats[style] ?? '', isFrom1904 });
};

/** Puts cells together into rows. */
class SheetReading {
  readonly #workbook: Workbook;
  #rows: TableRow[] = [];
  #line = 0;
  #cells: Cell[] = [];
  #characters = 0;
  #isTooWide = false;
  #cell: SheetCell | undefined;
  #into: 'value' | 'inline' | undefined;
  #isPhonetic = false;

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  onOpen(name: string, { r, t = 'n', s = '0' }: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      this.#line = r === undefined ? this.#line + 1 : Number(r);
      if (!Number.isSafeInteger(this.#line)) throw new BrokenWorkbook('a row without a number');
      this.#cells = [];
      this.#characters = 0;
      this.#isTooWide = false;
    } else if (name === 'c') {
      const column = r === undefined ? this.#cells.length : columnOf(r);
      this.#cell = { column, type: t, style: Number(s), value: '', inline: '', hasFormula: false };
    } else if (name === 'f' && this.#cell !== undefined) this.#cell.hasFormula = true;
    else if (name === 'rPh') this.#isPhonetic = true;
    this.#into = name === 'v' ? 'value' : name === 't' && !this.#isPhonetic ? 'inline' : undefined;
  }

  onText(text: string): void {
    if (this.#cell === undefined || this.#into === undefined || this.#cell[this.#into].length > longestLine) return;
    this.#cell[this.#into] += text;
  }

  onClose(name: string): void {
    this.#into = undefined;
    if (name === 'rPh') this.#isPhonetic = false;
    if (name === 'c' && this.#cell !== undefined) this.#put(this.#cell);
    if (name !== 'row') return;
    if (this.#characters > longestLine) this.#rows.push({ line: this.#line, problem: `longer than ${longestLine} characters` });
    else if (this.#isTooWide) this.#rows.push({ line: this.#line, problem: `a value beyond column ${maxColumns}` });
    else if (!this.#cells.every(isBlank)) this.#rows.push({ line: this.#line, cells: this.#cells });
  }

  #put(cell: SheetCell): void {
    const read = cellOf(cell, this.#workbook);
    this.#cell = undefined;
    if (cell.column >= maxColumns) {
      this.#isTooWide ||= !isBlank(read);
      return;
    }
    while (this.#cells.length < cell.column) this.#cells.push(blank);
    this.#cells[cell.column] = read;
    this.#characters += read.text.length;
  }

  take(): TableRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }
}

/** Rows of the first sheet of an XLSX workbook as its cells show them, without blank ones. Throws UsageError when it cannot be read. */
export const readXlsxRows = async function* (path: string): AsyncGenerator<TableRow> {
  try {
    using workbook = await openWorkbook(path);
    const reading = new SheetReading(workbook);
    const handlers = {
      onOpen: reading.onOpen.bind(reading),
      onText: reading.onText.bind(reading),
      onClose: reading.onClose.bind(reading),
    };
    for await (const _ of readXml(await workbook.openSheet(), handlers)) yield* reading.take();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${path} is not a readable XLSX workbook${error instanceof BrokenWorkbook ? `: ${error.message}` : '; has it a password, or another format?'}`,
      { cause: error },
    );
  }
};
