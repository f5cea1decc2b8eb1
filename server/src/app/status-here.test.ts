import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseVerifierKey } from '@pergamin/ledger';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changePastTriggers } from '#testing/ledger-damage.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { startWitnessPeer, type WitnessPeer } from '#testing/witness-peer.ts';
import { readStatusHere, type StatusPart } from './status-here.ts';

/** What `pergamin status` and the metrics say of the ledger and its witnesses. */

let folder: string;
let peer: WitnessPeer;
let portal: TestPortal;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pergamin-status-'));
  peer = await startWitnessPeer('w1');
  const policy = join(folder, 'policy');
  await writeFile(policy, `${peer.line}\nquorum w1\n`);
  portal = await startTestPortal({ environment: { LEDGER_POLICY_FILE: policy, NOTICES: 'never' } });
  await portal.addClient('1001', { cif: '7001' });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const publish = (text: string) => portal.publish({ cif: '7001', pdf: aPdf({ text }) });

const find = async (name: string): Promise<StatusPart | undefined> => {
  const environment = { DATABASE_URL: portal.databaseUrl, DATA_DIR: portal.settings.dataDir, LEDGER_POLICY_FILE: join(folder, 'policy') };
  return (await readStatusHere(environment)).find((part) => part.name === name);
};

const ageInMetrics = async (): Promise<number> =>
  Number(/^pergamin_ledger_witness_age_seconds\{witness="w1"\} (\S+)$/m.exec(await portal.metrics.registry.metrics())?.[1]);

/** Everything of the ledger was published two hours ago. */
const age = (): Promise<void> => changePastTriggers(portal, sql`update ledger_checkpoint set at = at - interval '2 hours'`);

test('before anything is published, the ledger is fine, and its witness has nothing to cosign', async () => {
  expect(await find('ledger')).toMatchObject({ state: 'FINE', words: ['no checkpoint was published yet; nothing waits'] });
  expect(await find('witnesses')).toMatchObject({ state: 'FINE', words: ['w1 has cosigned nothing yet; nothing newer is published'] });
  expect(await ageInMetrics()).toBe(0);
});

test('a witness that does not cosign is behind since the first checkpoint that it lacks, which needs somebody after an hour', async () => {
  peer.answerWith((response) => void response.writeHead(503).end());
  await publish('one');
  await portal.runJob('ledger:round');
  expect(await find('witnesses')).toMatchObject({
    state: 'FINE',
    words: [expect.stringMatching(/^w1 has cosigned nothing yet; behind for /)],
  });
  await age();
  await publish('two');
  expect(await find('witnesses')).toMatchObject({ state: 'LOOK', words: [expect.stringMatching(/; behind for 2 hours$/)] });
  expect(await ageInMetrics()).toBeGreaterThan(7_000);
});

test('a witness that has cosigned the newest checkpoint is not behind, however old that is', async () => {
  const { verifier_key: key } = await portal.db.selectFrom('ledger_log').select('verifier_key').executeTakeFirstOrThrow();
  peer.watch(parseVerifierKey(key));
  peer.answerWith(undefined);
  portal.clock.advance(30_000);
  await portal.runJob('ledger:round');
  await age();
  expect(await find('witnesses')).toMatchObject({
    state: 'FINE',
    words: [expect.stringMatching(/^w1 cosigned 2 entries, \d+ seconds ago; nothing newer is published$/)],
  });
  expect(await ageInMetrics()).toBe(0);
});

test('what has waited for the ledger for more than five minutes needs somebody', async () => {
  await portal.owner.pool.query(`insert into ledger_pending (document_id, event, sha256, size, owner, type, state, metadata, entered_at)
    values (gen_random_uuid(), 'RECEIVED', repeat('a', 64), 1, 'cif:1', 'PRIVATE', 'ACTIVE', repeat('b', 64), now() - interval '6 minutes')`);
  expect(await find('ledger')).toMatchObject({
    state: 'LOOK',
    words: [expect.stringMatching(/^2 entries, the last checkpoint 2 hours ago; 1 wait to be entered, the oldest for 6 minutes$/)],
  });
  await portal.runJob('ledger:round');
  expect(await find('ledger')).toMatchObject({ state: 'FINE' });
});

test('a scrub that found damage, and one that is missing for three days, need somebody', async () => {
  expect(await find('scrub')).toMatchObject({ state: 'FINE', words: ['none has ended yet'] });
  const round = { read: 7, damaged: 1, unreadable: 0, disputed: 0, is_ledger_sound: true };
  await portal.db
    .insertInto('scrub_round')
    .values({ ended_at: new Date(Date.now() - 4 * 86_400_000), ...round, damaged: 0 })
    .execute();
  expect(await find('scrub')).toMatchObject({
    state: 'LOOK',
    words: [expect.stringMatching(/^ended 4 days ago: 7 documents read, 0 damaged/)],
  });
  await portal.db
    .insertInto('scrub_round')
    .values({ ended_at: new Date(), ...round })
    .execute();
  expect(await find('scrub')).toMatchObject({ state: 'LOOK', words: [expect.stringContaining('1 damaged')] });
});
