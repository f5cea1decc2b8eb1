import { calendarDay } from '@pergamin/contract';

/** A day as it is written in forms: `DD-MM-YYYY`. */
export const writtenDay = (day: string | null): string => {
  if (day === null) return '';
  const [year, month, date] = day.split('-');
  return `${date}-${month}-${year}`;
};

/** A typed day, with any of the usual signs between its parts, or none; null for nothing, undefined for no day. */
export const readDay = (text: string): string | null | undefined => {
  const written = text.trim();
  if (written === '') return null;
  const parts =
    /^(?<date>\d{1,2})[-./ ](?<month>\d{1,2})[-./ ](?<year>\d{4})$/.exec(written) ??
    /^(?<date>\d{2})(?<month>\d{2})(?<year>\d{4})$/.exec(written) ??
    /^(?<year>\d{4})-(?<month>\d{2})-(?<date>\d{2})$/.exec(written);
  const { year = '', month = '', date = '' } = parts?.groups ?? {};
  const day = calendarDay.safeParse(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`);
  return day.success ? day.data : undefined;
};
