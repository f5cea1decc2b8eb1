import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { chmod, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkLimits, type CheckStatus, openCallLimits } from '@pergamin/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { readAndAccept } from '#testing/reading.ts';
import { startTestPortal, type TestCaller, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** Documents found by the checksum of a file, by people with a session and without one (G5, G6, G7). */

let portal: TestPortal;
let anna: TestClient;
let jan: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('3001', { cif: '9001', groups: ['savers'] });
  jan = await portal.signIn('3002', { cif: '9002' });
});

afterAll(() => portal[Symbol.asyncDispose]());

// What was counted does not count any more.
beforeEach(() => portal.clock.advance(60_001));

const publish = async (description: Partial<Parameters<TestPortal['publish']>[0]> = {}): Promise<{ id: string; sha256: string }> =>
  (await portal.publish({ cif: '9001', pdf: aPdf({ text: randomUUID() }), ...description })).body;

const check = async (asker: TestCaller, sha256: string) => (await asker.call('checkChecksum', { body: { sha256 } })).body;

const pathOfObject = async (id: string): Promise<string> => {
  const { object_key: key } = await portal.db.selectFrom('document').select('object_key').where('id', '=', id).executeTakeFirstOrThrow();
  return join(portal.settings.dataDir, 'objects', key.slice(0, 2), key.slice(2, 4), key);
};

const spoil = async (id: string): Promise<void> => {
  const path = await pathOfObject(id);
  await chmod(path, 0o600);
  await writeFile(path, 'X', { flag: 'r+' });
};

const noDocument = {
  status: 'DOCUMENT_NOT_EXIST',
  checkedAt: null,
  compared: null,
  document: null,
  storedSha256: null,
  ledger: null,
  entry: null,
  differences: [],
  notCompared: [],
};

describe('a document of one’s own', () => {
  test('is found by its checksum, in small letters or capitals, and says which it is and what was compared', async () => {
    const { id, sha256 } = await publish({ fileName: 'Aneks nr 1.pdf' });
    const before = portal.clock.now().getTime();
    const { checkedAt, ...found } = await check(anna, sha256);
    expect(found).toMatchObject({
      status: 'SHA_CIF_OK',
      compared: { stored: true, owner: true },
      document: {
        id,
        state: 'ACTIVE',
        corrupted: false,
        metadata: { FILE_NAME: 'Aneks nr 1.pdf', CHECKSUM_SHA256: sha256, TYPE: 'PRIVATE' },
      },
    });
    expect(checkedAt).toBeGreaterThanOrEqual(before);
    expect(await check(anna, sha256.toUpperCase())).toMatchObject({ status: 'SHA_CIF_OK', document: { id } });
  });

  test('a document of a group is found by its members', async () => {
    const { id, sha256 } = await publish({ type: 'GROUP', groupId: 'savers', cif: undefined });
    expect(await check(anna, sha256)).toMatchObject({ status: 'SHA_CIF_OK', document: { id } });
    expect(await check(jan, sha256)).toEqual(noDocument);
  });

  test('a document that was sent to many clients alike is found by each of them', async () => {
    const pdf = aPdf({ text: 'the same letter to everybody' });
    const mine = await publish({ pdf });
    const theirs = await publish({ pdf, cif: '9002' });
    expect(await check(anna, mine.sha256)).toMatchObject({ document: { id: mine.id } });
    expect(await check(jan, mine.sha256)).toMatchObject({ document: { id: theirs.id } });
  });

  test('of a document that was published twice the newer one is found, unless only the older one is sound', async () => {
    const pdf = aPdf({ text: 'twice' });
    const older = await publish({ pdf });
    const newer = await publish({ pdf });
    expect(await check(anna, newer.sha256)).toMatchObject({ status: 'SHA_CIF_OK', document: { id: newer.id } });
    await spoil(newer.id);
    expect(await check(anna, newer.sha256)).toMatchObject({ status: 'SHA_CIF_OK', document: { id: older.id } });
    await spoil(older.id);
    expect(await check(anna, newer.sha256)).toMatchObject({ status: 'SHA_NOT_EQUAL', document: { id: newer.id } });
  });

  test.each(['DELETED', 'FORGOTTEN'] as const)('is gone when it is %s', async (state) => {
    const { id, sha256 } = await publish();
    await portal.db.updateTable('document').set({ state }).where('id', '=', id).execute();
    expect(await check(anna, sha256)).toEqual(noDocument);
  });

  test.each(['CANCELLED', 'OBSOLETE'] as const)('a document that is %s is still what was published, and says so', async (state) => {
    const { id, sha256 } = await publish();
    if (state === 'OBSOLETE') await publish({ replaces: id });
    else await portal.publisher.call('changeDocumentState', { params: { id }, body: { state, reason: 'A wrong amount' } });
    await portal.runJob('ledger:round');
    expect(await check(anna, sha256)).toMatchObject({ status: 'SHA_CIF_OK', document: { id, state } });
  });

  test('is not spoken of before the terms are accepted', async () => {
    const { sha256 } = await publish();
    const { body } = await portal.publishStatute({ version: randomUUID(), pdf: aPdf() });
    const answer = await anna.call('checkChecksum', { body: { sha256 } });
    expect([answer.status, answer.error?.code]).toEqual([403, 'CALL_NOT_PERMITTED']);
    await readAndAccept(anna, body.id);
    await readAndAccept(jan, body.id);
    expect(await check(anna, sha256)).toMatchObject({ status: 'SHA_CIF_OK' });
  });
});

