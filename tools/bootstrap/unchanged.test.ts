import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashOf, openPassed } from './unchanged.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pergamin-unchanged-'));
  mkdirSync(path.join(root, 'server/src'), { recursive: true });
  writeFileSync(path.join(root, 'server/src/a.ts'), 'one');
  writeFileSync(path.join(root, 'package-lock.json'), '{}');
});

afterEach(() => rmSync(root, { recursive: true }));

const places = ['server', 'package-lock.json'];

test.each([
  ['another content', () => writeFileSync(path.join(root, 'server/src/a.ts'), 'two')],
  ['a new file', () => writeFileSync(path.join(root, 'server/src/b.ts'), '')],
  ['a removed file', () => rmSync(path.join(root, 'server/src/a.ts'))],
  ['another package', () => writeFileSync(path.join(root, 'package-lock.json'), '{ }')],
])('%s makes a check run again', (_what, change) => {
  const before = hashOf(root, places);
  change();
  expect(hashOf(root, places)).not.toBe(before);
});

test('what is built or installed makes no check run again', () => {
  const before = hashOf(root, places);
  for (const folder of ['node_modules', 'dist', '.tsbuild']) {
    mkdirSync(path.join(root, 'server', folder));
    writeFileSync(path.join(root, 'server', folder, 'a.ts'), 'made');
  }
  expect(hashOf(root, places)).toBe(before);
});

test('a check counts as passed on exactly what it passed on last', () => {
  const passed = openPassed(path.join(root, 'passed'));
  expect(passed.has('lint web', 'a')).toBe(false);
  passed.keep('lint web', 'a');
  expect(passed.has('lint web', 'a')).toBe(true);
  expect(passed.has('lint web', 'b')).toBe(false);
  expect(passed.has('lint server', 'a')).toBe(false);
  passed.keep('lint web', 'b');
  expect(passed.has('lint web', 'a')).toBe(false);
});
