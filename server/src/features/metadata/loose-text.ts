import { accountPart } from './account-numbers.ts';
import { foldText } from './fold-text.ts';

/** What people leave out, double or write otherwise between the parts of a number or a name. Never a line break, which ends a value. */
const gaps = /[ \t\u00a0\u2000-\u2015\u202f\u2212/\\._,:-]+/g;
/** The same of one sign, as PostgreSQL reads it, too. */
const gap = gaps.source.slice(0, -1);

/** Shorter runs of digits are parts of many numbers, and no account number is longer. */
const isLongNumber = (text: string): boolean => /^\d{8,34}$/.test(text);
const account = /^(?:pl\d{4,}|[a-z]{2}\d{2}[\da-z]{11,30})$/;

const isDigit = (sign: string | undefined): boolean => sign !== undefined && /\d/.test(sign);
const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** One way of writing what was typed, folded. */
export interface Spelling {
  readonly text: string;
  /** Where the text alone would not do: a regular expression of PostgreSQL for the same with other gaps. */
  readonly loose?: {
    readonly pattern: string;
    /** What every match has as it is. */
    readonly part?: string;
  };
}

const looseOf = (text: string): Spelling['loose'] => {
  const parts = text.split(gaps);
  const together = parts.join('');
  // A long number may be written with a gap anywhere.
  if (isLongNumber(together)) return { pattern: Array.from(together).join(`${gap}*`) };
  if (parts.length === 1 || together === '') return undefined;
  const [first = '', ...others] = parts;
  const pattern = others.reduce((begun, part, place) => {
    const before = parts[place] ?? '';
    // Words stay words; beside digits the gap may be left out.
    const mayLackGap = before !== '' && part !== '' && (isDigit(before.at(-1)) || isDigit(part[0]));
    return `${begun}${gap}${mayLackGap ? '*' : '+'}${literal(part)}`;
  }, literal(first));
  return { pattern, part: parts.reduce((one, other) => (other.length > one.length ? other : one)) };
};

/**
 * What a text that somebody typed may look like where it is written: with other gaps between its parts (`kh 2026` for KH/2026, one space for two), an
 * account number in groups or in one piece, with the country code or without. One of these is somewhere in the folded value.
 */
export const spellingsOf = (typed: string): readonly Spelling[] => {
  const text = foldText(typed);
  const compact = text.replaceAll(gaps, '');
  const texts = account.test(compact) ? [text, accountPart(compact)] : [text];
  return texts.map((one) => {
    const loose = looseOf(one);
    return loose === undefined ? { text: one } : { text: one, loose };
  });
};
