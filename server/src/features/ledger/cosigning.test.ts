import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrivateKey } from 'node:crypto';
import { judge, parseCheckpoint, parsePolicy, parseReceipt, parseVerifierKey, signCheckpoint, verifyConsistency } from '@pergamin/ledger';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { startWitnessPeer, type WitnessPeer } from '#testing/witness-peer.ts';
import { ledgerKeyOf } from './ledger-key.ts';

let folder: string;
let peer: WitnessPeer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-witness-'));
  peer = await startWitnessPeer('w1');
});
afterEach(async () => {
  await peer[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const watched = async (settings: Record<string, string> = {}): Promise<TestPortal> => {
  const policy = join(folder, 'policy');
  await writeFile(policy, `${peer.line}\nquorum w1\n`);
  const portal = await startTestPortal({ environment: { LEDGER_POLICY_FILE: policy, ...settings } });
  await portal.addClient('1001', { cif: '7001' });
  return portal;
};

const publish = (portal: TestPortal, cif = '7001') => portal.publish({ cif, pdf: aPdf() });

/** The key with which the portal signs; there after the first round. */
const watchLog = async (portal: TestPortal): Promise<void> => {
  const { verifier_key: key } = await portal.db.selectFrom('ledger_log').select('verifier_key').executeTakeFirstOrThrow();
  peer.watch(parseVerifierKey(key));
};

/** A witness that was asked before it watched is asked again after a while. */
const afterRefusal = async (portal: TestPortal): Promise<void> => {
  await portal.runJob('ledger:round');
  portal.clock.advance(30_000);
};

const cosigned = async (portal: TestPortal): Promise<number[]> => {
  const rows = await portal.db.selectFrom('ledger_cosignature').select('size').orderBy('size').execute();
  return rows.map(({ size }) => size);
};

const tree = (portal: TestPortal) => portal.db.selectFrom('ledger_tree').selectAll().orderBy('size', 'desc').executeTakeFirstOrThrow();

describe('a witness that watches', () => {
  test('cosigns the newest checkpoint after it was published, and the next one that continues it', async () => {
    await using portal = await watched();
    expect((await publish(portal)).status).toBe(200);
    await watchLog(portal);
    await afterRefusal(portal);
    await portal.runJob('ledger:round');
    await publish(portal);
    await portal.runJob('ledger:round');
    expect(await cosigned(portal)).toContain((await tree(portal)).size);
  });

  test('costs a publication nothing when it is down, and is asked again later', async () => {
    await using portal = await watched();
    peer.answerWith((response) => response.writeHead(503).end());
    expect((await publish(portal)).status).toBe(200);
    await portal.runJob('ledger:round');
    expect(await cosigned(portal)).toEqual([]);
    const asked = peer.asked();
    await publish(portal);
    await portal.runJob('ledger:round');
    expect(peer.asked()).toBe(asked);
    portal.clock.advance(30_000);
    await portal.runJob('ledger:round');
    expect(peer.asked()).toBe(asked + 1);
  });

  test('that shows another history with the log’s own signature halts the log', async () => {
    await using portal = await watched();
    await publish(portal);
    await afterRefusal(portal);
    await watchLog(portal);
    const key = ledgerKeyOf(createPrivateKey(await readFile(portal.settings.ledgerKeyFile)), `${portal.settings.publicUrl.host}/log`);
    const other = signCheckpoint({ origin: key.key.name, size: 900, root: Buffer.alloc(32, 7) }, key.key, key.sign);
    peer.last.set(key.key.name, parseCheckpoint(other));
    await portal.runJob('ledger:round');
    expect((await publish(portal)).error?.code).toBe('BC_ERROR');
    expect(await cosigned(portal)).toEqual([]);
  });

  test('that only claims a larger tree halts nothing', async () => {
    await using portal = await watched();
    peer.answerWith((response) => response.writeHead(409).end('900\n'));
    await publish(portal);
    await portal.runJob('ledger:round');
    expect((await publish(portal)).status).toBe(200);
  });
});

test('P3: everyone is shown the same history: receipts of two clients carry the quorum’s cosignature, over trees of which one continues the other', async () => {
  await using portal = await watched();
  const [anna, jan] = [await portal.signIn('1001', { cif: '7001' }), await portal.signIn('1002', { cif: '7002' })];
  const first = (await publish(portal)).body.id;
  await watchLog(portal);
  await afterRefusal(portal);
  await portal.runJob('ledger:round');
  const seen = parseReceipt(Uint8Array.from((await anna.call('getReceipt', { params: { id: first } })).bytes)).checkpoint;
  const second = (await publish(portal, '7002')).body.id;
  await portal.runJob('ledger:round');
  const later = parseReceipt(Uint8Array.from((await jan.call('getReceipt', { params: { id: second } })).bytes)).checkpoint;
  const policy = parsePolicy((await portal.anonymous.call('getLedger', {})).body.policy);
  expect([seen, later].map((checkpoint) => judge(policy, checkpoint))).toMatchObject([
    { isSigned: true, hasQuorum: true },
    { isSigned: true, hasQuorum: true },
  ]);
  const { proof, checkpoint } = (await portal.anonymous.call('getConsistency', { query: { from: String(seen.size) } })).body;
  const { size, root } = parseCheckpoint(checkpoint);
  expect(size).toBe(later.size);
  const hashes = proof.map((hash) => Uint8Array.from(Buffer.from(hash, 'base64')));
  expect(verifyConsistency({ oldSize: seen.size, oldRoot: seen.root, size, root, proof: hashes })).toBe(true);
  expect((await jan.call('getReceipt', { params: { id: first } })).error?.code).toBe('DOCUMENT_NOT_FOUND_ERROR');
});

describe('a portal that waits for its quorum', () => {
  test('shows a document only when the witness has cosigned the checkpoint that covers it', async () => {
    await using portal = await watched({ LEDGER_QUORUM: 'wait' });
    peer.answerWith((response) => response.writeHead(503).end());
    expect((await publish(portal)).error?.code).toBe('BC_ERROR');
    const client = await portal.signIn('1001', { cif: '7001' });
    const list = async () => (await client.call('listOwnDocuments', { body: {} })).body.total;
    expect(await list()).toBe(0);
    await watchLog(portal);
    peer.answerWith(undefined);
    await portal.runJob('ledger:round');
    expect(await list()).toBe(1);
    expect(await cosigned(portal)).toContain((await tree(portal)).size);
  });
});

test.each([
  ['quorum w9\n', 'line 1 of the policy: the quorum is not defined before'],
  ['', 'a policy has no quorum'],
])('a portal does not start with a policy of %j', async (text, reason) => {
  const policy = join(folder, 'policy');
  await writeFile(policy, text);
  await expect(startTestPortal({ environment: { LEDGER_POLICY_FILE: policy } })).rejects.toThrow(`LEDGER_POLICY_FILE: ${reason}`);
});
