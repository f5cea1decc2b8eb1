/**
 * `node tools/mutations/run.ts [name…]`: changes one rule at a time, in a git worktree of its own (of what is committed), and runs the tests that
 * must notice it. Exits with 1 when a row does not fit the code, when fewer than 95 % of the changes are noticed, or when a test fails
 * without any.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { endOnSignals } from '../bootstrap/bootstrap.mjs';
import { findFaults } from './find-faults.ts';
import type { Mutation } from './row.ts';
import { mutations } from './table.ts';

const root = resolve(import.meta.dirname, '../..');
// Beside node_modules, on the same disk: packages are linked, not copied.
const scratch = join(root, '.cache/mutations');
const report = join(scratch, '.cache-report.json');
const minKilled = 0.95;
const longestMs = 5 * 60_000;
const longestOfAllMs = 60 * 60_000;

/** `broken`: no test failed, and not all of them were run. */
type Outcome = 'killed' | 'survived' | 'broken';

const orThrow = (command: string, args: readonly string[]): void => {
  const { status, stderr, error } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
};

const removeScratch = (): void => {
  rmSync(scratch, { recursive: true, force: true });
  orThrow('git', ['worktree', 'prune']);
};

const makeScratch = (): void => {
  removeScratch();
  orThrow('git', ['worktree', 'add', '--quiet', '--detach', scratch, 'HEAD']);
  // The links to our own workspaces are relative: in there they lead to the changed code.
  orThrow('cp', ['-al', join(root, 'node_modules'), join(scratch, 'node_modules')]);
};

/** To the first failure. A change often lets a test wait for ever: here nothing runs beside it, so that it need not have its minute. */
const howToRun = ['--bail=1', '--testTimeout=20000', '--hookTimeout=20000'];

const runTests = async (tests: readonly string[], withinMs: number): Promise<Outcome> => {
  rmSync(report, { force: true });
  const projects = [...new Set(tests.map((file) => (file.startsWith('web/') ? 'web' : 'node')))].map((name) => `--project=${name}`);
  const vitest = join(scratch, 'node_modules/vitest/vitest.mjs');
  const child = spawn(
    process.execPath,
    [vitest, 'run', ...howToRun, '--reporter=json', `--outputFile=${report}`, ...projects, ...tests.map((file) => join(scratch, file))],
    { cwd: scratch, stdio: 'ignore', detached: true },
  );
  // Of a group of its own, with the programs that it starts.
  const end = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  let isHung = false;
  const timer = setTimeout(() => {
    isHung = true;
    end();
  }, withinMs);
  process.once('exit', end);
  const code = await new Promise<number | null>((done, failed) => child.once('close', done).once('error', failed));
  process.off('exit', end);
  clearTimeout(timer);
  if (isHung) return 'killed';
  // As its reporter writes it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const told = JSON.parse(readFileSync(report, 'utf8')) as { numFailedTests: number; numPassedTests: number };
  if (told.numFailedTests > 0) return 'killed';
  return code === 0 && told.numPassedTests > 0 ? 'survived' : 'broken';
};

const outcomeOf = async ({ file, find, replace, tests }: Mutation): Promise<Outcome> => {
  const path = join(scratch, file);
  const before = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    before.replace(find, () => replace),
  );
  try {
    return await runTests(tests, longestMs);
  } finally {
    writeFileSync(path, before);
  }
};

const runAll = async (rows: readonly Mutation[]): Promise<boolean> => {
  const unchanged = await runTests([...new Set(rows.flatMap(({ tests }) => tests))], longestOfAllMs);
  if (unchanged !== 'survived') {
    process.stdout.write('The named tests fail without any change.\n');
    return false;
  }
  const outcomes = new Map<string, Outcome>();
  for (const row of rows) {
    const startedAt = Date.now();
    const outcome = await outcomeOf(row);
    outcomes.set(row.name, outcome);
    process.stdout.write(`${outcome.padEnd(9)} ${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${row.name}\n`);
  }
  const notKilled = rows.filter(({ name }) => outcomes.get(name) !== 'killed');
  process.stdout.write(`${rows.length - notKilled.length} of ${rows.length} killed\n`);
  for (const { name, rule, file } of notKilled) process.stdout.write(`${outcomes.get(name)}: ${name} (${file}): ${rule}\n`);
  return notKilled.length <= rows.length * (1 - minKilled);
};

const wanted = process.argv.slice(2);
const rows = mutations.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const faults = [
  ...findFaults(rows, root),
  ...wanted.filter((name) => !rows.some((row) => row.name === name)).map((name) => `${name}: no such row`),
];
if (faults.length > 0) {
  process.stdout.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
} else {
  endOnSignals();
  process.once('exit', removeScratch);
  makeScratch();
  if (!(await runAll(rows))) process.exitCode = 1;
}
