#!/usr/bin/env node
// TypeScript runs without a build on Node 22.18 and newer; the one in node_modules/.bin comes first when npx starts this.
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const pinned = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

if (process.features.typescript) await import('../src/main.ts');
else if (existsSync(pinned)) process.exitCode = spawnSync(pinned, [main, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
else {
  console.error('pergamin needs Node 22.18 or newer, or `npm start` once, which installs it.');
  process.exitCode = 1;
}
