import { createHash, randomUUID } from 'node:crypto';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { openCallLimits } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** What people without a session see: public documents, without marks. */

const host = 'localhost:8080';
let portal: TestPortal;
let owner: TestClient;
let privateId: string;
let publicId: string;
let bytes: Uint8Array;

beforeAll(async () => {
  portal = await startTestPortal();
  owner = await portal.signIn('2001', { cif: '8001' });
  privateId = (await portal.publish({ pdf: aPdf({ text: 'private' }), cif: '8001', fileName: 'Umowa kredytu' })).body.id;
  bytes = aPdf({ pages: 3, text: 'Tabela opłat i prowizji' });
  const published = await portal.publish({
    pdf: bytes,
    type: 'PUBLIC',
    fileName: 'Tabela opłat',
    metadata: { PUB_FILENAME: 'Tabela opłat', PUB_DESC_DURATION_TIME: 'od 1 stycznia 2026', REG_DATE: '2026-01-01' },
  });
  publicId = published.body.id;
});

afterAll(() => portal[Symbol.asyncDispose]());

/** Each asks from an address of its own, unless it is told one. */
let last = 0;
const download = (id: string, headers: Record<string, string> = {}, remoteAddress = `10.1.${(last += 1) >> 8}.${last & 255}`) =>
  portal.server.inject({ url: `/api/open/documents/download/${id}`, headers: { host, ...headers }, remoteAddress });

describe('everybody', () => {
  test('finds public documents by what is public of them, without marks of anybody', async () => {
    await readToTheEnd(owner, publicId);
    const { body } = await portal.anonymous.call('listPublicDocuments', { body: { text: 'tabela oplat' } });
    expect(body).toMatchObject({ total: 1, items: [{ id: publicId, read: null, downloaded: null, corrupted: false }] });
    expect(body.items[0]?.metadata).toMatchObject({ PUB_FILENAME: 'Tabela opłat', TYPE: 'PUBLIC', REG_DATE: '2026-01-01' });
  });

  test('opens one with all that a viewer needs', async () => {
    const { body } = await portal.anonymous.call('getPublicDocument', { params: { id: publicId } });
    expect(body).toMatchObject({ id: publicId, pageCount: 3, pagesReached: [], read: null, downloaded: null, state: 'ACTIVE' });
    expect(body.pageSizes).toHaveLength(3);
  });

  test('checks one: its bytes are read again each time', async () => {
    const first = (await portal.anonymous.call('checkPublicDocument', { params: { id: publicId } })).body;
    expect(first).toMatchObject({ status: 'SHA_CIF_OK' });
    portal.clock.advance(1_000);
    const second = (await portal.anonymous.call('checkPublicDocument', { params: { id: publicId } })).body;
    expect(second.checkedAt).toBeGreaterThan(first.checkedAt ?? Number.POSITIVE_INFINITY);
    expect((await portal.anonymous.call('checkPublicDocument', { params: { id: privateId } })).body).toEqual({
      status: 'DOCUMENT_NOT_EXIST',
      checkedAt: null,
      ledger: null,
      entry: null,
      differences: [],
      notCompared: [],
    });
  });

  test('downloads the very bytes that were published, under their name', async () => {
    const answer = await download(publicId);
    expect(answer.statusCode).toBe(200);
    expect(createHash('sha256').update(answer.rawPayload).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Tabela oplat.pdf"; filename*=UTF-8''Tabela%20op%C5%82at.pdf`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'content-length': String(bytes.length),
    });
    const { bytes: again } = await portal.anonymous.call('downloadPublicDocument', { params: { id: publicId } });
    expect(again).toEqual(answer.rawPayload);
    expect(await portal.db.selectFrom('document_mark').selectAll().where('personal_id', '=', '').execute()).toEqual([]);
  });
});

