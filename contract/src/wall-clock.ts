/** What a clock on the wall shows: `yyyy-mm-dd` and `HH:MM:ss`. */
export interface WallClock {
  readonly day: string;
  readonly time: string;
}

/** Making a format costs more than writing a hundred moments with it: callers that write many keep the function. */
export const createWallClock = (timeZone: string): ((moment: Date) => WallClock) => {
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
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? '';
    return {
      day: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
      time: `${part('hour')}:${part('minute')}:${part('second')}`,
    };
  };
};
