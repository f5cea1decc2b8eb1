import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { keepTemporaryFilesInMemory } from './tools/bootstrap/temporary.mjs';

keepTemporaryFilesInMemory();
const web = fileURLToPath(new URL('web/vitest.config.ts', import.meta.url));

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          // One more than the two cores of a newcomer's machine, and of CI: a third of the time tests wait, for deadlines and silences. At night
          // waiting times are judged, too, and nothing runs beside them.
          maxWorkers: process.env['NIGHTLY'] === '1' ? 1 : 3,
          environment: 'node',
          include: ['contract', 'ledger', 'server', 'identity', 'cli', 'tools', 'bench'].map((workspace) => `${workspace}/**/*.test.ts`),
          globalSetup: ['./server/src/testing/global-setup.ts'],
          // Processes, not threads: tests start programs, and Linux ends those with the thread that started them.
          pool: 'forks',
          // Modules are loaded once per worker, and not for each of three hundred files: a test leaves nothing behind in what a module keeps.
          isolate: false,
          // Of programs that tests start: compiling the portal takes longer than anything that it does in most of them.
          env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/pergamin-tests', import.meta.url)) },
          // By day the journeys run beside.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // What a test waits for may take its time on a machine that others use, too.
          expect: { poll: { timeout: 10_000 } },
        },
      },
      // Components run in a real browser.
      ...(existsSync(web) ? [web] : []),
    ],
  },
});
