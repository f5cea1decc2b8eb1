import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallInput, calls, SentDocument } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf, aProtectedPdf } from '#testing/pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let client: TestClient;
let other: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  await keepCategories(portal.publisher);
  client = await portal.signIn('1001', { cif: '7001' });
  other = await portal.signIn('1002', { cif: '7002' });
});
afterAll(() => portal[Symbol.asyncDispose]());

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const send = async (sent: Omit<Parameters<typeof upload>[1], 'pdf'> & { pdf?: Uint8Array }): Promise<SentDocument> =>
  (await upload(client, { pdf: aPdf(), ...sent })).body;

describe('a document that a client sends', () => {
  test('is kept as it is, told to its sender and to the organisation', async () => {
    const pdf = aPdf({ pages: 2, text: 'Reklamacja' });
    const before = Date.now();
    const answer = await upload(client, { pdf, filename: 'Reklamacja żółta.pdf', categoryId: 'COMPLAINTS', typeId: 'APPEAL' });
    expect(answer.status).toBe(201);
    const { id, createdOn, retentionDate } = answer.body;
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      filename: 'Reklamacja żółta.pdf',
      category: { id: 'COMPLAINTS', name: { pl: 'Reklamacje', en: 'Complaints' } },
      type: { id: 'APPEAL', name: { pl: 'Odwołanie', en: 'Appeal' } },
      createdOn: expect.any(Number),
      retentionDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      status: 'SENT',
      receivedOn: null,
      sha256: sha256(pdf),
    });
    expect(createdOn).toBeGreaterThanOrEqual(before);
    expect(Math.round((Date.parse(String(retentionDate)) - createdOn) / 86_400_000)).toBeGreaterThanOrEqual(364);
    const details = await client.call('getSentDocument', { params: { id } });
    expect(details.body).toMatchObject({ ...answer.body, size: pdf.length, pageCount: 2 });
    expect(details.body.pageSizes).toHaveLength(2);
    const download = await client.call('downloadSentDocument', { params: { id } });
    expect(download.bytes.equals(pdf)).toBe(true);
    expect(download.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(pdf.length),
      'cache-control': 'private, no-store',
      'content-disposition': expect.stringContaining("filename*=UTF-8''Reklamacja%20%C5%BC%C3%B3%C5%82ta.pdf"),
    });
  });

  test('is shown page by page', async () => {
    const { id } = await send({ pdf: aPdf({ pages: 2, text: 'pages' }) });
    const query = { width: '1240' };
    await expect
      .poll(async () => (await client.call('getSentRenderResult', { params: { id }, query })).body, { timeout: 20_000 })
      .toMatchObject({ done: true, progress: 100 });
    const { sources } = (await client.call('getSentRenderResult', { params: { id }, query })).body;
    expect(sources.map(({ url }) => url)).toEqual(
      [1, 2].map((page) => `/api/protected/documents/client/render/page/${id}/${page}?width=1240`),
    );
    const image = await client.call('getSentPageImage', { params: { id, page: '2' }, query });
    expect([image.status, image.headers['content-type'], image.headers['cache-control']]).toEqual([200, 'image/png', 'private, no-store']);
    expect((await client.call('getSentPageImage', { params: { id, page: '3' }, query })).error?.code).toBe('RESOURCE_NOT_FOUND');
  });

  test('may be encrypted, if it opens without a password', async () => {
    const pdf = await aProtectedPdf('change', aPdf({ text: 'Zastrzezona' }));
    const { id } = await send({ pdf });
    expect((await client.call('downloadSentDocument', { params: { id } })).bytes.equals(pdf)).toBe(true);
  });

  test('says what its pages say', async () => {
    const { id } = await send({ pdf: aPdf({ pages: 2, text: 'Reklamacja raty' }) });
    const { body, headers } = await client.call('getSentPageText', { params: { id, page: '2' } });
    expect(body.lines.map(({ runs }) => runs.map(({ text }) => text))).toEqual([['Reklamacja raty']]);
    expect(headers['cache-control']).toBe('private, no-store');
    expect((await client.call('getSentPageText', { params: { id, page: '3' } })).error?.code).toBe('RESOURCE_NOT_FOUND');
  });

  test('a sent document is its sender’s only, even when another client sent the same bytes', async () => {
    const { id } = await send({ pdf: aPdf({ text: 'mine' }) });
    const params = { id };
    const query = { width: '1240' };
    const answers = [
      await other.call('getSentDocument', { params }),
      await other.call('downloadSentDocument', { params }),
      await other.call('getSentRenderResult', { params, query }),
      await other.call('getSentPageImage', { params: { id, page: '1' }, query }),
      await other.call('getSentPageText', { params: { id, page: '1' } }),
      await other.call('getDocument', { params }),
      await client.call('downloadDocument', { params }),
    ];
    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(answers.map(() => [404, 'DOCUMENT_NOT_FOUND_ERROR']));
    expect((await other.call('listSentDocuments', { body: {} })).body).toEqual({ items: [], total: 0 });
  });

  test('a sent document whose stored bytes changed is handed out to no one, and the operator is told', async () => {
    const { id } = await send({ pdf: aPdf({ text: 'to be damaged' }) });
    const { object_key: key } = await portal.db
      .selectFrom('sent_document')
      .select('object_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const path = join(portal.settings.dataDir, 'objects', key.slice(0, 2), key.slice(2, 4), key);
    const bytes = await readFile(path);
    await rm(path);
    await writeFile(path, bytes.fill('X', 20, 21));
    await client.call('downloadSentDocument', { params: { id } }).catch(() => undefined);
    const again = [
      await client.call('downloadSentDocument', { params: { id } }),
      await client.call('getSentRenderResult', { params: { id }, query: { width: '1240' } }),
      await client.call('getSentPageText', { params: { id, page: '1' } }),
      await portal.publisher.call('downloadReceived', { params: { id } }),
    ];
    expect(again.map(({ error }) => error?.code)).toEqual(again.map(() => 'STORAGE_ERROR'));
    expect((await client.call('getSentDocument', { params: { id } })).status).toBe(200);
  });
});

