import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { listStoredPages } from '#testing/stored-pages.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** The negative cases of page images that are stored already: a client who may no longer see the document sees none of them, at once. */

let portal: TestPortal;
let owner: TestClient;
let coOwner: TestClient;
let stranger: TestClient;

beforeAll(async () => {
  portal = await startTestPortal({ drawsFirstPages: true });
  owner = await portal.signIn('3001', { cif: '9001' });
  coOwner = await portal.signIn('3002', { cif: '9002' });
  stranger = await portal.signIn('3003', { cif: '9003' });
});
afterAll(() => portal[Symbol.asyncDispose]());

let published = 0;
async function publish(): Promise<{ id: string; sha256: string }> {
  return (await portal.publish({ pdf: aPdf({ pages: 2, text: `Umowa ${++published}` }), cif: '9001', cif2: '9002' })).body;
}

async function drawn(): Promise<{ id: string; sha256: string }> {
  const document = await publish();
  const look = async () => (await owner.call('getRenderResult', { params: { id: document.id }, query: {} })).body.done;
  await expect.poll(look, { timeout: 20_000 }).toBe(true);
  return document;
}

const open = (id: string, client?: TestClient) =>
  portal.server.inject({
    url: `/api/protected/documents/render/page/${id}/1?width=1240`,
    headers: { host: 'localhost:8080', ...(client === undefined ? {} : { authorization: client.token, cookie: client.cookie }) },
  });

describe('an image', () => {
  let kept: ReturnType<typeof drawn> | undefined;
  /** One for tests that leave it as it is. */
  const drawnOnce = (): ReturnType<typeof drawn> => (kept ??= drawn());

  test('is kept by no cache, and says what it is', async () => {
    const { statusCode, headers } = await open((await drawnOnce()).id, owner);
    expect([statusCode, headers['cache-control'], headers['content-type'], headers['x-content-type-options']]).toEqual([
      200,
      'private, no-store',
      'image/png',
      'nosniff',
    ]);
    expect(headers['etag']).toBeUndefined();
  });

  test('5, 6: a stored image is 404 for a stranger, 401 without a session', async () => {
    const { id } = await drawnOnce();
    expect((await open(id, coOwner)).statusCode).toBe(200);
    expect((await open(id, stranger)).json()).toMatchObject({ code: 'DOCUMENT_NOT_FOUND_ERROR' });
    expect((await open(id)).json()).toMatchObject({ code: 'ACCESS_DENIED' });
  });

  test('a client who owns a document of the same bytes still cannot get an image of another client’s document', async () => {
    const pdf = aPdf({ pages: 2, text: 'the same bytes' });
    const first = (await portal.publish({ pdf, cif: '9001' })).body;
    await expect
      .poll(async () => (await owner.call('getRenderResult', { params: { id: first.id }, query: {} })).body.done, { timeout: 20_000 })
      .toBe(true);
    expect((await open(first.id, stranger)).statusCode).toBe(404);
    const second = (await portal.publish({ pdf, cif: '9003' })).body;
    expect((await open(second.id, stranger)).statusCode).toBe(200);
    expect((await open(first.id, stranger)).statusCode).toBe(404);
  });

  test.each([
    ['withdrawn', (id: string) => portal.db.updateTable('document').set({ state: 'DELETED' }).where('id', '=', id).execute()],
    ['not delivered any more', (id: string) => portal.db.deleteFrom('delivery').where('document_id', '=', id).execute()],
    ['not what was published', (id: string) => portal.db.updateTable('document').set({ corrupted: true }).where('id', '=', id).execute()],
  ])('17: an image is gone at once when its document is %s', async (_, withdraw) => {
    const { id } = await drawn();
    expect((await open(id, owner)).statusCode).toBe(200);
    await withdraw(id);
    for (const client of [owner, coOwner]) expect((await open(id, client)).statusCode).toBeGreaterThanOrEqual(404);
  });
});

describe('a first page that was drawn ahead of time', () => {
  test('4, 5: a prefetched first page is stored before it is asked for, and only its owner gets it', async () => {
    const { id, sha256 } = await publish();
    await expect.poll(() => listStoredPages(portal, sha256), { timeout: 20_000 }).toEqual(['1240/1']);
    expect((await open(id, stranger)).statusCode).toBe(404);
    expect((await open(id)).statusCode).toBe(401);
    expect((await open(id, owner)).statusCode).toBe(200);
    expect(await listStoredPages(portal, sha256)).toEqual(['1240/1']);
  });
});

describe('16: the number of the page in the viewport', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await publish());
  });

  test.each(['0', '-1', '1e3', 'x', '1000000000'])('16: the page number %s is malformed', async (page) => {
    const answer = await owner.call('getRenderResult', { params: { id }, query: { page } });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('16: a viewport beyond the last page changes nothing', async () => {
    const look = async () => (await owner.call('getRenderResult', { params: { id }, query: { page: '9999' } })).body;
    await expect.poll(async () => (await look()).done, { timeout: 20_000 }).toBe(true);
    expect((await look()).sources.map(({ page }) => page)).toEqual([1, 2]);
  });
});
