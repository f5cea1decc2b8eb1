import { access, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { preparePackagedBinaries } from './binaries.ts';
import { runProgram } from './run-program.ts';

let stageFolder: string;

beforeEach(async () => {
  stageFolder = await mkdtemp(join(tmpdir(), 'pergamin-programs-'));
});

afterEach(async () => rm(stageFolder, { recursive: true, force: true }));

test('two starts at once stage one complete copy, which other users may run under any umask', async () => {
  const umask = process.umask(0o077);
  try {
    const [one, other] = await Promise.all([
      preparePackagedBinaries({ stageFolder, mustStage: true }),
      preparePackagedBinaries({ stageFolder, mustStage: true }),
    ]);
    expect(one).toBe(other);
    expect(await readdir(stageFolder)).toHaveLength(1);
    expect(await runProgram({ file: join(one, 'postgres'), args: ['--version'], cwd: '/' })).toMatch(/^postgres \(PostgreSQL\) 18\./);
    const modes = await Promise.all(
      [join(one, 'postgres'), one, join(one, '../lib'), join(one, '../share/postgresql/postgres.bki')].map((path) => stat(path)),
    );
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['755', '755', '755', '644']);
  } finally {
    process.umask(umask);
  }
});

test('an ordinary start uses the programs where they are installed', async () => {
  const binFolder = await preparePackagedBinaries({ stageFolder, mustStage: false });
  await access(join(dirname(binFolder), 'lib', 'libpq.so.5'));
  expect(await readdir(stageFolder)).toEqual([]);
});
