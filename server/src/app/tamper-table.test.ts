import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judge, parseCheckpoint, parsePolicy, parseVerifierKey, verifyConsistency, verifyReceipt } from '@pergamin/ledger';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedgerOf, compareKept } from '#features/ledger/ledger.door.ts';
import { silentLog } from '#platform/log/log.ts';
import { openStore } from '#platform/objects/open-store.ts';
import { aPdf } from '#testing/pdfs.ts';
import { isNightly } from '#testing/nightly.ts';
import { forgeCheckpoint, type Tampering, tamperings } from '#testing/tampering.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import { startWitnessPeer, type WitnessPeer } from '#testing/witness-peer.ts';

/** What somebody with the machine can change, and who notices it: the table of docs/durable-medium.md is what happens, and no row is without a witness. */

const observers = ['check', 'receipt holder', 'audit', 'scrub', 'witness', 'kept checkpoint', 'browser', 'next publication'] as const;
type Observer = (typeof observers)[number];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-tampering-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Scene {
  readonly portal: TestPortal;
  readonly client: TestClient;
  readonly peer: WitnessPeer;
  readonly id: string;
  readonly other: string;
  /** What was kept before: the receipt with the keys of the contract, and the checkpoint of a mail. */
  readonly kept: { readonly sha256: string; readonly receipt: Uint8Array; readonly policy: string; readonly checkpoint: string };
}

const watchedPortal = async (peer: WitnessPeer): Promise<TestPortal> => {
  const policy = join(folder, randomUUID());
  await writeFile(policy, `${peer.line}\nquorum none\n`);
  return startTestPortal({
    environment: { LEDGER_POLICY_FILE: policy, NOTICES: 'never', SCRUB_DAYS: '1', RETENTION_YEARS: 'private=5' },
  });
};

const setScene = async (peer: WitnessPeer, portal: TestPortal): Promise<Scene> => {
  const client = await portal.signIn('6101', { cif: '8101' });
  await portal.addClient('6102', { cif: '8102' });
  const publish = async (cif: string) => (await portal.publish({ cif, fileName: 'Umowa.pdf', pdf: aPdf({ text: randomUUID() }) })).body;
  await publish('8102');
  const { verifier_key: key } = await portal.db.selectFrom('ledger_log').select('verifier_key').executeTakeFirstOrThrow();
  peer.watch(parseVerifierKey(key));
  const { id, sha256 } = await publish('8101');
  const { id: other } = await publish('8102');
  portal.clock.advance(30_000);
  await portal.runJob('ledger:round');
  const receipt = (await client.call('getReceipt', { params: { id } })).bytes;
  const checkpoint = await readFile(join(portal.settings.ledgerDir, 'checkpoint'), 'utf8');
  expect(peer.last.get(parseCheckpoint(checkpoint).origin)?.size).toBe(3);
  return { portal, client, peer, id, other, kept: { sha256, receipt, policy: `log ${key}\nquorum none\n`, checkpoint } };
};

/** The customer asks for a check of the document that they have. */
const check = async ({ client, id }: Scene): Promise<boolean> => {
  const answer = await client.call('checkDocument', { params: { id } });
  if (answer.error !== undefined) return true;
  // A document that is gone from the lists is told as one that there is not: no customer is warned by that.
  return !['SHA_CIF_OK', 'DOCUMENT_NOT_EXIST'].includes(answer.body.status);
};

/** Has the file and its receipt, verifies them by the keys of the contract, and asks the portal whether it still holds. */
const askWithReceipt = async ({ portal, client, id, kept }: Scene): Promise<boolean> => {
  const verdict = verifyReceipt(kept.receipt, { sha256: kept.sha256, policy: parsePolicy(kept.policy) });
  // Nothing that is done to the portal makes it false.
  expect([verdict.isSigned, verdict.isIncluded, verdict.isSameFile]).toEqual([true, true, true]);
  const answer = await client.call('checkChecksum', { body: { sha256: kept.sha256 } });
  if (answer.error !== undefined || answer.body.status !== 'SHA_CIF_OK' || answer.body.document?.id !== id) return true;
  return (await readRegister(portal)).isOtherThan(kept.checkpoint, kept.policy);
};

/** As the pages of the portal compare the register with one that was seen before. */
const readRegister = async ({ anonymous }: TestPortal) => ({
  async isOtherThan(checkpoint: string, policy: string): Promise<boolean> {
    const before = parseCheckpoint(checkpoint);
    const now = await anonymous.call('getLedger', {});
    if (now.error !== undefined) return true;
    if (!policy.includes(now.body.verifierKey) || now.body.size < before.size) return true;
    const answer = await anonymous.call('getConsistency', { query: { from: String(before.size) } });
    if (answer.error !== undefined) return true;
    const { checkpoint: text, proof } = answer.body;
    const next = parseCheckpoint(text);
    const hashes = proof.map((hash) => Buffer.from(hash, 'base64'));
    return !verifyConsistency({ oldSize: before.size, oldRoot: before.root, size: next.size, root: next.root, proof: hashes });
  },
});

