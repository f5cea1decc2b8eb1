import { randomUUID } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRemoval } from '#features/documents/life/removal.ts';
import { silentLog } from '#platform/log/log.ts';
import type { ObjectLock } from '#platform/objects/objects.ts';
import { aPdf } from '#testing/pdfs.ts';
import { listStoredPages } from '#testing/stored-pages.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** The worker removes the bytes of documents that were deleted or forgotten, and no others (T4). */

let portal: TestPortal;
let anna: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('4201', { cif: '9401' });
});

afterAll(() => portal[Symbol.asyncDispose]());

const publish = async (more: object = {}): Promise<string> =>
  (await portal.publish({ cif: '9401', pdf: aPdf({ text: randomUUID() }), ...more })).body.id;
const remove = async (id: string, more: { beforeRetention?: boolean } = {}): Promise<void> => {
  const answer = await portal.publisher.call('changeDocumentState', {
    params: { id },
    body: { state: 'DELETED', reason: 'a test', ...more },
  });
  expect(answer.body.state).toBe('DELETED');
};
const forget = (id: string, more: { beforeRetention?: boolean } = {}) =>
  portal.publisher.call('forgetDocument', { params: { id }, body: { reason: 'a test', ...more } });
const hold = (id: string, held: boolean) => portal.publisher.call('holdDocument', { params: { id }, body: { held, reason: 'C 1/26' } });
const lifeOf = async (id: string) => (await portal.publisher.call('getDocumentLife', { params: { id } })).body;
const runRound = () => portal.runJob('documents:remove');

const pathOf = async (id: string): Promise<string> => {
  const { object_key: key } = await portal.db.selectFrom('document').select('object_key').where('id', '=', id).executeTakeFirstOrThrow();
  return join(portal.settings.dataDir, 'objects', key.slice(0, 2), key.slice(2, 4), key);
};
const isStored = async (id: string): Promise<boolean> =>
  access(await pathOf(id)).then(
    () => true,
    () => false,
  );

describe('a round of removal', () => {
  test('leaves documents alone that clients still have, whatever their retention', async () => {
    const ids = [await publish(), await publish({ metadata: { RETENTION_DATE: '2020-01-01' } })];
    const former = await publish();
    const next = await publish({ replaces: former });
    await portal.publisher.call('changeDocumentState', { params: { id: ids[0] ?? '' }, body: { state: 'CANCELLED', reason: 'a test' } });
    await runRound();
    for (const id of [...ids, former, next]) {
      expect((await anna.call('downloadDocument', { params: { id } })).status).toBe(200);
      expect((await lifeOf(id)).document.removedAt).toBeNull();
    }
  });

  test('takes the bytes, page images, page texts and words of a deleted document, and says so in its history', async () => {
    const { id, sha256 } = (await portal.publish({ cif: '9401', pdf: aPdf({ text: 'Kredyt hipoteczny' }) })).body;
    await anna.call('checkDocument', { params: { id }, query: {} });
    expect((await anna.call('getPageImage', { params: { id, page: '1' }, query: {} })).status).toBe(200);
    await portal.runJob('document-search:read');
    const found = async () => (await anna.call('searchOwnDocuments', { body: { text: 'hipoteczny' } })).body.total;
    expect([await found(), await isStored(id), (await listStoredPages(portal, sha256)).length > 0]).toEqual([1, true, true]);

    await remove(id);
    expect(await isStored(id)).toBe(true);
    await runRound();

    expect([await found(), await isStored(id), await listStoredPages(portal, sha256)]).toEqual([0, false, []]);
    const { rows } = await sql<{ of: string }>`
      select 'text' as of from document_page_text where document_id = ${id}::uuid
      union all select 'words' from document_words where document_id = ${id}::uuid
      union all select 'check' from document_check where document_id = ${id}::uuid`.execute(portal.db);
    expect(rows).toEqual([]);
    const { document, items } = await lifeOf(id);
    expect(document).toMatchObject({ state: 'DELETED', removedAt: expect.any(Number) });
    expect(items.at(-1)).toMatchObject({ event: 'REMOVED', keyId: null, keyName: null, reason: null });
    await runRound();
    expect((await lifeOf(id)).items).toEqual(items);
  });

  test('leaves another document of the same content its bytes and its page images', async () => {
    const pdf = aPdf({ text: 'the same for two' });
    const [gone, { id: kept, sha256 }] = [await publish({ pdf }), (await portal.publish({ cif: '9401', pdf })).body];
    await anna.call('getPageImage', { params: { id: kept, page: '1' }, query: {} });
    const pages = await listStoredPages(portal, sha256);
    await remove(gone);
    await runRound();
    expect([await isStored(gone), await isStored(kept)]).toEqual([false, true]);
    expect(await listStoredPages(portal, sha256)).toEqual(pages);
    expect((await anna.call('checkDocument', { params: { id: kept }, query: {} })).body.status).toBe('SHA_CIF_OK');
    await remove(kept);
    await runRound();
    expect(await listStoredPages(portal, sha256)).toEqual([]);
  });

  test('waits for the end of the retention of what was deleted early, and not of what was forgotten early', async () => {
    const metadata = { RETENTION_DATE: '2099-12-31' };
    const [deleted, forgotten] = [await publish({ metadata }), await publish({ metadata })];
    for (const id of [deleted, forgotten]) await remove(id, { beforeRetention: true });
    expect((await forget(forgotten, { beforeRetention: true })).body.state).toBe('FORGOTTEN');
    await runRound();
    expect([await isStored(deleted), await isStored(forgotten)]).toEqual([true, false]);
  });

  test('takes nothing that is held; the hold of a deleted document is released and it goes', async () => {
    const id = await publish();
    await remove(id);
    expect((await hold(id, true)).body.legalHold).toBe(true);
    expect((await forget(id)).error?.code).toBe('DOCUMENT_REMOVE_ERROR');
    await runRound();
    expect(await isStored(id)).toBe(true);
    await hold(id, false);
    await runRound();
    expect(await isStored(id)).toBe(false);
  });

  test('after it a document can be neither held nor retained, and still be forgotten', async () => {
    const id = await publish();
    await remove(id);
    await runRound();
    const retained = await portal.publisher.call('retainDocument', { params: { id }, body: { until: -1 } });
    const refusals = [await hold(id, true), retained].map(({ status, error }) => [status, error?.code, error?.fields]);
    const removed = [409, 'INVALID_STATUS', { removedAt: 'its bytes are removed' }];
    expect(refusals).toEqual([removed, removed]);
    expect((await forget(id)).body.state).toBe('FORGOTTEN');
  });

  test('takes what the nightly sweep had set aside, too', async () => {
    const id = await publish();
    const path = await pathOf(id);
    const aside = join(portal.settings.dataDir, 'objects', 'set-aside');
    await mkdir(aside, { recursive: true });
    await rename(path, join(aside, path.slice(-36)));
    await remove(id);
    await runRound();
    expect(await readdir(aside)).toEqual([]);
  });
});

