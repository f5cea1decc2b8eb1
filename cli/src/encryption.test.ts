import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;

beforeAll(async () => {
  started = await startCliPortal();
});
afterAll(() => started[Symbol.asyncDispose]());

const pergamin = (args: string[], isAlone = false): Promise<Ended> => {
  const { databaseUrl, settings } = started.portal;
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: settings.dataDir };
  return runPergamin(['encryption', ...args], { folder: started.folder, environment, isAlone });
};

// One command is a process, and one with the part of the server that it needs.
test('pergamin encryption tells of the key, backs it up and rotates it', { timeout: 60_000 }, async () => {
  const { encryptionKeyFile } = started.portal.settings;
  const before = await pergamin(['status'], true);
  expect([before.code, before.out]).toEqual([
    0,
    `ENCRYPTION=on\nkey file: ${encryptionKeyFile}, versions 1\nbacked up: never\nclients’ keys wrapped by version 1: 2\n`,
  ]);
  const backedUp = await pergamin(['backup', 'first.key']);
  expect([backedUp.code, backedUp.out]).toEqual([0, expect.stringContaining('wrote version 1 of the key to first.key\n')]);
  expect(await readFile(join(started.folder, 'first.key'), 'utf8')).toBe(await readFile(encryptionKeyFile, 'utf8'));
  const again = await pergamin(['backup', 'first.key']);
  expect([again.code, again.error]).toEqual([1, 'pergamin: first.key is there already\n']);
  const rotated = await pergamin(['rotate', 'second.key']);
  expect([rotated.code, rotated.out]).toEqual([
    0,
    'the key has version 2 now, backed up to second.key; 2 clients’ keys were wrapped by it\n',
  ]);
  expect((await pergamin(['status'])).out).toContain('backed up: up to version 2\nclients’ keys wrapped by version 2: 2\n');
});

test.each([[['encryption']], [['rotate']], [['backup', 'one', 'two']], [['forget']]])('the words %j end with 2', async (words) => {
  expect((await pergamin(words)).code).toBe(2);
});