const audit = async ({ portal }: Scene): Promise<boolean> => {
  const { objects } = await openStore(portal.settings);
  const { problem, isRootRight, lost, missing } = await auditLedgerOf({
    db: portal.db,
    settings: portal.settings,
    log: silentLog(),
    objects,
  });
  return problem !== null || !isRootRight || lost.count > 0 || missing.count > 0;
};

const scrub = async ({ portal }: Scene): Promise<boolean> => {
  await portal.runJob('ledger:scrub');
  const { rows } = await sql<{ isWrong: boolean }>`
    select damaged + unreadable + disputed + missing + lost > 0 or not is_ledger_sound as "isWrong"
    from scrub_round order by ended_at desc limit 1`.execute(portal.db);
  return rows[0]?.isWrong ?? true;
};

/** The portal refuses to enter it. */
const publishMore = async ({ portal }: Scene): Promise<boolean> =>
  (await portal.publish({ cif: '8102', pdf: aPdf({ text: randomUUID() }) })).error?.code === 'BC_ERROR';

/** The portal asks for a cosignature of what it has published. Whoever compares both sees whether they are of one history, by the key of the contract. */
const cosign = async ({ portal, peer, kept }: Scene): Promise<boolean> => {
  portal.clock.advance(30_000);
  await portal.runJob('ledger:round').catch(() => undefined);
  const { origin } = parseCheckpoint(kept.checkpoint);
  const row = await portal.db.selectFrom('ledger_checkpoint').select('note').orderBy('size', 'desc').limit(1).executeTakeFirst();
  const published = row === undefined ? undefined : parseCheckpoint(row.note);
  const seen = peer.last.get(origin);
  if (published !== undefined && !judge(parsePolicy(kept.policy), published).isSigned) return true;
  return published?.size !== seen?.size || Buffer.compare(published?.root ?? Buffer.of(), seen?.root ?? Buffer.of()) !== 0;
};

const looks: Readonly<Record<Observer, (scene: Scene) => Promise<boolean>>> = {
  audit,
  check,
  'receipt holder': askWithReceipt,
  'kept checkpoint': async ({ portal, kept }) => (await compareKept(portal.db, kept.checkpoint)).verdict !== 'PART',
  browser: async ({ portal, kept }) => (await readRegister(portal)).isOtherThan(kept.checkpoint, kept.policy),
  scrub,
  // The last two: one publishes, the other cosigns it.
  'next publication': publishMore,
  witness: cosign,
};

/** The rows of the table: what was changed, and a mark for each observer. */
const documented = async (): Promise<ReadonlyMap<string, readonly Observer[]>> => {
  const text = await readFile(join(import.meta.dirname, '../../../docs/durable-medium.md'), 'utf8');
  const [, section = ''] = text.split('## Who notices what');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return new Map(
    rows.slice(1).map((line) => {
      const [name = '', ...marks] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [name, observers.filter((_, place) => marks[place] === 'yes')];
    }),
  );
};

const whoNotices = async (tampering: Tampering, isForked: boolean): Promise<readonly Observer[]> => {
  await using peer = await startWitnessPeer('w1');
  await using portal = await watchedPortal(peer);
  const scene = await setScene(peer, portal);
  await tampering(scene);
  // The second browser saw this one; nothing of it is on the machine.
  const shown = isForked ? { ...scene, kept: { ...scene.kept, checkpoint: await forgeCheckpoint(portal) } } : scene;
  const noticed = new Set<Observer>(isForked && (await isRefusedBy(peer, shown.kept.checkpoint)) ? ['witness'] : []);
  for (const [observer, look] of Object.entries(looks) as readonly (readonly [Observer, (on: Scene) => Promise<boolean>])[])
    if (await look(observer === 'receipt holder' ? scene : shown)) noticed.add(observer);
  return observers.filter((observer) => noticed.has(observer));
};

/** The witness is asked to cosign it beside the one that it knows. */
const isRefusedBy = async (peer: WitnessPeer, note: string): Promise<boolean> => {
  const before = peer.last.get(parseCheckpoint(note).origin);
  const response = await fetch(new URL('add-checkpoint', `${peer.witness.url}/`), {
    method: 'POST',
    body: `old ${before?.size ?? 0}\n\n${note}`,
  });
  return [409, 422].includes(response.status);
};

test('nobody notices anything while nothing was changed', async () => {
  expect(await whoNotices(async () => undefined, false)).toEqual([]);
});

/** By day one of each kind; each takes a portal of its own. */
const byDay: ReadonlySet<string> = new Set([
  'bytes',
  'date',
  'recipients',
  'never logged',
  'deleted with its rows',
  'log cut, the file removed',
  'key changed',
  'two histories to two browsers',
]);

test.for(tamperings.filter(([name]) => isNightly || byDay.has(name)))(
  '%s: the table of the documentation says who notices it',
  async ([name, tampering], { task }) => {
    const expected = (await documented()).get(name);
    const noticed = await whoNotices(tampering, name === 'two histories to two browsers');
    expect(noticed, task.name).not.toEqual([]);
    expect(noticed).toEqual(expected);
  },
);

test('the table has a row for each of these changes, and no other', async () => {
  expect([...(await documented()).keys()]).toEqual(tamperings.map(([name]) => name));
});
