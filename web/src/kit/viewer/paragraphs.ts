import type { PageText, TextLine } from '@pergamin/contract';

export interface Paragraph {
  readonly text: string;
  readonly heading: number | undefined;
  /** Where it is another than that of the page. */
  readonly language: string | undefined;
  /** What the document says that a picture shows, instead of words of its own. */
  readonly isPicture: boolean;
}

const softHyphen = '\u{AD}';
/** Shares of a line's height: so much air parts paragraphs, so much larger letters are another text. */
const air = 0.45;
const otherHeight = 0.15;

const textOf = ({ runs }: TextLine): string => runs.map(({ text }) => text.trim()).join('   ');

const goesOn = (before: TextLine, line: TextLine): boolean => {
  if (before.heading !== line.heading || before.angle !== line.angle || before.language !== line.language) return false;
  // Rows of a table stay rows.
  if (before.runs.length > 1 || line.runs.length > 1) return false;
  const gap = line.y - (before.y + before.height);
  if (gap > air * before.height || gap < -before.height) return false;
  return Math.abs(line.height - before.height) <= otherHeight * before.height && line.x <= before.x + before.height * 1.5;
};

/** Lines put together to what they were written as: a word that was broken at the end of a line is whole again. Pictures stand between them. */
export const paragraphsOf = ({ lines, figures = [] }: PageText): Paragraph[] => {
  const paragraphs: Paragraph[] = [];
  const addFigures = (before: number): boolean => {
    const here = figures.filter((figure) => figure.before === before);
    for (const { text, language } of here) paragraphs.push({ text, heading: undefined, language, isPicture: true });
    return here.length > 0;
  };
  let before: TextLine | undefined;
  for (const [index, line] of lines.entries()) {
    if (addFigures(index)) before = undefined;
    const last = paragraphs.at(-1);
    const text = textOf(line);
    if (last !== undefined && before !== undefined && goesOn(before, line))
      paragraphs[paragraphs.length - 1] = { ...last, text: joined(last.text, text) };
    else paragraphs.push({ text, heading: line.heading, language: line.language, isPicture: false });
    before = line;
  }
  addFigures(lines.length);
  return paragraphs.map((paragraph) => ({ ...paragraph, text: paragraph.text.replaceAll(softHyphen, '-') }));
};

const joined = (start: string, rest: string): string => (start.endsWith(softHyphen) ? start.slice(0, -1) + rest : `${start} ${rest}`);

/** Something can be read aloud. */
export const hasWords = ({ lines, figures = [] }: PageText): boolean => lines.length > 0 || figures.length > 0;

/** The document's own word; without one, letters that no other language of the trade has. */
export const languageOf = ({ language, lines }: PageText): string | undefined => {
  if (language !== null) return language;
  return lines.some(({ runs }) => runs.some(({ text }) => /[ąęłńśźż]/i.test(text))) ? 'pl' : undefined;
};
