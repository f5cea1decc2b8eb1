import { rm } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let anna: TestClient;
let stranger: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('4301', { cif: '9501' });
  stranger = await portal.signIn('4302', { cif: '9502' });
});
afterAll(() => portal[Symbol.asyncDispose]());

const publish = async (to: { cif: string } | { type: 'PUBLIC' }): Promise<string> =>
  (await portal.publish({ ...to, pdf: aPdf({ text: randomUUID() }) })).body.id;
const lockOf = (client: Pick<TestClient, 'call'>, id: string) => client.call('getDocumentLock', { params: { id } });

test('files are not locked, and their owner, of a public document everybody, is told so as of now', async () => {
  const [own, open] = [await publish({ cif: '9501' }), await publish({ type: 'PUBLIC' })];
  const notLocked = { lock: null, askedAt: expect.any(Number) };
  expect((await lockOf(anna, own)).body).toEqual(notLocked);
  for (const client of [anna, portal.anonymous]) expect((await lockOf(client, open)).body).toEqual(notLocked);
});

test('the lock of what a client has sent is told to this client', async () => {
  await keepCategories(portal.publisher);
  const { id } = (await upload(anna, { pdf: aPdf() })).body;
  expect((await anna.call('getSentLock', { params: { id } })).body.lock).toBeNull();
});

test('a document of another client, and one that there is not, are answered alike', async () => {
  const own = await publish({ cif: '9501' });
  for (const client of [stranger, portal.anonymous])
    for (const id of [own, randomUUID()])
      expect([(await lockOf(client, id)).status, (await lockOf(client, id)).error?.code]).toEqual([404, 'DOCUMENT_NOT_FOUND_ERROR']);
});

test('of bytes that are gone nothing is told', async () => {
  const id = await publish({ cif: '9501' });
  const { object_key: key } = await portal.db.selectFrom('document').select('object_key').where('id', '=', id).executeTakeFirstOrThrow();
  await rm(join(portal.settings.dataDir, 'objects', key.slice(0, 2), key.slice(2, 4), key));
  expect((await lockOf(anna, id)).error?.code).toBe('STORAGE_ERROR');
});
