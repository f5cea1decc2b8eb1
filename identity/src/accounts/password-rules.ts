import { readFileSync } from 'node:fs';

export type PasswordFault = 'length' | 'characters' | 'personalId' | 'common';

/** K1; the most is a setting (PASSWORD_MAX). */
export const passwordMinLength = 8;

export interface PasswordRules {
  /** What is wrong with a new password of this person; undefined when nothing is. */
  findFault(password: string, personalId: string): PasswordFault | undefined;
}

/** A shorter id stands in too many passwords by chance, and gives nothing away. */
const shortestIdToLookFor = 4;
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

const readCommon = (): ReadonlySet<string> =>
  new Set(
    readFileSync(new URL('./first-guesses.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .flatMap((line) => line.split(' '))
      .filter((word) => word !== ''),
  );

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
  const [, before = '', inner = '', after = ''] = /^([^a-z]*)(.*?)([^a-z]*)$/s.exec(plain) ?? [];
  if (before.length + after.length > longestTail) return false;
  const candidates = [inner, undisguise(inner)].map((word) => word.replaceAll(/[^a-z]/g, ''));
  return candidates.some((word) => word !== '' && isCommonWord(words, word));
};

/** What a new password must be (K1): long enough, of three kinds of characters, not the id, and none of those that are tried first. */
export const createPasswordRules = ({ maxLength }: { maxLength: number }): PasswordRules => {
  const words = readCommon();
  return {
    findFault(password, personalId) {
      const length = Array.from(password).length;
      if (length < passwordMinLength || length > maxLength) return 'length';
      if (!/\p{Ll}/u.test(password) || !/\p{Lu}/u.test(password) || !/\d/.test(password)) return 'characters';
      const hasId = personalId.length >= shortestIdToLookFor && password.toLowerCase().includes(personalId.toLowerCase());
      if (hasId) return 'personalId';
      return isCommon(words, password) ? 'common' : undefined;
    },
  };
};
