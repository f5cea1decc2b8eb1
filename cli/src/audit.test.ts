import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aPdf } from '@pergamin/server/testing/pdfs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let environment: Record<string, string>;

beforeAll(async () => {
  started = await startCliPortal();
  const { databaseUrl, settings } = started.portal;
  environment = { DATABASE_URL: databaseUrl, DATA_DIR: settings.dataDir };
  await started.portal.addClient('1001', { cif: '7001' });
  await started.portal.publish({ cif: '7001', pdf: aPdf() });
  await started.portal.runJob('ledger:scrub');
});
afterAll(() => started[Symbol.asyncDispose]());

const audit = (args: string[] = [], isAlone = false): Promise<Ended> =>
  runPergamin(['audit', ...args], { folder: started.folder, environment, isAlone });

// A process, and one with the part of the server that it needs.
const slow = { timeout: 60_000 };

test('pergamin audit says that all is well, beside a portal that runs', slow, async () => {
  const { code, out, error } = await audit([], true);
  expect([code, error]).toEqual([0, '']);
  expect(out.split('\n')).toEqual([
    'ok     ledger     1 entries, 0 wrong tiles, 0 wrong statements',
    'ok     entries    0 whose statement, document, place in the register, delivery or bytes are gone',
    'ok     published  0 without an entry in the ledger',
    'ok     documents  1 kept, 0 damaged, 0 unreadable, 0 not as the ledger says',
    expect.stringMatching(/^       1 read again within 30 days; the oldest reading: \d{4}-.*Z$/),
    'all is well',
    '',
  ]);
});

test('pergamin audit ends with 1 when a tile is not that of the entries, and names it', async () => {
  const path = join(started.portal.settings.ledgerDir, 'tile/0/000.p/1');
  const kept = await readFile(path);
  await writeFile(
    path,
    kept.map((byte) => byte ^ 1),
  );
  const { code, out } = await audit(['--json']);
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    isRight: false,
    ledger: { entries: 1, isRootRight: true, wrongTiles: 1, problem: 'tile/0/000.p/1 is not that of the entries' },
    documents: { documents: 1, read: 1, damaged: 0, wrong: [] },
  });
  await writeFile(path, kept);
});

test('pergamin audit takes no words', async () => {
  expect(await audit(['everything'])).toMatchObject({ code: 2, out: '' });
});
