import { test, type Page } from '@playwright/test';

interface Combination {
  readonly language: 'PL' | 'EN';
  readonly theme: 'light' | 'dark';
  readonly screen: 'desktop' | 'phone';
}

/** Every pair of a language, a theme and a screen meets in one of these four. */
const pairwise: readonly Combination[] = [
  { language: 'PL', theme: 'light', screen: 'desktop' },
  { language: 'EN', theme: 'dark', screen: 'desktop' },
  { language: 'PL', theme: 'dark', screen: 'phone' },
  { language: 'EN', theme: 'light', screen: 'phone' },
];
/** Each of them has its turn. */
const once: readonly Combination[] = [
  { language: 'PL', theme: 'light', screen: 'desktop' },
  { language: 'EN', theme: 'dark', screen: 'phone' },
];
/** All of them: at night. */
const all: readonly Combination[] = pairwise.flatMap(({ language, screen }) => [
  { language, theme: 'light', screen },
  { language, theme: 'dark', screen },
]);

const byDay = { pairwise, once };

interface Journey {
  readonly page: Page;
  readonly language: Combination['language'];
  readonly phone: boolean;
}

/** Playwright's `test`, or one that was extended: with a product of its own, for instance. */
interface Tests {
  (title: string, body: (fixtures: { readonly page: Page; readonly isMobile: boolean }) => Promise<void>): void;
  readonly skip: (condition: boolean, reason: string) => void;
}

interface Options {
  readonly tests?: Tests;
  /** `once` for what other journeys go by, too. */
  readonly byDay?: keyof typeof byDay;
}

/** A journey in the combinations of language, theme and screen that are due, each in a browser context of its own. */
export const forEverybody = (
  title: string,
  journey: (journey: Journey) => Promise<void>,
  { tests = test, byDay: due = 'pairwise' }: Options = {},
): void => {
  for (const { language, theme, screen } of process.env['NIGHTLY'] === undefined ? byDay[due] : all)
    tests(`${title} (${language}, ${theme}, ${screen})`, async ({ page, isMobile }) => {
      const phone = screen === 'phone';
      tests.skip(isMobile !== phone, 'the other screen has the other combinations');
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await journey({ page, language, phone });
    });
};
