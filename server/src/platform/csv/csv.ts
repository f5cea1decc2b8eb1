import type { LanguageCode } from '@pergamin/contract';

/** What spreadsheets of the language take for the sign between cells: where the comma divides a number, it is the semicolon. */
const separatorOf = (language: LanguageCode): string => (new Intl.NumberFormat(language).format(0.5).includes(',') ? ';' : ',');

/** Tells spreadsheets that the text is UTF-8. */
export const byteOrderMark = '\ufeff';

/** Signs at which a spreadsheet takes a text for a formula, the wide forms included. */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Escapes formulas: text from a caller is shown, never calculated. */
export const asText = (text: string): string => (formulaStart.test(text) ? `'${text}` : text);

/** One row of RFC 4180 with CRLF. Does not escape formulas: pass texts of others through `asText` first. */
export const csvLine = (cells: readonly string[], language: LanguageCode): string => {
  const separator = separatorOf(language);
  const quoted = cells.map((cell) => (/["\r\n;,\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(separator)}\r\n`;
};
