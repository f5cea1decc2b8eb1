/** `npm run check`: everything that can be said about the code without running it. */
import { ensureInstalled, fail } from './bootstrap.mjs';
import { checkLine, runChecks } from './checks.mjs';

try {
  await ensureInstalled('all');
  const results = await runChecks();
  for (const result of results) process.stdout.write(checkLine(result));
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
} catch (error) {
  fail(error);
}