describe('a copy that is kept', () => {
  test('is asked about each time, and not sent again while it is right', async () => {
    const { headers } = await download(publicId);
    const etag = String(headers['etag']);
    expect(etag).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`);
    expect(headers['cache-control']).toBe('public, no-cache');
    expect(headers).not.toHaveProperty('vary');
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await download(publicId, { 'if-none-match': known });
      expect([again.statusCode, again.payload, again.headers['etag']]).toEqual([304, '', etag]);
      expect(again.headers).not.toHaveProperty('content-disposition');
    }
    expect((await download(publicId, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  test('is gone with its document', async () => {
    const { body } = await portal.publish({ pdf: aPdf({ text: 'withdrawn' }), type: 'PUBLIC' });
    const { headers } = await download(body.id);
    await portal.db.updateTable('document').set({ state: 'DELETED' }).where('id', '=', body.id).execute();
    const again = await download(body.id, { 'if-none-match': String(headers['etag']) });
    expect([again.statusCode, again.headers['cache-control']]).toEqual([404, 'no-store']);
  });

  test('is nothing that lists, details and checks allow', async () => {
    const answers = [
      await portal.anonymous.call('listPublicDocuments', { body: {} }),
      await portal.anonymous.call('getPublicDocument', { params: { id: publicId } }),
      await portal.anonymous.call('checkPublicDocument', { params: { id: publicId } }),
    ];
    for (const { headers } of answers) expect(headers['cache-control']).toBe('private, no-store');
  });
});

describe('a part of the bytes', () => {
  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=10-', 10, -1],
    ['bytes=-5', -5, -1],
  ])('%s is sent alone', async (range, from, to) => {
    const start = from < 0 ? bytes.length + from : from;
    const end = to < 0 ? bytes.length - 1 : to;
    const answer = await download(publicId, { range });
    expect(answer.statusCode).toBe(206);
    expect(answer.headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/${bytes.length}`,
      'content-length': String(end - start + 1),
      'accept-ranges': 'bytes',
    });
    expect(answer.rawPayload).toEqual(Buffer.from(bytes.slice(start, end + 1)));
  });

  test('a range beyond the end is refused with the length of the whole file', async () => {
    const answer = await download(publicId, { range: `bytes=${bytes.length}-` });
    expect([answer.statusCode, answer.payload, answer.headers['content-range']]).toEqual([416, '', `bytes */${bytes.length}`]);
  });

  test('a range of another version gets all of this one', async () => {
    expect((await download(publicId, { range: 'bytes=0-9', 'if-range': '"other"' })).statusCode).toBe(200);
    expect((await download(publicId, { range: 'bytes=0-9, 20-29' })).statusCode).toBe(200);
  });
});

test('stored bytes that were changed are handed out neither whole nor in part, nor found right', async () => {
  const damage = async (): Promise<string> => {
    const { body } = await portal.publish({ pdf: aPdf({ text: `damaged ${randomUUID()}` }), type: 'PUBLIC' });
    const { object_key: key } = await portal.db
      .selectFrom('document')
      .select('object_key')
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow();
    const folder = join(portal.settings.dataDir, 'objects');
    const file = (await readdir(folder, { recursive: true })).find((path) => path.endsWith(key.split('/').at(-1) ?? key));
    await truncate(join(folder, file ?? key), 100);
    return body.id;
  };
  const inPart = await damage();
  expect((await download(inPart, { range: 'bytes=0-9' })).statusCode).toBe(503);
  expect((await download(inPart)).statusCode).toBe(503);
  const checked = await damage();
  expect((await portal.anonymous.call('checkPublicDocument', { params: { id: checked } })).body.status).toBe('SHA_NOT_EQUAL');
  expect((await download(checked)).json()).toMatchObject({ code: 'STORAGE_ERROR' });
});

test('a count of checks is removed once its window is over', async () => {
  await portal.anonymous.call('checkPublicDocument', { params: { id: publicId } });
  const counted = () => portal.db.selectFrom('call_counter').select('subject').where('subject', 'like', '%everybody%').execute();
  await portal.runJob('documents:sweep');
  expect(await counted()).toHaveLength(1);
  portal.clock.advance(3_700_000);
  await portal.runJob('documents:sweep');
  expect(await counted()).toEqual([]);
});

describe('who asks too often', () => {
  test('checks ten times a minute, a whole network of IPv6 together', async () => {
    portal.clock.advance(120_000);
    const check = (remoteAddress: string) =>
      portal.server.inject({ url: `/api/open/documents/check/${randomUUID()}`, headers: { host }, remoteAddress });
    const answers = [];
    for (let index = 1; index <= openCallLimits.checksPerMinute + 1; index += 1) answers.push(await check(`2001:db8:7:7::${index}`));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([
      ...Array.from({ length: openCallLimits.checksPerMinute }, () => 200),
      429,
    ]);
    const refused = answers.at(-1);
    expect(refused?.json()).toMatchObject({ code: 'CALL_NOT_PERMITTED' });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await check('2001:db8:7:8::1')).statusCode).toBe(200);
    portal.clock.advance(60_001);
    expect((await check('2001:db8:7:7::1')).statusCode).toBe(200);
  });

  test.each([
    ['downloads', openCallLimits.downloadsPerMinute, { method: 'GET', url: () => `/api/open/documents/download/${publicId}` }],
    ['lists', openCallLimits.listsPerMinute, { method: 'POST', url: () => '/api/open/documents/list' }],
    ['details', openCallLimits.listsPerMinute, { method: 'GET', url: () => `/api/open/documents/details/${publicId}` }],
  ] as const)('waits for further %s, and other callers do not', async (_, limit, { method, url }) => {
    const ask = (remoteAddress: string) =>
      portal.server.inject({
        method,
        url: url(),
        remoteAddress,
        headers: { host, ...(method === 'POST' ? { 'content-type': 'application/json' } : { 'if-none-match': '*' }) },
        ...(method === 'POST' ? { payload: '{}' } : {}),
      });
    // The clock runs meanwhile, and lets a few more in.
    const answers = await Promise.all(Array.from({ length: limit + 60 }, () => ask('192.0.2.200')));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(limit);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect(JSON.parse(body)).toMatchObject({ code: 'CALL_NOT_PERMITTED' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await ask('192.0.2.201')).statusCode).toBeLessThan(400);
  });
});
