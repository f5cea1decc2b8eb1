import { randomUUID } from 'node:crypto';
import type { BodyOf, calls, CallInput, SavedViewContent } from '@pergamin/contract';
import { savedViewLimits, unreadFilter } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
/** A client who saves nothing: each of their views is refused. */
let refused: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  refused = await portal.signIn('5000');
});

afterAll(() => portal[Symbol.asyncDispose]());

let last = 5_000;
const aClient = (): Promise<TestClient> => portal.signIn(String((last += 1)));

const content: SavedViewContent = {
  text: 'umowa',
  period: 'CALC_2024',
  filters: [
    { key: 'ACCOUNT_NUMBER', value: '12 34' },
    { key: 'REG_DATE', from: '2024-01-01', to: null },
  ],
  sort: [{ by: 'REG_DATE', order: 'asc' }],
  columns: [
    { key: 'PRIV_CASE_NUMBER', shown: true, widthPx: 136 },
    { key: 'ACCOUNT_NUMBER', shown: false, widthPx: null },
  ],
  pageSize: 25,
};

type View = CallInput<typeof calls.createSavedView>['body'];

const save = (client: TestClient, view: Partial<View> = {}) =>
  client.call('createSavedView', { body: { name: 'Umowy', kind: 'received', content, ...view } });
const saved = async (client: TestClient, view: Partial<View> = {}): Promise<string> => (await save(client, view)).body.id;
const folder = async (client: TestClient, name: string, parentId: string | null = null): Promise<string> =>
  (await client.call('createViewFolder', { body: { name, parentId } })).body.id;
const all = async (client: TestClient) => (await client.call('listSavedViews', {})).body;

describe('a saved view', () => {
  test('comes back as it was saved', async () => {
    const client = await aClient();
    const view = (await save(client, { name: '  Umowy z 2024 ' })).body;
    expect(view).toEqual({ id: view.id, folderId: null, name: 'Umowy z 2024', kind: 'received', content });
    expect(await all(client)).toEqual({ folders: [], items: [view] });
  });

  test('keeps the filter by what is unread', async () => {
    const client = await aClient();
    const view = (await save(client, { content: { ...content, filters: [unreadFilter] } })).body;
    expect((await all(client)).items).toEqual([{ ...view, content: { ...content, filters: [unreadFilter] } }]);
  });

  test('needs no more than a period: everything else has its standard', async () => {
    const client = await aClient();
    const { body } = await save(client, { kind: 'statements', content: { period: 'LAST_6_MONTHS' } });
    expect(body.content).toEqual({ text: '', period: 'LAST_6_MONTHS', filters: [], sort: [], columns: [], pageSize: 10 });
  });

  test('is renamed, moved and saved again, each by itself', async () => {
    const client = await aClient();
    const id = await saved(client);
    const place = await folder(client, 'Bank');
    const update = (body: BodyOf<typeof calls.updateSavedView>) => client.call('updateSavedView', { params: { id }, body });
    expect((await update({ name: 'Aneksy' })).body).toMatchObject({ name: 'Aneksy', folderId: null, content });
    expect((await update({ folderId: place })).body).toMatchObject({ name: 'Aneksy', folderId: place, content });
    const changed = { ...content, text: '', filters: [] };
    expect((await update({ content: changed })).body).toMatchObject({ name: 'Aneksy', folderId: place, content: changed });
    expect((await update({ folderId: null })).body).toMatchObject({ folderId: null });
    expect((await all(client)).items).toMatchObject([{ id, name: 'Aneksy', folderId: null, content: changed }]);
  });

  test('is deleted once', async () => {
    const client = await aClient();
    const id = await saved(client);
    expect((await client.call('deleteSavedView', { params: { id } })).status).toBe(204);
    expect((await client.call('deleteSavedView', { params: { id } })).error?.code).toBe('RESOURCE_NOT_FOUND');
    expect((await all(client)).items).toEqual([]);
  });

  test('opens without a key that is no more', async () => {
    const client = await aClient();
    await portal.db
      .insertInto('metadata_definition')
      .values({
        id: 'BRANCH',
        number: null,
        name_pl: 'Oddział',
        name_en: 'Branch',
        description: null,
        type: 'TEXT',
        visible: 'yes',
        dictionary: null,
        screens: ['R'],
        position: 90,
      })
      .execute();
    // A changed dictionary makes the portal read the definitions again.
    const changeDictionary = (key: string) =>
      portal.publisher.call('upsertDictionary', {
        params: { id: 'NEWS' },
        body: { name: { pl: 'a', en: 'b' }, values: [{ key, name: { pl: 'a', en: 'b' } }] },
      });
    await changeDictionary('A');
    const more = {
      ...content,
      filters: [...content.filters, { key: 'BRANCH', value: 'Toruń' }],
      sort: [{ by: 'BRANCH', order: 'desc' as const }, ...content.sort],
      columns: [{ key: 'BRANCH', shown: true, widthPx: null }, ...content.columns],
    };
    const { body } = await save(client, { content: more });
    expect(body.content).toEqual(more);
    await portal.db.updateTable('metadata_definition').set({ visible: 'no' }).where('id', '=', 'BRANCH').execute();
    await changeDictionary('B');
    expect((await all(client)).items.map((view) => view.content)).toEqual([content]);
  });

  test('lists are in the order of the alphabet, numbers by their size', async () => {
    const client = await aClient();
    for (const name of ['Zlecenia', 'Łódź', 'Lokaty', 'Rok 10', 'Rok 9', 'ąkowe']) await save(client, { name });
    expect((await all(client)).items.map(({ name }) => name)).toEqual(['ąkowe', 'Lokaty', 'Łódź', 'Rok 9', 'Rok 10', 'Zlecenia']);
  });
});

