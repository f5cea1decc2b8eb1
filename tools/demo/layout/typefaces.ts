import { readFileSync } from 'node:fs';
import type { EmbeddedFont, PDF } from '@libpdf/core';

/** The two voices of the bank: serif for agreements and letters, sans for tables of numbers. */
export type Family = 'serif' | 'sans';

export interface Typeface {
  readonly family: Family;
  /** Width in points of `text` set at `size`. */
  width(text: string, style: { size: number; bold?: boolean }): number;
}

export interface EmbeddedTypeface {
  readonly regular: EmbeddedFont;
  readonly bold: EmbeddedFont;
}

export function getTypeface(family: Family): Typeface {
  const regular = widthsOf(`${family}-regular`);
  const bold = widthsOf(`${family}-bold`);
  return {
    family,
    width(text, style) {
      const widths = style.bold === true ? bold : regular;
      let sum = 0;
      for (const char of text) sum += widths.of(char.codePointAt(0) ?? 0);
      return (sum * style.size) / 1000;
    },
  };
}

/** Adds the family to a document; only the glyphs that the document draws are written. */
export function embedTypeface(pdf: PDF, family: Family): EmbeddedTypeface {
  const regular = pdf.embedFont(bytesOf(`${family}-regular`));
  const bold = pdf.embedFont(bytesOf(`${family}-bold`));
  widthsOf(`${family}-regular`).learnFrom(regular);
  widthsOf(`${family}-bold`).learnFrom(bold);
  return { regular, bold };
}

type Face = `${Family}-${'regular' | 'bold'}`;

const files: Record<Face, string> = {
  'serif-regular': 'LiberationSerif-Regular.ttf',
  'serif-bold': 'LiberationSerif-Bold.ttf',
  'sans-regular': 'LiberationSans-Regular.ttf',
  'sans-bold': 'LiberationSans-Bold.ttf',
};

const loadedBytes = new Map<Face, Uint8Array>();

function bytesOf(face: Face): Uint8Array {
  const known = loadedBytes.get(face);
  if (known !== undefined) return known;
  const bytes = new Uint8Array(readFileSync(new URL(`../fonts/${files[face]}`, import.meta.url)));
  loadedBytes.set(face, bytes);
  return bytes;
}

interface Widths {
  of(codePoint: number): number;
  learnFrom(font: EmbeddedFont): void;
}

const loadedWidths = new Map<Face, Widths>();

/** Glyph widths are remembered for the life of the process: they never change, and asking the font each time is slow. */
function widthsOf(face: Face): Widths {
  const known = loadedWidths.get(face);
  if (known !== undefined) return known;
  const remembered = new Map<number, number>();
  let source: EmbeddedFont | undefined;
  const widths: Widths = {
    of(codePoint) {
      const width = remembered.get(codePoint);
      if (width !== undefined) return width;
      if (source === undefined) throw new Error(`Typeface ${face} is measured before it is embedded`);
      const char = String.fromCodePoint(codePoint);
      if (!source.canEncode(char)) throw new Error(`Typeface ${face} has no glyph for ${JSON.stringify(char)}`);
      const asked = source.getWidth(codePoint);
      remembered.set(codePoint, asked);
      return asked;
    },
    learnFrom(font) {
      source ??= font;
    },
  };
  loadedWidths.set(face, widths);
  return widths;
}