describe('sending again', () => {
  test('sending again under the same key gives the same document and the same answer, and nothing more is stored', async () => {
    const sent = { pdf: aPdf({ text: 'again' }), key: 'attempt-0001' };
    const first = await upload(client, sent);
    const objects = await countObjects();
    const second = await upload(client, sent);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(await countObjects()).toBe(objects);
  });

  test.each([
    ['other bytes', { pdf: aPdf({ text: 'other' }) }],
    ['another type', { typeId: 'APPEAL' }],
    ['another name', { filename: 'Inna.pdf' }],
  ])('sending again under the same key with %s is refused', async (what, change) => {
    const key = `changed-${what.replaceAll(' ', '-')}`;
    await send({ pdf: aPdf({ text: 'first' }), key });
    const answer = await upload(client, { pdf: aPdf({ text: 'first' }), key, ...change });
    expect([answer.status, answer.error?.code, Object.keys(answer.error?.fields ?? {})]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['Idempotency-Key'],
    ]);
  });

  test('the same file under another key, or of another client under the same key, is another document', async () => {
    const pdf = aPdf({ text: 'purpose' });
    const ids = [
      (await upload(client, { pdf })).body.id,
      (await upload(client, { pdf })).body.id,
      (await upload(client, { pdf, key: 'shared-key' })).body.id,
      (await upload(other, { pdf, key: 'shared-key' })).body.id,
    ];
    expect(new Set(ids).size).toBe(4);
  });

  test('a repeated request under the same key is answered as the first time, also after its category was deleted', async () => {
    const items = [{ id: 'SHORT', name: { pl: 'Krótko', en: 'Short' }, types: [{ id: 'SHORT_ONE', name: { pl: 'Raz', en: 'Once' } }] }];
    await keepCategories(portal.publisher, items);
    const sent = { pdf: aPdf(), key: 'deleted-meanwhile', categoryId: 'SHORT', typeId: 'SHORT_ONE' };
    const first = await upload(client, sent);
    await keepCategories(portal.publisher, [{ ...items[0]!, deleted: true }]);
    expect((await upload(client, sent)).body).toEqual(first.body);
    expect((await upload(client, { ...sent, key: 'deleted-before' })).error?.code).toBe('VALIDATION_ERROR');
  });
});

