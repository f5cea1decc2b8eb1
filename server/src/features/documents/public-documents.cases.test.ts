import { randomUUID } from 'node:crypto';
import type { Criterion } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { listStoredPages } from '#testing/stored-pages.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

/** The negative cases of the open area: nothing but what is public can be found, seen or used by another site. */

let portal: TestPortal;
let publicId: string;
/** Published to one client, to a group, and to everybody but deleted or not yet released. */
const hidden = new Map<string, string>();

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.addClient('2001', { cif: '8001', groups: ['G'] });
  publicId = (await portal.publish({ pdf: aPdf({ text: 'p' }), type: 'PUBLIC', fileName: 'Regulamin' })).body.id;
  const publish = async (name: string, description: Parameters<TestPortal['publish']>[0]) =>
    hidden.set(name, (await portal.publish(description)).body.id);
  await publish('a private one', { pdf: aPdf({ text: '1' }), cif: '8001', fileName: 'Sekret' });
  await publish('a group’s', { pdf: aPdf({ text: '2' }), type: 'GROUP', groupId: 'G', fileName: 'Sekret' });
  await publish('a deleted one', { pdf: aPdf({ text: '3' }), type: 'PUBLIC', fileName: 'Sekret' });
  await publish('a forgotten one', { pdf: aPdf({ text: '4' }), type: 'PUBLIC', fileName: 'Sekret' });
  await publish('one that is not released', { pdf: aPdf({ text: '5' }), type: 'PUBLIC', fileName: 'Sekret' });
  const set = (name: string, values: { state?: 'DELETED' | 'FORGOTTEN'; published_at?: null }) =>
    portal.db
      .updateTable('document')
      .set(values)
      .where('id', '=', hidden.get(name) ?? '')
      .execute();
  await set('a deleted one', { state: 'DELETED' });
  await set('a forgotten one', { state: 'FORGOTTEN' });
  await set('one that is not released', { published_at: null });
  await portal.db
    .deleteFrom('delivery')
    .where('document_id', '=', hidden.get('one that is not released') ?? '')
    .execute();
});

afterAll(() => portal[Symbol.asyncDispose]());

const about = (id: string) => [
  { url: `/api/open/documents/details/${id}` },
  { url: `/api/open/documents/download/${id}` },
  { url: `/api/open/documents/download/${id}`, headers: { range: 'bytes=0-1' } },
  { url: `/api/open/documents/download/${id}`, headers: { 'if-none-match': '*' } },
];
const ask = async ({ url, headers = {} }: { url: string; headers?: Record<string, string> }) => {
  const answer = await portal.server.inject({ url, headers: { host: 'localhost:8080', ...headers } });
  return {
    status: answer.statusCode,
    body: answer.body,
    cache: answer.headers['cache-control'],
    names: Object.keys(answer.headers).toSorted(),
  };
};

describe('11: what is not public does not exist', () => {
  test.each(['a private one', 'a group’s', 'a deleted one', 'a forgotten one', 'one that is not released'])(
    '%s is answered as a random id is',
    async (name) => {
      const asked = about(hidden.get(name) ?? '');
      const random = about(randomUUID());
      for (const [index, request] of asked.entries()) {
        const answer = await ask(request);
        expect(answer).toMatchObject({ status: 404, body: expect.stringContaining('DOCUMENT_NOT_FOUND_ERROR') });
        expect(answer).toEqual(await ask(random[index] ?? request));
      }
      const check = (await portal.anonymous.call('checkPublicDocument', { params: { id: hidden.get(name) ?? '' } })).body;
      expect(check).toEqual({ status: 'DOCUMENT_NOT_EXIST', checkedAt: null, ledger: null, entry: null, differences: [], notCompared: [] });
      portal.clock.advance(60_000);
    },
  );

  test('asking for what is not public reads, marks and renders nothing', async () => {
    const ids = [...hidden.values()];
    expect(await portal.db.selectFrom('document_check').selectAll().where('document_id', 'in', ids).execute()).toEqual([]);
    expect(await portal.db.selectFrom('document_mark').selectAll().execute()).toEqual([]);
    expect(await listStoredPages(portal)).toEqual([]);
  });
});

