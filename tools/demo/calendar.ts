const dayMs = 86_400_000;

const monthsGenitive = [
  'stycznia',
  'lutego',
  'marca',
  'kwietnia',
  'maja',
  'czerwca',
  'lipca',
  'sierpnia',
  'września',
  'października',
  'listopada',
  'grudnia',
];

const monthsNominative = [
  'styczeń',
  'luty',
  'marzec',
  'kwiecień',
  'maj',
  'czerwiec',
  'lipiec',
  'sierpień',
  'wrzesień',
  'październik',
  'listopad',
  'grudzień',
];

/** Midnight (UTC) of the calendar day of `moment`. */
export function dayOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / dayMs) * dayMs);
}

export function addDays(day: Date, days: number): Date {
  return new Date(day.getTime() + days * dayMs);
}

/** The day of the month is kept where the month has it, else its last day is taken. */
export function addMonths(day: Date, months: number): Date {
  const first = Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1);
  const moved = new Date(first);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  return addDays(moved, Math.min(day.getUTCDate(), lastDay) - 1);
}

export function startOfMonth(day: Date): Date {
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1));
}

export function daysBetween(earlier: Date, later: Date): number {
  return Math.round((later.getTime() - earlier.getTime()) / dayMs);
}

/** Months since year 0: a number that grows by one each month. */
export function monthNumber(day: Date): number {
  return day.getUTCFullYear() * 12 + day.getUTCMonth();
}

/** 2026-10-30 */
export function isoDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** 30.10.2026 */
export function shortDay(day: Date): string {
  return isoDay(day).split('-').reverse().join('.');
}

/** 30 października 2026 r. */
export function longDay(day: Date): string {
  return `${day.getUTCDate()} ${monthsGenitive[day.getUTCMonth()] ?? ''} ${day.getUTCFullYear()} r.`;
}

/** październik 2026 */
export function monthName(day: Date): string {
  return `${monthsNominative[day.getUTCMonth()] ?? ''} ${day.getUTCFullYear()}`;
}