describe('a round of removal that is broken off', () => {
  test('is finished by the next one, which finds the bytes gone', async () => {
    const id = await publish();
    await remove(id);
    // As a kill between the removal and its row leaves it.
    await portal.db.updateTable('document').set({ removal_began_at: portal.clock.now() }).where('id', '=', id).execute();
    await rm(await pathOf(id), { force: true });
    await runRound();
    expect((await lifeOf(id)).document.removedAt).toEqual(expect.any(Number));
  });

  test('by a store that refuses one document takes the others, and tries that one again', async () => {
    const [stuck, other] = [await publish(), await publish()];
    const path = await pathOf(stuck);
    for (const id of [stuck, other]) await remove(id);
    // No program removes a folder as a file, whoever runs it.
    await rm(path);
    await mkdir(path);
    await runRound();
    expect([await isStored(stuck), await isStored(other)]).toEqual([true, false]);
    expect((await lifeOf(stuck)).document.removedAt).toBeNull();
    await rmdir(path);
    await runRound();
    expect((await lifeOf(stuck)).document.removedAt).toEqual(expect.any(Number));
  });
});

test('a document whose bytes the store locks counts as removed only once the lock has ended, and is not tried before', async () => {
  const id = await publish();
  await remove(id);
  const until = new Date(portal.clock.now().getTime() + 3_600_000);
  const tried: string[] = [];
  const round = (lock: ObjectLock | undefined) =>
    createRemoval({
      ...portal,
      objects: {
        async discard(key) {
          tried.push(key);
          return lock;
        },
      },
      rendering: { forget: async () => {} },
      log: silentLog(),
    })({}, new AbortController().signal);
  await round({ mode: 'compliance', until });
  await round({ mode: 'compliance', until });
  expect(tried).toHaveLength(1);
  expect((await lifeOf(id)).document).toMatchObject({ removedAt: null, lockedUntil: until.getTime() });
  expect((await lifeOf(id)).items.map(({ event }) => event)).not.toContain('REMOVED');
  portal.clock.advance(3_600_001);
  await round(undefined);
  expect(tried).toHaveLength(2);
  expect((await lifeOf(id)).document).toMatchObject({ removedAt: expect.any(Number), lockedUntil: null });
  expect((await lifeOf(id)).items.at(-1)?.event).toBe('REMOVED');
});
