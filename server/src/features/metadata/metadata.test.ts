import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#testing/test-database.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import { createMetadata } from './metadata.door.ts';

let portal: TestPortal;
let client: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  client = await portal.signIn('4001', { cif: '9001' });
});

afterAll(() => portal[Symbol.asyncDispose]());

const aDictionary = (id: string, options: Record<string, string>) =>
  portal.publisher.call('upsertDictionary', {
    params: { id },
    body: {
      name: { pl: 'Słownik', en: 'Dictionary' },
      values: Object.entries(options).map(([key, name]) => ({ key, name: { pl: name, en: name } })),
    },
  });

const options = async (id: string): Promise<string[]> => {
  const { items } = (await portal.anonymous.call('listDictionaries', {})).body;
  return items.find((dictionary) => dictionary.id === id)?.values.map(({ key }) => key) ?? [];
};

describe('definitions', () => {
  test('tell a client everything that may be seen, in the order of the details panel, and nothing else', async () => {
    const { items } = (await client.call('listOwnMetadata', {})).body;
    const ids = items.map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(['FILE_NAME', 'PRIV_DOC_PRODUCT_GROUP']);
    expect(ids).toEqual(expect.arrayContaining(['2', '4', '11', '14', 'CIF', 'CIF2', 'HCP', 'STATE', 'TYPE', 'DOC_EXT']));
    for (const hidden of ['5', '6', '9', 'UNIQUE_NAME', '12', 'ADDED_BY', '15', '16', 'GROUP_ID', 'PERGAMIN_ST_DOC_TYPE'])
      expect(ids).not.toContain(hidden);
    expect(items[0]).toEqual({
      id: 'FILE_NAME',
      number: 1,
      name: { pl: 'Nazwa pliku', en: 'File name' },
      description: null,
      type: 'TEXT',
      required: true,
      system: false,
      final: false,
      removed: false,
      dictionary: null,
      screens: ['D', 'I', 'V'],
    });
  });

  test('definitions of the screens come with the key of the metadata map', async () => {
    const { items } = (await client.call('mapOwnMetadata', {})).body;
    expect(items.every(({ id, key, screens }) => key === id && screens.length > 0)).toBe(true);
    expect(items.map(({ id }) => id)).not.toContain('DOC_EXT');
  });

  test('are told to everybody, but for those of owners', async () => {
    const ids = (await portal.anonymous.call('listPublicMetadata', {})).body.items.map(({ id }) => id);
    expect(ids).toContain('PUB_FILENAME');
    for (const own of ['CIF', 'CIF2', '14', 'UNIQUE_NAME']) expect(ids).not.toContain(own);
  });
});

describe('a dictionary', () => {
  test('is replaced at once and in its order, but keeps the options that documents carry', async () => {
    await aDictionary('ST_DOC_TYPE', { MONTHLY: 'Miesięczny', DAILY: 'Dzienny', YEARLY: 'Roczny' });
    expect(await options('ST_DOC_TYPE')).toEqual(['MONTHLY', 'DAILY', 'YEARLY']);
    await portal.publish({ pdf: aPdf(), cif: '9001', metadata: { ST_DOC_TYPE: 'DAILY' } });
    const { status } = await aDictionary('ST_DOC_TYPE', { WEEKLY: 'Tygodniowy', MONTHLY: 'Miesięczny' });
    expect(status).toBe(204);
    expect(await options('ST_DOC_TYPE')).toEqual(['WEEKLY', 'MONTHLY', 'DAILY']);
  });

  test('keeps options of keys without a column of their own as well', async () => {
    await aDictionary('PUB_DOC_PRODUCT_GROUP', { FEES: 'Opłaty', RATES: 'Oprocentowanie' });
    await portal.publish({ pdf: aPdf(), type: 'PUBLIC', metadata: { PUB_DOC_PRODUCT_GROUP: 'FEES' } });
    await aDictionary('PUB_DOC_PRODUCT_GROUP', { TERMS: 'Regulaminy' });
    expect(await options('PUB_DOC_PRODUCT_GROUP')).toEqual(['TERMS', 'FEES']);
  });

  test('a dictionary of an installation’s own is created', async () => {
    await aDictionary('BRANCH', { WAW: 'Warszawa' });
    expect(await options('BRANCH')).toEqual(['WAW']);
  });

  test('a dictionary of the portal itself, or with an option twice, is refused', async () => {
    expect((await aDictionary('STATE', { ACTIVE: 'Żywy' })).error).toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: { id: expect.any(String) },
    });
    const twice = await portal.publisher.call('upsertDictionary', {
      params: { id: 'BRANCH' },
      body: { name: { pl: 'a', en: 'a' }, values: [1, 2].map(() => ({ key: 'X', name: { pl: 'x', en: 'x' } })) },
    });
    expect(twice.error).toMatchObject({ code: 'VALIDATION_ERROR', fields: { values: expect.any(String) } });
  });

  test('a dictionary with options refuses a document that carries another one', async () => {
    await aDictionary('PRIV_DOC_PRODUCT_GROUP', { LOAN: 'Kredyty' });
    const { status, error } = await portal.publish({ pdf: aPdf(), cif: '9001', metadata: { PRIV_DOC_PRODUCT_GROUP: 'CARD' } });
    expect([status, error?.code, Object.keys(error?.fields ?? {})]).toEqual([400, 'DOCUMENT_METADATA_ERROR', ['PRIV_DOC_PRODUCT_GROUP']]);
  });
});

describe('the statement marker', () => {
  test('has its definition from the first start, and changes its key with the setting', async () => {
    await using database = await createTestDatabase();
    const open = (statementMarkerKey: string) => createMetadata({ db: database.db, settings: { statementMarkerKey } });
    await open('FIRST_MARK').ensureMarker();
    await open('FIRST_MARK').ensureMarker();
    const renamed = open('SECOND_MARK');
    await renamed.ensureMarker();
    const definitions = await renamed.definitions();
    expect(definitions.find('SECOND_MARK')).toMatchObject({ type: 'RAW', visible: 'server' });
    expect(definitions.find('FIRST_MARK')).toBeUndefined();
    const { columns } = (await renamed.openReader())({ FILE_NAME: 'a', SECOND_MARK: 'STATEMENTS' });
    expect(columns.marker).toBe('STATEMENTS');
  });

  test('cannot take the key of other metadata', async () => {
    await using database = await createTestDatabase();
    const metadata = createMetadata({ db: database.db, settings: { statementMarkerKey: 'ST_DOC_TYPE' } });
    await expect(metadata.ensureMarker()).rejects.toThrow('STATEMENT_MARKER_KEY');
  });
});

test('what another process changed is what a publication is checked against', async () => {
  await using database = await createTestDatabase();
  const open = () => createMetadata({ db: database.db, settings: { statementMarkerKey: 'MARK' } });
  const [here, there] = [open(), open()];
  await here.ensureMarker();
  await here.definitions();
  const said = { FILE_NAME: 'a', PRIV_DOC_PRODUCT_GROUP: 'LOAN' };
  const before = await here.openReader();
  expect(() => before(said)).toThrow('The metadata do not fit their definitions');
  const options = [{ key: 'LOAN', name: { pl: 'Kredyty', en: 'Loans' } }];
  const key = { keyId: randomUUID(), name: 'tests', scopes: [], demo: false };
  await there.upsertDictionary('PRIV_DOC_PRODUCT_GROUP', { name: { pl: 'Grupa', en: 'Group' }, values: options }, key);
  expect((await here.openReader())(said).columns.priv_product_group).toBe('LOAN');
});
