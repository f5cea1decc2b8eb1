/** The checks of `npm run check`: each is one process with an exit code, and each can be run alone by the command given here. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pinnedNode, root } from './bootstrap.mjs';
import { hashOf, openPassed } from './unchanged.mjs';

const workspaces = ['contract', 'ledger', 'server', 'identity', 'web', 'cli', 'tools', 'bench', 'e2e'];

/** Besides what a check names: what is pinned, how it is set, the texts, and how it is run. */
const readByAll = [
  '.oxlintrc.json',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'languages',
  'tools/bootstrap/checks.mjs',
  'tools/bootstrap/unchanged.mjs',
];
const passed = openPassed(path.join(root, 'node_modules/.cache/pergamin-checks'));

/**
 * The longest first: with two at a time the whole then takes little more than half of the sum. What a check looks at one by one (`each`) it
 * looks at again only when something of what that reads has changed; the compiler sees to that by itself.
 */
const checks = [
  // In one thread: several check the same declarations several times, while the other core has the other checks.
  { name: 'types', command: ['typescript/bin/tsc', '-b', '--pretty', 'false', '--singleThreaded'] },
  {
    name: 'lint',
    command: ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
    // The rules that know types look through what a workspace imports, too.
    each: workspaces.map((workspace) => ({ argument: workspace, reads: [...reachedFrom(workspace)] })),
  },
  {
    name: 'table types',
    command: ['server/src/testing/check-table-types.ts'],
    each: [{ reads: ['server/src/platform', 'server/src/testing/check-table-types.ts', 'identity/src'] }],
  },
  { name: 'patterns', command: ['tools/checks/check-patterns.ts'] },
  { name: 'dead code', command: ['knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'] },
  { name: 'format', command: ['oxfmt/bin/oxfmt', '--check', ...workspaces, 'architecture.json', 'knip.json', 'vitest.config.ts'] },
  { name: 'arrows', command: ['tools/checks/check-arrows.ts'] },
  { name: 'tables', command: ['tools/checks/check-tables.ts'] },
  { name: 'contract', command: ['tools/checks/check-contract.ts'] },
  { name: 'languages', command: ['tools/checks/check-languages.ts'] },
  { name: 'lock file', command: ['tools/checks/check-lock.ts'] },
  { name: 'names', command: ['tools/checks/check-names.ts'] },
  { name: 'proof sentences', command: ['tools/checks/check-proof-sentences.ts'] },
  { name: 'security', command: ['tools/checks/check-security.ts'] },
  { name: 'features', command: ['tools/checks/check-features.ts'] },
];

/**
 * Runs all checks, as many at a time as there are cores (at most four).
 *
 * @returns {Promise<{ name: string, passed: boolean, ms: number, output: string }[]>} in the order of the list
 */
export async function runChecks() {
  const results = [];
  const waiting = checks.map((check, index) => ({ ...check, index }));
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next.index] = await runCheck(next);
  };
  await Promise.all(Array.from({ length: Math.min(4, Math.max(2, os.availableParallelism?.() ?? os.cpus().length)) }, worker));
  return results;
}

function reachedFrom(workspace, reached = new Set()) {
  if (reached.has(workspace)) return reached;
  reached.add(workspace);
  const { references } = JSON.parse(fs.readFileSync(path.join(root, workspace, 'tsconfig.json'), 'utf8'));
  for (const { path: reference } of references) reachedFrom(path.basename(reference), reached);
  return reached;
}

/** @param {{ name: string, command: string[], each?: { argument?: string, reads: string[] }[] }} check */
export async function runCheck({ name, command, each }) {
  if (each === undefined) return runCommand({ name, command });
  const startedAt = Date.now();
  // Taken before it runs: what changes meanwhile is looked at again.
  const looked = each.map(({ argument, reads }) => ({
    argument,
    key: `${name} ${argument ?? ''}`.trim(),
    hash: hashOf(root, [...readByAll, ...reads]),
  }));
  const changed = looked.filter(({ key, hash }) => !passed.has(key, hash));
  if (changed.length === 0) return { name, passed: true, ms: Date.now() - startedAt, output: '' };
  const result = await runCommand({ name, command: [...command, ...changed.flatMap(({ argument }) => argument ?? [])] });
  if (result.passed) for (const { key, hash } of changed) passed.keep(key, hash);
  return result;
}

async function runCommand({ name, command: [script, ...args] }) {
  const startedAt = Date.now();
  const node = pinnedNode();
  const inModules = path.join(root, 'node_modules', script);
  const env = {
    ...process.env,
    PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH ?? ''}`,
    FORCE_COLOR: '0',
    // Compiler and linter are written in Go: a fourth of their time is garbage collection otherwise. They need 400 MB more each.
    GOGC: process.env.GOGC ?? '400',
  };
  const child = spawn(node, [fs.existsSync(inModules) ? inModules : path.join(root, script), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += `${error.message}\n`;
      resolve(1);
    });
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  return { name, passed: code === 0, ms: Date.now() - startedAt, output };
}

/** One line per check, followed by the output of a failed one. */
export function checkLine({ name, passed, ms, output }) {
  const line = `${passed ? '  ok  ' : ' FAIL '} ${name.padEnd(12)} ${(ms / 1000).toFixed(1).padStart(5)} s\n`;
  return passed ? line : `${line}${output.trimEnd().replace(/^/gm, '       ')}\n`;
}
