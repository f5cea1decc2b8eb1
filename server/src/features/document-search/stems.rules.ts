import { stemmer as stemEnglish } from '@orama/stemmers/english';

/**
 * Of Polish nouns and adjectives, folded. Endings of verbs are left out: a word is also found by
 * its beginning, and each ending more confuses words that have nothing to do with one another.
 */
const endings = new Set(
  'iami iach iego iemu ami ach ego emu ich imi ych ymi iej iem iom owi im ym ej em om ow ia ie ii iu a e i o u y'.split(' '),
);
const longestEnding = 4;
const leastLetters = 3;

const withoutEnding = (word: string): string => {
  for (let length = Math.min(longestEnding, word.length - leastLetters); length > 0; length -= 1)
    if (endings.has(word.slice(-length))) return withoutEnding(word.slice(0, -length));
  return word;
};

/** A light stem: one for `umowa`, `umową`, `umów`; for `rachunek`, `rachunku`; for `karta`, `karcie`. Not a word itself. */
const stemPolish = (word: string): string =>
  withoutEnding(withoutFleetingVowel(word))
    // Before some endings a consonant is another one: karta, karcie; hipoteka, hipotece; usługa, usłudze; numer, numerze.
    .replace(/[ck]$/, 't')
    .replace(/(?:dz|g)$/, 'd')
    .replace(/rz$/, 'r');

/** The e of rachunek, which rachunku lacks; of koniec and końca. */
const withoutFleetingVowel = (word: string): string =>
  word.replace(/(?<=[a-z]{2}[^aeiouy])e(?=k$)/, '').replace(/(?<=[a-z]{2})ie(?=c$)/, '');

const isStemmed = /^[a-z]{3,}$/;

/** In which language a word is written is not known, so it has a stem of each. */
export interface Stems {
  readonly polish: string;
  readonly english: string;
}

/** Of a folded word. Undefined for numbers, very short words and other alphabets. */
export const stemsOf = (word: string): Stems | undefined =>
  isStemmed.test(word) ? { polish: stemPolish(word), english: stemEnglish(word) } : undefined;

export const haveOneStem = (one: Stems, other: Stems): boolean => one.polish === other.polish || one.english === other.english;

/** How stems are kept among words, which have no such signs. */
const marked = ({ polish, english }: Stems): [string, string][] => [
  [`~${polish}`, polish],
  [`^${english}`, english],
];

/** What is kept beside the word itself; nothing for a stem that is the word. */
export const keptStems = (word: string): string[] => {
  const stems = stemsOf(word);
  return stems === undefined ? [] : marked(stems).flatMap(([kept, stem]) => (stem === word ? [] : [kept]));
};

/** Under what the words of the same stem are found: as they are kept, or as the word that is its own stem. */
export const soughtStems = (stems: Stems): string[] => [...new Set(marked(stems).flat())];
