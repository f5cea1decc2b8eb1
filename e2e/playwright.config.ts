import { defineConfig } from '@playwright/test';

/**
 * The journeys drive the real product, which `global-setup.ts` starts on a data folder of its own and stops again.
 * `npm run e2e`; one journey: `npm run e2e -- -g 'words of its title'`.
 */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  outputDir: './test-results',
  globalSetup: './global-setup.ts',
  // Two customers at a time on one product, each with papers of their own. Nothing may depend on luck, so nothing is tried twice.
  workers: 2,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  // Generous: a machine that others use too is slow, not wrong.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    baseURL: process.env['PERGAMIN_URL'],
    locale: 'en-GB',
    timezoneId: 'Europe/Warsaw',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    // Playwright records with a program that it would have to download.
    video: 'off',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      chromiumSandbox: false,
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true } },
  ],
});
