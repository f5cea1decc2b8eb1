import { defineConfig } from '@playwright/test';
import { isNight, needsWindows, notDue } from './due.ts';

/** Who signs people in, what a process, a log or a browser does is the same on every screen; a phone has no keys, and `fit` sets its own sizes. */
const withoutPhone = [
  'bad-start',
  'browser-safety',
  'demonstration',
  'fit',
  'keyboard',
  'outside-service',
  'secrets',
  'session',
  'survival',
  'viewer',
];
const tagged = (...tags: readonly string[]): RegExp => new RegExp(`(?:${tags.join('|')})\\b`);
const notTonight = isNight ? [] : [notDue.byDay];
const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
/** By day most journeys take less CPU time in the headless shell; at night all of them are made in the Chromium that customers have. */
const headlessShell = isNight ? undefined : process.env['HEADLESS_SHELL_PATH'];
const notInShell = headlessShell === undefined ? [] : [needsWindows];
const launchOptions = {
  executablePath: headlessShell ?? chromium,
  chromiumSandbox: false,
  args: [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
const desktop = { viewport: { width: 1440, height: 900 } };

/**
 * The journeys drive the real product, which `global-setup.ts` starts on a data folder of its own and stops again.
 * `npm run e2e`; one journey: `npm run e2e -- -g 'words of its title'`, with `--trace retain-on-failure` to look into a failure;
 * `NIGHTLY=1` for every language, theme, screen and size.
 */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  outputDir: './test-results',
  globalSetup: './global-setup.ts',
  // Customers at a time on one product, each with papers of their own: as many as a newcomer's machine has cores. Nothing may depend on luck, so
  // nothing is tried twice.
  workers: 2,
  fullyParallel: true,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  // Generous: a machine that others use too is slow, not wrong.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    baseURL: process.env['PERGAMIN_URL'],
    // At night some journeys run with motion; by day only the one that tests motion.
    contextOptions: isNight ? {} : { reducedMotion: 'reduce' },
    locale: 'en-GB',
    timezoneId: 'Europe/Warsaw',
    // A trace would be recorded for every journey; ask for one (`--trace`) to debug a failure.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Playwright records with a program that it would have to download.
    video: 'off',
    launchOptions,
  },
  projects: [
    { name: 'desktop', grepInvert: tagged(notDue.desktop, ...notInShell, ...notTonight), use: desktop },
    ...(headlessShell === undefined
      ? []
      : [
          {
            name: 'desktop in Chromium',
            grep: tagged(needsWindows),
            use: { ...desktop, launchOptions: { ...launchOptions, executablePath: chromium } },
          },
        ]),
    {
      name: 'phone',
      grepInvert: tagged(notDue.phone, ...notTonight),
      testIgnore: withoutPhone.map((name) => `**/${name}.test.ts`),
      // By day a pixel is a pixel: four times as many are painted at night.
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: isNight ? 2 : 1, hasTouch: true, isMobile: true },
    },
  ],
});
