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
  /** Of an account number: the groups in which pages print it. */
  readonly groups?: readonly string[];
}

/** In groups or in one piece, with the country code or without. */
const accountPattern = /(?<![\p{L}\p{N}])(?:pl[\s-]?|[a-z]{2})?(\d(?:[\s-]?\d){25})(?![\p{L}\p{N}])/gu;

const accountTerm = (written: string): Term => {
  const word = written.replaceAll(/[\s-]/g, '');
  return { word, isPrefix: false, stems: undefined, groups: [word.slice(0, 2), ...(word.slice(2).match(/\d{4}/g) ?? [])] };
};

export const termsOf = (text: string): Term[] => {
  const folded = foldText(text);
  const accounts = new Map(
    Array.from(folded.matchAll(accountPattern), ([, digits = '']) => accountTerm(digits)).map((term) => [term.word, term]),
  );
  const words = [...wordsOf(folded.replaceAll(accountPattern, ' '))];
  const terms = words.map((word) => ({ word, isPrefix: word.length > 1, stems: stemsOf(word) }));
  return [...accounts.values(), ...terms].slice(0, maxQueryWords);
};

const isBegunBy = (word: string, { word: wanted, isPrefix, groups }: Term): boolean => {
  if (groups !== undefined) return /^(?:[a-z]{2})?\d+$/.test(word) && [wanted, ...groups].includes(word.replace(/^[a-z]{2}/, ''));
  return isPrefix ? word.startsWith(wanted) : word === wanted;
};

const isInflected = (word: string, { word: wanted, stems }: Term): boolean => {
  // Words of one stem begin alike, and a page has many words.
  if (stems === undefined || !word.startsWith(wanted.slice(0, 2))) return false;
  const others = stemsOf(word);
  return others !== undefined && haveOneStem(others, stems);
};

const fits = (word: string, term: Term): boolean => isBegunBy(word, term) || isInflected(word, term);

/** Texts that an earlier release read are kept with ß. More than three times in a word it is no word. */
const withSharpS = (word: string): string[] => {
  const [first = '', ...others] = word.split('ss');
  if (others.length > 3) return [word];
  return others.reduce((begun, part) => begun.flatMap((one) => [`${one}ss${part}`, `${one}ß${part}`]), [first]);
};

const eitherOf = (sought: readonly string[]): string => (sought.length > 1 ? `(${sought.join(' | ')})` : sought.join(''));

const soughtOf = ({ word, isPrefix, stems, groups }: Term): string[] => {
  if (groups === undefined)
    return [
      ...withSharpS(word).map((one) => `'${one}'${isPrefix ? ':*' : ''}`),
      ...(stems === undefined ? [] : soughtStems(stems)).map((stem) => `'${stem}'`),
    ];
  // Which country, only the first group tells; the checksum of the number does, too.
  const [first = '', ...others] = groups.map((group) => `'${group}'`);
  return [`'${word}'`, `'pl${word}'`, `(${[`(${first} | 'pl${groups[0] ?? ''}')`, ...others].join(' & ')})`];
};

/** As PostgreSQL reads a tsquery: quoted, so that nothing in it is anything but a word or a stem. */
export const tsqueryOf = (terms: readonly Term[]): string => terms.map((term) => eitherOf(soughtOf(term))).join(' & ');

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
    const { length } = wanted.groups === undefined && isBegunBy(word, wanted) ? wanted.word : whole;
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