describe('a name', () => {
  test('is there once in its folder, without regard to case', async () => {
    const client = await aClient();
    await save(client, { name: 'Umowy' });
    expect((await save(client, { name: ' umowy', kind: 'public' })).error).toMatchObject({
      code: 'RESOURCE_DUPLICATE',
      fields: { name: expect.any(String) },
    });
    const place = await folder(client, 'Umowy');
    const other = await saved(client, { name: 'Umowy', folderId: place });
    const moved = await client.call('updateSavedView', { params: { id: other }, body: { folderId: null } });
    expect(moved.error?.code).toBe('RESOURCE_DUPLICATE');
    const again = await client.call('createViewFolder', { body: { name: 'UMOWY' } });
    expect(again.error?.code).toBe('RESOURCE_DUPLICATE');
    expect((await save(await aClient(), { name: 'Umowy' })).status).toBe(200);
  });

  test.each(['', '   ', 'x'.repeat(savedViewLimits.nameMaxLength + 1), 'a\0b', '\ud800'])('cannot be %j', async (name) => {
    expect((await save(refused, { name })).error?.code).toBe('VALIDATION_ERROR');
    expect((await refused.call('createViewFolder', { body: { name } })).error?.code).toBe('VALIDATION_ERROR');
  });
});

describe('folders', () => {
  test('lie in one another three deep, and never in themselves', async () => {
    const client = await aClient();
    const first = await folder(client, '1');
    const second = await folder(client, '2', first);
    const third = await folder(client, '3', second);
    const refused = await client.call('createViewFolder', { body: { name: '4', parentId: third } });
    expect(refused.error).toMatchObject({ code: 'VALIDATION_ERROR', fields: { parentId: expect.any(String) } });
    const move = (id: string, parentId: string | null) => client.call('updateViewFolder', { params: { id }, body: { parentId } });
    for (const [id, into] of [
      [first, first],
      [first, third],
      [second, third],
    ] as const)
      expect((await move(id, into)).error?.code).toBe('VALIDATION_ERROR');
    const tall = await folder(client, 'a');
    await folder(client, 'b', tall);
    expect((await move(tall, second)).error?.code).toBe('VALIDATION_ERROR');
    expect((await move(tall, first)).body).toEqual({ id: tall, parentId: first, name: 'a' });
    expect((await move(second, null)).body).toMatchObject({ parentId: null });
    const renamed = await client.call('updateViewFolder', { params: { id: tall }, body: { name: 'c' } });
    expect(renamed.body).toEqual({ id: tall, parentId: first, name: 'c' });
  });

  test('go with all that is in them', async () => {
    const client = await aClient();
    const outer = await folder(client, 'outer');
    const inner = await folder(client, 'inner', outer);
    await save(client, { folderId: inner });
    const stays = await saved(client, { name: 'stays' });
    expect((await client.call('deleteViewFolder', { params: { id: outer } })).status).toBe(204);
    expect(await all(client)).toMatchObject({ folders: [], items: [{ id: stays }] });
  });
});

