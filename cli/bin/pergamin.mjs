#!/usr/bin/env node
// TypeScript runs without a build on Node 22.18 and newer; the one in node_modules/.bin comes first when npx starts this.
import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const pinned = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const endWithCommand = new URL('../src/end-with-command.ts', import.meta.url);

/** What is run ends with this process, also when that is killed. */
const runPinned = () => {
  const child = spawn(pinned, ['--import', endWithCommand.href, main, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // A terminal sends it to both, and it is the other one that knows what to finish.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
};

if (process.features.typescript) await import('../src/main.ts');
else if (existsSync(pinned)) runPinned();
else {
  console.error('pergamin needs Node 22.18 or newer, or `npm start` once, which installs it.');
  process.exitCode = 1;
}
