import type { PageText, TextLine } from '@pergamin/contract';

/** Letters of one run, from the first to before the last. */
export interface FoundPart {
  readonly line: number;
  readonly run: number;
  readonly from: number;
  readonly to: number;
}

/** One place where it stands, on one page; a word that is broken at the end of a line has two parts. */
export interface Hit {
  readonly page: number;
  readonly parts: readonly FoundPart[];
}

/** A page as it is looked through: without case and accents, with single spaces, and where each of these letters stands. */
export interface FoldedPage {
  readonly text: string;
  readonly places: readonly (Omit<FoundPart, 'to'> | undefined)[];
}

const softHyphen = '\u{AD}';

/** Letters that no accent can be taken from. */
const plain: Readonly<Record<string, string>> = {
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  '’': "'",
  '‘': "'",
  '”': '"',
  '„': '"',
  '–': '-',
  '—': '-',
};

const foldLetter = (letter: string): string =>
  letter
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^ -~]/g, (each) => plain[each] ?? each);

export const foldQuery = (text: string): string => foldLetter(text).replaceAll(/\s+/g, ' ').trim();

export const foldPage = ({ lines }: PageText): FoldedPage => {
  const letters: string[] = [];
  const places: (Omit<FoundPart, 'to'> | undefined)[] = [];
  let isJoined = true;
  const space = (): void => {
    if (!isJoined && letters.at(-1) !== ' ') {
      letters.push(' ');
      places.push(undefined);
    }
    isJoined = false;
  };
  for (const [line, { runs }] of lines.entries())
    for (const [run, { text }] of runs.entries()) {
      space();
      let from = 0;
      for (const letter of text) {
        if (letter === softHyphen) isJoined = true;
        else if (letter.trim() === '') space();
        else
          for (const folded of foldLetter(letter)) {
            letters.push(folded);
            places.push({ line, run, from });
            isJoined = false;
          }
        from += letter.length;
      }
    }
  return { text: letters.join(''), places };
};

/** Every place of a folded query on a folded page, in reading order. */
export const findOnPage = ({ text, places }: FoldedPage, page: number, needle: string): Hit[] => {
  const hits: Hit[] = [];
  if (needle === '') return hits;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
    hits.push({ page, parts: partsOf(places.slice(at, at + needle.length)) });
  return hits;
};

const partsOf = (places: FoldedPage['places']): FoundPart[] => {
  const parts: FoundPart[] = [];
  for (const place of places) {
    if (place === undefined) continue;
    const last = parts.at(-1);
    if (last !== undefined && last.line === place.line && last.run === place.run) parts[parts.length - 1] = { ...last, to: place.from + 1 };
    else parts.push({ ...place, to: place.from + 1 });
  }
  return parts;
};

const lengthOf = ({ runs }: TextLine): number => Math.max(0, ...runs.map(({ at, ends }) => ends.at(-1) ?? at));

/** Where a hit lies on its page, in points; turned by `angle` around its top left corner. */
export const boxesOf = ({ parts }: Hit, { lines }: PageText) =>
  parts.flatMap(({ line: lineIndex, run: runIndex, from, to }) => {
    const line = lines[lineIndex];
    const run = line?.runs[runIndex];
    if (line === undefined || run === undefined) return [];
    const start = from === 0 ? run.at : (run.ends[from - 1] ?? run.at);
    const width = (run.ends[to - 1] ?? start) - start;
    const turn = (line.angle * Math.PI) / 180;
    // Its letters are counted from the right edge.
    const along = line.rightToLeft === true ? lengthOf(line) - start - width : start;
    return [{ x: line.x + along * Math.cos(turn), y: line.y + along * Math.sin(turn), width, height: line.height, angle: line.angle }];
  });
