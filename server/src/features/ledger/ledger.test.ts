import { publisherScopes } from '@pergamin/contract';
import { mkdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  emptyEdge,
  growTree,
  type Hash,
  isSignedBy,
  leafHash,
  parseCheckpoint,
  parseStatement,
  parseVerifierKey,
  proveInclusion,
  rootOfEdge,
  splitEntries,
  type TileName,
  tilePath,
  tileWidth,
  verifyInclusion,
} from '@pergamin/ledger';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLedgerFiles } from '#platform/ledger-files/ledger-files.ts';
import { propertyRuns } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { openBeside, startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import { createLedgerRepair } from './ledger.door.ts';
import { sha256 } from './statements.rules.ts';

/** The ledger's writing side: nothing is visible before it is covered, and no second history is ever signed. */

let portal: TestPortal;
let anna: TestClient;
let count = 0;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { NOTICES: 'never' } });
  anna = await portal.signIn('anna', { cif: '7001' });
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => portal[Symbol.asyncDispose]());

const publish = (more: Partial<Parameters<TestPortal['publish']>[0]> = {}) => {
  count += 1;
  return portal.publish({
    ...('type' in more ? {} : { cif: '7001' }),
    uniqueName: `L-${count}`,
    pdf: aPdf({ text: `paper ${count}` }),
    ...more,
  });
};

const countSeen = async (): Promise<number> => (await anna.call('listOwnDocuments', { body: {} })).body.total;

/** Of all tests together: they write into one ledger. */
const countEntries = async (): Promise<number> =>
  (
    await portal.db
      .selectFrom('ledger_entry')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;

const entriesFrom = (index: number) =>
  portal.db.selectFrom('ledger_entry').selectAll().where('index', '>=', index).orderBy('index').execute();

const place = (name: string): string => join(portal.settings.ledgerDir, name);

/** What another process, or this one after kill -9, makes of the same database and folder. */
const restart = async (): Promise<void> => (await openBeside(portal)).close();

/** Every entry of the files is proved under the signed root, and is the one of the database. */
const verifyAll = async (): Promise<number> => {
  const log = await portal.db.selectFrom('ledger_log').selectAll().executeTakeFirstOrThrow();
  const entries = await portal.db.selectFrom('ledger_entry').selectAll().orderBy('index').execute();
  const files = createLedgerFiles(portal.settings.ledgerDir);
  const known = new Map<string, Promise<Uint8Array>>();
  const readFresh = async (name: TileName): Promise<Uint8Array> => (await files.read(name)) ?? new Uint8Array();
  const read = (name: TileName): Promise<Uint8Array> => {
    const key = JSON.stringify(name);
    const bytes = known.get(key) ?? readFresh(name);
    known.set(key, bytes);
    return bytes;
  };
  const signed = parseCheckpoint(await readFile(place('checkpoint')));
  expect(isSignedBy(signed, parseVerifierKey(log.verifier_key))).toBe(true);
  const { note } = await portal.db.selectFrom('ledger_checkpoint').select('note').orderBy('size', 'desc').executeTakeFirstOrThrow();
  expect(parseCheckpoint(note)).toEqual(signed);
  expect(entries).toHaveLength(signed.size);
  const leaves: Hash[] = [];
  for (let bundle = 0; leaves.length < signed.size; bundle += 1) {
    const width = Math.min(tileWidth, signed.size - bundle * tileWidth);
    for (const [nth, bytes] of splitEntries(await read({ level: 'entries', index: bundle, width }), width).entries()) {
      const index = bundle * tileWidth + nth;
      const leaf = leafHash(bytes, sha256);
      leaves.push(leaf);
      if (entries[index]?.is_public === false) expect(Buffer.from(bytes.subarray(1)).equals(entries[index].commitment)).toBe(true);
      // The proofs of two entries take in every hash of their tile.
      if (nth > 0 && nth < width - 1) continue;
      const proof = await proveInclusion(index, signed.size, read, sha256);
      expect(verifyInclusion({ index, size: signed.size, leaf, root: signed.root, proof })).toBe(true);
    }
  }
  expect(Buffer.from(rootOfEdge(growTree(emptyEdge, leaves, sha256).edge, sha256))).toEqual(Buffer.from(signed.root));
  return signed.size;
};

/** The next statement that fits breaks its connection: before the database has it, or right after. */
const breakAt = (statement: RegExp, { after, isDone = false }: { after?: RegExp; isDone?: boolean } = {}): void => {
  // oxlint-disable-next-line typescript/unbound-method -- applied to each connection below
  const query = Client.prototype.query as (...values: unknown[]) => unknown;
  const awaited = new WeakSet<Client>();
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...values: unknown[]) {
    const [asked] = values;
    const text = typeof asked === 'string' ? asked : ((asked as { text?: string }).text ?? '');
    if (after?.test(text) === true) awaited.add(this);
    if (!statement.test(text) || (after !== undefined && !awaited.has(this))) return Reflect.apply(query, this, values);
    spy.mockRestore();
    return (async () => {
      if (isDone) await Reflect.apply(query, this, values);
      throw new Error('Connection terminated unexpectedly');
    })();
  });
};

