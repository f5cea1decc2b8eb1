/**
 * The form that searches compare: without diacritics, in lower case, ł as l, ß as ss. `foldedSql` is the same in PostgreSQL, for values that are not
 * stored folded.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss');

/** `expression` must be constant SQL, never text of a caller. */
export const foldedSql = (expression: string): string =>
  `replace(translate(lower(regexp_replace(normalize(${expression}, NFD), '[\\u0300-\\u036f]', '', 'g')), 'ł', 'l'), 'ß', 'ss')`;
