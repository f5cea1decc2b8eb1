import type { Definition } from './metadata-definitions.ts';

/** Spaces of any width, hyphens, dashes, and what is not seen at all: people and programs put them between the groups of a number. */
const gap = /[\s\u00a0\u00ad\u1680\u2000-\u2015\u2028\u2029\u202f\u205f\u2060\u2212\u3000\ufeff-]/g;
/** Before the check digits of an account number, of which none is shorter. */
const countryCode = /^[a-z]{2}(?=[0-9]{2}[0-9a-z]{11})/;

/** ACCOUNT_NUMBER, and keys that an installation names like it, as LOAN_ACCOUNT. */
export const isAccountKey = ({ id, type }: Pick<Definition, 'id' | 'type'>): boolean =>
  (type === 'RAW' || type === 'TEXT') && /(?:^|_)ACCOUNT(?:_|$)/.test(id);

/** In lower case, and in one piece. */
export const inOnePiece = (text: string): string => text.replaceAll(gap, '').toLowerCase();

/** What is compared of an account number: one for all its spellings, with the country code or without. */
export const accountKey = (text: string): string => inOnePiece(text).replace(countryCode, '');

/** The same of its beginning or a part of it, of which it is not known how much is still to be typed. */
export const accountPart = (text: string): string => inOnePiece(text).replace(/^[a-z]{2}(?=\d{2})/, '');

/** The same as `accountKey`, quick for digits in one piece; PostgreSQL reads both expressions alike. `expression` must be constant SQL, never text of a caller. */
export const accountKeySql = (expression: string): string =>
  `(case when ${expression} ~ '[^0-9]'
    then regexp_replace(lower(regexp_replace(${expression}, '${gap.source}', '', 'g')), '${countryCode.source}', '') else ${expression} end)`;
