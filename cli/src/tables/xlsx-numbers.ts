import type { Cell } from './cells.ts';

const dayMs = 86_400_000;
/** Of the formats that every program knows without their text. */
const isDateNumber = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** What is between quotes, behind a backslash or in brackets is no letter of a date: `0" zł"`, `[Red]0`. */
const isDateFormat = (format: string): boolean => {
  if (format.startsWith('#') && /^#\d+$/.test(format)) return isDateNumber(Number(format.slice(1)));
  const [positive = ''] = format.split(';');
  return /[ymdhs]/i.test(positive.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^[\]]*\]|General/gi, ''));
};

/** Spreadsheets count days from 1900, and take that year for a leap year. */
const momentOf = (serial: number, isFrom1904: boolean): Date => {
  const first = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  return new Date(first + Math.round(serial * dayMs));
};

const dateCell = (serial: number, isFrom1904: boolean): Cell => {
  const moment = momentOf(serial, isFrom1904);
  if (serial < 0 || Number.isNaN(moment.getTime()) || moment.getUTCFullYear() > 9999)
    return { text: '', problem: 'a date that there is not' };
  const text = moment.toISOString();
  return { text: text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19), keptAs: 'date' };
};

const keptDigits = 15;

/** A cell that keeps a number. One with a format of zeros (`000000000`) shows as many digits, and is the text that it shows. */
export const numberCell = (value: string, { format, isFrom1904 }: { format: string; isFrom1904: boolean }): Cell => {
  const number = Number(value);
  if (!Number.isFinite(number)) return { text: '', problem: 'no number' };
  if (isDateFormat(format)) return dateCell(number, isFrom1904);
  const shown = String(Number(number.toPrecision(keptDigits)));
  if (/^0{2,15}$/.test(format) && /^\d{1,15}$/.test(shown)) return { text: shown.padStart(format.length, '0') };
  return { text: shown, keptAs: 'number' };
};
