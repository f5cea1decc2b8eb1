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
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const partsOf = (moment: Date) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? '';
    return {
      day: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
      time: `${part('hour')}:${part('minute')}:${part('second')}`,
    };
  };
  return {
    dayOf: (moment) => partsOf(moment).day,
    textOf(moment) {
      const { day, time } = partsOf(moment);
      return `${day}, ${time}`;
    },
    wallClockOf(moment) {
      const { day, time } = partsOf(moment);
      return new Date(`${day}T${time}`);
    },
  };
};