describe('every status, provoked by what is really stored (G5)', () => {
  const alter = (id: string, values: { cif?: string; sha256?: string; object_key?: string }) =>
    portal.db.updateTable('document').set(values).where('id', '=', id).execute();
  const harms: { status: CheckStatus; because: string; compared: object | null; harm: (id: string) => Promise<unknown> }[] = [
    { status: 'SHA_CIF_OK', because: 'nothing happened', compared: { stored: true, owner: true }, harm: async () => undefined },
    { status: 'SHA_NOT_EQUAL', because: 'a byte was changed', compared: { stored: false, owner: true }, harm: spoil },
    {
      status: 'SHA_NOT_EQUAL',
      because: 'the row says another checksum',
      compared: { stored: false, owner: true },
      harm: (id) => alter(id, { sha256: '0'.repeat(64) }),
    },
    {
      status: 'CIF_NOT_EQUAL',
      because: 'the row says another owner',
      compared: { stored: true, owner: false },
      harm: (id) => alter(id, { cif: '7777' }),
    },
    {
      status: 'SHA_CIF_NOK',
      because: 'byte and owner were changed',
      compared: { stored: false, owner: false },
      harm: async (id) => {
        await spoil(id);
        await alter(id, { cif: '7777' });
      },
    },
    {
      status: 'SHA_CIF_NOK',
      because: 'the bytes are gone',
      compared: { stored: null, owner: true },
      harm: async (id) => unlink(await pathOfObject(id)),
    },
    {
      status: 'DOCUMENT_NOT_EXIST',
      because: 'it was deleted',
      compared: null,
      harm: (id) => portal.db.updateTable('document').set({ state: 'DELETED' }).where('id', '=', id).execute(),
    },
  ];

  test.each(harms)('$status when $because, by file and by id alike', async ({ status, compared, harm }) => {
    const { id, sha256 } = await publish();
    await harm(id);
    const found = await check(anna, sha256);
    expect(found).toMatchObject({ status, compared });
    expect((await anna.call('checkDocument', { params: { id }, query: {} })).body.status).toBe(status);
    // A document that is registered to another owner is not described.
    expect(found.document?.id).toBe(status === 'DOCUMENT_NOT_EXIST' || (compared as { owner?: boolean }).owner === false ? undefined : id);
  });

  test('the checksum of what is stored instead is told only to those who may have the document', async () => {
    const { id, sha256 } = await publish();
    expect(await check(anna, sha256)).toMatchObject({ storedSha256: null });
    await spoil(id);
    const stored = createHash('sha256')
      .update(await readFile(await pathOfObject(id)))
      .digest('hex');
    expect(stored).not.toBe(sha256);
    expect(await check(anna, sha256)).toMatchObject({ status: 'SHA_NOT_EQUAL', storedSha256: stored });
    expect(await check(jan, sha256)).toEqual(noDocument);
    await alter(id, { cif: '7777' });
    expect(await check(anna, sha256)).toMatchObject({ status: 'SHA_CIF_NOK', document: null, storedSha256: null });
  });

  test('SHA_CIF_NOK when the register has lost it', async () => {
    const { id, sha256 } = await publish();
    // As if the trigger had been circumvented.
    await portal.owner.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await trx.deleteFrom('publication').where('document_id', '=', id).execute();
    });
    expect(await check(anna, sha256)).toMatchObject({ status: 'SHA_CIF_NOK', compared: { stored: null, owner: null } });
  });

  test('the verdict on a public document depends on the hash alone, and its damage is told to everybody', async () => {
    const { id, sha256 } = await publish({ type: 'PUBLIC', cif: undefined });
    expect(await check(portal.anonymous, sha256)).toMatchObject({ status: 'SHA_CIF_OK', document: { id, read: null } });
    await spoil(id);
    expect(await check(portal.anonymous, sha256)).toMatchObject({
      status: 'SHA_NOT_EQUAL',
      compared: { stored: false, owner: true },
      document: { id, corrupted: true },
    });
  });
});

