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
/** What they leave out is gone through at night. */
const further: readonly Combination[] = pairwise.map(({ language, theme, screen }) => ({
  language,
  theme: theme === 'light' ? 'dark' : 'light',
  screen,
}));
const combinations = process.env['NIGHTLY'] === undefined ? pairwise : [...pairwise, ...further];

interface Journey {
  readonly page: Page;
  readonly language: Combination['language'];
  readonly phone: boolean;
}

/** A journey in every combination of language, theme and screen that is due, each in a browser context of its own. */
export const forEverybody = (title: string, journey: (journey: Journey) => Promise<void>): void => {
  for (const { language, theme, screen } of combinations)
    test(`${title} (${language}, ${theme}, ${screen})`, async ({ page, isMobile }) => {
      const phone = screen === 'phone';
      test.skip(isMobile !== phone, 'the other screen has the other combinations');
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await journey({ page, language, phone });
    });
};
