import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renditionFormat } from '#platform/renditions/renditions.ts';
import { aPdf } from '#testing/pdfs.ts';
import { listStoredPages } from '#testing/stored-pages.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** The check of a document brings what the viewer shows first: only for those who may see it, and only when content and owner are right. */

let portal: TestPortal;
let owner: TestClient;
let stranger: TestClient;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { IGNORE_MARKERS: 'DOC_EXT' }, drawsFirstPages: true });
  owner = await portal.signIn('3001', { cif: '9001' });
  stranger = await portal.signIn('3002', { cif: '9002' });
});
afterAll(() => portal[Symbol.asyncDispose]());

let published = 0;
const publish = async (description: Partial<Parameters<TestPortal['publish']>[0]> = {}): Promise<{ id: string; sha256: string }> =>
  (await portal.publish({ pdf: aPdf({ pages: 3, text: `Umowa ${++published}` }), cif: '9001', ...description })).body;

const isDrawn = (sha256: string): boolean =>
  existsSync(join(portal.settings.dataDir, 'renditions', `v${renditionFormat}`, sha256.slice(0, 2), sha256, '1240', '1'));

/** As most documents are when they are opened: the first page is prefetched. */
const publishDrawn = async (description: Parameters<typeof publish>[0] = {}): Promise<string> => {
  const { id, sha256 } = await publish(description);
  await expect.poll(() => isDrawn(sha256), { timeout: 20_000 }).toBe(true);
  return id;
};

const open = async (id: string, { client = owner, ...query }: { client?: TestClient; width?: string; page?: string } = {}) =>
  client.call('checkDocument', { params: { id }, query: { opening: 'true', width: '1240', ...query } });

const fetchPage = (url: string) =>
  portal.server.inject({ url, headers: { host: 'localhost:8080', authorization: owner.token, cookie: owner.cookie } });

describe('a document that is opened', () => {
  test('comes with its data, and with the very image of its first page that is fetched by itself', async () => {
    const id = await publishDrawn();
    const { body, headers } = await open(id);
    expect(body.status).toBe('SHA_CIF_OK');
    expect(body.opened?.document).toEqual((await owner.call('getDocument', { params: { id } })).body);
    const { page, url, type, base64 } = body.opened?.firstPage ?? { page: 0, url: '', type: '', base64: '' };
    const alone = await fetchPage(url);
    expect([page, type]).toEqual([1, alone.headers['content-type']]);
    expect(Buffer.from(base64, 'base64').equals(alone.rawPayload)).toBe(true);
    expect(headers['cache-control']).toBe('private, no-store');
  });

  test('queues no further page: none was viewed yet', async () => {
    const id = await publishDrawn();
    const { sha256 } = await portal.db.selectFrom('document').select('sha256').where('id', '=', id).executeTakeFirstOrThrow();
    await open(id);
    expect(await listStoredPages(portal, sha256)).toEqual(['1240/1']);
  });

  test('an opening on a dense screen brings the standard image; a sharper one has another address', async () => {
    const id = await publishDrawn();
    const { body } = await open(id, { width: '1860' });
    expect(body.opened?.firstPage?.url).toMatch(/\/1\?width=1240$/);
  });

  test('an opening of a document that was begun brings the page where reading goes on, once it is rendered', async () => {
    const id = await publishDrawn();
    await owner.call('markPage', { params: { id, page: '1' } });
    expect((await open(id)).body.opened?.firstPage).toBeUndefined();
    const look = async () => (await owner.call('getRenderResult', { params: { id }, query: {} })).body.done;
    await expect.poll(look, { timeout: 20_000 }).toBe(true);
    expect((await open(id)).body.opened?.firstPage?.page).toBe(2);
    expect((await open(id, { page: '3' })).body.opened?.firstPage?.page).toBe(3);
    expect((await open(id, { page: '4' })).body.opened?.firstPage).toBeUndefined();
    await readToTheEnd(owner, id);
    expect((await open(id)).body.opened?.firstPage?.page).toBe(1);
  });

  test('an opening of a document that may only be downloaded brings no page', async () => {
    const id = await publishDrawn({ metadata: { DOC_EXT: 'zip' } });
    const { opened } = (await open(id)).body;
    expect([opened?.document.id, opened?.firstPage]).toEqual([id, undefined]);
  });
});

describe('nothing but the verdict comes', () => {
  test('a check that does not ask for the opening brings only the verdict', async () => {
    const id = await publishDrawn();
    for (const query of [{ opening: 'true' }, { width: '1240' }] as const) {
      const { body } = await owner.call('checkDocument', { params: { id }, query });
      expect([body.status, body.opened]).toEqual(['SHA_CIF_OK', undefined]);
    }
  });

  test('a check of a stranger is answered as of an unknown document', async () => {
    const id = await publishDrawn();
    expect((await open(id, { client: stranger })).body).toEqual({
      status: 'DOCUMENT_NOT_EXIST',
      checkedAt: null,
      ledger: null,
      entry: null,
      differences: [],
      notCompared: [],
    });
  });

  test('a check of a withdrawn document brings nothing but the verdict, at once', async () => {
    const id = await publishDrawn();
    expect((await open(id)).body.opened?.firstPage).toBeDefined();
    await portal.db.updateTable('document').set({ state: 'DELETED' }).where('id', '=', id).execute();
    expect((await open(id)).body).toEqual({
      status: 'DOCUMENT_NOT_EXIST',
      checkedAt: null,
      ledger: null,
      entry: null,
      differences: [],
      notCompared: [],
    });
  });

  test('a check of a document that is registered to another owner, or as other content, brings only the verdict', async () => {
    const [moved, changed] = [await publishDrawn(), await publishDrawn()];
    await portal.db.updateTable('document').set({ cif: '7777' }).where('id', '=', moved).execute();
    await portal.db
      .updateTable('document')
      .set({ sha256: '0'.repeat(64) })
      .where('id', '=', changed)
      .execute();
    for (const [id, status] of [
      [moved, 'CIF_NOT_EQUAL'],
      [changed, 'SHA_NOT_EQUAL'],
    ] as const) {
      const { body } = await open(id);
      expect([body.status, body.opened]).toEqual([status, undefined]);
    }
  });

  test.each(['0', '1e3', '99999'])('an opening at page %s, which does not exist, brings only the verdict', async (page) => {
    const id = (await publish()).id;
    const answer = await open(id, { page });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  test('an opening at a width that is not offered brings only the verdict', async () => {
    const answer = await open((await publish()).id, { width: '1241' });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});
