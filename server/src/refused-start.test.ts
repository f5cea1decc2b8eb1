import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freePort } from '#testing/free-port.ts';
import { isNightly } from '#testing/nightly.ts';
import { portOf } from '#testing/raw-http.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** A start that has nothing but this environment and DATA_DIR, which does not exist yet. */
const start = async (environment: Record<string, string>) => {
  const above = await mkdtemp(join(tmpdir(), 'pergamin-refused-'));
  const dataDir = join(above, 'data');
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [main], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  const isCreated = existsSync(dataDir);
  await rm(above, { recursive: true });
  return { said, code, isCreated };
};

const wrongFiles = [
  [
    'languages/pl.json',
    '{"signIn.enterYourID": "Login"}',
    /^BRANDING_DIR: languages\/pl\.json: "signIn\.enterYourID" is no sentence of the product\n$/,
  ],
  ['theme.json', '{"accent": "#ffcc00"}', /^BRANDING_DIR: theme\.json: the accent cannot be read everywhere: --seal #ffcc00 on [^\n]*\n$/],
] as const;

// By day with one of them: what is refused in each of the files the tests of branding show.
test.each(isNightly ? wrongFiles : wrongFiles.slice(0, 1))(
  'a folder of the organisation with a wrong %s ends the start with one sentence, before there is a database',
  async (path, content, sentence) => {
    const folder = await mkdtemp(join(tmpdir(), 'pergamin-refused-'));
    try {
      await mkdir(join(folder, 'languages'));
      await writeFile(join(folder, path), content);
      const ended = await start({ BRANDING_DIR: folder, PORT: String(await freePort()) });
      expect(ended).toEqual({ said: expect.stringMatching(sentence), code: 1, isCreated: false });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

test('a folder of fonts that is not there ends the start with one sentence, before there is a database', async () => {
  const ended = await start({ FONT_DIR: '/nowhere/at/all', PORT: String(await freePort()) });
  expect(ended).toEqual({ said: 'FONT_DIR: the folder /nowhere/at/all cannot be read\n', code: 1, isCreated: false });
});

test('a port in use ends the start with one sentence, before anything is created', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const port = portOf(other);
  try {
    expect(await start({ PORT: String(port), HOST: '127.0.0.1' })).toEqual({
      said: `PORT: another program listens on port ${port} of 127.0.0.1 already. End it, or set PORT to a free port\n`,
      code: 1,
      isCreated: false,
    });
  } finally {
    other.close();
  }
});
