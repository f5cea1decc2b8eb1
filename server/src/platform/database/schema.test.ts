import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folders = [new URL('schema/', import.meta.url), new URL('../../../../identity/src/database/schema/', import.meta.url)];
const files = folders.flatMap((folder) => readdirSync(folder).map((name): [string, URL] => [name, new URL(name, folder)]));

test.each(files)('every index of %s says which query it serves', (_name, file) => {
  const lines = readFileSync(file, 'utf8').split('\n');
  const silent = lines.filter((line, at) => /^create (unique )?index/.test(line) && lines[at - 1]?.startsWith('-- ') !== true);
  expect(silent).toEqual([]);
});
