import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeNewFile } from './write-new-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-new-file-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('of twenty that write one new file at once one has written it, and all find it whole', async () => {
  const path = join(folder, 'publisher.key');
  const contents = Array.from({ length: 20 }, (_, number) => `${number} `.repeat(10_000));
  const found = await Promise.all(
    contents.map(async (content) => {
      const isWritten = await writeNewFile(path, content, { mode: 0o600 });
      return { content, isWritten, read: await readFile(path, 'utf8') };
    }),
  );
  const [winner, ...others] = found.filter(({ isWritten }) => isWritten);
  expect(others).toEqual([]);
  expect(new Set(found.map(({ read }) => read))).toEqual(new Set([winner?.content]));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['publisher.key']);
});

test('a new file whose folder is not there is an error, not a file that is there already', async () => {
  await expect(writeNewFile(join(folder, 'none', 'key'), 'x', { mode: 0o600 })).rejects.toThrow('ENOENT');
});