test('a published document is an entry, and is seen with the checkpoint that covers it', async () => {
  const [entered, seen] = [await countEntries(), await countSeen()];
  const { body } = await publish();
  const [entry] = await entriesFrom(entered);
  const statement = parseStatement(entry?.statement ?? new Uint8Array());
  expect(statement).toMatchObject({ event: 'PUBLISHED', documentId: body.id, sha256: body.sha256, size: body.size });
  expect(statement).toMatchObject({ owner: 'cif:7001', type: 'PRIVATE', state: 'ACTIVE', previous: '0'.repeat(64) });
  expect(statement.time).toBeLessThanOrEqual(body.publishedAt);
  expect(await verifyAll()).toBe(entered + 1);
  expect(await countSeen()).toBe(seen + 1);
});

test('what becomes of a document is entered, each statement after the one before; what was forgotten is not opened any more', async () => {
  const entered = await countEntries();
  const { id } = (await publish()).body;
  const reason = 'asked for by the owner';
  await portal.publisher.call('retainDocument', { params: { id }, body: { until: '2099-12-31', reason } });
  await portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'CANCELLED', reason } });
  await portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'DELETED', reason, beforeRetention: true } });
  await portal.runJob('ledger:round');
  const before = await entriesFrom(entered);
  expect(before.map(({ event }) => event)).toEqual(['PUBLISHED', 'RETENTION_EXTENDED', 'STATE_CHANGED', 'STATE_CHANGED']);
  for (const [nth, { statement }] of before.entries())
    expect(parseStatement(statement ?? new Uint8Array()).previous).toBe(before[nth - 1]?.commitment.toString('hex') ?? '0'.repeat(64));
  await portal.publisher.call('forgetDocument', { params: { id }, body: { reason, beforeRetention: true } });
  await portal.runJob('ledger:round');
  const after = await entriesFrom(entered);
  expect(after.map(({ statement }) => statement !== null)).toEqual([false, false, false, false, true]);
  expect(parseStatement(after.at(-1)?.statement ?? new Uint8Array())).toMatchObject({ event: 'FORGOTTEN', owner: '', state: 'FORGOTTEN' });
  expect(await verifyAll()).toBe(entered + 5);
});

