import { createDayOf as createZonedDayOf } from '@pergamin/contract';

/** The day in the organisation's time zone that a moment belongs to (D14), as 'yyyy-mm-dd'. */
export const createDayOf = (timeZone: string): ((epochMs: number) => string) => {
  const dayOf = createZonedDayOf(timeZone);
  return (epochMs) => {
    const day = dayOf(epochMs);
    // Years of another length are outside what a list can hold anyway.
    return day.startsWith('-') ? earliest : day.startsWith('+') ? latest : day;
  };
};

/** Before and after every day that a document can carry; PostgreSQL knows both. */
export const earliest = '-infinity';
export const latest = 'infinity';