describe('the bounds', () => {
  test('the limits of views hold, also when many are saved at once', async () => {
    const client = await aClient();
    const answers = await Promise.all(
      Array.from({ length: savedViewLimits.maxViews + 5 }, (_, index) => save(client, { name: `Widok ${index}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(savedViewLimits.maxViews);
    expect(answers.find(({ status }) => status !== 200)?.error).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await all(client)).items).toHaveLength(savedViewLimits.maxViews);
  });

  test('the limits of folders hold', async () => {
    const client = await aClient();
    for (let index = 0; index < savedViewLimits.maxFolders; index += 1) await folder(client, `${index}`);
    expect((await client.call('createViewFolder', { body: { name: 'more' } })).error?.code).toBe('VALIDATION_ERROR');
  });
});

const wrong: { name: string; change: object }[] = [
  { name: 'a hidden key', change: { filters: [{ key: 'ADDED_BY', value: 'x' }] } },
  { name: 'a key of the language', change: { sort: [{ by: '__proto__', order: 'asc' }] } },
  { name: 'an unknown column', change: { columns: [{ key: 'object_key', shown: true }] } },
  { name: 'a filter longer than a search may be', change: { filters: [{ key: 'FILE_NAME', value: 'x'.repeat(257) }] } },
  { name: 'a filter that cannot be kept', change: { filters: [{ key: 'FILE_NAME', value: 'a\0b' }] } },
  { name: 'a filter of half a character', change: { filters: [{ key: 'FILE_NAME', value: '\ud800' }] } },
  { name: 'a text that cannot be kept', change: { text: 'a\0b' } },
  { name: 'a text of half a character', change: { text: '\udc00x' } },
  { name: 'a day that does not exist', change: { filters: [{ key: 'REG_DATE', from: '2026-02-30', to: null }] } },
  { name: 'a range that ends before it starts', change: { filters: [{ key: 'REG_DATE', from: '2026-02-03', to: '2026-02-02' }] } },
  { name: 'a page size of its own', change: { pageSize: 7 } },
  { name: 'a narrow column', change: { columns: [{ key: 'FILE_NAME', shown: true, widthPx: 79 }] } },
  { name: 'an unknown period', change: { period: 'LAST_CENTURY' } },
  { name: 'no period', change: { period: undefined } },
  { name: 'more sorts than a list takes', change: { sort: Array.from({ length: 6 }, () => ({ by: 'REG_DATE', order: 'asc' })) } },
  { name: 'too many filters', change: { filters: Array.from({ length: 51 }, () => ({ key: 'FILE_NAME', value: 'x' })) } },
  { name: 'a wrong value of the filter by what is unread', change: { filters: [{ key: 'UNREAD', value: 'x' }] } },
  { name: 'an order by what is unread', change: { sort: [{ by: 'UNREAD', order: 'asc' }] } },
  { name: 'something else beside', change: { script: 'alert(1)' } },
];

test.each(wrong)('a view with $name is refused', async ({ change }) => {
  const { error } = await save(refused, { content: { ...content, ...change } });
  expect(error?.code).toBe('VALIDATION_ERROR');
  expect((await all(refused)).items).toEqual([]);
});

describe('another client’s views and folders', () => {
  test('do not exist', async () => {
    const [owner, stranger] = [await aClient(), await aClient()];
    const place = await folder(owner, 'Bank');
    const view = await saved(owner, { folderId: place });
    const before = await all(owner);
    for (const [folderId, viewId] of [
      [place, view],
      [randomUUID(), randomUUID()],
    ] as const) {
      const answers = [
        await save(stranger, { folderId }),
        await stranger.call('createViewFolder', { body: { name: 'x', parentId: folderId } }),
        await stranger.call('updateSavedView', { params: { id: viewId }, body: { name: 'x' } }),
        await stranger.call('deleteSavedView', { params: { id: viewId } }),
        await stranger.call('updateViewFolder', { params: { id: folderId }, body: { name: 'x' } }),
        await stranger.call('deleteViewFolder', { params: { id: folderId } }),
      ];
      for (const { status, error } of answers) expect([status, error]).toEqual([404, { code: 'RESOURCE_NOT_FOUND', message: 'Not found' }]);
    }
    const own = await saved(stranger);
    const moved = await stranger.call('updateSavedView', { params: { id: own }, body: { folderId: place } });
    expect(moved.error?.code).toBe('RESOURCE_NOT_FOUND');
    expect(await all(owner)).toEqual(before);
    expect((await all(stranger)).items).toHaveLength(1);
  });

  test('go with their client', async () => {
    const client = await aClient();
    await save(client, { folderId: await folder(client, 'Bank') });
    await portal.db.deleteFrom('client').where('personal_id', '=', client.personalId).execute();
    expect(await portal.db.selectFrom('saved_view').selectAll().where('personal_id', '=', client.personalId).execute()).toEqual([]);
  });
});
