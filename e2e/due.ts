/**
 * Which journeys are due where, as tags that `playwright.config.ts` reads. A journey is collected on every screen and at every time unless
 * its tags say otherwise, so that nothing is skipped.
 */

type Screen = 'desktop' | 'phone';

export const isNight = process.env['NIGHTLY'] === '1';
export const notDue = { desktop: '@phone', phone: '@desktop', byDay: '@night' } as const;

/** A journey that opens a PDF file in a window of the browser. */
export const needsWindows = '@windows';

/** A journey of one screen. */
export const forScreen = (screen: Screen, time: 'always' | 'at night' = 'always'): string[] =>
  time === 'always' ? [`@${screen}`] : [`@${screen}`, notDue.byDay];

/** A journey that takes the same way on both screens: on this one by day, on both at night. */
export const byDayOn = (screen: Screen): string[] => (isNight ? [] : forScreen(screen));