describe('a process that dies in a round', () => {
  const deaths: readonly [string, { readonly begin: () => Promise<void> | void; readonly end?: () => Promise<void> }][] = [
    ['before its entries are committed', { begin: () => breakAt(/insert into ledger_tree/) }],
    ['after its entries are committed', { begin: () => breakAt(/^commit$/, { after: /insert into ledger_tree/, isDone: true }) }],
    [
      'before its tiles are written',
      {
        begin: async () => {
          await rename(place('spool'), place('spool-away'));
          await writeFile(place('spool'), '');
        },
        end: async () => {
          await rm(place('spool'));
          await rename(place('spool-away'), place('spool'));
        },
      },
    ],
    ['after its checkpoint is signed', { begin: () => breakAt(/insert into ledger_checkpoint/) }],
    ['while documents become visible', { begin: () => breakAt(/insert into publication/) }],
    ['after its checkpoint is published', { begin: () => breakAt(/^commit$/, { after: /insert into ledger_checkpoint/, isDone: true }) }],
  ];

  const countNotifications = async (): Promise<number> =>
    (await portal.pool.query('select from notification where type = $1', ['publication'])).rows.length;

  test.for(deaths)('%s leaves what the next one ends: the same root, and each document visible once', async ([death, { begin, end }]) => {
    const [entered, seen, told] = [await countEntries(), await countSeen(), await countNotifications()];
    await publish();
    await begin();
    const broken = await portal.publish({ cif: '7001', pdf: aPdf({ text: `broken off ${death}` }) });
    expect(broken.status).toBeGreaterThanOrEqual(500);
    const { rows: before } = await portal.pool.query<{ size: number; root: Buffer }>('select size, root from ledger_tree order by size');
    await end?.();
    await restart();
    expect(await countSeen()).toBe(seen + 2);
    const { rows: after } = await portal.pool.query<{ size: number; root: Buffer }>('select size, root from ledger_tree order by size');
    expect(after.slice(0, before.length)).toEqual(before);
    expect(await verifyAll()).toBe(entered + 2);
    expect(await countNotifications()).toBe(told + 2);
    expect((await publish()).status).toBe(200);
    expect(await verifyAll()).toBe(entered + 3);
  });
});

test('two processes that append to one log at once make one history, in which each document is once', async () => {
  const [entered, seen] = [await countEntries(), await countSeen()];
  const other = await openBeside(portal);
  try {
    const round = other.handlers['ledger:round'];
    const both = Array.from({ length: 12 }, async () => {
      const [published] = await Promise.all([publish(), round?.({}, new AbortController().signal)]);
      return published.status;
    });
    expect(await Promise.all(both)).toEqual(Array.from({ length: 12 }, () => 200));
  } finally {
    await other.close();
  }
  expect(await countSeen()).toBe(seen + 12);
  expect(await verifyAll()).toBe(entered + 12);
});

test('a tile that was truncated is written anew from the entries', async () => {
  const entered = await countEntries();
  await publish();
  await publish();
  await truncate(place(tilePath({ level: 0, index: 0, width: entered + 2 })), 40);
  await publish();
  await truncate(place(tilePath({ level: 0, index: 0, width: entered + 3 })), 40);
  await restart();
  await publish();
  expect(await verifyAll()).toBe(entered + 4);
  await rm(place('tile'), { recursive: true });
  expect(await createLedgerRepair(portal).rebuild()).toBe(entered + 4);
  expect(await verifyAll()).toBe(entered + 4);
});

/** A database that was restored from a backup of before the last publication: only its owner can do that. */
const restoreBackup = async (): Promise<void> => {
  const { size } = await portal.db.selectFrom('ledger_tree').select('size').orderBy('size', 'desc').executeTakeFirstOrThrow();
  await portal.owner.pool.query(`do $$ begin
    set local session_replication_role = replica;
    delete from ledger_checkpoint where size = ${size};
    delete from ledger_tree where size = ${size};
    delete from ledger_entry where index >= ${size - 1};
  end $$`);
};

const adopt = async () => {
  const repair = createLedgerRepair(portal);
  const plan = await repair.plan();
  if (plan !== undefined) await repair.adopt(plan);
  return plan;
};

