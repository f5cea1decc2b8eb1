import { createHash, randomUUID } from 'node:crypto';
import { isProved, noHash, parseCheckpoint, parseStatement, verifyConsistency } from '@pergamin/ledger';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changePastTriggers, damageFirstTile, damageObject, verifyByPolicy } from '#testing/ledger-damage.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** What makes it a durable medium, property by property (docs/durable-medium.md). Bytes, rows and tiles are really damaged. */

let portal: TestPortal;
let anna: TestClient;
let jan: TestClient;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { SCRUB_DAYS: '2', NOTICES: 'never' } });
  anna = await portal.signIn('6001', { cif: '8001' });
  jan = await portal.signIn('6002', { cif: '8002' });
});

afterAll(() => portal[Symbol.asyncDispose]());

// Checks that were counted do not count any more.
beforeEach(() => portal.clock.advance(60_001));

interface Delivered {
  readonly id: string;
  readonly sha256: string;
  /** Taken when all was well, and kept outside of the portal. */
  readonly receipt: Uint8Array;
}

const deliver = async (description: Partial<Parameters<TestPortal['publish']>[0]> = {}): Promise<Delivered> => {
  const { id, sha256 } = (await portal.publish({ cif: '8001', pdf: aPdf({ text: randomUUID() }), ...description })).body;
  return { id, sha256, receipt: (await anna.call('getReceipt', { params: { id } })).bytes };
};

const check = async (id: string, client: TestClient = anna) => {
  const answer = await client.call('checkDocument', { params: { id } });
  return answer.error === undefined ? answer.body.status : answer.error.code;
};

const open = async (id: string) => (await anna.call('checkDocument', { params: { id }, query: { opening: 'true', width: '1240' } })).body;

const provesTheOriginal = async (delivered: Delivered): Promise<boolean> => isProved(await verifyByPolicy(portal, delivered));