describe('the list of what was sent', () => {
  let reader: TestClient;
  const dayMs = 86_400_000;
  type Body = CallInput<typeof calls.listSentDocuments>['body'];
  const namesOf = async (body: Body): Promise<string[]> =>
    (await reader.call('listSentDocuments', { body })).body.items.map(({ filename }) => filename);
  const created: number[] = [];

  beforeAll(async () => {
    reader = await portal.signIn('1003', { cif: '7003' });
    for (const [filename, typeId] of [
      ['Odwołanie.pdf', 'APPEAL'],
      ['Reklamacja 100%.pdf', 'COMPLAINT'],
      ['Łąka_1.pdf', 'INCOME'],
    ] as const) {
      const { body } = await upload(reader, {
        pdf: aPdf({ text: filename }),
        filename,
        typeId,
        categoryId: typeId === 'INCOME' ? 'LOANS' : 'COMPLAINTS',
      });
      created.push(body.createdOn);
      portal.clock.advance(dayMs);
      reader = await portal.signIn('1003');
    }
  });

  test('has the newest first, or the oldest', async () => {
    const newest = ['Łąka_1.pdf', 'Reklamacja 100_.pdf', 'Odwołanie.pdf'].map((name) => name.replace('100_', '100%'));
    expect(await namesOf({})).toEqual(newest);
    expect(await namesOf({ sort: [{ by: 'createdOn', order: 'ASC' }] })).toEqual(newest.toReversed());
  });

  test.each<[string, NonNullable<Body['criteria']>, string[]]>([
    ['nothing', { filename: ' ', typeId: '', categoryId: null }, ['Łąka_1.pdf', 'Reklamacja 100%.pdf', 'Odwołanie.pdf']],
    ['a part of the name, in any case and without accents', { filename: 'LAKA' }, ['Łąka_1.pdf']],
    ['a sign that other searches read as any', { filename: '%' }, ['Reklamacja 100%.pdf']],
    ['another of these', { filename: '_' }, ['Łąka_1.pdf']],
    ['a category', { categoryId: 'COMPLAINTS' }, ['Reklamacja 100%.pdf', 'Odwołanie.pdf']],
    ['a type', { categoryId: 'COMPLAINTS', typeId: 'APPEAL' }, ['Odwołanie.pdf']],
    ['a type of another category', { categoryId: 'LOANS', typeId: 'APPEAL' }, []],
    ['a type that there is not', { typeId: "' or 1=1 --" }, []],
  ])('can be asked for %s', async (_, criteria, names) => {
    expect(await namesOf({ criteria })).toEqual(names);
  });

  test('can be asked for a time, both ends included', async () => {
    const [first = 0, second = 0] = created;
    expect(await namesOf({ criteria: { createdOnAfter: second } })).toEqual(['Łąka_1.pdf', 'Reklamacja 100%.pdf']);
    expect(await namesOf({ criteria: { createdOnBefore: second } })).toEqual(['Reklamacja 100%.pdf', 'Odwołanie.pdf']);
    expect(await namesOf({ criteria: { createdOnAfter: first, createdOnBefore: first } })).toEqual(['Odwołanie.pdf']);
    expect(await namesOf({ criteria: { createdOnAfter: -8.64e15, createdOnBefore: 8.64e15 } })).toHaveLength(3);
    const wrong = await reader.call('listSentDocuments', { body: { criteria: { createdOnAfter: second, createdOnBefore: first } } });
    expect([wrong.status, wrong.error?.code]).toEqual([400, 'INVALID_DATE_RANGE']);
  });

  test('can be searched by the words of names, categories and types in both languages', async () => {
    expect(await namesOf({ text: 'odwol' })).toEqual(['Odwołanie.pdf']);
    expect(await namesOf({ text: 'certificate' })).toEqual(['Łąka_1.pdf']);
  });

  test('comes in pages with an honest total', async () => {
    const pages = [0, 1, 2].map(async (page) => (await reader.call('listSentDocuments', { body: { page, size: 2 } })).body);
    const [first, second, third] = await Promise.all(pages);
    expect([first?.items.length, second?.items.length, third?.items.length]).toEqual([2, 1, 0]);
    expect([first?.total, second?.total, third?.total]).toEqual([3, 3, 3]);
  });

  test.each([
    ['sorted by a column of its own choice', { sort: [{ by: 'sha256', order: 'asc' }] }],
    ['with a criterion that there is not', { criteria: { personalId: '1001' } }],
    ['for a name of 257 characters', { criteria: { filename: 'x'.repeat(257) } }],
  ])('%s is refused', async (_, body) => {
    expect((await reader.call('listSentDocuments', { body: body as never })).error?.code).toBe('VALIDATION_ERROR');
  });
});

test('what may be sent is told: sizes, numbers, and what is left of today', async () => {
  const reader = await portal.signIn('1004', { cif: '7004' });
  const fresh = { maxFileBytes: 5_242_880, filesPerSession: 1_000, filesPerDay: 200, leftToday: 200, leftInSession: 1_000 };
  expect((await reader.call('getSendingLimits', {})).body).toEqual(fresh);
  await upload(reader, { pdf: aPdf() });
  expect((await reader.call('getSendingLimits', {})).body).toEqual({ ...fresh, leftToday: 199, leftInSession: 999 });
});

test('a client whose contract has ended reads what was sent, and sends no more', async () => {
  let reader = await portal.signIn('1005', { cif: '7005' });
  const { id } = (await upload(reader, { pdf: aPdf() })).body;
  await portal.db.updateTable('client').set({ state: 'CLOSED' }).where('personal_id', '=', '1005').execute();
  reader = await portal.signIn('1005');
  expect((await reader.call('downloadSentDocument', { params: { id } })).status).toBe(200);
  expect((await upload(reader, { pdf: aPdf() })).error?.code).toBe('CALL_NOT_PERMITTED');
});

const countObjects = async (): Promise<number> => {
  const files = await readdir(join(portal.settings.dataDir, 'objects'), { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile()).length;
};
