import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createPrivateKey } from 'node:crypto';
import { judge, parseCheckpoint, parsePolicy, parseReceipt, parseVerifierKey, signCheckpoint, verifyConsistency } from '@pergamin/ledger';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { startWitnessPeer, type WitnessPeer } from '#testing/witness-peer.ts';
import { ledgerKeyOf } from './ledger-key.ts';

let folder: string;
let peer: WitnessPeer;
let portal: TestPortal;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-witness-'));
  peer = await startWitnessPeer('w1');
  portal = await watched();
});
beforeEach(() => {
  // A witness that failed in the test before is asked again.
  portal.clock.advance(30_000);
  peer.answerWith(undefined);
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const watched = async (settings: Record<string, string> = {}, { line } = peer): Promise<TestPortal> => {
  const policy = join(folder, 'policy');
  await writeFile(policy, `${line}\nquorum w1\n`);
  const opened = await startTestPortal({ environment: { LEDGER_POLICY_FILE: policy, ...settings } });
  await opened.addClient('1001', { cif: '7001' });
  return opened;
};

let papers = 0;
const publish = (cif = '7001', to = portal) => to.publish({ cif, pdf: aPdf({ text: `paper ${(papers += 1)}` }) });

/** The key with which the portal signs; there after the first round. */
const watchLog = async (by = peer, of = portal): Promise<void> => {
  const { verifier_key: key } = await of.db.selectFrom('ledger_log').select('verifier_key').executeTakeFirstOrThrow();
  by.watch(parseVerifierKey(key));
};

/** A witness that was asked before it watched is asked again after a while. */
const afterRefusal = async (): Promise<void> => {
  await portal.runJob('ledger:round');
  portal.clock.advance(30_000);
};

const isDown = (response: ServerResponse): void => void response.writeHead(503).end();

const cosigned = async (by = portal): Promise<number[]> => {
  const rows = await by.db.selectFrom('ledger_cosignature').select('size').orderBy('size').execute();
  return rows.map(({ size }) => size);
};

const tree = (of = portal) => of.db.selectFrom('ledger_tree').selectAll().orderBy('size', 'desc').executeTakeFirstOrThrow();

describe('a witness', () => {
  test('costs a publication nothing when it is down, and is asked again later', async () => {
    peer.answerWith(isDown);
    expect((await publish()).status).toBe(200);
    await portal.runJob('ledger:round');
    expect(await cosigned()).toEqual([]);
    const asked = peer.asked();
    await publish();
    await portal.runJob('ledger:round');
    expect(peer.asked()).toBe(asked);
    portal.clock.advance(30_000);
    await portal.runJob('ledger:round');
    expect(peer.asked()).toBe(asked + 1);
  });

  test('that only claims a larger tree halts nothing', async () => {
    const asked = peer.asked();
    peer.answerWith((response) => response.writeHead(409).end('900\n'));
    await publish();
    await portal.runJob('ledger:round');
    expect(peer.asked()).toBeGreaterThan(asked);
    expect((await publish()).status).toBe(200);
  });

  test('cosigns the newest checkpoint after it was published, and the next one that continues it', async () => {
    expect((await publish()).status).toBe(200);
    await watchLog();
    await afterRefusal();
    await portal.runJob('ledger:round');
    await publish();
    await portal.runJob('ledger:round');
    expect(await cosigned()).toContain((await tree()).size);
  });
});

test('P3: everyone is shown the same history: receipts of two clients carry the quorum’s cosignature, over trees of which one continues the other', async () => {
  const [anna, jan] = [await portal.signIn('1001', { cif: '7001' }), await portal.signIn('1002', { cif: '7002' })];
  const first = (await publish()).body.id;
  await portal.runJob('ledger:round');
  const seen = parseReceipt(Uint8Array.from((await anna.call('getReceipt', { params: { id: first } })).bytes)).checkpoint;
  const second = (await publish('7002')).body.id;
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

test('a witness that shows another history with the log’s own signature halts the log', async () => {
  const before = await cosigned();
  peer.answerWith(isDown);
  await publish();
  await afterRefusal();
  peer.answerWith(undefined);
  const key = ledgerKeyOf(createPrivateKey(await readFile(portal.settings.ledgerKeyFile)), `${portal.settings.publicUrl.host}/log`);
  const other = signCheckpoint({ origin: key.key.name, size: 900, root: Buffer.alloc(32, 7) }, key.key, key.sign);
  peer.last.set(key.key.name, parseCheckpoint(other));
  await portal.runJob('ledger:round');
  expect((await publish()).error?.code).toBe('BC_ERROR');
  expect(await cosigned()).toEqual(before);
});

test('a portal that waits for its quorum shows a document only when the witness has cosigned the checkpoint that covers it', async () => {
  // Its log has the name of the other one.
  await using own = await startWitnessPeer('w1');
  await using waiting = await watched({ LEDGER_QUORUM: 'wait' }, own);
  own.answerWith(isDown);
  expect((await publish('7001', waiting)).error?.code).toBe('BC_ERROR');
  const client = await waiting.signIn('1001', { cif: '7001' });
  const list = async () => (await client.call('listOwnDocuments', { body: {} })).body.total;
  expect(await list()).toBe(0);
  await watchLog(own, waiting);
  own.answerWith(undefined);
  await waiting.runJob('ledger:round');
  expect(await list()).toBe(1);
  expect(await cosigned(waiting)).toContain((await tree(waiting)).size);
});

test.each([
  ['quorum w9\n', 'line 1 of the policy: the quorum is not defined before'],
  ['', 'a policy has no quorum'],
])('a portal does not start with a policy of %j', async (text, reason) => {
  const policy = join(folder, 'policy');
  await writeFile(policy, text);
  await expect(startTestPortal({ environment: { LEDGER_POLICY_FILE: policy } })).rejects.toThrow(`LEDGER_POLICY_FILE: ${reason}`);
});
