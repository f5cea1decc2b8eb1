/**
 * The form that searches compare: without diacritics, in lower case, ł as l. `foldedSql` is the same in PostgreSQL, for values that are not stored
 * folded.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ł', 'l');

/** `expression` must be constant SQL, never text of a caller. */
export const foldedSql = (expression: string): string =>
  `translate(lower(regexp_replace(normalize(${expression}, NFD), '[\\u0300-\\u036f]', '', 'g')), 'ł', 'l')`;
