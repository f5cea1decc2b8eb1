import { createLocalTime } from '#platform/clock/local-time.ts';

/** A retention without end is locked for as long as services lock. */
const maxYears = 100;

/**
 * When the last of these days (yyyy-mm-dd, or 'infinity') has ended in a zone, at most a hundred years from now; undefined when none is given. For the lock that
 * an object is written with.
 */
export const keptUntilOf = (
  days: readonly (string | null | undefined)[],
  { timeZone, now }: { readonly timeZone: string; readonly now: Date },
): Date | undefined => {
  const local = createLocalTime(timeZone);
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + maxYears);
  const most = local.dayOf(latest);
  const given = days.filter((day) => day !== null && day !== undefined).map((day) => (day === 'infinity' || day > most ? most : day));
  const last = given.toSorted().at(-1);
  return last === undefined ? undefined : local.endOf(last);
};
