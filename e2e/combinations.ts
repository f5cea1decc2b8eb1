import { test, type Page } from '@playwright/test';
import { forScreen } from './due.ts';

type Language = 'PL' | 'EN';
type Theme = 'light' | 'dark';
type Screen = 'desktop' | 'phone';
type Combination = `${Language}, ${Theme}, ${Screen}`;

const languages = ['PL', 'EN'] as const;
const themes = ['light', 'dark'] as const;
const screens = ['desktop', 'phone'] as const;

interface Journey {
  readonly page: Page;
  readonly language: Language;
  readonly phone: boolean;
}

interface Options {
  /** The one combination of the day; every language, theme and screen is in some journey's. */
  readonly byDay: Combination;
}

/** A journey in its combination of the day, or in every combination of language, theme and screen at night. */
export const forEverybody = (title: string, journey: (journey: Journey) => Promise<void>, { byDay }: Options): void => {
  for (const language of languages)
    for (const theme of themes)
      for (const screen of screens) {
        const combination: Combination = `${language}, ${theme}, ${screen}`;
        const tag = forScreen(screen, combination === byDay ? 'always' : 'at night');
        test(`${title} (${combination})`, { tag }, async ({ page }) => {
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
          await journey({ page, language, phone: screen === 'phone' });
        });
      }
};