/** With SCRUB_DAYS=2 every document is read again in two nights: of an even number each is once. */
const scrubForTwoNights = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from document`.execute(portal.db);
  if ((rows[0]?.count ?? 0) % 2 === 1) await deliver();
  const found = { read: 0, damaged: 0, disputed: 0, isLedgerSound: true };
  for (let night = 0; night < 2; night += 1) {
    await portal.runJob('ledger:scrub');
    const told = await portal.metrics.registry.metrics();
    const figure = (name: string): number =>
      Number(
        told
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length),
      );
    for (const what of ['read', 'damaged', 'disputed'] as const) found[what] += figure(`pergamin_scrub_documents{what="${what}"}`);
    found.isLedgerSound &&= figure('pergamin_scrub_ledger_sound') === 1;
  }
  return found;
};

const uuid = (id: string) => sql`${id}::uuid`;

test('P1: the provider alone cannot change the stored bytes unnoticed, not even with the row and the register', async () => {
  const delivered = await deliver();
  const { id } = delivered;
  expect(await check(id)).toBe('SHA_CIF_OK');
  await damageObject(portal, id);
  expect(await check(id)).toBe('SHA_NOT_EQUAL');
  const { sha256: found } = await portal.db
    .selectFrom('document_check')
    .select('sha256')
    .where('document_id', '=', id)
    .executeTakeFirstOrThrow();
  await changePastTriggers(
    portal,
    sql`update document set sha256 = ${found}, corrupted = false where id = ${uuid(id)}`,
    sql`update publication set sha256 = ${found} where document_id = ${uuid(id)}`,
  );
  expect(await check(id)).toBe('SHA_NOT_EQUAL');
  expect((await open(id)).opened).toBeUndefined();
  expect(await provesTheOriginal(delivered)).toBe(true);
});

test('P1: the provider alone cannot change what the ledger says unnoticed: a statement, a tile, a checkpoint', async () => {
  const delivered = await deliver();
  const { id } = delivered;
  const { statement } = await portal.db
    .selectFrom('ledger_entry')
    .select('statement')
    .where('document_id', '=', id)
    .executeTakeFirstOrThrow();
  if (statement === null) throw new Error('the entry has no statement');
  const other = Buffer.from(statement);
  // Within the checksum that it names.
  const place = statement.indexOf(Buffer.from(delivered.sha256, 'hex'));
  other[place] = (other[place] ?? 0) ^ 1;
  const setStatement = (bytes: Buffer | null) =>
    changePastTriggers(portal, sql`update ledger_entry set statement = ${bytes} where document_id = ${uuid(id)}`);
  await setStatement(other);
  expect(await check(id)).toBe('BC_ERROR');
  await setStatement(statement.subarray(1));
  expect(await check(id)).toBe('BC_ERROR');
  await setStatement(null);
  expect([await check(id), (await anna.call('getReceipt', { params: { id } })).error?.code]).toEqual(['SHA_CIF_NOK', 'NOT_FOUND_BC']);
  await setStatement(statement);

  const repair = await damageFirstTile(portal);
  expect([await check(id), (await anna.call('getReceipt', { params: { id } })).error?.code]).toEqual(['BC_ERROR', 'BC_ERROR']);
  // Reading goes on meanwhile.
  expect(await open(id)).toMatchObject({ status: 'SHA_CIF_OK', ledger: null, opened: { document: { id } } });
  await repair();

  const note =
    (await sql<{ note: string }>`select note from ledger_checkpoint order by size desc limit 1`.execute(portal.db)).rows[0]?.note ?? '';
  const setNote = (text: string) =>
    changePastTriggers(portal, sql`update ledger_checkpoint set note = ${text} where size = (select max(size) from ledger_checkpoint)`);
  await setNote(note.replace(/.{8}=*\n$/, 'AAAAAAAA\n'));
  expect(await check(id)).toBe('BC_ERROR');
  await setNote(note);
  expect(await check(id)).toBe('SHA_CIF_OK');
  expect(await provesTheOriginal(delivered)).toBe(true);
});

test('P2: entries are neither back-dated nor put in another order: every later tree continues the earlier ones', async () => {
  const heads = [];
  for (let nth = 0; nth < 3; nth += 1) {
    await deliver();
    heads.push(parseCheckpoint((await portal.anonymous.call('getLedger', {})).body.checkpoint));
  }
  for (const { size: oldSize, root: oldRoot } of heads) {
    const { size, checkpoint, proof } = (await portal.anonymous.call('getConsistency', { query: { from: String(oldSize) } })).body;
    const { root } = parseCheckpoint(checkpoint);
    expect(verifyConsistency({ oldSize, oldRoot, size, root, proof: proof.map((hash) => Buffer.from(hash, 'base64')) })).toBe(true);
  }
  const { rows } = await sql<{ at: Date }>`select at from ledger_entry order by index`.execute(portal.db);
  const times = rows.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  // A clock that is set back sets no entry back.
  portal.clock.advance(-86_400_000);
  await portal.publish({ type: 'PUBLIC', pdf: aPdf({ text: randomUUID() }) });
  portal.clock.advance(86_400_000);
  const last = await sql<{ at: Date }>`select at from ledger_entry order by index desc limit 1`.execute(portal.db);
  expect(last.rows[0]?.at.getTime()).toBeGreaterThanOrEqual(times.at(-1) ?? Number.NaN);
});

test('P6: a document is addressed personally: its statement names the owner, and another one is noticed', async () => {
  const delivered = await deliver();
  const { id, sha256, receipt } = delivered;
  const verdict = await verifyByPolicy(portal, { receipt, sha256 });
  expect(verdict.statement).toMatchObject({ documentId: id, sha256, owner: 'cif:8001' });
  expect([await check(id), await check(id, jan)]).toEqual(['SHA_CIF_OK', 'DOCUMENT_NOT_EXIST']);
  await changePastTriggers(
    portal,
    sql`update document set cif = '8002' where id = ${uuid(id)}`,
    sql`update publication set cif = '8002' where document_id = ${uuid(id)}`,
    sql`update delivery set principal = 'cif:8002' where document_id = ${uuid(id)}`,
  );
  expect([await check(id), await check(id, jan)]).toEqual(['DOCUMENT_NOT_EXIST', 'CIF_NOT_EQUAL']);
  await damageObject(portal, id);
  expect(await check(id, jan)).toBe('SHA_CIF_NOK');
  expect(await provesTheOriginal(delivered)).toBe(true);
});

test('P8: what is reproduced is unchanged: a download has the very bytes of the statement, or breaks off', async () => {
  const { id, sha256, receipt } = await deliver();
  const { bytes } = await anna.call('downloadDocument', { params: { id } });
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  expect((await verifyByPolicy(portal, { receipt, sha256 })).statement).toMatchObject({ sha256, size: bytes.length });
  await damageObject(portal, id);
  const { status, error } = await anna.call('downloadDocument', { params: { id } });
  expect([status, error?.code]).toEqual([503, 'STORAGE_ERROR']);
});

test('P9: a client whose contract has ended still reads, downloads, checks and proves', async () => {
  const maria = await portal.signIn('6003', { cif: '8003' });
  const { id, sha256 } = (await portal.publish({ cif: '8003', pdf: aPdf({ text: randomUUID() }) })).body;
  await portal.publisher.call('changeClientState', {
    params: { client: '6003' },
    body: { state: 'CLOSED', reason: 'The contract has ended' },
  });
  expect((await maria.call('getDocument', { params: { id } })).body).toMatchObject({ id });
  expect(
    createHash('sha256')
      .update((await maria.call('downloadDocument', { params: { id } })).bytes)
      .digest('hex'),
  ).toBe(sha256);
  expect(await check(id, maria)).toBe('SHA_CIF_OK');
  const receipt = (await maria.call('getReceipt', { params: { id } })).bytes;
  expect(isProved(await verifyByPolicy(portal, { receipt, sha256 }))).toBe(true);
});

test('P11: the history of a document is whole: each statement names the one before it, and the last one tells the state', async () => {
  const { id } = await deliver();
  await portal.publisher.call('retainDocument', { params: { id }, body: { until: '2099-12-31', reason: 'A dispute' } });
  await portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'CANCELLED', reason: 'A wrong amount' } });
  await portal.runJob('ledger:round');
  const { rows } = await sql<{ statement: Buffer }>`
    select statement from ledger_entry where document_id = ${uuid(id)} order by index`.execute(portal.db);
  const statements = rows.map(({ statement }) => parseStatement(statement));
  expect(statements.map(({ event, state }) => [event, state])).toEqual([
    ['PUBLISHED', 'ACTIVE'],
    ['RETENTION_EXTENDED', 'ACTIVE'],
    ['STATE_CHANGED', 'CANCELLED'],
  ]);
  const commitments = rows.map(({ statement }) => createHash('sha256').update(statement).digest('hex'));
  expect(statements.map(({ previous }) => previous)).toEqual([noHash, ...commitments.slice(0, -1)]);

  const { items } = (await anna.call('getDocumentHistory', { params: { id } })).body;
  expect(items.map(({ event, entry }) => [event, entry !== null]).toSorted()).toEqual([
    ['PUBLISHED', true],
    ['STATE_CHANGED', true],
  ]);
  const before = await scrubForTwoNights();
  await changePastTriggers(portal, sql`update document set state = 'ACTIVE' where id = ${uuid(id)}`);
  expect((await scrubForTwoNights()).disputed).toBe(before.disputed + 1);
});

test('a publication that is entered twice is told to who checks it, and disputed by the scrub; the document opens all the same', async () => {
  const { id } = await deliver();
  const before = await scrubForTwoNights();
  // Past the rule that a document is published once, which stands in no constraint of the entries.
  await sql`insert into ledger_pending (document_id, event, sha256, size, owner, type, state, metadata)
    select id, 'PUBLISHED', sha256, size, ledger_owner(document), type, state, ledger_metadata(document) from document where id = ${uuid(id)}`.execute(
    portal.owner.db,
  );
  await portal.runJob('ledger:round');
  expect(await check(id)).toBe('DUPLICATE_BC');
  expect(await open(id)).toMatchObject({ status: 'SHA_CIF_OK', ledger: null, opened: { document: { id } } });
  expect((await scrubForTwoNights()).disputed).toBe(before.disputed + 1);
});

test('P13: the scrub finds what was damaged although nobody looked at it, and repairs nothing', async () => {
  const sound = await deliver();
  const damaged = await deliver();
  await damageObject(portal, damaged.id);
  const corrupted = async (id: string) =>
    (await portal.db.selectFrom('document').select('corrupted').where('id', '=', id).executeTakeFirstOrThrow()).corrupted;
  const documents = await portal.db.selectFrom('document').select('id').execute();
  const { read, isLedgerSound } = await scrubForTwoNights();
  // Half of them each night, rounded up.
  expect(read).toBe(2 * Math.ceil(documents.length / 2));
  expect([await corrupted(sound.id), await corrupted(damaged.id), isLedgerSound]).toEqual([false, true, true]);
  const repair = await damageFirstTile(portal);
  expect((await scrubForTwoNights()).isLedgerSound).toBe(false);
  expect((await anna.call('getReceipt', { params: { id: sound.id } })).error?.code).toBe('BC_ERROR');
  await repair();
  expect((await scrubForTwoNights()).isLedgerSound).toBe(true);
});