describe('a halted ledger', () => {
  let uniqueName: string;
  let pdf: Uint8Array;

  const expectHalt = async (): Promise<void> => {
    const seen = await countSeen();
    uniqueName = `HALTED-${count}`;
    pdf = aPdf({ text: uniqueName });
    const halted = await publish({ uniqueName, pdf });
    expect([halted.status, halted.error?.code]).toEqual([503, 'BC_ERROR']);
    // The second one is refused before it is kept.
    expect((await publish()).error?.code).toBe('BC_ERROR');
    // Customers read on.
    expect((await portal.anonymous.call('getReadiness', {})).body).toMatchObject({ status: 'ok', ledger: 'halted' });
    expect(await portal.metrics.registry.metrics()).toContain('pergamin_ledger_halted 1');
    expect(await countSeen()).toBe(seen);
  };

  /** What was waiting appears by itself; the same publication again gets the answer of the first. */
  const expectRepaired = async (): Promise<void> => {
    const seen = await countSeen();
    await portal.runJob('ledger:round');
    expect(await countSeen()).toBe(seen + 1);
    const again = await publish({ uniqueName, pdf });
    expect(again.body.repeated).toBe(true);
    expect(await portal.metrics.registry.metrics()).toContain('pergamin_ledger_halted 0');
    await verifyAll();
  };

  test('signs no second history over a database of an older backup, and goes on when its files were adopted', async () => {
    const lost = await countEntries();
    await publish({ type: 'PUBLIC' });
    await restoreBackup();
    await expectHalt();
    expect(await adopt()).toMatchObject({ reason: 'DATABASE_OLDER', takenOver: 1, closed: 0 });
    await expectRepaired();
    const adopted = await portal.db
      .selectFrom('ledger_entry')
      .select(['event', 'is_public'])
      .where('index', '=', lost)
      .executeTakeFirstOrThrow();
    expect(adopted).toEqual({ event: 'PUBLISHED', is_public: true });
  });

  test('enters a publication once that waited in the older database and stands in the files, and makes it visible', async () => {
    const entered = await countEntries();
    const { id } = (await publish({ type: 'PUBLIC' })).body;
    await restoreBackup();
    await portal.owner.pool.query(`do $$ begin
      set local session_replication_role = replica;
      delete from delivery where document_id = '${id}';
      delete from publication where document_id = '${id}';
      update document set published_at = null where id = '${id}';
      insert into ledger_pending (document_id, event, sha256, size, owner, type, state, metadata)
        select id, 'PUBLISHED', sha256, size, ledger_owner(document), type, state, ledger_metadata(document) from document where id = '${id}';
    end $$`);
    await adopt();
    await portal.runJob('ledger:round');
    expect(await verifyAll()).toBe(entered + 1);
    const kept = await portal.db.selectFrom('publication').select('document_id').where('document_id', '=', id).execute();
    expect(kept).toHaveLength(1);
  });

  test('does not go on from a tree of the same size with another root', async () => {
    await publish();
    await portal.owner.pool.query(`do $$ begin
      set local session_replication_role = replica;
      update ledger_tree set root = sha256(root) where size = (select max(size) from ledger_tree);
    end $$`);
    await expectHalt();
    const signed = parseCheckpoint(await readFile(place('checkpoint')));
    const owner = await portal.owner.pool.connect();
    try {
      await owner.query(`set session_replication_role = replica`);
      await owner.query('update ledger_tree set root = $1 where size = $2', [Buffer.from(signed.root), signed.size]);
    } finally {
      owner.release(true);
    }
    await expectRepaired();
  });

  test('does not go on after a checkpoint of another key', async () => {
    await publish();
    const own = await readFile(place('checkpoint'), 'utf8');
    await writeFile(
      place('checkpoint'),
      own.replace(/(— \S+ .{20})(.)/, (_, before: string, one: string) => `${before}${one === 'A' ? 'B' : 'A'}`),
    );
    await expectHalt();
    await writeFile(place('checkpoint'), own);
    await expectRepaired();
  });
});

test('a publication whose round fails is answered with an error, is not seen, and is answered as the first one when it is repeated', async () => {
  const [entered, seen] = [await countEntries(), await countSeen()];
  await mkdir(place('away'));
  await rename(place('tile'), place('away/tile'));
  await writeFile(place('tile'), '');
  const first = await publish({ uniqueName: 'LATE', pdf: aPdf({ text: 'late' }) });
  expect([first.status, first.error?.code]).toEqual([503, 'BC_ERROR']);
  expect(await countSeen()).toBe(seen);
  await rm(place('tile'));
  await rename(place('away/tile'), place('tile'));
  const again = await publish({ uniqueName: 'LATE', pdf: aPdf({ text: 'late' }) });
  expect([again.status, again.body.repeated]).toEqual([200, true]);
  expect(await countSeen()).toBe(seen + 1);
  expect(await verifyAll()).toBe(entered + 1);
});

