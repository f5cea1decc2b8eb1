import { createHash } from 'node:crypto';
import { PDF, PdfArray, PdfNumber, PdfString, ops } from '@libpdf/core';
import type { EmbeddedFont, PDFPage } from '@libpdf/core';
import { embedTypeface, getTypeface } from './typefaces.ts';
import type { Family, Typeface } from './typefaces.ts';

export type Colour = readonly [red: number, green: number, blue: number];

export const ink: Colour = [0.13, 0.14, 0.14];
export const muted: Colour = [0.4, 0.43, 0.42];
export const rule: Colour = [0.74, 0.77, 0.76];
export const tint: Colour = [0.93, 0.955, 0.945];
export const brand: Colour = [0, 0.34, 0.26];
export const white: Colour = [1, 1, 1];

/** A4 in points. */
export const sheet = { width: 595.28, height: 841.89 } as const;

export interface TextRun {
  readonly text: string;
  readonly bold: boolean;
}

export interface TextPlace {
  x: number;
  /** Distance of the baseline from the upper edge of the sheet. */
  y: number;
  size: number;
  colour?: Colour;
  /** Points added to every space (justified lines). */
  spaceStretch?: number;
}

/** A document being drawn. All distances are points from the upper left corner of the sheet. */
export interface Canvas {
  readonly typeface: Typeface;
  readonly pageCount: number;
  addPage(): void;
  /** Further drawing goes to this page (from 1). */
  turnTo(page: number): void;
  text(runs: readonly TextRun[], place: TextPlace): void;
  line(from: readonly [number, number], to: readonly [number, number], style?: { width?: number; colour?: Colour }): void;
  box(area: { x: number; y: number; width: number; height: number }, colour: Colour): void;
  /** Closed outline of cubic curves, filled: start point, then triples of points. */
  shape(start: readonly [number, number], curves: readonly (readonly number[])[], colour: Colour): void;
  /** Open curve, stroked. */
  stroke(start: readonly [number, number], curves: readonly (readonly number[])[], style: { width: number; colour: Colour }): void;
  finish(): Promise<Uint8Array>;
}

export interface CanvasOptions {
  family: Family;
  title: string;
  subject: string;
  createdAt: Date;
  /** Decides the file identifier: the same identity and drawing give the same bytes. */
  identity: string;
}

export function createCanvas(options: CanvasOptions): Canvas {
  const pdf = PDF.create();
  describe(pdf, options);
  const fonts = embedTypeface(pdf, options.family);
  const pages: { page: PDFPage; operators: ReturnType<typeof ops.fill>[]; names: readonly [string, string] }[] = [];
  let current = 0;

  function draw(...operators: ReturnType<typeof ops.fill>[]): void {
    const target = pages[current];
    if (target === undefined) throw new Error('Drawing before the first page');
    target.operators.push(...operators);
  }

  return {
    typeface: getTypeface(options.family),
    get pageCount() {
      return pages.length;
    },
    addPage() {
      const page = pdf.addPage({ size: 'a4' });
      pages.push({ page, operators: [], names: [page.registerFont(fonts.regular), page.registerFont(fonts.bold)] });
      current = pages.length - 1;
    },
    turnTo(page) {
      current = page - 1;
    },
    text(runs, place) {
      const names = pages[current]?.names ?? ['', ''];
      draw(ops.beginText(), ops.setNonStrokingRGB(...(place.colour ?? ink)));
      draw(ops.setTextMatrix(1, 0, 0, 1, round(place.x), flip(place.y)));
      for (const run of runs) {
        if (run.text === '') continue;
        draw(ops.setFont(run.bold ? names[1] : names[0], place.size));
        draw(ops.showTextArray(encode(run.bold ? fonts.bold : fonts.regular, run.text, ((place.spaceStretch ?? 0) * 1000) / place.size)));
      }
      draw(ops.endText());
    },
    line(from, to, style = {}) {
      draw(ops.setStrokingRGB(...(style.colour ?? rule)), ops.setLineWidth(style.width ?? 0.6));
      draw(ops.moveTo(round(from[0]), flip(from[1])), ops.lineTo(round(to[0]), flip(to[1])), ops.stroke());
    },
    box(area, colour) {
      draw(ops.setNonStrokingRGB(...colour));
      draw(ops.rectangle(round(area.x), flip(area.y + area.height), round(area.width), round(area.height)), ops.fill());
    },
    shape(start, curves, colour) {
      draw(
        ops.setNonStrokingRGB(...colour),
        ops.moveTo(round(start[0]), flip(start[1])),
        ...curves.map(curveOf),
        ops.closePath(),
        ops.fill(),
      );
    },
    stroke(start, curves, style) {
      draw(ops.setStrokingRGB(...style.colour), ops.setLineWidth(style.width), ops.setLineCap(1));
      draw(ops.moveTo(round(start[0]), flip(start[1])), ...curves.map(curveOf), ops.stroke());
    },
    async finish() {
      for (const { page, operators } of pages) page.drawOperators(operators);
      const bytes = await pdf.save({ subsetFonts: true });
      fixSubsetTag(bytes, fonts.regular, options.identity);
      fixSubsetTag(bytes, fonts.bold, options.identity);
      return bytes;
    },
  };
}

