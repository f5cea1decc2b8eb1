import { createWallClock } from '@pergamin/contract';

const dayMs = 86_400_000;

/** Moments as the organisation's clocks show them (D14). */
export type LocalTime = ReturnType<typeof createLocalTime>;

/** `timeZone` is an IANA name; throws RangeError for an unknown one. */
export const createLocalTime = (timeZone: string) => {
  const clock = createWallClock(timeZone);

  const offsetAt = (ms: number): number => {
    const { day, time } = clock(new Date(ms));
    return Date.parse(`${day}T${time}Z`) - Math.floor(ms / 1_000) * 1_000;
  };
  /** By day of UTC: its offset, or undefined where the clocks are changed. Asking the format costs more than all else. */
  const offsets = new Map<number, number | undefined>();
  const offsetOf = (ms: number): number => {
    const utcDay = Math.floor(ms / dayMs);
    if (!offsets.has(utcDay)) {
      const atStart = offsetAt(utcDay * dayMs);
      offsets.set(utcDay, atStart === offsetAt((utcDay + 1) * dayMs) ? atStart : undefined);
    }
    return offsets.get(utcDay) ?? offsetAt(ms);
  };

  return {
    /** `yyyy-mm-dd`. */
    dayOf: (moment: Date): string => clock(moment).day,
    /** When a day (`yyyy-mm-dd`) has ended. */
    endOf(day: string): Date {
      const midnight = Date.parse(`${day}T00:00Z`) + dayMs;
      // By the offset of the moment itself, not by that of the same hour in UTC: clocks may change between the two.
      return new Date(midnight - offsetAt(midnight - offsetAt(midnight)));
    },
    /** `yyyy-mm-dd, HH:MM:ss` (E7). */
    textOf(moment: Date): string {
      const { day, time } = clock(moment);
      return `${day}, ${time}`;
    },
    /** `yyyy-mm-ddTHH:MM:ss+01:00`: exact also in the hour that comes twice. */
    stampOf: (moment: Date): string => {
      const offset = offsetOf(moment.getTime());
      const shifted = new Date(moment.getTime() + offset).toISOString().slice(0, 19);
      const away = new Date(Math.abs(offset)).toISOString().slice(11, 16);
      return `${shifted}${offset < 0 ? '-' : '+'}${away}`;
    },
    /** A Date whose local fields, in whatever zone this machine is, are those of the organisation's clocks. For formats without a zone. */
    wallClockOf(moment: Date): Date {
      const { day, time } = clock(moment);
      return new Date(`${day}T${time}`);
    },
  };
};