test('a new document does not wait behind many older facts, which are entered in their order meanwhile', async () => {
  const { id } = (await publish()).body;
  const entered = await countEntries();
  await portal.owner.pool.query(`insert into ledger_pending (document_id, event, sha256, size, owner, type, state, metadata)
    select id, 'STATE_CHANGED', sha256, size, ledger_owner(document), type, state, ledger_metadata(document)
    from document, generate_series(1, 600) where id = '${id}'`);
  const { body } = await publish();
  const { index } = await portal.db.selectFrom('ledger_entry').select('index').where('document_id', '=', body.id).executeTakeFirstOrThrow();
  expect(index - entered).toBeLessThan(256);
  expect((await portal.db.selectFrom('ledger_pending').select('id').execute()).length).toBeGreaterThan(300);
  await portal.runJob('ledger:round');
  expect(await portal.db.selectFrom('ledger_pending').select('id').execute()).toEqual([]);
  expect(await verifyAll()).toBe(entered + 601);
});

test('an entry can neither be changed nor removed, nor can the tree', async () => {
  await publish();
  await expect(portal.owner.pool.query(`update ledger_entry set at = now()`)).rejects.toThrow('insert-only');
  await expect(portal.owner.pool.query(`delete from ledger_entry`)).rejects.toThrow('insert-only');
  await expect(portal.owner.pool.query(`update ledger_entry set statement = '\\x00'`)).rejects.toThrow('insert-only');
  await expect(portal.owner.pool.query(`delete from ledger_tree`)).rejects.toThrow('insert-only');
  await expect(portal.pool.query(`update ledger_entry set is_public = true`)).rejects.toThrow('permission denied');
});

test('the tiles verify after any rounds, over the end of a tile and of a bundle', async () => {
  const facts = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 });
  const enter = async (entered: number): Promise<void> => {
    await portal.owner.pool.query(
      `insert into ledger_pending (document_id, event, sha256, size, owner, type, state, metadata)
       select gen_random_uuid(), 'RECEIVED', repeat('a', 64), 1, 'cif:1', case when n % 5 = 0 then 'PUBLIC' else 'PRIVATE' end, 'ACTIVE', repeat('b', 64)
       from generate_series(1, $1) as n`,
      [entered],
    );
    await portal.runJob('ledger:round');
  };
  let size = await countEntries();
  await fc.assert(
    fc.asyncProperty(facts, async (rounds) => {
      for (const entered of rounds) {
        await enter(entered);
        size += entered;
      }
      expect(await verifyAll()).toBe(size);
    }),
    propertyRuns({ day: 2, night: 10 }),
  );
});

// The last of the file: what other tests publish after it would have times of tomorrow.
test('a clock that goes back a day does not take the times of statements back', async () => {
  const entered = await countEntries();
  portal.clock.advance(86_400_000);
  const { id } = (await publish()).body;
  portal.clock.advance(-86_400_000);
  // Calls of the first key are counted with its times of tomorrow.
  const other = await portal.withKey(publisherScopes);
  const retained = await other.call('retainDocument', { params: { id }, body: { until: '2099-12-31', reason: 'a dispute' } });
  expect(retained.status).toBe(200);
  await portal.runJob('ledger:round');
  const times = await portal.db.selectFrom('ledger_tree').select('at').where('size', '>', entered).orderBy('size').execute();
  expect(times).toHaveLength(2);
  expect(times[1]?.at.getTime()).toBeGreaterThanOrEqual(times[0]?.at.getTime() ?? 0);
  expect(await verifyAll()).toBe(entered + 2);
});
