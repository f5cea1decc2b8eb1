import { mkdir, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { publisherScopes } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let environment: Record<string, string>;

beforeAll(async () => {
  started = await startCliPortal();
  const { databaseUrl, settings } = started.portal;
  environment = { DATABASE_URL: databaseUrl, DATA_DIR: settings.dataDir };
});
afterAll(() => started[Symbol.asyncDispose]());

const pergamin = (args: string[], settings = environment, isAlone = false): Promise<Ended> =>
  runPergamin(['keys', ...args], { folder: started.folder, environment: settings, isAlone });

const keyAlone = /^(pk_[\w-]{43})\n$/;
const listed = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    start: z.nullable(z.string()),
    state: z.string(),
    scopes: z.array(z.string()),
    issuedBy: z.nullable(z.string()),
    expiresAt: z.nullable(z.string()),
    lastUsedAt: z.nullable(z.string()),
    revokedBy: z.nullable(z.string()),
    replacedBy: z.nullable(z.string()),
  }),
);

const list = async () => listed.parse(JSON.parse((await pergamin(['list', '--json'])).out));

const use = async (key: string): Promise<number> =>
  (await started.portal.anonymous.call('listReceived', {}, { authorization: `Bearer ${key}` })).status;

const issue = async (name: string, ...more: string[]) => {
  const ended = await pergamin(['issue', '--name', name, '--scopes', 'received:read', ...more]);
  const [, key = ''] = keyAlone.exec(ended.out) ?? [];
  const [, id = ''] = /^issued ([\da-f-]{36}) for /.exec(ended.error) ?? [];
  expect([ended.code, key === '', id === '']).toEqual([0, false, false]);
  return { key, id, said: ended.error };
};

// The first command of the process that runs them loads the server, and one of them is a process of its own.
const slow = { timeout: 60_000 };

describe('pergamin keys', slow, () => {
  test('issue writes the key alone to standard output, and says on standard error what it is good for', async () => {
    const { key, id, said } = await issue('NIGHT', '--expires', '2199-01-31');
    expect(said).toBe(`issued ${id} for NIGHT: received:read\nexpires 2199-02-01 00:00:00 (Europe/Warsaw); the key is shown this once\n`);
    expect(await use(key)).toBe(200);
  });

  test('list shows what each key is and when it was used, and never a key', async () => {
    const { key, id } = await issue('LISTED');
    await use(key);
    const { out, error } = await pergamin(['list'], environment, true);
    expect(out).toContain(`LISTED  (works)\n    id         ${id}\n    begins     ${key.slice(0, 9)}…\n    scopes     received:read\n`);
    expect(out).toMatch(/ {4}issued {5}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d by \S+\n {4}expires {4}never\n {4}last use {3}\d{4}-\d\d-\d\d /);
    expect(out).not.toContain(key.slice(9));
    expect(error).toMatch(/^\d+ keys, times in Europe\/Warsaw\n$/);
    const mine = (await list()).find((one) => one.id === id);
    expect(mine).toMatchObject({ name: 'LISTED', state: 'works', issuedBy: userInfo().username, expiresAt: null });
    expect(mine?.lastUsedAt).not.toBeNull();
  });

  test('rotate writes the successor’s key, and the former one works until the overlap is over', async () => {
    const former = await issue('ROTATED');
    const ended = await pergamin(['rotate', former.id, '--overlap', '7d']);
    const [, key = ''] = keyAlone.exec(ended.out) ?? [];
    const [, id = ''] = /^issued ([\da-f-]{36}) for ROTATED, in place of /.exec(ended.error) ?? [];
    expect([ended.code, await use(former.key), await use(key)]).toEqual([0, 200, 200]);
    expect((await list()).find((one) => one.id === former.id)).toMatchObject({ replacedBy: id, state: 'works' });
    started.portal.clock.advance(7 * 86_400_000);
    expect([await use(former.key), await use(key)]).toEqual([401, 200]);
  });

  test('revoke ends a key at once in the portal’s process, which has just used it', async () => {
    const { key, id } = await issue('REVOKED');
    expect(await use(key)).toBe(200);
    const asked = await pergamin(['revoke', id]);
    expect(asked).toEqual({ code: 1, out: '', error: 'pergamin: nothing was revoked; say --yes where there is no terminal\n' });
    expect(await use(key)).toBe(200);
    const agreed = await pergamin(['revoke', id, '--yes']);
    expect(agreed).toEqual({ code: 0, out: '', error: `revoked ${id} of REVOKED: no process accepts it any more\n` });
    expect(await use(key)).toBe(401);
    expect((await list()).find((one) => one.id === id)).toMatchObject({ state: 'revoked', revokedBy: userInfo().username });
  });

  test('what cannot be done ends with 1 and a sentence', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const unknown = await pergamin(['issue', '--name', 'NIGHT', '--scopes', 'documents:publish,everything']);
    expect(unknown).toEqual({
      code: 1,
      out: '',
      error: `pergamin: there is no scope everything; these there are: ${publisherScopes.join(', ')}\n`,
    });
    for (const words of [
      ['rotate', id],
      ['revoke', id, '--yes'],
    ])
      expect(await pergamin(words)).toEqual({ code: 1, out: '', error: `pergamin: there is no key ${id}; see pergamin keys list\n` });
  });

  test('where no portal was started nothing is made, and a database that is away is told', async () => {
    const dataDir = join(started.folder, 'empty');
    await mkdir(dataDir);
    expect(await pergamin(['list'], { DATA_DIR: dataDir })).toEqual({
      code: 1,
      out: '',
      error: `pergamin: There is no portal’s database in ${dataDir}: set DATA_DIR or DATABASE_URL as the portal has them\n`,
    });
    await expect(readFile(join(dataDir, 'pergamin.lock'))).rejects.toThrow('ENOENT');
    const away = await pergamin(['list'], { DATABASE_URL: 'postgres://portal@127.0.0.1:1/portal' });
    expect(away).toEqual({ code: 1, out: '', error: 'pergamin: the database cannot be reached\n' });
  });
});

test.each([
  [[], 'pergamin keys issue'],
  [['sing'], 'pergamin keys issue'],
  [['issue', '--name', 'NIGHT'], 'pergamin keys issue'],
  [['issue', '--name', 'NIGHT', '--scopes', 'received:read', '--yes'], 'pergamin keys issue'],
  [['issue', '--name', 'NIGHT', '--scopes', 'received:read', '--expires', 'soon'], '--expires soon: write a day like 2027-01-31'],
  [['list', '--overlap', '1h'], 'pergamin keys issue'],
  [['rotate'], 'pergamin keys issue'],
  [['rotate', 'ID', '--overlap', 'a while'], '--overlap a while: write minutes, hours or days'],
  [['revoke', 'ID', 'ID'], 'pergamin keys issue'],
  [['revoke', 'ID', '--colour'], "Unknown option '--colour'"],
])('pergamin keys %j ends with 2, before anything is done', async (words, sentence) => {
  const ended = await pergamin(words);
  expect(ended).toMatchObject({ code: 2, out: '' });
  expect(ended.error).toContain(`pergamin: ${sentence}`);
});

test('help of keys names every scope that there is', async () => {
  const { out } = await pergamin(['--help']);
  for (const scope of publisherScopes) expect(out).toContain(scope);
});
