import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readdir, truncate, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { checkLimits } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { aLongPdf, aPdf, aPdfWithoutSizeOf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let anna: TestClient;
const logged: string[] = [];

beforeAll(async () => {
  const log = createLog('error', { write: (line) => void logged.push(line) });
  portal = await startTestPortal({ environment: { IGNORE_MARKERS: 'DOC_EXT,11' }, log });
  anna = await portal.signIn('1001', { cif: '7001', cif2: '7002', groups: ['savers'] });
});

afterAll(() => portal[Symbol.asyncDispose]());

const publish = async (description: Partial<Parameters<TestPortal['publish']>[0]> = {}): Promise<{ id: string; sha256: string }> => {
  const { body } = await portal.publish({ type: 'PRIVATE', cif: '7001', pdf: aPdf({ pages: 3 }), ...description });
  return body;
};

const get = async (id: string) => (await anna.call('getDocument', { params: { id } })).body;

const pathOfObject = async (id: string): Promise<string> => {
  const { object_key: key } = await portal.db.selectFrom('document').select('object_key').where('id', '=', id).executeTakeFirstOrThrow();
  return join(portal.settings.dataDir, 'objects', key.slice(0, 2), key.slice(2, 4), key);
};

const spoil = async (id: string): Promise<void> => {
  const path = await pathOfObject(id);
  await chmod(path, 0o600);
  await writeFile(path, 'X', { flag: 'r+' });
};

describe('a document of one’s own', () => {
  test('tells what was published, its pages and their sizes', async () => {
    const { id, sha256 } = await publish({ fileName: 'Umowa kredytu.pdf', metadata: { PRIV_CASE_NUMBER: 'K/12', '8': -1 } });
    const document = await get(id);
    expect(document).toMatchObject({
      id,
      state: 'ACTIVE',
      corrupted: false,
      read: null,
      downloaded: null,
      pageCount: 3,
      pagesReached: [],
      metadata: { FILE_NAME: 'Umowa kredytu.pdf', PRIV_CASE_NUMBER: 'K/12', RETENTION_DATE: -1, CHECKSUM_SHA256: sha256, TYPE: 'PRIVATE' },
    });
    expect(document.pageSizes).toHaveLength(3);
  });

  test('a document never names the second owner to the first, nor what only publishers may know', async () => {
    await portal.addClient('1002', { cif: '7009' });
    const { id } = await publish({ cif2: '7009', uniqueName: 'secret-name', addedBy: 'Jan', metadata: { '9': 'scan.pdf' } });
    const { metadata } = await get(id);
    expect(metadata).toMatchObject({ CIF: '7001', '14': '7001' });
    const keys = Object.keys(metadata);
    for (const hidden of ['CIF2', 'UNIQUE_NAME', '10', 'ADDED_BY', '13', '15', '9', '12', '16', 'GROUP_ID', 'PERGAMIN_ST_DOC_TYPE'])
      expect(keys).not.toContain(hidden);
  });

  test.each([
    ['the second customer number', { cif: '7002' }],
    ['the second owner', { cif: '7003', cif2: '7001' }],
    ['a group', { type: 'GROUP', cif: undefined, groupId: 'savers' }],
    ['everybody', { type: 'PUBLIC', cif: undefined }],
  ] as const)('reaches its reader through %s', async (_, { cif, ...recipients }) => {
    await portal.addClient('1003', { cif: '7003' });
    const { body } = await portal.publish({ pdf: aPdf(), ...recipients, ...(cif === undefined ? {} : { cif }) });
    expect(await get(body.id)).toMatchObject({ id: body.id });
  });

  test('a document of a group is for those who were members when it was published', async () => {
    const late = await portal.signIn('1004', { cif: '7004' });
    const early = await portal.signIn('1005', { cif: '7005', groups: ['club'] });
    const { body } = await portal.publish({ pdf: aPdf(), type: 'GROUP', groupId: 'club' });
    portal.clock.advance(1_000);
    await portal.addClient('1004', { cif: '7004', groups: ['club'] });
    await portal.addClient('1005', { cif: '7005', groups: [] });
    expect((await late.call('getDocument', { params: { id: body.id } })).status).toBe(404);
    expect((await early.call('getDocument', { params: { id: body.id } })).status).toBe(200);
  });
});

describe('pages', () => {
  test('come as images in the order of the document, for their owner only and never kept by a cache', async () => {
    const { id } = await publish();
    let answer = (await anna.call('getRenderResult', { params: { id }, query: {} })).body;
    while (!answer.done) answer = (await anna.call('getRenderResult', { params: { id }, query: {} })).body;
    expect(answer).toMatchObject({ done: true, progress: 100 });
    expect(answer.sources.map(({ page }) => page)).toEqual([1, 2, 3]);
    expect(answer.sources[1]?.url).toBe(`/api/protected/documents/render/page/${id}/2?width=1240`);
    const image = await anna.call('getPageImage', { params: { id, page: '2' }, query: { width: '1240' } });
    expect(image.headers['content-type']).toMatch(/^image\/(png|jpeg)$/);
    expect(image.headers['cache-control']).toBe('private, no-store');
    expect(image.bytes.length).toBeGreaterThan(100);
  });

  test('shows what its pages say to its reader alone', async () => {
    const { id } = await publish({ pdf: aPdf({ pages: 2, text: 'Rata kredytu' }) });
    const { body } = await anna.call('getPageText', { params: { id, page: '2' } });
    expect(body.lines.map(({ runs }) => runs.map(({ text }) => text))).toEqual([['Rata kredytu']]);
    expect((await anna.call('getPageText', { params: { id, page: '3' } })).error?.code).toBe('RESOURCE_NOT_FOUND');
    const other = await portal.signIn('1009', { cif: '7019' });
    expect((await other.call('getPageText', { params: { id, page: '2' } })).error?.code).toBe('DOCUMENT_NOT_FOUND_ERROR');
  });

  test('beyond the last one are not found', async () => {
    const { id } = await publish();
    const image = await anna.call('getPageImage', { params: { id, page: '4' }, query: {} });
    expect([image.status, image.error?.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    const mark = await anna.call('markPage', { params: { id, page: '4' } });
    expect([mark.status, mark.error?.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect((await get(id)).pagesReached).toEqual([]);
  });
});

describe('marks', () => {
  test('keep every page once and in order, for any order of reading', async () => {
    const { id } = await publish();
    for (const page of ['3', '1', '3']) expect((await anna.call('markPage', { params: { id, page } })).status).toBe(204);
    expect((await get(id)).pagesReached).toEqual([1, 3]);
  });

  test('a page that could not be shown does not hide the others, is tried again, and is recorded with the reading', async () => {
    const { id } = await publish({ pdf: aPdfWithoutSizeOf(2, { pages: 3 }) });
    const look = async () => (await anna.call('getRenderResult', { params: { id }, query: {} })).body;
    await expect.poll(async () => (await look()).done, { timeout: 20_000 }).toBe(true);
    const { sources, failed } = await look();
    expect([sources.map(({ page }) => page), failed]).toEqual([[1, 3], [{ page: 2 }]]);
    await anna.call('markPage', { params: { id, page: '1' } });
    for (const page of ['1', '2', '3']) await anna.call('markPage', { params: { id, page }, query: { shown: 'false' } });
    await anna.call('markPage', { params: { id, page: '3' } });
    expect((await get(id)).pagesReached).toEqual([1, 3]);
    expect((await anna.call('markRead', { params: { id } })).status).toBe(204);
    // What was recorded stays.
    await anna.call('markPage', { params: { id, page: '2' } });
    expect((await get(id)).pagesReached).toEqual([1, 2, 3]);
    const { items } = (await anna.call('getDocumentHistory', { params: { id } })).body;
    expect(items.map(({ event, pagesNotShown }) => [event, pagesNotShown])).toEqual([
      ['PUBLISHED', undefined],
      ['READ', [2]],
    ]);
  });

  test('a document none of whose pages can be shown is an error, as long as it is looked at', async () => {
    const { id } = await publish({ pdf: aPdfWithoutSizeOf(1, { pages: 1 }) });
    const look = async () => (await anna.call('getRenderResult', { params: { id }, query: {} })).error?.code;
    await expect.poll(look, { timeout: 20_000 }).toBe('INTERNAL_SERVER_ERROR');
    expect(await look()).toBe('INTERNAL_SERVER_ERROR');
  });

  test('reaching every page does not mark the document read, closing it does, and the first time is kept', async () => {
    const { id } = await publish({ pdf: aPdf({ pages: 1 }) });
    await anna.call('markPage', { params: { id, page: '1' } });
    expect((await get(id)).read).toBeNull();
    await readToTheEnd(anna, id);
    const { read } = await get(id);
    expect(read).toBeTypeOf('number');
    portal.clock.advance(5_000);
    expect((await readToTheEnd(anna, id)).status).toBe(204);
    expect((await get(id)).read).toBe(read);
  });

  test('marks of one client are not another’s', async () => {
    const other = await portal.signIn('1006', { cif: '7006' });
    const { body } = await portal.publish({ pdf: aPdf(), type: 'PUBLIC' });
    await readToTheEnd(anna, body.id);
    expect((await other.call('getDocument', { params: { id: body.id } })).body.read).toBeNull();
  });
});

describe('a download', () => {
  test('is the very bytes that were published, saved and never shown, and ends the bold', async () => {
    const pdf = aPdf({ pages: 2 });
    const { id, sha256 } = await publish({ pdf, fileName: 'Umowa «złota»\r\nSet-Cookie: a=b\u202e.exe' });
    const answer = await anna.call('downloadDocument', { params: { id } });
    expect(createHash('sha256').update(answer.bytes).digest('hex')).toBe(sha256);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(pdf.length),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="Umowa _zlota_Set-Cookie_ a=b\.exe\.pdf"; filename\*=UTF-8''Umowa%20/,
    );
    expect((await get(id)).downloaded).toBeTypeOf('number');
  });

  test('keeps the time of the first one', async () => {
    const { id } = await publish();
    await anna.call('downloadDocument', { params: { id } });
    const { downloaded } = await get(id);
    portal.clock.advance(5_000);
    await anna.call('downloadDocument', { params: { id } });
    expect((await get(id)).downloaded).toBe(downloaded);
  });

  test('bytes that are fetched to be shown are the same and no download: neither its mark nor its history says so', async () => {
    const { id, sha256 } = await publish();
    const shown = await anna.call('downloadDocument', { params: { id }, query: { purpose: 'showing' } });
    expect(createHash('sha256').update(shown.bytes).digest('hex')).toBe(sha256);
    expect((await get(id)).downloaded).toBeNull();
    const eventsOf = async () => (await anna.call('getDocumentHistory', { params: { id } })).body.items.map(({ event }) => event);
    expect(await eventsOf()).toEqual(['PUBLISHED', 'OPENED']);
    await anna.call('downloadDocument', { params: { id }, query: { purpose: 'download' } });
    expect((await get(id)).downloaded).toBeTypeOf('number');
    expect(await eventsOf()).toEqual(['PUBLISHED', 'OPENED', 'DOWNLOADED']);
  });

  test('a purpose that there is not is refused', async () => {
    const { id } = await publish();
    const answer = await portal.server.inject({
      url: `/api/protected/documents/download/${id}?purpose=printing`,
      headers: { host: 'localhost:8080', authorization: anna.token, cookie: anna.cookie },
    });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await get(id)).downloaded).toBeNull();
  });

  test('a HEAD request for a download marks nothing', async () => {
    const { id } = await publish();
    await portal.server.inject({
      method: 'HEAD',
      url: `/api/protected/documents/download/${id}`,
      headers: { host: 'localhost:8080', authorization: anna.token, cookie: anna.cookie },
    });
    expect((await get(id)).downloaded).toBeNull();
  });

  test('a download that is broken off marks nothing', async () => {
    const { id } = await publish({ pdf: aLongPdf({ bytes: 12 * 1024 * 1024 }) });
    const address = await portal.server.listen({ port: 0, host: '127.0.0.1' });
    const closed = portal.server.server;
    const asked = request(`${address}/api/protected/documents/download/${id}`, {
      headers: { host: 'localhost:8080', authorization: anna.token, cookie: anna.cookie },
    }).end();
    const finished = new Promise<void>((resolve) => {
      closed.once('request', (_, response) => response.once('close', resolve));
    });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    await once(response, 'readable');
    response.destroy();
    await finished;
    expect((await get(id)).downloaded).toBeNull();
  });
});

describe('stored bytes that changed', () => {
  test('are found by the download, which breaks off; then the document is neither shown nor handed out', async () => {
    const { id } = await publish();
    await spoil(id);
    const answer = await anna.call('downloadDocument', { params: { id } });
    expect([answer.status, answer.error?.code]).toEqual([503, 'STORAGE_ERROR']);
    expect(await get(id)).toMatchObject({ corrupted: true, downloaded: null });
    expect((await anna.call('downloadDocument', { params: { id } })).error?.code).toBe('STORAGE_ERROR');
    expect((await anna.call('getRenderResult', { params: { id }, query: {} })).error?.code).toBe('STORAGE_ERROR');
    expect((await anna.call('getPageImage', { params: { id, page: '1' }, query: {} })).error?.code).toBe('STORAGE_ERROR');
    expect((await anna.call('getPageText', { params: { id, page: '1' } })).error?.code).toBe('STORAGE_ERROR');
  });

  test('are found by the check, which marks the document', async () => {
    const { id } = await publish();
    await spoil(id);
    const { body } = await anna.call('checkDocument', { params: { id }, query: {} });
    expect(body.status).toBe('SHA_NOT_EQUAL');
    expect((await get(id)).corrupted).toBe(true);
  });

  test('or are too few, are found as well', async () => {
    const { id } = await publish();
    const path = await pathOfObject(id);
    await chmod(path, 0o600);
    await truncate(path, 20);
    expect((await anna.call('downloadDocument', { params: { id } })).status).toBe(503);
  });
});

describe('a document that is registered otherwise than it is kept', () => {
  const handsOut = async (id: string) =>
    Promise.all([
      anna.call('downloadDocument', { params: { id } }),
      anna.call('getRenderResult', { params: { id }, query: {} }),
      anna.call('getPageImage', { params: { id, page: '1' }, query: {} }),
      anna.call('getPageText', { params: { id, page: '1' } }),
      anna.call('downloadDocumentsZip', { body: { ids: [id] } }),
    ]);
  const refused = Array.from({ length: 5 }, () => [503, 'STORAGE_ERROR']);

  test('is neither shown nor handed out while it is registered to another owner, and the operator hears of it', async () => {
    const { id } = await publish();
    await portal.db.updateTable('document').set({ cif: '7777' }).where('id', '=', id).execute();
    logged.length = 0;
    expect((await handsOut(id)).map(({ status, error }) => [status, error?.code])).toEqual(refused);
    expect(logged.filter((line) => line.includes('"alarm":"check"') && line.includes(id)).length).toBeGreaterThanOrEqual(5);
    expect(await get(id)).toMatchObject({ corrupted: false, downloaded: null });
    await portal.db.updateTable('document').set({ cif: '7001' }).where('id', '=', id).execute();
    expect((await anna.call('downloadDocument', { params: { id } })).status).toBe(200);
  });

  test.each([
    ['with another checksum', { sha256: '0'.repeat(64) }],
    ['to a second owner', { cif2: '7002' }],
  ] as const)('a document that is registered %s is not handed out', async (_, kept) => {
    const { id } = await publish();
    await portal.db.updateTable('document').set(kept).where('id', '=', id).execute();
    expect((await handsOut(id)).map(({ status, error }) => [status, error?.code])).toEqual(refused);
  });

  test('a public document that is registered otherwise than it is kept is not handed out', async () => {
    const { id } = (await portal.publish({ pdf: aPdf({ text: 'public' }), type: 'PUBLIC' })).body;
    await portal.db
      .updateTable('document')
      .set({ sha256: '0'.repeat(64) })
      .where('id', '=', id)
      .execute();
    const answer = await portal.anonymous.call('downloadPublicDocument', { params: { id } });
    expect([answer.status, answer.error?.code]).toEqual([503, 'STORAGE_ERROR']);
  });
});

describe('the check', () => {
  const check = async (id: string, opening = false) =>
    (await anna.call('checkDocument', { params: { id }, query: opening ? { opening: 'true' } : {} })).body;

  test('reads the bytes again and says when', async () => {
    const { id } = await publish();
    const before = portal.clock.now().getTime();
    const { status, checkedAt } = await check(id);
    expect(status).toBe('SHA_CIF_OK');
    expect(checkedAt).toBeGreaterThanOrEqual(before);
  });

  test('the check on opening may reuse a reading of ten minutes, the check by the button never', async () => {
    const { id } = await publish();
    const first = await check(id);
    portal.clock.advance(checkLimits.openingMayBeOldMs - 1_000);
    expect((await check(id, true)).checkedAt).toBe(first.checkedAt);
    const second = await check(id);
    expect(second.checkedAt).toBeGreaterThan(first.checkedAt ?? 0);
    portal.clock.advance(checkLimits.openingMayBeOldMs + 1_000);
    expect((await check(id, true)).checkedAt).toBeGreaterThan(second.checkedAt ?? 0);
  });

  test('tells a document that is registered to another owner, and only that it failed when the bytes differ too', async () => {
    const { id } = await publish();
    await portal.db.updateTable('document').set({ cif: '7777' }).where('id', '=', id).execute();
    expect((await check(id)).status).toBe('CIF_NOT_EQUAL');
    await spoil(id);
    expect((await check(id)).status).toBe('SHA_CIF_NOK');
  });

  test('tells a document whose checksum in the database is no longer the published one', async () => {
    const { id } = await publish();
    await portal.db
      .updateTable('document')
      .set({ sha256: '0'.repeat(64) })
      .where('id', '=', id)
      .execute();
    expect((await check(id)).status).toBe('SHA_NOT_EQUAL');
  });

  test('the check of a missing object fails without a time of reading', async () => {
    const { id } = await publish();
    await portal.db.updateTable('document').set({ object_key: randomUUID() }).where('id', '=', id).execute();
    expect(await check(id)).toMatchObject({ status: 'SHA_CIF_NOK', checkedAt: null });
    expect((await get(id)).corrupted).toBe(false);
  });

  test('the verdict of a public document depends on the hash alone', async () => {
    const { body } = await portal.publish({ pdf: aPdf(), type: 'PUBLIC' });
    expect((await check(body.id)).status).toBe('SHA_CIF_OK');
  });

  test('is made at most thirty times a minute by one client', async () => {
    const eager = await portal.signIn('1007', { cif: '7007' });
    const ask = () => eager.call('checkDocument', { params: { id: randomUUID() }, query: {} });
    const answers = await Promise.all(Array.from({ length: checkLimits.perMinute + 5 }, ask));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(checkLimits.perMinute);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.error?.code).toBe('CALL_NOT_PERMITTED');
    const seconds = Number(refused?.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    portal.clock.advance(seconds * 1_000);
    expect((await ask()).status).toBe(200);
  });
});

test('ignore markers are told by id and by number, when the setting names either', async () => {
  expect((await anna.call('listIgnoreMarkers', {})).body).toEqual(['DOC_EXT', '11']);
});

test('nothing of a document lies in the spool once it is published', async () => {
  expect(await readdir(join(portal.settings.dataDir, 'objects', 'spool'))).toEqual([]);
});
