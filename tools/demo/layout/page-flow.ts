import type { Letterhead } from './blocks.ts';
import { drawBankMark } from './bank-mark.ts';
import { ink, muted, sheet } from './canvas.ts';
import type { Canvas, Colour } from './canvas.ts';
import { breakLines } from './text-lines.ts';
import type { LineOptions, TextLine } from './text-lines.ts';

export interface TextStyle extends LineOptions {
  x: number;
  leading: number;
  colour?: Colour;
  align?: 'justify' | 'left' | 'right' | 'centre';
}

/** Text flowing over pages: where the next line goes, and what happens at the foot of a page. */
export interface PageFlow {
  readonly canvas: Canvas;
  readonly left: number;
  readonly width: number;
  /** The last usable height of a page. */
  readonly bottom: number;
  readonly cursor: { y: number };
  style(changes?: Partial<TextStyle>): TextStyle;
  /** Sets text from the cursor and moves it; a paragraph never leaves a single line on either page. */
  flow(text: string, style: TextStyle): void;
  /** Sets text with its first baseline at `y`; the cursor does not move. */
  write(text: string, place: { y: number; style: TextStyle }): void;
  /** Turns the page when less than `height` is left. */
  ensure(height: number): void;
  startNewPage(): void;
  openFirstPage(): void;
}

const margins = { serif: 72, sans: 48 } as const;

export function createPageFlow(canvas: Canvas, letterhead: Letterhead): PageFlow {
  const { family } = canvas.typeface;
  const left = margins[family];
  const width = sheet.width - 2 * left;
  const bottom = sheet.height - 66;
  const cursor = { y: 0 };

  const style: PageFlow['style'] = (changes) => ({
    ...(family === 'serif' ? { size: 11, leading: 15.6 } : { size: 9, leading: 12.6 }),
    x: left,
    width,
    typeface: canvas.typeface,
    ...changes,
  });

  const page: PageFlow = {
    canvas,
    left,
    width,
    bottom,
    cursor,
    style,
    flow(text, chosen) {
      let rest = breakLines(text, chosen);
      while (rest.length > 0) {
        const fit = linesThatFit(Math.floor((bottom - cursor.y) / chosen.leading), rest.length);
        drawLines(canvas, rest.slice(0, fit), { y: cursor.y + firstBaseline(chosen), style: chosen });
        cursor.y += fit * chosen.leading;
        rest = rest.slice(fit);
        if (rest.length > 0) page.startNewPage();
      }
    },
    write(text, place) {
      drawLines(canvas, breakLines(text, place.style), place);
    },
    ensure(height) {
      if (cursor.y + height > bottom) page.startNewPage();
    },
    startNewPage() {
      canvas.addPage();
      page.write(letterhead.running, { y: 46, style: style({ size: 8, colour: muted }) });
      page.write('Bank Wiślany S.A.', { y: 46, style: style({ size: 8, bold: true, colour: muted, align: 'right' }) });
      canvas.line([left, 53], [left + width, 53]);
      cursor.y = 72;
    },
    openFirstPage() {
      canvas.addPage();
      drawBankMark(canvas, { x: left, y: 52, size: 27 });
      page.write('Bank Wiślany S.A.', { y: 64, style: style({ x: left + 36, size: 14, bold: true }) });
      page.write('ul. Nadbrzeżna 12, 80-001 Gdańsk', { y: 77.5, style: style({ x: left + 36, size: 9, colour: muted }) });
      page.write(letterhead.right.join('\n'), { y: 64, style: style({ size: 9, leading: 13.5, align: 'right', colour: muted }) });
      canvas.line([left, 94], [left + width, 94], { width: 0.8 });
      cursor.y = 120;
    },
  };
  return page;
}

/** Distance from the top of a line to its baseline. */
export function firstBaseline(style: TextStyle): number {
  return style.leading * 0.76;
}

/** As a share of the type size. */
const widestStretch = 0.75;

function linesThatFit(room: number, count: number): number {
  if (room >= count) return count;
  const fit = count - room === 1 ? room - 1 : room;
  return fit < 2 ? 0 : fit;
}

function drawLines(canvas: Canvas, lines: readonly TextLine[], { y, style }: { y: number; style: TextStyle }): void {
  lines.forEach((line, index) => {
    const free = style.width - line.width;
    const shift = style.align === 'right' ? free : style.align === 'centre' ? free / 2 : 0;
    const stretch = style.align === 'justify' && !line.isLast && line.spaces > 0 ? free / line.spaces : 0;
    canvas.text(line.runs, {
      x: style.x + shift,
      y: y + index * style.leading,
      size: style.size,
      colour: style.colour ?? ink,
      // A line that would be torn apart stays ragged.
      spaceStretch: stretch > style.size * widestStretch ? 0 : stretch,
    });
  });
}
