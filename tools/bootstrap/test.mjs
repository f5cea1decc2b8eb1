/**
 * `npm test`: unit tests (Node and browser), and beside them checks, the bundle's budget and the journeys, all to the end even after a
 * failure. The last line is `N passed, N failed` over all of it. `--nightly` adds the long suites and the other PostgreSQL, and runs the unit
 * tests alone, because they judge times. `--changed` runs what the changes since the last commit reach, `--changed main` those since `main`. `--steps
 * journeys,mutations` runs these steps alone, so that several machines can share a night.
 */
import { randomInt } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  endOnSignals,
  ensureChromium,
  ensureInstalled,
  ensureNginx,
  ensureWebBuilt,
  fail,
  pinnedNode,
  root,
  run,
  seconds,
  SetupError,
} from './bootstrap.mjs';
import { changedSince, reachesWebClient } from './changed.mjs';
import { checkLine, runCheck, runChecks } from './checks.mjs';
import { failuresOfPlaywright, failuresOfVitest, nothingBut, sum, summaryLine, tallyOfPlaywright, tallyOfVitest } from './tally.mjs';
import { keepTemporaryFilesInMemory } from './temporary.mjs';
import { startTestDatabase } from './test-database.mjs';

keepTemporaryFilesInMemory();
const nightly = process.argv.includes('--nightly');
/** Undefined: everything is run. */
const since = process.argv.includes('--changed') ? (valueAfter('--changed') ?? 'HEAD') : undefined;
const wantedSteps = valueAfter('--steps')?.split(',');
const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'pergamin-test-'));
const steps = [];
const failures = [];
let beganAt = Date.now();

endOnSignals();
try {
  await ensureInstalled('all');
  ensureChromium({ withWindows: nightly });
  ensureNginx();
  beganAt = Date.now();
  await (nightly ? atNight() : byDay());
  const missing = wantedSteps?.filter((name) => !steps.some((one) => one.name === name)) ?? [];
  if (missing.length > 0) throw new SetupError(`not run: ${missing.join(', ')}`);
} catch (error) {
  fail(error);
} finally {
  fs.rmSync(reports, { recursive: true, force: true });
}
conclude();

async function byDay() {
  // The unit tests first: the journeys ask for another browser.
  await besideEachOther(
    () => step('unit', () => unit('unit')),
    async (say) => {
      await step('check', check, say);
      await bundleAndJourneys(say);
    },
  );
}

async function atNight() {
  await step('check', check);
  await step('unit', () => unit('unit'));
  await besideEachOther(
    async () => {
      await bundleAndJourneys(print);
      await step('fuzz', fuzz);
      await step('postgresql', unitOnPostgres15);
      await step('mutations', mutations);
    },
    (say) => step('kills', () => kills(say), say),
  );
}

/** Each half waits for a third of its time, and the other uses the cores meanwhile. What the second prints follows when both have ended. */
async function besideEachOther(first, second) {
  const held = [];
  await Promise.all([first(), second((text) => held.push(text))]);
  print(held.join(''));
}

async function bundleAndJourneys(say) {
  if (since !== undefined && !reachesWebClient(changedSince(since))) return;
  await step('bundle', bundle, say);
  await step('journeys', journeys, say);
}

function print(text) {
  process.stdout.write(text);
}

async function step(name, work, say = print) {
  if (wantedSteps?.includes(name) === false) return;
  say(`\n── ${name} ──\n`);
  const startedAt = Date.now();
  let tally;
  try {
    tally = await work(say);
  } catch (error) {
    say(`${error instanceof SetupError ? error.message : error.stack}\n`);
    tally = nothingBut('failed');
  }
  steps.push({ name, tally, ms: Date.now() - startedAt });
}

async function check(say) {
  return sum((await runChecks()).map((result) => printed(result, say)));
}

async function bundle(say) {
  await ensureWebBuilt();
  return printed(await runCheck({ name: 'bundle', command: ['tools/checks/check-bundle.ts'] }), say);
}

function valueAfter(option) {
  const at = process.argv.indexOf(option);
  const value = at < 0 ? undefined : process.argv[at + 1];
  return value?.startsWith('--') ? undefined : value;
}

