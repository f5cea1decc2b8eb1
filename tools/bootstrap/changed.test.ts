import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changedSince, reachesWebClient } from './changed.mjs';

const plantRepository = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pergamin-changed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, 'web'));
  for (const file of ['web/a.ts', 'b.ts', 'c.ts']) writeFileSync(path.join(folder, file), 'one');
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    [...author, 'commit', '-qm', 'first'],
  ])
    expect(spawnSync('git', args, { cwd: folder, encoding: 'utf8' })).toMatchObject({ status: 0 });
  return folder;
};

test('what was edited, removed or added since a commit has changed, and nothing else', () => {
  const folder = plantRepository();
  expect(changedSince('HEAD', folder)).toEqual([]);
  writeFileSync(path.join(folder, 'web/a.ts'), 'two');
  rmSync(path.join(folder, 'b.ts'));
  writeFileSync(path.join(folder, 'new.ts'), 'new');
  expect(changedSince('HEAD', folder).toSorted()).toEqual(['b.ts', 'new.ts', 'web/a.ts']);
});

test('a commit that does not exist is said', () => {
  expect(() => changedSince('nowhere', plantRepository())).toThrow('git cannot say what has changed since nowhere');
});

test.each([
  ['a part of the web client', 'web/src/kit/Button.tsx', true],
  ['a sentence', 'languages/en.json', true],
  ['a journey', 'e2e/journeys/viewer.test.ts', true],
  ['the server alone', 'server/src/main.ts', false],
  ['a folder with a like name', 'webmail/a.ts', false],
])('a change of %s decides whether the journeys run', (_what, file, expected) => {
  expect(reachesWebClient([file])).toBe(expected);
});
