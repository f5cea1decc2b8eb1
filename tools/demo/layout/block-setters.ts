import type { Block, Point } from './blocks.ts';
import { brand, ink, muted, rule, tint } from './canvas.ts';
import { firstBaseline } from './page-flow.ts';
import type { PageFlow } from './page-flow.ts';
import { drawTable } from './tables.ts';
import { breakLines } from './text-lines.ts';

/** Sets one block; `next` decides what must stay on the same page. */
export function setBlock(page: PageFlow, block: Block, next: Block | undefined): void {
  switch (block.kind) {
    case 'title':
      return setTitle(page, block);
    case 'section':
      return setSection(page, block.text, next);
    case 'paragraph':
      page.flow(
        block.text,
        page.style({ align: block.align ?? 'justify', ...(block.small === true ? { size: 8.5, leading: 11.6, colour: muted } : {}) }),
      );
      page.cursor.y += 7;
      return undefined;
    case 'points':
      return setPoints(page, block.items, next?.kind === 'signatures');
    case 'facts':
      return setFacts(page, block.rows);
    case 'figures':
      return setFigures(page, block.items);
    case 'table':
      drawTable(page, block.table);
      page.cursor.y += 12;
      return undefined;
    case 'signatures':
      return setSignatures(page, [block.left, block.right]);
    case 'gap':
      page.cursor.y += block.height;
      return undefined;
    default:
      return block satisfies never;
  }
}

function setTitle(page: PageFlow, block: Extract<Block, { kind: 'title' }>): void {
  const isSerif = page.canvas.typeface.family === 'serif';
  page.flow(block.text, page.style({ bold: true, size: isSerif ? 19 : 17, leading: isSerif ? 24 : 21 }));
  page.cursor.y += 6;
  for (const text of block.lines ?? []) page.flow(text, page.style());
  page.cursor.y += 10;
}

/** A heading takes the beginning of its text along to the next page. */
function setSection(page: PageFlow, text: string, next: Block | undefined): void {
  const body = page.style();
  page.cursor.y += 8;
  page.ensure(body.leading * (next?.kind === 'table' ? 7 : 4));
  const isSerif = page.canvas.typeface.family === 'serif';
  page.flow(text, page.style({ bold: true, align: isSerif ? 'centre' : 'left', size: body.size + 0.5 }));
  page.cursor.y += 4;
}

const signaturesHeight = 92;

function setPoints(page: PageFlow, items: readonly Point[], isSigned: boolean): void {
  items.forEach((item, index) => {
    // Signatures must not be alone on a page: the last point moves with them.
    const below = isSigned && index === items.length - 1 ? signaturesHeight + 8 : 0;
    setPoint(page, { mark: `${index + 1}.`, text: typeof item === 'string' ? item : item.text, indent: 20, below });
    if (typeof item === 'string') return;
    item.letters.forEach((text, at) => setPoint(page, { mark: `${String.fromCodePoint(97 + at)})`, text, indent: 38, below: 0 }));
  });
  page.cursor.y += 4;
}

function setPoint(page: PageFlow, point: { mark: string; text: string; indent: number; below: number }): void {
  const style = page.style({ x: page.left + point.indent, width: page.width - point.indent, align: 'justify' });
  const lines = breakLines(point.text, style).length;
  page.ensure(point.below > 0 ? style.leading * lines + point.below : style.leading * (lines === 3 ? 3 : Math.min(2, lines)));
  page.write(point.mark, {
    y: page.cursor.y + firstBaseline(style),
    style: page.style({ width: point.indent - 6, align: 'right' }),
  });
  page.flow(point.text, style);
  page.cursor.y += 3.5;
}

function setFacts(page: PageFlow, rows: readonly (readonly [string, string])[]): void {
  const labelWidth = page.width * 0.36;
  const label = page.style({ width: labelWidth - 10, colour: muted });
  const value = page.style({ x: page.left + labelWidth, width: page.width - labelWidth });
  for (const [name, content] of rows) {
    const lines = Math.max(breakLines(name, label).length, breakLines(content, value).length);
    const height = lines * label.leading + 4;
    page.ensure(height);
    const y = page.cursor.y + firstBaseline(label);
    page.write(name, { y, style: label });
    page.write(content, { y, style: value });
    page.cursor.y += height;
    drawRule(page, page.cursor.y - 1.5);
  }
  page.cursor.y += 10;
}

function drawRule(page: PageFlow, y: number): void {
  page.canvas.line([page.left, y], [page.left + page.width, y], { width: 0.4, colour: rule });
}

function setFigures(page: PageFlow, items: readonly (readonly [string, string])[]): void {
  page.ensure(62);
  const gap = 8;
  const width = (page.width - gap * (items.length - 1)) / items.length;
  items.forEach(([label, value], index) => {
    const x = page.left + index * (width + gap);
    page.canvas.box({ x, y: page.cursor.y, width, height: 42 }, tint);
    page.canvas.box({ x, y: page.cursor.y, width: 2, height: 42 }, brand);
    page.write(label, { y: page.cursor.y + 15, style: page.style({ x: x + 10, size: 7.5, colour: muted }) });
    page.write(value, { y: page.cursor.y + 32, style: page.style({ x: x + 10, size: 11, bold: true }) });
  });
  page.cursor.y += 58;
}

function setSignatures(page: PageFlow, names: readonly [string, string]): void {
  page.ensure(signaturesHeight);
  page.cursor.y += 62;
  const width = page.width * 0.38;
  names.forEach((name, index) => {
    const x = index === 0 ? page.left : page.left + page.width - width;
    page.canvas.line([x, page.cursor.y], [x + width, page.cursor.y], { width: 0.7, colour: ink });
    page.write(name, {
      y: page.cursor.y + 12,
      style: page.style({ x, width, size: 8.5, leading: 11, align: 'centre', colour: muted }),
    });
  });
  page.cursor.y += 30;
}