async function unit(name, { env = {}, only = [], say } = {}) {
  const report = path.join(reports, `${name}.json`);
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, ...only];
  if (since !== undefined) args.push('--changed', since, '--passWithNoTests');
  const { code } = await run(pinnedNode(), [vitest, ...args], { env: { ...testEnvironment(), ...env }, onOutput: say });
  failures.push(...failuresOfVitest(report, root));
  // A change of documentation reaches no test.
  return tallyOfVitest(report, code, { mayBeEmpty: since !== undefined });
}

/** Another seed each night; the run says which, and `npm run fuzz -- --seed …` repeats it. */
function fuzz() {
  const env = { FUZZ_SEED: String(randomInt(2 ** 31)), FUZZ_REQUESTS: '20000' };
  return unit('fuzz', { env, only: ['--project=node', 'server/src/app/fuzz.test.ts'] });
}

/** A step of its own: half an hour and more, which another machine can take. */
function kills(say) {
  return unit('kills', { env: { CHAOS_KILLS: '1000' }, only: ['--project=node', 'server/src/app/chaos-kills.test.ts'], say });
}

/** What differs there is what SQL means, which the tests of a day show; waiting times and thousands of cases are judged once, on the embedded one. */
async function unitOnPostgres15() {
  const database = await startTestDatabase();
  if ('absent' in database) {
    process.stdout.write(`skipped: ${database.absent}\n`);
    return nothingBut('skipped');
  }
  try {
    return await unit('postgresql', {
      env: { NIGHTLY: '', TEST_DATABASE_URL: database.url },
      only: ['--project=node', 'server', 'identity', 'cli'],
    });
  } finally {
    await database.stop();
  }
}

/** What is measured here is what the tests of a day notice, so that they run as they do by day. */
async function mutations() {
  if (!fs.existsSync(path.join(root, '.git'))) {
    process.stdout.write('skipped: changes are made in a git worktree, and this is no git repository\n');
    return nothingBut('skipped');
  }
  const { NODE_ENV: _, ...env } = process.env;
  const { code } = await run(pinnedNode(), ['tools/mutations/run.ts'], { cwd: root, env });
  if (code !== 0) failures.push('mutations');
  return nothingBut(code === 0 ? 'passed' : 'failed');
}

async function journeys(say) {
  ensureChromium({ withWindows: true });
  await ensureWebBuilt();
  const report = path.join(reports, 'journeys.json');
  const playwright = path.join(root, 'node_modules/@playwright/test/cli.js');
  const { code } = await run(pinnedNode(), [playwright, 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'], {
    env: { ...testEnvironment(), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    onOutput: say,
  });
  failures.push(...failuresOfPlaywright(report));
  return tallyOfPlaywright(report, code);
}

function testEnvironment() {
  // An inherited production environment would change what is tested.
  const { NODE_ENV: _, ...env } = process.env;
  return nightly ? { ...env, NIGHTLY: '1' } : env;
}

function printed(result, say) {
  say(checkLine(result));
  if (!result.passed) failures.push(`check › ${result.name}`);
  return nothingBut(result.passed ? 'passed' : 'failed');
}

function conclude() {
  const row = (name, ms, { passed, failed, skipped }) =>
    `${name.padEnd(12)}${seconds(ms).padStart(10)}${String(passed).padStart(9)}${String(failed).padStart(8)}${String(skipped).padStart(9)}\n`;
  // Here, and not only where each came up: a log that was cut keeps its end.
  if (failures.length > 0) process.stdout.write(`\n── failed ──\n${failures.join('\n')}\n`);
  const total = sum(steps.map(({ tally }) => tally));
  process.stdout.write(
    `\n${'step'.padEnd(12)}${'time'.padStart(10)}${'passed'.padStart(9)}${'failed'.padStart(8)}${'skipped'.padStart(9)}\n`,
  );
  for (const { name, tally, ms } of steps) process.stdout.write(row(name, ms, tally));
  process.stdout.write(row('all', Date.now() - beganAt, total));
  process.exitCode = total.failed === 0 ? 0 : 1;
  process.stdout.write(`${summaryLine(total)}\n`);
}
