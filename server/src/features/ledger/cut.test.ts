import { cp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCheckpoint, parseVerifierKey } from '@pergamin/ledger';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLedgerFiles } from '#platform/ledger-files/ledger-files.ts';
import { changePastTriggers } from '#testing/ledger-damage.ts';
import { isNightly } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { openBeside, startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { createContinuity } from './continuity.ts';
import { createLedgerRepair } from './ledger.door.ts';

/** A ledger that somebody cuts, in the database, in its files, or in both: it is not signed on. */

const publish = (portal: TestPortal, text: string) => portal.publish({ cif: '7001', uniqueName: text, pdf: aPdf({ text }) });

const place = (portal: TestPortal, name = ''): string => join(portal.settings.ledgerDir, name);

const readFileOf = (portal: TestPortal): Promise<string> => readFile(place(portal, 'checkpoint'), 'utf8');

/** Of three published documents, in three rounds; the last one is public. `older`: the file of the last checkpoint after the second. */
const startFilled = async (): Promise<{ portal: TestPortal; older: string }> => {
  const portal = await startTestPortal({ environment: { NOTICES: 'never' } });
  await portal.addClient('1001', { cif: '7001' });
  await publish(portal, 'one');
  await publish(portal, 'two');
  const older = await readFileOf(portal);
  await portal.publish({ type: 'PUBLIC', pdf: aPdf({ text: 'three' }) });
  return { portal, older };
};

/** `older`: the file of the last checkpoint before the last entry. */
type Cut = (portal: TestPortal, older: string) => Promise<void>;

const lastTree = sql<number>`(select max(size) from ledger_tree)`;

const cutRows: Cut = (portal) =>
  changePastTriggers(
    portal,
    sql`delete from ledger_entry where index >= ${lastTree} - 1`,
    sql`delete from ledger_checkpoint where size = ${lastTree}`,
    sql`delete from ledger_tree where size = ${lastTree}`,
  );
const ledgerTables = ['ledger_log', 'ledger_entry', 'ledger_tree', 'ledger_checkpoint'] as const;
const emptyRows: Cut = (portal) =>
  changePastTriggers(portal, ...[...ledgerTables, 'ledger_pending'].map((name) => sql`delete from ${sql.table(name)}`));
const removeFile: Cut = (portal) => rm(place(portal, 'checkpoint'));
const putBackFile: Cut = (portal, older) => writeFile(place(portal, 'checkpoint'), older);
const cutTiles: Cut = async (portal) => {
  for (const level of ['0', 'entries']) {
    const folder = place(portal, `tile/${level}/000.p`);
    const [widest = 0] = (await readdir(folder)).map(Number).toSorted((one, other) => other - one);
    await rm(join(folder, String(widest)));
  }
};
const removeFolder: Cut = (portal) => rm(place(portal), { recursive: true });

const all =
  (...cuts: readonly Cut[]): Cut =>
  async (portal, older) => {
    for (const cut of cuts) await cut(portal, older);
  };

const cuts: readonly (readonly [string, Cut, string])[] = [
  ['whose rows were cut, and whose file is there', cutRows, 'DATABASE_OLDER'],
  ['whose rows were cut, and whose file is gone', all(cutRows, removeFile), 'DATABASE_OLDER'],
  ['whose rows were cut, and whose file is that of then', all(cutRows, putBackFile), 'DATABASE_OLDER'],
  ['whose rows and tiles were cut, and whose file is gone', all(cutRows, cutTiles, removeFile), 'CHECKPOINT_LOST'],
  ['whose rows were cut, and whose folder is gone', all(cutRows, removeFolder), 'CHECKPOINT_LOST'],
  ['whose rows are all gone, and whose folder is there', emptyRows, 'DATABASE_OLDER'],
  ['whose rows are all gone, and its file', all(emptyRows, removeFile), 'DATABASE_OLDER'],
  ['whose rows are all gone, and its folder', all(emptyRows, removeFolder), 'CHECKPOINT_LOST'],
  ['whose file is gone', removeFile, 'CHECKPOINT_LOST'],
  ['whose file is empty', (portal) => writeFile(place(portal, 'checkpoint'), ''), 'CHECKPOINT_LOST'],
  ['whose folder is gone', removeFolder, 'CHECKPOINT_LOST'],
  [
    'whose checkpoints are gone from the rows, and its file',
    all((portal) => changePastTriggers(portal, sql`delete from ledger_checkpoint`), removeFile),
    'CHECKPOINT_LOST',
  ],
  [
    'whose trees and checkpoints were cut, and whose entries are there, with the file and the tiles of then',
    all(
      (portal) =>
        changePastTriggers(
          portal,
          sql`delete from ledger_checkpoint where size = ${lastTree}`,
          sql`delete from ledger_tree where size = ${lastTree}`,
        ),
      cutTiles,
      putBackFile,
    ),
    'DATABASE_OLDER',
  ],
  [
    'whose last entry is gone',
    (portal) => changePastTriggers(portal, sql`delete from ledger_entry where index = ${lastTree} - 1`),
    'ENTRIES_WRONG',
  ],
];

/** One of each reason; the others at night. */
const byDay: ReadonlySet<string> = new Set([
  'whose rows were cut, and whose file is gone',
  'whose rows and tiles were cut, and whose file is gone',
  'whose file is gone',
  'whose last entry is gone',
]);

/** Why a round is refused. */
const reasonOf = async (round: () => Promise<unknown>): Promise<string | undefined> => {
  try {
    await round();
    return undefined;
  } catch (error) {
    return (error as { reason?: string }).reason;
  }
};

const countPublications = async ({ db }: TestPortal): Promise<number> => (await db.selectFrom('publication').selectAll().execute()).length;

/** All rows and files of the ledger, to bring them back. */
const keepAll = async (portal: TestPortal): Promise<() => Promise<void>> => {
  const [folder, { pool }] = [`${place(portal)}-kept`, portal.owner];
  await cp(place(portal), folder, { recursive: true });
  for (const name of ledgerTables) await pool.query(`create table kept_${name} as table ${name}`);
  return async () => {
    await rm(place(portal), { recursive: true, force: true });
    await rename(folder, place(portal));
    await changePastTriggers(
      portal,
      ...ledgerTables.flatMap((name) => [
        sql`delete from ${sql.table(name)}`,
        sql`insert into ${sql.table(name)} table ${sql.table(`kept_${name}`)}`,
        sql`drop table ${sql.table(`kept_${name}`)}`,
      ]),
    );
  };
};

const reasonAfterStart = async (portal: TestPortal): Promise<string | undefined> => {
  const started = await openBeside(portal);
  try {
    return await reasonOf(async () => started.handlers['ledger:round']?.({}, new AbortController().signal));
  } finally {
    await started.close();
  }
};

/** What was signed and written, and what is seen. */
const standingOf = async (portal: TestPortal) => ({
  signed: await portal.db.selectFrom('ledger_checkpoint').selectAll().execute(),
  files: await listFiles(portal),
  publications: await countPublications(portal),
});

describe('a log', () => {
  let portal: TestPortal;
  let older: string;
  beforeAll(async () => {
    ({ portal, older } = await startFilled());
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test.for(cuts.filter(([what]) => isNightly || byDay.has(what)))(
    '%s signs nothing more, at the next publication and after the next start, until all is brought back',
    async ([what, cut, reason]) => {
      const bringBack = await keepAll(portal);
      const before = await readFileOf(portal);
      await cut(portal, older);
      const standing = await standingOf(portal);
      const halted = await publish(portal, what);
      expect([halted.status, halted.error?.code]).toEqual([503, 'BC_ERROR']);
      expect(await reasonOf(() => portal.runJob('ledger:round'))).toBe(reason);
      expect(await reasonAfterStart(portal)).toBe(reason);
      expect(await standingOf(portal)).toEqual(standing);
      await bringBack();
      await portal.runJob('ledger:round');
      expect((await publish(portal, what)).body.repeated).toBe(true);
      expect(await countPublications(portal)).toBe(standing.publications + 1);
      older = before;
    },
  );

  test('that was written anew beyond what was signed is not signed when the file of before is there', async () => {
    const signed = await readFileOf(portal);
    await all(cutRows, cutTiles, removeFile)(portal, older);
    const repair = createLedgerRepair(portal);
    const plan = await repair.plan();
    if (plan !== undefined) await repair.adopt(plan);
    await portal.runJob('ledger:round');
    for (const text of ['another one', 'another two']) expect((await publish(portal, text)).status).toBe(200);
    await writeFile(place(portal, 'checkpoint'), signed);
    expect((await publish(portal, 'another three')).error?.code).toBe('BC_ERROR');
    expect(await reasonAfterStart(portal)).toBe('OTHER_ROOT');
    expect(await readFileOf(portal)).toBe(signed);
  });
});

/** Without those that are being written. */
const listFiles = async (portal: TestPortal): Promise<readonly string[]> => {
  const names = await readdir(place(portal), { recursive: true, withFileTypes: true }).catch(() => []);
  return names.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : [])).toSorted();
};

describe('a log goes on by itself', () => {
  test('when the portal is new, also when its first round was broken off before it signed', async () => {
    await using portal = await startTestPortal({ environment: { NOTICES: 'never' } });
    await portal.addClient('1001', { cif: '7001' });
    await portal.runJob('ledger:round');
    await rm(place(portal), { recursive: true, force: true });
    await writeFile(place(portal), '');
    expect((await publish(portal, 'one')).error?.code).toBe('BC_ERROR');
    await rm(place(portal));
    await portal.runJob('ledger:round');
    expect(parseCheckpoint(await readFile(place(portal, 'checkpoint'))).size).toBe(1);
  });

  test('when another process publishes the first checkpoint while it looks', async () => {
    const { portal } = await startFilled();
    await using _ = portal;
    const files = createLedgerFiles(portal.settings.ledgerDir);
    const { verifier_key: key } = await portal.db.selectFrom('ledger_log').select('verifier_key').executeTakeFirstOrThrow();
    let reads = 0;
    const readCheckpoint = async () => ((reads += 1) === 1 ? undefined : files.readCheckpoint());
    const { tree } = await createContinuity({ ...files, readCheckpoint })(portal.db, parseVerifierKey(key));
    expect([reads, tree.size]).toEqual([2, 3]);
  });

  test('when documents of before the ledger wait to be entered', async () => {
    const { portal } = await startFilled();
    await using _ = portal;
    await all(emptyRows, removeFolder)(portal, '');
    await portal.owner.pool.query(`insert into ledger_pending (document_id, event, sha256, size, owner, type, state, metadata)
      select id, 'PUBLISHED', sha256, size, ledger_owner(document), type, state, ledger_metadata(document)
      from document where published_at is not null and state <> 'FORGOTTEN'`);
    const started = await openBeside(portal);
    await started.handlers['ledger:round']?.({}, new AbortController().signal);
    await started.close();
    expect(parseCheckpoint(await readFile(place(portal, 'checkpoint'))).size).toBe(3);
  });

  test('when its file is of an older time, and the database and the tiles are whole: the next round writes the newest', async () => {
    const { portal, older } = await startFilled();
    await using _ = portal;
    await putBackFile(portal, older);
    expect((await publish(portal, 'four')).status).toBe(200);
    expect(parseCheckpoint(await readFile(place(portal, 'checkpoint'))).size).toBe(4);
    await putBackFile(portal, older);
    // The proof is made of the entries then.
    await rm(place(portal, 'tile'), { recursive: true });
    expect((await publish(portal, 'five')).status).toBe(200);
  });
});

describe('what is adopted', () => {
  const adopt = async (portal: TestPortal) => {
    const repair = createLedgerRepair(portal);
    const plan = await repair.plan();
    if (plan !== undefined) await repair.adopt(plan);
    return plan;
  };

  const adoptions: readonly (readonly [string, Cut, object, number])[] = [
    ['entries that only the tiles have', all(cutRows, removeFile), { takenOver: 1, closed: 0, signsAnew: true, unregistered: 1 }, 3],
    ['entries that are newer than the file', all(cutRows, putBackFile), { takenOver: 1, signsAnew: false }, 3],
    ['a log without its file', removeFile, { reason: 'CHECKPOINT_LOST', takenOver: 0, signsAnew: true, unregistered: 0 }, 3],
    ['a log without its folder', removeFolder, { reason: 'CHECKPOINT_LOST', takenOver: 0, unregistered: 0 }, 3],
    ['what is left of a log that was cut', all(cutRows, cutTiles, removeFile), { size: 2, takenOver: 0, unregistered: 1 }, 2],
    ['a log of which the tiles alone are left', all(emptyRows, removeFile), { size: 0, takenOver: 3, closed: 2, unregistered: 3 }, 3],
    ['a portal whose log is gone as a whole', all(emptyRows, removeFolder), { size: 0, takenOver: 0, unregistered: 3 }, 0],
    [
      'a log of which one tile is left that cannot be taken over',
      all(cutRows, removeFile, (portal) => rm(place(portal, 'tile/entries/000.p/3'))),
      { size: 2, takenOver: 0, setAside: 1, signsAnew: true },
      2,
    ],
  ];

  test.for(adoptions)('is %s: it goes on, its receipts are proved, and a row says what was done', async ([, cut, expected, size]) => {
    const { portal, older } = await startFilled();
    await using _ = portal;
    await cut(portal, older);
    expect((await publish(portal, 'after')).error?.code).toBe('BC_ERROR');
    const plan = await adopt(portal);
    expect(plan).toMatchObject(expected);
    await portal.runJob('ledger:round');
    expect(parseCheckpoint(await readFile(place(portal, 'checkpoint'))).size).toBe(size + 1);
    const anna = await portal.signIn('1001');
    const { documentId: id } = await portal.db
      .selectFrom('document')
      .select('id as documentId')
      .where('unique_name', '=', 'after')
      .executeTakeFirstOrThrow();
    expect((await anna.call('getReceipt', { params: { id } })).status).toBe(200);
    expect(await portal.db.selectFrom('ledger_adoption').selectAll().execute()).toMatchObject([
      { reason: plan?.reason, size: plan?.size, taken_over: plan?.takenOver, unregistered: plan?.unregistered },
    ]);
    expect(await adopt(portal)).toBeUndefined();
  });

  test.each([
    ['another key', (portal: TestPortal) => rm(portal.settings.ledgerKeyFile), /bring it back first/],
    [
      'entries that are not those of its tree',
      (portal: TestPortal) => changePastTriggers(portal, sql`delete from ledger_entry where index = 1`),
      /bring back the right database/,
    ],
    [
      'tiles that do not continue it',
      async (portal: TestPortal) => {
        await cutRows(portal, '');
        const path = place(portal, 'tile/entries/000.p/3');
        const bytes = await readFile(path);
        bytes[10] = (bytes[10] ?? 0) ^ 1;
        await writeFile(path, bytes);
      },
      /do not continue the entries/,
    ],
  ])('is never a log with %s', async (_, damage, reason) => {
    const { portal } = await startFilled();
    await using _portal = portal;
    await damage(portal);
    await removeFile(portal, '');
    await expect(adopt(portal)).rejects.toThrow(reason);
    expect(await portal.db.selectFrom('ledger_adoption').selectAll().execute()).toEqual([]);
  });

  test('is not what has changed since it was looked at', async () => {
    const { portal } = await startFilled();
    await using _ = portal;
    await removeFile(portal, '');
    const repair = createLedgerRepair(portal);
    const plan = await repair.plan();
    if (plan === undefined) throw new Error('the ledger is not halted');
    await cutRows(portal, '');
    await expect(repair.adopt(plan)).rejects.toThrow('the ledger has changed since');
  });
});

test('a start removes what killed processes left of the ledger’s own files, and nothing else', async () => {
  const { portal } = await startFilled();
  await using _ = portal;
  const names = {
    old: '0b7e1c52-8f6a-4c1e-9a40-3b1f5d2c7e90',
    young: '1b7e1c52-8f6a-4c1e-9a40-3b1f5d2c7e91',
    ofSomebody: 'letter.txt',
  };
  const longAgo = new Date(Date.now() - 25 * 3_600_000);
  for (const [kind, name] of Object.entries(names)) {
    await writeFile(place(portal, `spool/${name}`), kind);
    if (kind !== 'young') await utimes(place(portal, `spool/${name}`), longAgo, longAgo);
  }
  await (await openBeside(portal)).close();
  expect((await readdir(place(portal, 'spool'))).toSorted()).toEqual([names.young, names.ofSomebody].toSorted());
});
