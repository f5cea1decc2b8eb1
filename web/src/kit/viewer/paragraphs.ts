import type { PageText, TextLine } from '@pergamin/contract';

export interface Paragraph {
  readonly text: string;
  readonly heading: number | undefined;
}

const softHyphen = '\u{AD}';
/** Shares of a line's height: so much air parts paragraphs, so much larger letters are another text. */
const air = 0.45;
const otherHeight = 0.15;

const textOf = ({ runs }: TextLine): string => runs.map(({ text }) => text.trim()).join('   ');
const indentOf = ({ x }: TextLine): number => x;

const goesOn = (before: TextLine, line: TextLine): boolean => {
  if (before.heading !== line.heading || before.angle !== line.angle) return false;
  // Rows of a table stay rows.
  if (before.runs.length > 1 || line.runs.length > 1) return false;
  const gap = line.y - (before.y + before.height);
  if (gap > air * before.height || gap < -before.height) return false;
  return Math.abs(line.height - before.height) <= otherHeight * before.height && indentOf(line) <= indentOf(before) + before.height * 1.5;
};

/** Lines put together to what they were written as: a word that was broken at the end of a line is whole again. */
export const paragraphsOf = ({ lines }: PageText): Paragraph[] => {
  const paragraphs: Paragraph[] = [];
  let before: TextLine | undefined;
  for (const line of lines) {
    const last = paragraphs.at(-1);
    const text = textOf(line);
    if (last !== undefined && before !== undefined && goesOn(before, line))
      paragraphs[paragraphs.length - 1] = { ...last, text: joined(last.text, text) };
    else paragraphs.push({ text, heading: line.heading });
    before = line;
  }
  return paragraphs.map(({ text, heading }) => ({ text: text.replaceAll(softHyphen, '-'), heading }));
};

const joined = (start: string, rest: string): string => (start.endsWith(softHyphen) ? start.slice(0, -1) + rest : `${start} ${rest}`);
