import { foldText } from '#features/metadata/metadata.door.ts';
import { haveOneStem, keptStems, soughtStems, type Stems, stemsOf } from './stems.rules.ts';

/** Of longer words only the beginning is compared. */
const maxWordLength = 64;
const maxQueryWords = 20;
const wordPattern = /[\p{L}\p{N}]+/gu;

/** The different words of a text as they are kept: folded, without signs. */
export const wordsOf = (text: string): Set<string> =>
  new Set(Array.from(foldText(text).matchAll(wordPattern), ([word]) => word.slice(0, maxWordLength)));

/** Under what these words are found: themselves, and their stems. */
export const lexemesOf = (words: ReadonlySet<string>): Set<string> => new Set([...words, ...[...words].flatMap(keptStems)]);

/**
 * What is looked for: each word is the beginning of one, but a single sign, which would begin too many, is a whole one. A word in another
 * inflection has the same stem.
 */
export interface Term {
  readonly word: string;
  readonly isPrefix: boolean;
  readonly stems: Stems | undefined;
}

export const termsOf = (text: string): Term[] =>
  [...wordsOf(text)].slice(0, maxQueryWords).map((word) => ({ word, isPrefix: word.length > 1, stems: stemsOf(word) }));

const isBegunBy = (word: string, { word: wanted, isPrefix }: Term): boolean => (isPrefix ? word.startsWith(wanted) : word === wanted);

const isInflected = (word: string, { word: wanted, stems }: Term): boolean => {
  // Words of one stem begin alike, and a page has many words.
  if (stems === undefined || !word.startsWith(wanted.slice(0, 2))) return false;
  const others = stemsOf(word);
  return others !== undefined && haveOneStem(others, stems);
};

const fits = (word: string, term: Term): boolean => isBegunBy(word, term) || isInflected(word, term);

/** As PostgreSQL reads a tsquery: quoted, so that nothing in it is anything but a word or a stem. */
export const tsqueryOf = (terms: readonly Term[]): string =>
  terms
    .map(({ word, isPrefix, stems }) => [
      `'${word}'${isPrefix ? ':*' : ''}`,
      ...(stems === undefined ? [] : soughtStems(stems)).map((stem) => `'${stem}'`),
    ])
    .map((sought) => (sought.length > 1 ? `(${sought.join(' | ')})` : sought.join('')))
    .join(' & ');

interface Match {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

/** Where a text as it is written has words that are looked for. The beginning that was asked for is marked, of another inflection the whole word. */
const matchesIn = (text: string, terms: readonly Term[]): Match[] => {
  let folded = '';
  /** Of each character of the folded text, its position in the original. */
  const origins: number[] = [];
  let at = 0;
  for (const sign of text) {
    const kept = foldText(sign);
    for (let index = 0; index < kept.length; index += 1) origins.push(at);
    folded += kept;
    at += sign.length;
  }
  origins.push(text.length);
  const found: Match[] = [];
  for (const { 0: whole, index } of folded.matchAll(wordPattern)) {
    const word = whole.slice(0, maxWordLength);
    const term = terms.findIndex((one) => fits(word, one));
    const wanted = terms[term];
    if (wanted === undefined) continue;
    const { length } = isBegunBy(word, wanted) ? wanted.word : whole;
    found.push({ start: origins[index] ?? 0, end: origins[index + length] ?? text.length, term });
  }
  return found;
};

export type Fragment = { text: string; match: boolean }[];

const fragmentLength = 180;
const leadLength = 50;

/** How many of the words a page has, for choosing among pages. */
export const countTerms = (text: string, terms: readonly Term[]): number => {
  const words = [...wordsOf(text)];
  return terms.filter((term) => words.some((word) => fits(word, term))).length;
};

const tidy = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** A piece of the page around the first of the words, cut between words, the words marked. */
export const fragmentOf = (text: string, terms: readonly Term[]): Fragment => {
  const matches = matchesIn(text, terms);
  const [first] = matches;
  const wanted = Math.max(0, (first?.start ?? 0) - leadLength);
  const start = wanted === 0 ? 0 : text.slice(0, wanted).length + Math.max(0, text.slice(wanted, first?.start).search(/\s/) + 1);
  const latest = Math.min(text.length, start + fragmentLength);
  const lastGap = text.slice(start, latest).search(/\s\S*$/);
  const end = latest === text.length || lastGap <= 0 ? latest : Math.max(start + lastGap, first?.end ?? 0);
  const fragment: Fragment = [];
  let at = start;
  for (const match of matches.filter((one) => one.end <= end)) {
    if (match.start > at) fragment.push({ text: tidy(text.slice(at, match.start)), match: false });
    fragment.push({ text: text.slice(match.start, match.end), match: true });
    at = match.end;
  }
  if (at < end) fragment.push({ text: tidy(text.slice(at, end)), match: false });
  return fragment;
};
