import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCheckpoint } from '@pergamin/ledger';
import { aPdf } from '@pergamin/server/testing/pdfs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, pergaminProgram, runPergamin } from './testing/run-pergamin.ts';

/** The commands about the ledger, beside a portal that runs. */

let started: CliPortal;
let environment: Record<string, string>;

beforeAll(async () => {
  started = await startCliPortal({ NOTICES: 'never' });
  const { databaseUrl, settings } = started.portal;
  environment = { DATABASE_URL: databaseUrl, DATA_DIR: settings.dataDir };
  await started.portal.addClient('1001', { cif: '7001' });
  await publish('one');
});
afterAll(() => started[Symbol.asyncDispose]());

const publish = (text: string) => started.portal.publish({ cif: '7001', pdf: aPdf({ text }) });
const place = (name: string): string => join(started.portal.settings.ledgerDir, name);
const pergamin = (args: string[], more: Record<string, string> = {}): Promise<Ended> =>
  runPergamin(args, { folder: started.folder, environment: { ...environment, ...more } });

// A command is a process the first time.
const slow = { timeout: 60_000 };

describe('pergamin audit --checkpoint', () => {
  const compare = (given: string, ...more: string[]): Promise<Ended> => pergamin(['audit', '--checkpoint', given, ...more]);

  test('ends with 0 for a checkpoint of this ledger, given as a file or as text', slow, async () => {
    const kept = await readFile(place('checkpoint'), 'utf8');
    await publish('two');
    const proved =
      'proved: the entries of this ledger give the root of the checkpoint of 1 entries, and the published one of 2 continues it\n';
    expect(await compare(place('../kept.txt'))).toMatchObject({ code: 2, out: '' });
    await writeFile(place('../kept.txt'), `Dzień dobry,\r\n\r\n> ${kept.replaceAll('\n', '\r\n> ')}\r\n`);
    for (const given of [place('../kept.txt'), kept]) expect(await compare(given)).toEqual({ code: 0, out: proved, error: '' });
  });

  test('reads a checkpoint from standard input', slow, async () => {
    const { stdout, status } = spawnSync(process.execPath, [pergaminProgram, 'audit', '--checkpoint', '-'], {
      input: await readFile(place('checkpoint'), 'utf8'),
      env: { PATH: process.env['PATH'], ...environment },
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^proved: .* checkpoint of 2 entries, and the published one of 2 continues it\n$/),
    ]);
  });

  test('ends with 0 for the figures of a mail of before, and says that they bear no signature', async () => {
    const { origin, size, root } = parseCheckpoint(await readFile(place('checkpoint')));
    const { code, out } = await compare([origin, size, Buffer.from(root).toString('base64')].join(' · '));
    expect([code, out]).toEqual([0, expect.stringMatching(/^proved: .*\nit bears no signature of the ledger.*\n$/)]);
  });

  test('ends with 1 for more entries than there are and for another root, and with 2 for what it did not compare', async () => {
    const kept = await readFile(place('checkpoint'), 'utf8');
    const { origin, root } = parseCheckpoint(kept);
    const [own, other] = [root, Buffer.alloc(32, 7)].map((bytes) => Buffer.from(bytes).toString('base64'));
    expect(await compare(`${origin} · 9 · ${own}`)).toMatchObject({ code: 1, out: expect.stringContaining('entries are missing here') });
    expect(await compare(`${origin} · 1 · ${other}`)).toMatchObject({
      code: 1,
      out: expect.stringContaining('is not a part of this ledger'),
    });
    expect(await compare(kept.replace('\n2\n', '\n1\n'))).toMatchObject({ code: 2, out: expect.stringContaining('another key') });
    expect(await compare(`bank.example/log · 1 · ${own}`)).toMatchObject({ code: 2, out: expect.stringContaining('bank.example/log') });
    expect(await compare('no\ncheckpoint')).toMatchObject({ code: 2, out: 'not compared: the text has no checkpoint\n' });
    const { code, out } = await compare(`${origin} · 9 · ${own}`, '--json');
    expect([code, JSON.parse(out)]).toMatchObject([1, { verdict: 'LARGER', kept: { size: 9, isSigned: false }, published: { size: 2 } }]);
  });
});

