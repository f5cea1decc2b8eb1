import { randomUUID } from 'node:crypto';
import { isProved, outcomeOf, parseCheckpoint, parseReceipt, verifyConsistency } from '@pergamin/ledger';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changePastTriggers, verifyByPolicy } from '#testing/ledger-damage.ts';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** Receipts, proofs of consistency, and the log as everybody may read it (T2). */

let portal: TestPortal;
let anna: TestClient;
let jan: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('3101', { cif: '9001' });
  jan = await portal.signIn('3102', { cif: '9002' });
});

afterAll(() => portal[Symbol.asyncDispose]());

const publish = async (description: Partial<Parameters<TestPortal['publish']>[0]> = {}): Promise<{ id: string; sha256: string }> =>
  (await portal.publish({ cif: '9001', pdf: aPdf({ text: randomUUID() }), ...description })).body;

const getLog = (path: string, of: TestPortal = portal) =>
  of.server.inject({ method: 'GET', url: path, headers: { host: of.settings.publicUrl.host } });

test('before anything was published there is no ledger to tell of, and no checkpoint', async () => {
  expect((await portal.anonymous.call('getLedger', {})).body).toMatchObject({ size: 0, checkpoint: '', policy: '', isHalted: false });
  const { status, error } = await portal.anonymous.call('getConsistency', { query: { from: '0' } });
  expect([status, error?.code]).toEqual([404, 'NOT_FOUND_BC']);
  expect((await getLog('/log/checkpoint')).statusCode).toBe(404);
});

test('the receipt of an own document proves its file to everybody who has the policy', async () => {
  const { id, sha256 } = await publish({ fileName: 'Umowa nr 7.pdf' });
  const answer = await anna.call('getReceipt', { params: { id } });
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(answer.headers['content-disposition']).toContain('filename="Umowa nr 7.tlog-proof"');
  const verdict = await verifyByPolicy(portal, { receipt: answer.bytes, sha256 });
  expect(isProved(verdict)).toBe(true);
  expect(verdict.statement).toMatchObject({
    event: 'PUBLISHED',
    documentId: id,
    sha256,
    owner: 'cif:9001',
    type: 'PRIVATE',
    state: 'ACTIVE',
  });
});

test('a receipt that was taken earlier is as good after later publications', async () => {
  const { id, sha256 } = await publish();
  const receipt = (await anna.call('getReceipt', { params: { id } })).bytes;
  for (let nth = 0; nth < 3; nth += 1) await publish();
  expect(isProved(await verifyByPolicy(portal, { receipt, sha256 }))).toBe(true);
  const later = (await anna.call('getReceipt', { params: { id } })).bytes;
  expect(parseReceipt(later).checkpoint.size).toBeGreaterThan(parseReceipt(receipt).checkpoint.size);
  expect(isProved(await verifyByPolicy(portal, { receipt: later, sha256 }))).toBe(true);
});

test('the receipt of another client’s document is answered as that of an unknown one', async () => {
  const { id } = await publish();
  const answers = [await jan.call('getReceipt', { params: { id } }), await jan.call('getReceipt', { params: { id: randomUUID() } })];
  expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
    Array.from({ length: 2 }, () => [404, 'DOCUMENT_NOT_FOUND_ERROR']),
  );
  expect((await portal.anonymous.call('getPublicReceipt', { params: { id } })).error?.code).toBe('DOCUMENT_NOT_FOUND_ERROR');
});

test('everybody gets the receipt of a public document, whose statement stands in the log itself', async () => {
  const { id, sha256 } = await publish({ type: 'PUBLIC', cif: undefined });
  const receipt = (await portal.anonymous.call('getPublicReceipt', { params: { id } })).bytes;
  const verdict = await verifyByPolicy(portal, { receipt, sha256 });
  expect([isProved(verdict), verdict.statement?.owner]).toEqual([true, 'public']);
  const { size } = parseReceipt(receipt).checkpoint;
  expect((await getLog(`/log/tile/entries/000.p/${size}`)).rawPayload.includes(Buffer.from(id))).toBe(true);
});

test('a client gets the receipt of what they sent, and no other client does', async () => {
  await keepCategories(portal.publisher);
  const { id, sha256 } = (await upload(anna, { pdf: aPdf({ text: 'Reklamacja' }) })).body;
  await portal.runJob('ledger:round');
  const receipt = (await anna.call('getSentReceipt', { params: { id } })).bytes;
  const verdict = await verifyByPolicy(portal, { receipt, sha256 });
  expect([outcomeOf(verdict), verdict.statement]).toEqual([
    'received',
    expect.objectContaining({ event: 'RECEIVED', documentId: id, owner: 'cif:9001', sha256 }),
  ]);
  expect((await jan.call('getSentReceipt', { params: { id } })).error?.code).toBe('DOCUMENT_NOT_FOUND_ERROR');
});

