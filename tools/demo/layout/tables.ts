import { brand, muted, rule, tint } from './canvas.ts';
import type { Canvas } from './canvas.ts';
import type { Column, Table } from './blocks.ts';
import { breakLines } from './text-lines.ts';
import type { TextLine } from './text-lines.ts';

/** The part of a page flow that a table needs. */
export interface TableFrame {
  canvas: Canvas;
  left: number;
  width: number;
  /** Where the next thing is drawn; the table moves it. */
  cursor: { y: number };
  bottom: number;
  startNewPage(): void;
}

/** Draws a table over as many pages as it needs; its head is repeated, a row is never torn apart. */
export function drawTable(frame: TableFrame, table: Table): void {
  const sizes = table.dense === true ? dense : roomy;
  const columns = placeColumns(table.columns, frame);
  const draw = (cells: readonly string[], bold: boolean): Row => measureRow(frame, columns, { cells, bold, sizes });
  const head = measureRow(frame, columns, {
    cells: table.columns.map((column) => column.title),
    bold: true,
    sizes: { ...sizes, size: sizes.headSize },
  });

  const drawHead = (): void => {
    frame.canvas.box({ x: frame.left, y: frame.cursor.y, width: frame.width, height: head.height }, tint);
    drawRow(frame, head, { ...sizes, size: sizes.headSize });
    frame.canvas.line([frame.left, frame.cursor.y], [frame.left + frame.width, frame.cursor.y], { width: 0.9, colour: brand });
  };

  const rows = table.rows.map((cells) => draw(cells, false));
  const total = table.total === undefined ? undefined : draw(table.total, true);
  if (frame.cursor.y + head.height + (rows[0]?.height ?? 0) * 2 > frame.bottom) frame.startNewPage();
  drawHead();
  rows.forEach((row, index) => {
    // The last row takes the total with it: a total alone on a page would sum nothing.
    const needed = row.height + (index === rows.length - 1 ? (total?.height ?? 0) : 0);
    if (frame.cursor.y + needed > frame.bottom) {
      frame.startNewPage();
      drawHead();
    }
    drawRow(frame, row, sizes);
    frame.canvas.line([frame.left, frame.cursor.y], [frame.left + frame.width, frame.cursor.y], { width: 0.4, colour: rule });
  });
  if (total !== undefined) {
    frame.canvas.line([frame.left, frame.cursor.y], [frame.left + frame.width, frame.cursor.y], { width: 0.9, colour: brand });
    drawRow(frame, total, sizes);
  }
}

interface Sizes {
  size: number;
  headSize: number;
  leading: number;
  padding: number;
}

const roomy: Sizes = { size: 9.5, headSize: 8.5, leading: 12.5, padding: 4 };
const dense: Sizes = { size: 7.8, headSize: 7.2, leading: 9.8, padding: 3 };

interface PlacedColumn {
  x: number;
  width: number;
  align: NonNullable<Column['align']>;
}

interface Row {
  cells: readonly { column: PlacedColumn; lines: readonly TextLine[]; quietFrom: number }[];
  height: number;
}

function placeColumns(columns: readonly Column[], frame: TableFrame): PlacedColumn[] {
  const sum = columns.reduce((total, column) => total + column.share, 0);
  let x = frame.left;
  return columns.map((column) => {
    const width = (frame.width * column.share) / sum;
    const placed = { x: x + cellInset, width: width - 2 * cellInset, align: column.align ?? 'left' };
    x += width;
    return placed;
  });
}

const cellInset = 4;

function measureRow(
  frame: TableFrame,
  columns: readonly PlacedColumn[],
  { cells, bold, sizes }: { cells: readonly string[]; bold: boolean; sizes: Sizes },
): Row {
  const measured = columns.map((column, index) => {
    const [first = '', ...rest] = (cells[index] ?? '').split('\n');
    const options = { typeface: frame.canvas.typeface, width: column.width, size: sizes.size, bold };
    const loud = breakLines(first, options);
    return { column, lines: [...loud, ...rest.flatMap((line) => breakLines(line, options))], quietFrom: loud.length };
  });
  const tallest = Math.max(...measured.map((cell) => cell.lines.length));
  return { cells: measured, height: tallest * sizes.leading + 2 * sizes.padding };
}

function drawRow(frame: TableFrame, row: Row, sizes: Sizes): void {
  for (const { column, lines, quietFrom } of row.cells) {
    lines.forEach((line, index) => {
      const free = column.width - line.width;
      const shift = column.align === 'right' ? free : column.align === 'centre' ? free / 2 : 0;
      const y = frame.cursor.y + sizes.padding + sizes.leading * (index + 1) - sizes.leading * 0.28;
      frame.canvas.text(line.runs, { x: column.x + shift, y, size: sizes.size, ...(index >= quietFrom ? { colour: muted } : {}) });
    });
  }
  frame.cursor.y += row.height;
}
