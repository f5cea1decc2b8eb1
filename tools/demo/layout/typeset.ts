import type { Block, Letterhead, Point } from './blocks.ts';
import { brand, createCanvas, ink, muted, rule, sheet, tint } from './canvas.ts';
import type { Canvas, Colour } from './canvas.ts';
import { drawBankMark } from './bank-mark.ts';
import { drawTable } from './tables.ts';
import { breakLines } from './text-lines.ts';
import type { TextLine } from './text-lines.ts';
import type { Family } from './typefaces.ts';

export interface Paper {
  title: string;
  subject: string;
  family: Family;
  letterhead: Letterhead;
  blocks: readonly Block[];
  createdAt: Date;
  identity: string;
}

/** Sets a document on A4 pages: letterhead, blocks, running heads, page numbers. */
export async function typeset(paper: Paper): Promise<Uint8Array> {
  const canvas = createCanvas(paper);
  const setter = createSetter(canvas, paper);
  setter.openFirstPage();
  paper.blocks.forEach((block, index) => setter.set(block, paper.blocks[index + 1]));
  drawFeet(canvas, setter.left);
  return canvas.finish();
}

const margins = { serif: 72, sans: 48 } as const;
const bottom = sheet.height - 66;
const demoNotice = 'Dokument demonstracyjny. Bank Wiślany S.A. jest bankiem zmyślonym, a dokument nie wywołuje skutków prawnych.';

interface Setter {
  readonly left: number;
  openFirstPage(): void;
  set(block: Block, next: Block | undefined): void;
}

interface Style {
  size: number;
  leading: number;
  x: number;
  width: number;
  bold?: boolean;
  colour?: Colour;
  align?: 'justify' | 'left' | 'right' | 'centre';
}