test('a published document without an entry has no receipt, and its check says so', async () => {
  const { id } = await publish();
  await changePastTriggers(portal, sql`update ledger_entry set document_id = null where document_id = ${id}::uuid`);
  const { status, error } = await anna.call('getReceipt', { params: { id } });
  expect([status, error?.code]).toEqual([404, 'NOT_FOUND_BC']);
  const checked = await anna.call('checkDocument', { params: { id } });
  expect([checked.status, checked.error?.code]).toEqual([404, 'NOT_FOUND_BC']);
});

test('the cosignatures of witnesses are in the checkpoint and in receipts, and a check counts them', async () => {
  const { id } = await publish();
  const { size, isWatched } = (await portal.anonymous.call('getLedger', {})).body;
  expect(isWatched).toBe(false);
  const line = `— auditor.example/w1 ${Buffer.alloc(76, 7).toString('base64')}\n`;
  await sql`insert into ledger_cosignature (size, witness, line, at) values (${size}, 'auditor.example/w1', ${line}, now())`.execute(
    portal.db,
  );
  const { checkpoint } = (await portal.anonymous.call('getLedger', {})).body;
  expect(parseCheckpoint(checkpoint).note.signatures.map(({ name }) => name)).toEqual([expect.any(String), 'auditor.example/w1']);
  expect((await getLog('/log/checkpoint')).body).toBe(checkpoint);
  expect((await anna.call('getReceipt', { params: { id } })).bytes.toString()).toContain(checkpoint);
  expect((await anna.call('checkDocument', { params: { id } })).body.ledger).toEqual({ index: size - 1, size, cosignedBy: 1 });
});

test('between any earlier tree and the latest one there is a proof that it only grew', async () => {
  const earlier = parseCheckpoint((await portal.anonymous.call('getLedger', {})).body.checkpoint);
  await publish();
  const { size, checkpoint, proof } = (await portal.anonymous.call('getConsistency', { query: { from: String(earlier.size) } })).body;
  const { root } = parseCheckpoint(checkpoint);
  const given = { oldSize: earlier.size, oldRoot: earlier.root, size, root, proof: proof.map((hash) => Buffer.from(hash, 'base64')) };
  expect(verifyConsistency(given)).toBe(true);
  expect(verifyConsistency({ ...given, oldRoot: root })).toBe(false);
  for (const from of [String(size + 1), '-1', '1e3', 'x', '01', '00']) {
    const { status, error } = await portal.anonymous.call('getConsistency', { query: { from } });
    expect([from, status, error?.code]).toEqual([from, 400, 'VALIDATION_ERROR']);
  }
});

test('checkpoint and tiles are served raw: the one is asked for anew, the others are kept for ever', async () => {
  const { size, checkpoint } = (await portal.anonymous.call('getLedger', {})).body;
  const served = await getLog('/log/checkpoint');
  expect([served.statusCode, served.headers['cache-control'], served.body]).toEqual([200, 'no-cache', checkpoint]);
  const tile = await getLog(`/log/tile/0/000.p/${size}`);
  expect([tile.statusCode, tile.headers['content-type'], tile.rawPayload.length]).toEqual([200, 'application/octet-stream', size * 32]);
  expect(tile.headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

test.each([
  '/log/',
  '/log/tile',
  '/log/tile/0/000',
  '/log/tile/0/001',
  '/log/tile/0/000.p/0',
  '/log/tile/0/000.p/256',
  '/log/tile/0/0',
  '/log/tile/00/000',
  '/log/tile/64/000',
  '/log/tile/0/%30%30%30.p/1',
  '/log/tile/0/x000/000',
  '/log/tile/entries/../../ledger.key',
  '/log/..%2fledger.key',
  '/log/%2e%2e/ledger.key',
  '/log//checkpoint',
  '/log/checkpoint/',
  '/log/checkpoint?x',
  '/log/Checkpoint',
  '/log/spool',
])('%s is no name of the log', async (path) => {
  const answer = await getLog(path);
  expect([path, answer.statusCode]).toEqual([path, 404]);
});

test('an installation may keep its log to itself', async () => {
  await using closed = await startTestPortal({ environment: { LEDGER_PUBLIC: 'off' } });
  await closed.publish({ type: 'PUBLIC', pdf: aPdf() });
  for (const path of ['/log/checkpoint', '/log/tile/0/000.p/1']) expect((await getLog(path, closed)).statusCode).toBe(404);
  expect((await closed.anonymous.call('getLedger', {})).body).toMatchObject({ size: 1, isHalted: false });
});
