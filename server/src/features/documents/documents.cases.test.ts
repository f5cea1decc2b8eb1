import { randomUUID } from 'node:crypto';
import { calls, type CallName } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { listStoredPages } from '#testing/stored-pages.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** The negative cases of documents: who is not the owner learns nothing, and changes nothing. */

let portal: TestPortal;
let owner: TestClient;
let stranger: TestClient;
let documentId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  owner = await portal.signIn('2001', { cif: '8001' });
  stranger = await portal.signIn('2002', { cif: '8002' });
  documentId = (await portal.publish({ pdf: aPdf({ pages: 2 }), cif: '8001' })).body.id;
});

afterAll(() => portal[Symbol.asyncDispose]());

const ask = async (
  asker: TestClient | undefined,
  { method = 'GET', url }: { method?: 'GET' | 'POST'; url: string },
): Promise<{ status: number; code: string | undefined; payload: string }> => {
  const response = await portal.server.inject({
    method,
    url,
    headers: { host: 'localhost:8080', ...(asker === undefined ? {} : { authorization: asker.token, cookie: asker.cookie }) },
  });
  const isJson = response.headers['content-type']?.toString().startsWith('application/json') === true;
  return { status: response.statusCode, code: isJson ? response.json<{ code?: string }>().code : undefined, payload: response.body };
};

type Method = 'GET' | 'POST';
const aboutOne: { name: string; method: Method; url: (id: string) => string }[] = [
  { name: 'its data', method: 'GET', url: (id) => `/api/protected/documents/data/${id}` },
  { name: 'its history', method: 'GET', url: (id) => `/api/protected/documents/history/${id}` },
  { name: 'its bytes', method: 'GET', url: (id) => `/api/protected/documents/download/${id}` },
  { name: 'its page images', method: 'GET', url: (id) => `/api/protected/documents/render/queue/result/${id}` },
  { name: 'one page image', method: 'GET', url: (id) => `/api/protected/documents/render/page/${id}/1?width=1240` },
  { name: 'marking a page', method: 'POST', url: (id) => `/api/protected/documents/mark/page/${id}/1` },
  { name: 'marking it read', method: 'POST', url: (id) => `/api/protected/documents/mark/read/${id}` },
];

describe('1: a caller without a session', () => {
  const protectedCalls = (Object.keys(calls) as CallName[]).filter((name) => calls[name].area === 'protected');
  test.each(protectedCalls)('the call %s refuses a caller without a session', async (name) => {
    const { method, path } = calls[name];
    const url = path.replace(/:\w+/g, '1');
    expect(await ask(undefined, { method: method as Method, url })).toMatchObject({ status: 401, code: 'ACCESS_DENIED' });
  });

  test('6: a caller without a session gets no page image, even one that exists', async () => {
    const url = `/api/protected/documents/render/page/${documentId}/1?width=1240`;
    expect(await ask(undefined, { url })).toMatchObject({ status: 401, code: 'ACCESS_DENIED' });
  });
});

