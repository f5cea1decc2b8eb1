import { createWallClock } from '@pergamin/contract';

/** Moments as the organisation's clocks show them (D14). */
export type LocalTime = ReturnType<typeof createLocalTime>;

/** `timeZone` is an IANA name; throws RangeError for an unknown one. */
export const createLocalTime = (timeZone: string) => {
  const clock = createWallClock(timeZone);
  return {
    /** `yyyy-mm-dd`. */
    dayOf: (moment: Date): string => clock(moment).day,
    /** `yyyy-mm-dd, HH:MM:ss` (E7). */
    textOf(moment: Date): string {
      const { day, time } = clock(moment);
      return `${day}, ${time}`;
    },
    /** A Date whose local fields, in whatever zone this machine is, are those of the organisation's clocks. For formats without a zone. */
    wallClockOf(moment: Date): Date {
      const { day, time } = clock(moment);
      return new Date(`${day}T${time}`);
    },
  };
};