describe('12, 13: no criteria widen the public list', () => {
  const tries: { name: string; metadata?: Criterion[]; text?: string; total: number }[] = [
    { name: 'none', total: 1 },
    { name: 'TYPE = PRIVATE', metadata: [{ id: 'TYPE', operator: 'EQUALS', value: 'PRIVATE' }], total: 0 },
    { name: 'TYPE = GROUP', metadata: [{ id: 'TYPE', operator: 'EQUALS', value: 'GROUP' }], total: 0 },
    { name: 'TYPE ≠ PUBLIC', metadata: [{ id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' }], total: 0 },
    { name: 'TYPE = PUBLIC twice', metadata: [1, 2].map(() => ({ id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' }) as const), total: 1 },
    {
      name: 'the criteria of statements',
      metadata: [
        { id: 'TYPE', operator: 'EQUALS', value: 'PRIVATE' },
        { id: 'PERGAMIN_ST_DOC_TYPE', operator: 'EQUALS', value: 'STATEMENTS' },
      ],
      total: 0,
    },
    {
      name: 'the criteria of received documents',
      metadata: [
        { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
        { id: 'PERGAMIN_ST_DOC_TYPE', operator: 'NOT_EQUALS', value: 'STATEMENTS' },
      ],
      total: 0,
    },
    { name: 'PUBLIC = false', metadata: [{ id: 'PUBLIC', operator: 'EQUALS', value: false }], total: 0 },
    { name: 'PUBLISHED = false', metadata: [{ id: 'PUBLISHED', operator: 'EQUALS', value: false }], total: 0 },
    { name: 'STATE = DELETED', metadata: [{ id: 'STATE', operator: 'EQUALS', value: 'DELETED' }], total: 0 },
    { name: 'the number of a client', metadata: [{ id: 'CIF', operator: 'EQUALS', value: '8001' }], total: 0 },
    { name: 'the empty number', metadata: [{ id: 'CIF', operator: 'EQUALS', value: '' }], total: 0 },
    { name: 'no number', metadata: [{ id: 'CIF', operator: 'NOT_EQUALS', value: '8001' }], total: 1 },
    { name: 'a recipient', metadata: [{ id: '14', operator: 'LIKE', value: '%8%' }], total: 0 },
    { name: 'the text of a private one', text: 'sekret', total: 0 },
  ];

  test.each(tries)('$name', async ({ metadata = [], text = null, total }) => {
    const { body } = await portal.anonymous.call('listPublicDocuments', { body: { text, criteria: { metadata } } });
    expect(body.total).toBe(total);
    expect(body.items.map(({ id }) => id)).toEqual(total === 1 ? [publicId] : []);
  });

  test('no order, period or page widens the public list', async () => {
    for (const by of ['REG_DATE', 'CIF', '14', 'TYPE', 'PUB_FILENAME', 'PUBLICATION_DATE'])
      for (const order of ['asc', 'desc']) {
        const { body } = await portal.anonymous.call('listPublicDocuments', { body: { sort: [{ by, order }], size: 100 } });
        expect(body.items.map(({ id }) => id)).toEqual([publicId]);
      }
    const { body } = await portal.anonymous.call('listPublicDocuments', {
      body: { criteria: { period: { start: 0, end: 8.64e15 } }, size: 100 },
    });
    expect(body).toMatchObject({ total: 1, items: [{ id: publicId }] });
  });

  test.each(['UNIQUE_NAME', 'ADDED_BY', 'GROUP_ID', '15', 'object_key', '__proto__', 'constructor'])(
    '15: a hidden key (%s) can be neither asked for nor sorted by',
    async (id) => {
      const criterion = await portal.anonymous.call('listPublicDocuments', {
        body: { criteria: { metadata: [{ id, operator: 'EQUALS', value: 'x' }] } },
      });
      const sorted = await portal.anonymous.call('listPublicDocuments', { body: { sort: [{ by: id, order: 'asc' }] } });
      for (const { error } of [criterion, sorted]) expect(error?.code).toBe('VALIDATION_ERROR');
    },
  );
});

describe('19: malformed ids', () => {
  test.each(['1%20OR%201=1', '..%2f..%2fetc', '%00', 'null', 'x'.repeat(4_000), `${randomUUID()}0`])('%s', async (id) => {
    for (const request of [...about(id), { url: `/api/open/documents/check/${id}` }])
      expect(await ask(request)).toMatchObject({ status: 400, body: expect.stringContaining('VALIDATION_ERROR') });
  });
});

describe('90: pages of other sites', () => {
  const from = (site: string, destination: string) =>
    ask({ url: `/api/open/documents/download/${publicId}`, headers: { 'sec-fetch-site': site, 'sec-fetch-dest': destination } });

  test.each(['iframe', 'image', 'object', 'embed', 'empty'])('cannot use a public document as their %s', async (destination) => {
    for (const site of ['cross-site', 'same-site']) expect((await from(site, destination)).status).toBe(403);
  });

  test('may link to one', async () => {
    expect((await from('cross-site', 'document')).status).toBe(200);
    expect((await from('same-origin', 'empty')).status).toBe(200);
  });

  test('91: no second address of a public file exists under which another site could keep it', async () => {
    for (const suffix of ['.css', ';x.css', '/x.js'])
      expect((await ask({ url: `/api/open/documents/download/${publicId}${suffix}` })).status).toBeGreaterThanOrEqual(400);
    expect((await ask({ url: `/api/open/documents/download/${publicId}?x=.js` })).cache).toBe('public, no-cache');
  });
});