describe('2, 3, 4, 5, 7: another client’s document does not exist', () => {
  test.each(aboutOne)('$name answers another client’s document exactly as a random id', async ({ method, url }) => {
    const foreign = await ask(stranger, { method, url: url(documentId) });
    expect(foreign).toMatchObject({ status: 404, code: 'DOCUMENT_NOT_FOUND_ERROR' });
    expect(foreign).toEqual(await ask(stranger, { method, url: url(randomUUID()) }));
  });

  test('a request for pages of another client’s document queues no rendering', async () => {
    const body = (await portal.publish({ pdf: aPdf({ pages: 5 }), cif: '8001' })).body;
    // An answer would wait for the page.
    await ask(stranger, { url: `/api/protected/documents/render/queue/result/${body.id}?width=1860` });
    await ask(stranger, { url: `/api/protected/documents/render/page/${body.id}/2?width=1860` });
    expect(await listStoredPages(portal, body.sha256)).toEqual([]);
  });

  test('no mark of a stranger is stored', async () => {
    for (const { method, url } of aboutOne) await ask(stranger, { method, url: url(documentId) });
    const marks = await portal.db.selectFrom('document_mark').selectAll().where('personal_id', '=', '2002').execute();
    expect(marks).toEqual([]);
  });

  test('8: a check answers another client’s document as a random id', async () => {
    const check = (id: string) => ask(stranger, { url: `/api/protected/documents/document/check/${id}` });
    const foreign = await check(documentId);
    expect(JSON.parse(foreign.payload)).toEqual({
      status: 'DOCUMENT_NOT_EXIST',
      checkedAt: null,
      ledger: null,
      entry: null,
      differences: [],
      notCompared: [],
    });
    expect(foreign).toEqual(await check(randomUUID()));
    const checks = await portal.db.selectFrom('document_check').selectAll().where('document_id', '=', documentId).execute();
    expect(checks).toEqual([]);
  });
});

describe('16: invalid page numbers', () => {
  test.each(['0', '-1', '1000000000', '1e3', '1.0', '0x1', '%00', 'NaN'])('the page %s is malformed', async (page) => {
    const image = await ask(owner, { url: `/api/protected/documents/render/page/${documentId}/${page}?width=1240` });
    expect(image).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    const mark = await ask(owner, { method: 'POST', url: `/api/protected/documents/mark/page/${documentId}/${page}` });
    expect(mark).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  test.each(['3', '10000'])('the page %s is not in the document', async (page) => {
    const image = await ask(owner, { url: `/api/protected/documents/render/page/${documentId}/${page}?width=1240` });
    expect(image).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
  });

  test.each(['1', '1241', '99999', 'x'])('the width %s is not one of ours', async (width) => {
    const image = await ask(owner, { url: `/api/protected/documents/render/page/${documentId}/1?width=${width}` });
    expect(image).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });
});

describe('19: malformed ids', () => {
  const ids = ['1%20OR%201=1', '..%2f..%2fetc', '%00', 'null', 'x'.repeat(4_000), "'", '{}', `${randomUUID()}0`];
  test.each(ids)('%s is malformed', async (id) => {
    for (const { method, url } of aboutOne)
      expect(await ask(owner, { method, url: url(id) })).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(await ask(owner, { url: `/api/protected/documents/document/check/${id}` })).toMatchObject({ status: 400 });
  });

  test('an id in capitals is the same id', async () => {
    expect((await ask(owner, { url: `/api/protected/documents/data/${documentId.toUpperCase()}` })).status).toBe(200);
  });
});

describe('17: a withdrawn document', () => {
  test.each(['DELETED', 'FORGOTTEN'] as const)('a withdrawn document is gone for its owner when it is %s', async (state) => {
    const { id } = (await portal.publish({ pdf: aPdf({ pages: 2 }), cif: '8001' })).body;
    let rendered = false;
    while (!rendered) rendered = (await owner.call('getRenderResult', { params: { id }, query: {} })).body.done;
    await portal.db.updateTable('document').set({ state }).where('id', '=', id).execute();
    for (const { method, url } of aboutOne)
      expect(await ask(owner, { method, url: url(id) })).toMatchObject({ status: 404, code: 'DOCUMENT_NOT_FOUND_ERROR' });
    const check = await owner.call('checkDocument', { params: { id }, query: {} });
    expect(check.body).toEqual({
      status: 'DOCUMENT_NOT_EXIST',
      checkedAt: null,
      ledger: null,
      entry: null,
      differences: [],
      notCompared: [],
    });
  });

  test('a document is not found before it is released', async () => {
    const { id } = (await portal.publish({ pdf: aPdf(), cif: '8001' })).body;
    await portal.db.updateTable('document').set({ published_at: null }).where('id', '=', id).execute();
    expect(await ask(owner, { url: `/api/protected/documents/data/${id}` })).toMatchObject({ status: 404 });
  });
});
