import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Nothing is opened before these are read, so no database is needed to be refused. */
test.each([
  [
    'languages/pl.json',
    '{"signIn.enterYourID": "Login"}',
    /^(Pergamin stays root: .*\n)?BRANDING_DIR: languages\/pl\.json: "signIn\.enterYourID" is no sentence of the product\n$/,
  ],
  [
    'theme.json',
    '{"accent": "#ffcc00"}',
    /^(Pergamin stays root: .*\n)?BRANDING_DIR: theme\.json: the accent cannot be read everywhere: --seal #ffcc00 on [^\n]*\n$/,
  ],
])('a folder of the organisation with a wrong %s ends the start with one sentence', async (path, content, sentence) => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-refused-'));
  try {
    await mkdir(join(folder, 'languages'));
    await writeFile(join(folder, path), content);
    const child = spawn(process.execPath, [main], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        BRANDING_DIR: folder,
        DATA_DIR: `${folder}-data`,
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
        LOG_LEVEL: 'silent',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([said, code]).toEqual([expect.stringMatching(sentence), 1]);
  } finally {
    await rm(folder, { recursive: true });
    await rm(`${folder}-data`, { recursive: true, force: true });
  }
});
