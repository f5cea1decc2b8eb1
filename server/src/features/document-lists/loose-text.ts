import { accountPart, foldText } from '#features/metadata/metadata.door.ts';
import { any, type Condition, type Value } from './conditions.ts';

/** What people leave out, double or write otherwise between the parts of a number or a name. Never a line break, which ends a value. */
const gap = String.raw`[ \t\u00a0\u2000-\u2015\u202f\u2212/\\._,:-]`;
const gaps = new RegExp(`${gap}+`);

/** Shorter runs of digits are parts of many numbers, and no account number is longer. */
const isLongNumber = (text: string): boolean => /^\d{8,34}$/.test(text);
const account = /^(?:pl\d{4,}|[a-z]{2}\d{2}[\da-z]{11,30})$/;

const isDigit = (sign: string | undefined): boolean => sign !== undefined && /\d/.test(sign);
const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Undefined: as it is. */
const patternOf = (text: string): string | undefined => {
  const parts = text.split(gaps);
  const together = parts.join('');
  // A long number may be written with a gap anywhere.
  if (isLongNumber(together)) return Array.from(together).join(`${gap}*`);
  if (parts.length === 1 || together === '') return undefined;
  const [first = '', ...others] = parts;
  return others.reduce((pattern, part, place) => {
    const before = parts[place] ?? '';
    // Words stay words; beside digits the gap may be left out.
    const mayLackGap = before !== '' && part !== '' && (isDigit(before.at(-1)) || isDigit(part[0]));
    return `${pattern}${gap}${mayLackGap ? '*' : '+'}${literal(part)}`;
  }, literal(first));
};

/**
 * The value has somewhere what was typed, as it may be written there: with other gaps between its parts (`kh 2026` for KH/2026, one space for two), an
 * account number in groups or in one piece, with the country code or without. `value` is folded.
 */
export const containing = (value: Value, typed: string): Condition => {
  const text = foldText(typed);
  const compact = text.replaceAll(new RegExp(gap, 'g'), '');
  const spellings = account.test(compact) ? [text, accountPart(compact)] : [text];
  return any(
    spellings.map((spelling) => {
      const pattern = patternOf(spelling);
      return pattern === undefined ? { is: 'containing', value, to: spelling } : { is: 'matching', value, to: pattern };
    }),
  );
};