describe('what is neither one’s own nor public does not exist', () => {
  const ask = async (sha256: string, asker?: TestClient) => {
    const answer = await portal.server.inject({
      method: 'POST',
      url: '/api/open/documents/check/hash',
      headers: { host: 'localhost:8080', ...(asker === undefined ? {} : { authorization: asker.token, cookie: asker.cookie }) },
      payload: { sha256 },
    });
    return { status: answer.statusCode, body: answer.rawPayload.toString('hex'), names: Object.keys(answer.headers).toSorted() };
  };
  const random = () => randomBytes(32).toString('hex');

  test('a foreign checksum is answered with the very bytes of the answer for an unknown one', async () => {
    const { id, sha256 } = await publish();
    const foreign = await ask(sha256, jan);
    expect(JSON.parse(Buffer.from(foreign.body, 'hex').toString())).toEqual(noDocument);
    expect(foreign).toEqual(await ask(random(), jan));
    expect(await ask(sha256)).toEqual(await ask(random()));
    expect(await portal.db.selectFrom('document_check').selectAll().where('document_id', '=', id).execute()).toEqual([]);
  });

  test('a foreign checksum is answered in the same time as an unknown one, though thousands of others have it', async () => {
    const { id, sha256 } = await publish();
    await sql`insert into delivery (principal, document_id, kind, published_at, listed_on, content_key)
      select 'cif:other-' || n, ${id}::uuid, 'private', now(), now()::date, content_key(${sha256}::text) from generate_series(1, 5000) as n`.execute(
      portal.db,
    );
    const timeMs = async (asked: string): Promise<number> => {
      const begun = performance.now();
      await ask(asked, jan);
      return performance.now() - begun;
    };
    // Other load on the machine makes some of them slow: what is quick tells of the work itself.
    const quick = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
    const times = { foreign: [] as number[], random: [] as number[] };
    for (let round = 0; round < 40; round += 1) {
      portal.clock.advance(5_000);
      // The first call after a while refreshes what is kept for some seconds: each of them is first in turn.
      const both = [async () => times.foreign.push(await timeMs(sha256)), async () => times.random.push(await timeMs(random()))];
      for (const one of round % 2 === 0 ? both : both.toReversed()) await one();
    }
    const ratio = quick(times.foreign) / quick(times.random);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.6);
  });

  test('a cookie alone is an anonymous caller, and a token alone ends the session', async () => {
    const lone = await portal.signIn('3009', { cif: '9009' });
    const { sha256 } = await publish({ cif: '9009' });
    const send = (headers: Record<string, string>) =>
      portal.server.inject({
        method: 'POST',
        url: '/api/open/documents/check/hash',
        headers: { host: 'localhost:8080', ...headers },
        payload: { sha256 },
      });
    expect((await send({ cookie: lone.cookie })).json()).toEqual(noDocument);
    const refused = await send({ authorization: lone.token });
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([401, 'ACCESS_DENIED']);
    expect((await lone.call('getSelf', {})).status).toBe(401);
  });

  test('a call of another site in a client’s name is refused', async () => {
    const answer = await anna.call('checkChecksum', { body: { sha256: random() } }, { origin: 'https://evil.example' });
    expect([answer.status, answer.error?.code]).toEqual([403, 'CALL_NOT_PERMITTED']);
  });
});

describe('101: what is not a checksum', () => {
  test.each(['', 'abc', 'g'.repeat(64), '0'.repeat(63), '0'.repeat(65), ` ${'0'.repeat(64)}`, '０'.repeat(64), "' or 1=1 --"])(
    '%j is INVALID_SHA256',
    async (sha256) => {
      const answer = await portal.anonymous.call('checkChecksum', { body: { sha256 } });
      expect([answer.status, answer.error?.code]).toEqual([400, 'INVALID_SHA256']);
    },
  );
});

describe('who asks too often', () => {
  test.each([
    ['107: without a session waits after ten in a minute', () => portal.anonymous, openCallLimits.checksPerMinute],
    ['with a session waits after thirty', () => jan, checkLimits.perMinute],
  ] as const)('%s', async (_, asker, limit) => {
    const ask = () => asker().call('checkChecksum', { body: { sha256: randomBytes(32).toString('hex') } });
    const answers = await Promise.all(Array.from({ length: limit + 3 }, ask));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.error?.code).toBe('CALL_NOT_PERMITTED');
    const seconds = Number(refused?.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    portal.clock.advance(seconds * 1_000);
    expect((await ask()).status).toBe(200);
  });

  test('is counted together, by checksum and by id', async () => {
    for (let made = 0; made < openCallLimits.checksPerMinute; made += 1)
      await portal.anonymous.call('checkPublicDocument', { params: { id: randomUUID() } });
    expect((await portal.anonymous.call('checkChecksum', { body: { sha256: '0'.repeat(64) } })).status).toBe(429);
  });
});
