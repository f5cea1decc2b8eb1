import { createWallClock } from '@pergamin/contract';

/** Moments as the organisation's clocks show them (D14). */
export interface LocalTime {
  /** `yyyy-mm-dd`. */
  dayOf(moment: Date): string;
  /** `yyyy-mm-dd, HH:MM:ss` (E7). */
  textOf(moment: Date): string;
  /** A Date whose local fields, in whatever zone this machine is, are those of the organisation's clocks. For formats without a zone. */
  wallClockOf(moment: Date): Date;
}

export const createLocalTime = (timeZone: string): LocalTime => {
  const clock = createWallClock(timeZone);
  return {
    dayOf: (moment) => clock(moment).day,
    textOf(moment) {
      const { day, time } = clock(moment);
      return `${day}, ${time}`;
    },
    wallClockOf(moment) {
      const { day, time } = clock(moment);
      return new Date(`${day}T${time}`);
    },
  };
};
