import { readFileSync } from 'node:fs';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

export type PasswordFault = 'length' | 'characters' | 'personalId' | 'common';

/** K1; the most is a setting (PASSWORD_MAX). */
export const passwordMinLength = 8;

/** The person that a password is for; names as they are written. */
export interface Owner {
  readonly personalId: string;
  readonly names: readonly string[];
}

export interface PasswordRules {
  /** What is wrong with a new password of this person; undefined when nothing is. Takes some milliseconds of the processor at most. */
  findFault(password: string, owner: Owner): Promise<PasswordFault | undefined>;
}

/** A shorter id occurs in too many passwords by chance. */
const shortestIdToLookFor = 4;
const shortestNameToLookFor = 3;
/** `Warszawa2026!` is a common word with a tail; with a longer tail it is no longer the word that protects or betrays. */
const longestTail = 6;

/** What people write for letters, back to the letters. */
const disguises: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

const withoutDiacritics = (text: string): string =>
  text
    .replaceAll(/[łŁ]/g, 'l')
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '');

const undisguise = (text: string): string => text.replaceAll(/[@4310!$57]/g, (sign) => disguises[sign] ?? sign);

const readCommon = (): readonly string[] =>
  readFileSync(new URL('./first-guesses.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(' '))
    .filter((word) => word !== '');

/** Words of a name, and these together in either order. */
const wordsOf = (names: readonly string[]): readonly string[] => {
  const words = names
    .flatMap((name) => withoutDiacritics(name.toLowerCase()).split(/[^a-z]+/))
    .filter((word) => word.length >= shortestNameToLookFor);
  return words.length < 2 ? words : [...words, words.join(''), words.toReversed().join('')];
};

const rows = ['qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'abcdefghijklmnopqrstuvwxyz'];

/** One letter again and again, neighbours on the keyboard or in the alphabet, a word of the list, or that word twice. */
const isCommonWord = (words: ReadonlySet<string>, word: string): boolean =>
  words.has(word) ||
  /^(.)\1+$/.test(word) ||
  (word.length > 3 && rows.some((row) => row.includes(word) || row.split('').toReversed().join('').includes(word))) ||
  (word.slice(0, word.length / 2) === word.slice(word.length / 2) && words.has(word.slice(word.length / 2)));

const isCommon = (words: ReadonlySet<string>, password: string): boolean => {
  const plain = withoutDiacritics(password.toLowerCase());
  if (words.has(plain)) return true;
  const [before = '', inner = '', after = ''] = plain.split(/([a-z](?:.*[a-z])?)/s);
  if (before.length + after.length > longestTail) return false;
  const candidates = [inner, undisguise(inner)].map((word) => word.replaceAll(/[^a-z]/g, ''));
  return candidates.some((word) => word !== '' && isCommonWord(words, word));
};

/** Characters that the library estimates: its time grows with the square of the length, and a longer password is only stronger. */
const maxEstimatedLength = 24;
/** Limits how many substitutions of letters ("0" for "o") are undone. */
const maxSubstitutions = 4;
/** 0 and 1: guessed within a million tries, which is what throttles are for; 2 and more: later. */
const minScore = 2;

/**
 * What a new password must be (K1): long enough, of three kinds of characters, not the id, and none of those that are tried first. Those are
 * found twice: by the library, which knows what others have chosen and adds up what little a demanded digit or capital makes harder; and by the
 * words of this country with the usual tails, which it thinks better of.
 */
export const createPasswordRules = ({ maxLength, organisationName }: { maxLength: number; organisationName: string }): PasswordRules => {
  const common = readCommon();
  const ofHouse = wordsOf([organisationName]);
  const words = new Set([...common, ...ofHouse]);
  // With the first new password: reading and ranking the dictionaries takes 150 ms, which a start would wait for.
  const load = async (): Promise<ZxcvbnFactory> => {
    const [core, { dictionary, adjacencyGraphs }] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]);
    return new core.ZxcvbnFactory({
      dictionary: { ...dictionary, common: [...common], ofHouse: [...ofHouse] },
      graphs: adjacencyGraphs,
      l33tMaxSubstitutions: maxSubstitutions,
    });
  };
  let library: Promise<ZxcvbnFactory> | undefined;
  const isGuessedSoon = async (password: string, own: readonly string[]): Promise<boolean> => {
    const { score } = (await (library ??= load())).check(withoutDiacritics(password).slice(0, maxEstimatedLength), [...own]);
    return score < minScore;
  };
  return {
    async findFault(password, { personalId, names }) {
      const length = Array.from(password).length;
      if (length < passwordMinLength || length > maxLength) return 'length';
      if (!/\p{Ll}/u.test(password) || !/\p{Lu}/u.test(password) || !/\d/.test(password)) return 'characters';
      const hasId = personalId.length >= shortestIdToLookFor && password.toLowerCase().includes(personalId.toLowerCase());
      if (hasId) return 'personalId';
      const own = wordsOf(names);
      return isCommon(words.union(new Set(own)), password) || (await isGuessedSoon(password, own)) ? 'common' : undefined;
    },
  };
};
