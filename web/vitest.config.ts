import { existsSync } from 'node:fs';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

const chromium = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const isNightly = process.env['NIGHTLY'] === '1';

export default defineConfig({
  root: import.meta.dirname,
  // By day React as customers get it; its development build, which takes three times as long, and its warnings at night.
  oxc: { jsx: { runtime: 'automatic', development: isNightly } },
  // Listed up front: a dependency found in the middle of a run would reload the page under the tests.
  optimizeDeps: {
    rolldownOptions: { transform: { define: { 'process.env.NODE_ENV': JSON.stringify(isNightly ? 'development' : 'production') } } },
    include: [
      'react',
      'react-dom',
      'react-dom/client',
      'react/jsx-runtime',
      'react/jsx-dev-runtime',
      'react-aria-components',
      '@internationalized/date',
      '@tanstack/react-query',
      'zod/mini',
      'fast-check',
      'react-markdown',
      'pdfjs-dist',
      '@noble/hashes/sha2.js',
      '@noble/hashes/utils.js',
      '@noble/ed25519',
      '@noble/post-quantum/ml-dsa.js',
    ],
  },
  test: {
    name: 'web',
    // The modules are loaded once per page, and not for each of ninety files: what a test changes in one it puts back.
    isolate: false,
    setupFiles: ['./src/platform/fresh-page.fixture.ts'],
    // Pages at once, one more than a newcomer's machine has cores: while one waits, the others use them.
    maxWorkers: isNightly ? 1 : 3,
    sequence: { groupOrder: 1 },
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
    api: { host: '127.0.0.1' },
    // A machine that others use too is slow, not wrong.
    testTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 1280, height: 800 },
      instances: [{ browser: 'chromium' }],
      provider: playwright({
        // Nothing travels or fades in a test: what is asserted is where things end up.
        contextOptions: { reducedMotion: 'reduce' },
        launchOptions: {
          ...(existsSync(chromium) ? { executablePath: chromium } : {}),
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
      }),
    },
  },
});
