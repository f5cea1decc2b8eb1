import type { TextRun } from './canvas.ts';
import type { Typeface } from './typefaces.ts';

export interface TextLine {
  readonly runs: readonly TextRun[];
  readonly width: number;
  readonly spaces: number;
  /** The last line of a paragraph is never stretched. */
  readonly isLast: boolean;
}

export interface LineOptions {
  typeface: Typeface;
  width: number;
  size: number;
  bold?: boolean;
}

/** Breaks a paragraph into lines. `**…**` marks bold words, a line feed breaks the line. */
export function breakLines(text: string, options: LineOptions): TextLine[] {
  return bindWords(text)
    .split('\n')
    .flatMap((paragraph) => breakParagraph(paragraph, options));
}

/**
 * Polish typography: one-letter words, numbers with their units and signs with their numbers stay on one line;
 * the full stop of „r.” also ends its sentence.
 */
export function bindWords(text: string): string {
  return text
    .replaceAll(/( r\.\**)\.(?=\s|$)/gu, '$1')
    .replaceAll(/(?<=^|[\s(„\u00a0*])([aiouwzAIOUWZ]) /gu, '$1\u00a0')
    .replaceAll(/(?<=^|[\s(„\u00a0*])([aiouwzAIOUWZ]) /gu, '$1\u00a0')
    .replaceAll(/(§|\bnr|\bust\.|\bpkt|\bart\.|\blit\.|\bul\.|\bal\.|\bpoz\.|\btel\.|\bdo dnia) (?=[\p{L}\d*])/gu, '$1\u00a0')
    .replaceAll(/ (?=(S\.A\.|sp\. z))/gu, '\u00a0')
    .replaceAll(/(\d{2}-\d{3}|\d\.) (?=\p{L})/gu, '$1\u00a0')
    .replaceAll(/(\d) (?=\d{3}(\D|$))/gu, '$1\u00a0')
    .replaceAll(/(\d) (?=(zł|r\.|%|m²|PLN|dni|mies)(\P{L}|$))/gu, '$1\u00a0')
    .replaceAll(/(\d) (?=(stycz|lut|marca|kwie|maja|czerw|lip|sierp|wrze|paźd|listop|grud)\p{L}*)/gu, '$1\u00a0');
}

interface Word {
  runs: TextRun[];
  width: number;
}

function breakParagraph(paragraph: string, options: LineOptions): TextLine[] {
  const words = wordsOf(paragraph, options);
  const space = options.typeface.width(' ', { size: options.size });
  const lines: { words: Word[]; width: number }[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && line.width + space + word.width <= options.width) {
      line.words.push(word);
      line.width += space + word.width;
    } else lines.push({ words: [word], width: word.width });
  }
  return lines.map((line, index) => ({
    runs: joinRuns(line.words),
    width: line.width,
    spaces: countSpaces(line.words),
    isLast: index === lines.length - 1,
  }));
}

function wordsOf(paragraph: string, options: LineOptions): Word[] {
  const words: Word[] = [{ runs: [], width: 0 }];
  paragraph.split('**').forEach((part, index) => {
    const bold = options.bold === true || index % 2 === 1;
    part.split(' ').forEach((text, position) => {
      if (position > 0) words.push({ runs: [], width: 0 });
      const word = words.at(-1);
      if (text === '' || word === undefined) return;
      word.runs.push({ text, bold });
      word.width += options.typeface.width(text, { size: options.size, bold });
    });
  });
  return words;
}

/** Neighbouring pieces of one weight become one run, with the spaces between words inside. */
function joinRuns(words: readonly Word[]): TextRun[] {
  const runs: TextRun[] = [];
  words.forEach((word, index) => {
    const pieces = index === 0 ? word.runs : [{ text: ' ', bold: startsBold(word, runs) }, ...word.runs];
    for (const piece of pieces) {
      const last = runs.at(-1);
      if (last !== undefined && last.bold === piece.bold) runs[runs.length - 1] = { text: last.text + piece.text, bold: last.bold };
      else runs.push(piece);
    }
  });
  return runs;
}

function startsBold(word: Word, before: readonly TextRun[]): boolean {
  return word.runs[0]?.bold === true && before.at(-1)?.bold === true;
}

/** No-break spaces stretch like the others, else a line with many of them looks torn. */
function countSpaces(words: readonly Word[]): number {
  const inside = words.flatMap((word) => word.runs).reduce((sum, run) => sum + run.text.split('\u00a0').length - 1, 0);
  return words.length - 1 + inside;
}