function createSetter(canvas: Canvas, paper: Paper): Setter {
  const left = margins[paper.family];
  const width = sheet.width - 2 * left;
  const body = paper.family === 'serif' ? { size: 11, leading: 15.6 } : { size: 9, leading: 12.6 };
  const cursor = { y: 0 };

  const startNewPage = (): void => {
    canvas.addPage();
    write(breakLines(paper.letterhead.running, line({ size: 8 })), { y: 46, style: line({ size: 8, colour: muted }) });
    write(breakLines('Bank Wiślany S.A.', line({ size: 8, bold: true })), {
      y: 46,
      style: line({ size: 8, colour: muted, align: 'right' }),
    });
    canvas.line([left, 53], [left + width, 53]);
    cursor.y = 72;
  };

  function line(style: Partial<Style>): Style & { typeface: Canvas['typeface'] } {
    return { ...body, x: left, width, typeface: canvas.typeface, ...style };
  }

  function write(lines: readonly TextLine[], { y, style }: { y: number; style: Style }): void {
    lines.forEach((text, index) => {
      const free = style.width - text.width;
      const shift = style.align === 'right' ? free : style.align === 'centre' ? free / 2 : 0;
      const stretch = style.align === 'justify' && !text.isLast && text.spaces > 0 ? free / text.spaces : 0;
      canvas.text(text.runs, {
        x: style.x + shift,
        y: y + index * style.leading,
        size: style.size,
        colour: style.colour ?? ink,
        spaceStretch: stretch,
      });
    });
  }

  /** Flows text from the cursor; at least two lines of a paragraph stand together at a page's foot and head. */
  function flow(text: string, style: Style, keepBelow = 0): void {
    const lines = breakLines(text, { ...style, typeface: canvas.typeface });
    let rest = lines;
    while (rest.length > 0) {
      const room = Math.floor((bottom - cursor.y - keepBelow) / style.leading);
      let fit = Math.min(room, rest.length);
      if (fit < rest.length && rest.length - fit === 1) fit -= 1;
      if (fit < rest.length && fit < 2) fit = 0;
      if (fit <= 0) {
        startNewPage();
        continue;
      }
      write(rest.slice(0, fit), { y: cursor.y + style.leading * 0.76, style });
      cursor.y += fit * style.leading;
      rest = rest.slice(fit);
      if (rest.length > 0) startNewPage();
    }
  }

  function ensure(height: number): void {
    if (cursor.y + height > bottom) startNewPage();
  }

  function setPoints(items: readonly Point[]): void {
    items.forEach((item, index) => {
      const text = typeof item === 'string' ? item : item.text;
      hang(`${index + 1}.`, text, 20);
      if (typeof item !== 'string') item.letters.forEach((letter, at) => hang(`${String.fromCodePoint(97 + at)})`, letter, 38));
    });
    cursor.y += 4;
  }

  function hang(mark: string, text: string, indent: number): void {
    const style = line({ x: left + indent, width: width - indent, align: 'justify' });
    ensure(style.leading * Math.min(2, breakLines(text, style).length));
    const markRuns = breakLines(mark, line({}));
    write(markRuns, { y: cursor.y + style.leading * 0.76, style: { ...style, x: left, width: indent - 6, align: 'right' } });
    flow(text, style);
    cursor.y += 3.5;
  }

  function setFacts(rows: readonly (readonly [string, string])[]): void {
    const labelWidth = width * 0.36;
    for (const [label, value] of rows) {
      const labels = breakLines(label, line({ width: labelWidth - 10 }));
      const values = breakLines(value, line({ width: width - labelWidth }));
      const height = Math.max(labels.length, values.length) * body.leading + 4;
      ensure(height);
      write(labels, { y: cursor.y + body.leading * 0.76, style: line({ colour: muted }) });
      write(values, { y: cursor.y + body.leading * 0.76, style: line({ x: left + labelWidth, width: width - labelWidth }) });
      cursor.y += height;
      canvas.line([left, cursor.y - 1.5], [left + width, cursor.y - 1.5], { width: 0.4, colour: rule });
    }
    cursor.y += 10;
  }

  function setFigures(items: readonly (readonly [string, string])[]): void {
    ensure(62);
    const gap = 8;
    const each = (width - gap * (items.length - 1)) / items.length;
    items.forEach(([label, value], index) => {
      const x = left + index * (each + gap);
      canvas.box({ x, y: cursor.y, width: each, height: 42 }, tint);
      canvas.box({ x, y: cursor.y, width: 2, height: 42 }, brand);
      write(breakLines(label, line({ size: 7.5 })), { y: cursor.y + 15, style: line({ x: x + 10, size: 7.5, colour: muted }) });
      write(breakLines(value, line({ size: 11, bold: true })), { y: cursor.y + 32, style: line({ x: x + 10, size: 11 }) });
    });
    cursor.y += 58;
  }

  function setSignatures(names: readonly [string, string]): void {
    ensure(92);
    cursor.y += 62;
    const each = width * 0.38;
    names.forEach((name, index) => {
      const x = index === 0 ? left : left + width - each;
      canvas.line([x, cursor.y], [x + each, cursor.y], { width: 0.7, colour: ink });
      const style = line({ x, width: each, size: 8.5, align: 'centre', colour: muted });
      write(breakLines(name, style), { y: cursor.y + 12, style: { ...style, leading: 11 } });
    });
    cursor.y += 30;
  }

  return {
    left,
    openFirstPage() {
      canvas.addPage();
      drawBankMark(canvas, { x: left, y: 52, size: 27 });
      write(breakLines('Bank Wiślany S.A.', line({ size: 14, bold: true })), { y: 64, style: line({ x: left + 36, size: 14 }) });
      const address = 'ul. Nadbrzeżna 12, 80-001 Gdańsk';
      write(breakLines(address, line({ size: 9 })), { y: 77.5, style: line({ x: left + 36, size: 9, colour: muted }) });
      const details = paper.letterhead.right.flatMap((text) => breakLines(text, line({ size: 9 })));
      write(details, { y: 64, style: line({ size: 9, leading: 13.5, align: 'right', colour: muted }) });
      canvas.line([left, 94], [left + width, 94], { width: 0.8 });
      cursor.y = 120;
    },
    set(block, next) {
      if (block.kind === 'title') {
        const style = line({ size: paper.family === 'serif' ? 19 : 17, leading: paper.family === 'serif' ? 24 : 21, bold: true });
        flow(block.text, style);
        cursor.y += 6;
        for (const text of block.lines ?? []) flow(text, line({}));
        cursor.y += 10;
      } else if (block.kind === 'section') {
        cursor.y += 8;
        ensure(body.leading * (next?.kind === 'table' ? 7 : 4));
        flow(block.text, line({ bold: true, align: paper.family === 'serif' ? 'centre' : 'left', size: body.size + 0.5 }));
        cursor.y += 4;
      } else if (block.kind === 'paragraph') {
        const style = line({
          align: block.align ?? 'justify',
          ...(block.small === true ? { size: 8.5, leading: 11.6, colour: muted } : {}),
        });
        flow(block.text, style);
        cursor.y += 7;
      } else if (block.kind === 'points') setPoints(block.items);
      else if (block.kind === 'facts') setFacts(block.rows);
      else if (block.kind === 'figures') setFigures(block.items);
      else if (block.kind === 'table') {
        drawTable({ canvas, left, width, cursor, bottom, startNewPage }, block.table);
        cursor.y += 12;
      } else if (block.kind === 'signatures') setSignatures([block.left, block.right]);
      else cursor.y += block.height;
    },
  };
}

function drawFeet(canvas: Canvas, left: number): void {
  const right = sheet.width - left;
  const y = sheet.height - 36;
  for (let page = 1; page <= canvas.pageCount; page += 1) {
    canvas.turnTo(page);
    canvas.line([left, y - 12], [right, y - 12], { width: 0.5 });
    canvas.text([{ text: demoNotice, bold: false }], { x: left, y, size: 6.8, colour: muted });
    const number = `Strona ${page} z ${canvas.pageCount}`;
    canvas.text([{ text: number, bold: false }], { x: right - canvas.typeface.width(number, { size: 8 }), y, size: 8, colour: muted });
  }
}
