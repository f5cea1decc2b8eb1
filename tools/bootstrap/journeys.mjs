/** `npm run e2e`: the journeys in a real browser against the real product; further arguments go to Playwright. */
import path from 'node:path';
import { endOnSignals, ensureChromium, ensureInstalled, ensureWebBuilt, fail, pinnedNode, root, run } from './bootstrap.mjs';
import { keepTemporaryFilesInMemory } from './temporary.mjs';

endOnSignals();
keepTemporaryFilesInMemory();
try {
  await ensureInstalled('all');
  ensureChromium({ withWindows: true });
  await ensureWebBuilt();
  const playwright = path.join(root, 'node_modules/@playwright/test/cli.js');
  const { code } = await run(pinnedNode(), [playwright, 'test', '--config', 'e2e/playwright.config.ts', ...process.argv.slice(2)]);
  process.exitCode = code;
} catch (error) {
  fail(error);
}