function describe(pdf: PDF, options: CanvasOptions): void {
  pdf.setTitle(options.title, { showInWindowTitleBar: true });
  pdf.setLanguage('pl-PL');
  pdf.setAuthor('Bank Wiślany S.A.');
  pdf.setSubject(options.subject);
  pdf.setCreator('Pergamin (demo)');
  pdf.setProducer('Pergamin (demo)');
  pdf.setCreationDate(options.createdAt);
  pdf.setModificationDate(options.createdAt);
  const identifier = PdfString.fromBytes(digest(options.identity).subarray(0, 16));
  pdf.context.info.trailer.set('ID', PdfArray.of(identifier, identifier));
}

/**
 * The library draws the six letters before a subset's name at random; equal documents must be equal byte for byte,
 * so the letters are replaced in place by ones that follow from the document's identity.
 */
function fixSubsetTag(bytes: Uint8Array, font: EmbeddedFont, identity: string): void {
  if (font.subsetTag === null) return;
  const wanted = letters(`${identity}/${font.baseFontName.slice(7)}`);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const written = `/${font.baseFontName}`;
  for (let at = view.indexOf(written, 0, 'latin1'); at >= 0; at = view.indexOf(written, at + 1, 'latin1'))
    view.write(wanted, at + 1, 'latin1');
}

function letters(source: string): string {
  return String.fromCodePoint(...[...digest(source).subarray(0, 6)].map((byte) => 65 + (byte % 26)));
}

function digest(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest());
}

/** Glyphs of a run; every space is followed by its share of the stretch. A no-break space is written as a space: people search with the latter. */
function encode(font: EmbeddedFont, text: string, stretch: number): PdfArray {
  const plain = text.replaceAll('\u00a0', ' ');
  if (stretch === 0) return PdfArray.of(glyphs(font, plain));
  const parts = plain.split(/(?<= )/);
  const array = new PdfArray();
  for (const part of parts) {
    array.push(glyphs(font, part));
    if (part.endsWith(' ')) array.push(PdfNumber.of(-Math.round(stretch)));
  }
  return array;
}

function glyphs(font: EmbeddedFont, text: string): PdfString {
  const ids = font.encodeTextToGids(text);
  const bytes = new Uint8Array(ids.length * 2);
  ids.forEach((id, index) => {
    bytes[index * 2] = id >> 8;
    bytes[index * 2 + 1] = id & 255;
  });
  return PdfString.fromHex(Buffer.from(bytes).toString('hex'));
}

function curveOf(points: readonly number[]): ReturnType<typeof ops.fill> {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = points;
  return ops.curveTo(round(x1), flip(y1), round(x2), flip(y2), round(x3), flip(y3));
}

function flip(y: number): number {
  return round(sheet.height - y);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
