/**
 * `npm run fuzz`: hostile requests to every operation of openapi.json, of a new seed each time. `--seed N` repeats a run, `--requests N` says how
 * many; what it finds becomes a row of a table of cases.
 */
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { endOnSignals, ensureInstalled, fail, pinnedNode, root, run } from './bootstrap.mjs';

endOnSignals();
try {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, requests: { type: 'string', default: '20000' } } });
  const seed = values.seed ?? String(randomInt(2 ** 31));
  process.stdout.write(`npm run fuzz -- --seed ${seed} --requests ${values.requests}\n`);
  await ensureInstalled('all');
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { code } = await run(pinnedNode(), [vitest, 'run', '--project=node', 'server/src/app/fuzz.test.ts'], {
    env: { ...process.env, FUZZ_SEED: seed, FUZZ_REQUESTS: values.requests },
  });
  process.exitCode = code;
} catch (error) {
  fail(error);
}