describe('pergamin status', () => {
  test('says that nobody watches the ledger from outside, and that all is fine else', slow, async () => {
    const { code, out, error } = await pergamin(['status']);
    expect([code, error]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^ok {5}ledger {5}2 entries, the last checkpoint \d+ (second|minute)s ago; nothing waits$/),
      'ok     witnesses  no witness is configured: nobody outside watches the log (LEDGER_POLICY_FILE)',
      'ok     scrub      none has ended yet',
      '',
    ]);
  });

  test('ends with 2 when a part of it could not be found out, and says which', async () => {
    const { code, out } = await pergamin(['status', '--json'], { LEDGER_POLICY_FILE: join(started.folder, 'none') });
    expect([code, JSON.parse(out)]).toMatchObject([2, { isFine: false, ledger: { state: 'FINE' }, witnesses: { state: 'UNKNOWN' } }]);
  });

  test('ends with 1 and says why when the ledger is halted, and with 2 when it cannot look', async () => {
    const kept = await readFile(place('checkpoint'));
    await rm(place('checkpoint'));
    const { code, out } = await pergamin(['status']);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^LOOK {3}ledger {5}HALTED: CHECKPOINT_LOST: the file of the last checkpoint is gone/),
    ]);
    const json = JSON.parse((await pergamin(['status', '--json'])).out) as object;
    expect(json).toMatchObject({
      isFine: false,
      ledger: { state: 'LOOK', halted: { reason: 'CHECKPOINT_LOST' }, checkpoint: { size: 2 } },
    });
    await writeFile(place('checkpoint'), kept);
    expect(await pergamin(['status'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).toMatchObject({ code: 2, out: '' });
  });
});

describe('pergamin ledger', () => {
  test('rebuild writes the tiles anew', async () => {
    expect(await pergamin(['ledger', 'rebuild'])).toEqual({ code: 0, out: 'wrote the tiles of 2 entries\n', error: '' });
  });

  test('adopt says what it assumes, and does nothing where there is no terminal to ask', async () => {
    expect(await pergamin(['ledger', 'adopt'])).toEqual({
      code: 0,
      out: 'there is nothing to adopt: the ledger is not halted\n',
      error: '',
    });
    await rm(place('checkpoint'));
    const asked = await pergamin(['ledger', 'adopt']);
    expect([asked.code, asked.error]).toEqual([1, 'pergamin: nothing was adopted; say --yes where there is no terminal\n']);
    expect(asked.out.split('\n')).toEqual([
      expect.stringMatching(/^the ledger is halted: CHECKPOINT_LOST: /),
      expect.stringMatching(/^signed anew: a checkpoint of 2 entries \(in the database its newest checkpoint has 2, of \d{4}-.*\)$/),
      expect.stringMatching(/^assumed: that no larger register was ever shown to anybody/),
      expect.stringContaining('pergamin audit --checkpoint'),
      '',
    ]);
    await expect(readFile(place('checkpoint'))).rejects.toThrow('ENOENT');
  });

  test('adopt --yes lets the ledger go on, and the status tells of it from then on', async () => {
    const agreed = await pergamin(['ledger', 'adopt', '--yes']);
    expect([agreed.code, agreed.out]).toEqual([
      0,
      expect.stringMatching(/\nadopted: 0 entries were taken over, the ledger goes on from 2\n$/),
    ]);
    expect((await publish('three')).status).toBe(200);
    const { code, out } = await pergamin(['status']);
    expect([code, out]).toEqual([0, expect.stringMatching(/adopted \d{4}-\S+ after CHECKPOINT_LOST: of 2 entries/)]);
  });

  test.each([[[]], [['adopt', 'now']], [['rebuild', '--yes']], [['cut']]])('takes no words like %j', async (words) => {
    expect(await pergamin(['ledger', ...words])).toMatchObject({ code: 2, out: '' });
  });
});
