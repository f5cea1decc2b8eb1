import { calendarDay } from '@pergamin/contract';

/**
 * A typed day: the year first, as days are shown everywhere (E7), or last, as people write them, with any of the usual signs between its parts;
 * null for nothing, undefined for no day.
 */
export const readDay = (text: string): string | null | undefined => {
  const written = text.trim();
  if (written === '') return null;
  const parts =
    /^(?<date>\d{1,2})[-./ ](?<month>\d{1,2})[-./ ](?<year>\d{4})$/.exec(written) ??
    /^(?<date>\d{2})(?<month>\d{2})(?<year>\d{4})$/.exec(written) ??
    /^(?<year>\d{4})[-./ ](?<month>\d{1,2})[-./ ](?<date>\d{1,2})$/.exec(written);
  const { year = '', month = '', date = '' } = parts?.groups ?? {};
  const day = calendarDay.safeParse(`${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`);
  return day.success ? day.data : undefined;
};
