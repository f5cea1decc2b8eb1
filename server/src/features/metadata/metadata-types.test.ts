import type { Criterion, MetadataValue } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** Values of every type on their way from a publisher through the lists to the details, as P1 to P3 say. */

let portal: TestPortal;
let client: TestClient;

const own = [
  ['OWN_RAW', 'RAW', null],
  ['OWN_TEXT', 'TEXT', null],
  ['OWN_DECIMAL', 'DECIMAL', null],
  ['OWN_DATE', 'DATE', null],
  ['OWN_DAY', 'SIMPLE_DATE', null],
  ['OWN_FLAG', 'BOOLEAN', null],
  ['OWN_OPTION', 'KEY_NAME', 'BRANCH'],
] as const;

const writeBranches = (...keys: string[]) =>
  portal.publisher.call('upsertDictionary', {
    params: { id: 'BRANCH' },
    body: {
      name: { pl: 'Oddział', en: 'Branch' },
      values: keys.map((key) => ({ key, name: { pl: `Oddział ${key}`, en: `Branch ${key}` } })),
    },
  });

beforeAll(async () => {
  portal = await startTestPortal({
    environment: { IGNORE_MARKERS: 'OWN_FLAG, 11 ,8,SOMETHING', STATEMENT_MARKER_KEY: 'WISLA_ST_DOC_TYPE' },
  });
  await writeBranches('TORUN');
  for (const [position, [id, type, dictionary]] of own.entries())
    await portal.db
      .insertInto('metadata_definition')
      .values({
        id,
        number: null,
        name_pl: `${id} po polsku`,
        name_en: `${id} in English`,
        description: 'of this bank',
        type,
        visible: 'yes',
        dictionary,
        screens: ['R', 'D'],
        position: 100 + position,
      })
      .execute();
  // A changed dictionary makes the portal read the definitions again.
  await writeBranches('TORUN', 'LODZ');
  client = await portal.signIn('4101', { cif: '9101' });
});

afterAll(() => portal[Symbol.asyncDispose]());

let text = 0;
const publish = async (metadata: Record<string, MetadataValue>) => {
  const answer = await portal.publish({ pdf: aPdf({ text: String((text += 1)) }), cif: '9101', metadata });
  return { error: answer.error, id: answer.error === undefined ? answer.body.id : '' };
};

const seen = async (id: string) => {
  const details = (await client.call('getDocument', { params: { id } })).body.metadata;
  const { items } = (await client.call('listOwnDocuments', { body: { size: 100 } })).body;
  expect(items.find((row) => row.id === id)?.metadata).toEqual(details);
  return details;
};

const found = async (...metadata: Criterion[]): Promise<string[]> => {
  const { items } = (await client.call('listOwnDocuments', { body: { size: 100, criteria: { metadata } } })).body;
  return items.map(({ id }) => id);
};

const values = {
  OWN_RAW: '00 012',
  OWN_TEXT: 'Zażółć gęślą jaźń',
  OWN_DECIMAL: -1234.5,
  OWN_DATE: Date.UTC(2026, 2, 29, 1, 30),
  OWN_DAY: '2026-03-29',
  OWN_FLAG: true,
  OWN_OPTION: 'TORUN',
};

describe('a value of every type', () => {
  test('is shown in lists and details as it was published', async () => {
    const { id } = await publish(values);
    expect(await seen(id)).toMatchObject(values);
  });

  test.each<[keyof typeof values, Criterion[], Criterion[]]>([
    ['OWN_RAW', [{ id: 'OWN_RAW', operator: 'LIKE', value: '%0 012%' }], [{ id: 'OWN_RAW', operator: 'EQUALS', value: '12' }]],
    ['OWN_TEXT', [{ id: 'OWN_TEXT', operator: 'LIKE', value: '%zazolc GESLA%' }], [{ id: 'OWN_TEXT', operator: 'LIKE', value: 'Zażółć' }]],
    ['OWN_DECIMAL', [{ id: 'OWN_DECIMAL', operator: 'LQ', value: -1234.5 }], [{ id: 'OWN_DECIMAL', operator: 'GQ', value: -1234.4 }]],
    [
      'OWN_DATE',
      [{ id: 'OWN_DATE', operator: 'EQUALS', value: values.OWN_DATE }],
      [{ id: 'OWN_DATE', operator: 'GQ', value: values.OWN_DATE + 1 }],
    ],
    ['OWN_DAY', [{ id: 'OWN_DAY', operator: 'GQ', value: '2026-03-29' }], [{ id: 'OWN_DAY', operator: 'LQ', value: '2026-03-28' }]],
    ['OWN_FLAG', [{ id: 'OWN_FLAG', operator: 'EQUALS', value: true }], [{ id: 'OWN_FLAG', operator: 'EQUALS', value: false }]],
    [
      'OWN_OPTION',
      [{ id: 'OWN_OPTION', operator: 'LIKE', value: '%oddział tor%' }],
      [{ id: 'OWN_OPTION', operator: 'EQUALS', value: 'LODZ' }],
    ],
  ])('%s is found by what it is, and not by what it is not', async (key, fits, fitsNot) => {
    const { id } = await publish({ [key]: values[key] });
    expect(await found(...fits)).toContain(id);
    expect(await found(...fitsNot)).not.toContain(id);
    const sorted = await client.call('listOwnDocuments', { body: { sort: [{ by: key, order: 'asc' }], size: 100 } });
    expect(sorted.body.items.map((row) => row.id)).toContain(id);
  });

  test.each<[string, MetadataValue]>([
    ['OWN_RAW', 7],
    ['OWN_TEXT', true],
    ['OWN_DECIMAL', '7'],
    ['OWN_DATE', '2026-03-29'],
    ['OWN_DAY', '2026-02-30'],
    ['OWN_DAY', 7],
    ['OWN_FLAG', 'true'],
    ['OWN_OPTION', 'WARSZAWA'],
    ['OWN_OTHER', 'x'],
  ])('%s cannot be published as %j', async (key, value) => {
    const { error } = await publish({ [key]: value });
    expect([error?.code, Object.keys(error?.fields ?? {})]).toEqual(['DOCUMENT_METADATA_ERROR', [key]]);
  });
});

describe('an indefinite date', () => {
  test('is −1 in lists and details, whether it has a column of its own or not, and comes after every other', async () => {
    const indefinite = { RETENTION_DATE: -1, '11': -1, OWN_DATE: -1, OWN_DAY: -1, REG_DATE: -1 };
    const { id } = await publish(indefinite);
    const other = await publish({
      RETENTION_DATE: '2099-12-31',
      '11': '2099-12-31',
      OWN_DATE: 4e12,
      OWN_DAY: '2099-12-31',
      REG_DATE: '2099-12-31',
    });
    expect(await seen(id)).toMatchObject(indefinite);
    for (const key of Object.keys(indefinite)) {
      const { items } = (await client.call('listOwnDocuments', { body: { sort: [{ by: key, order: 'desc' }], size: 2 } })).body;
      expect([key, items.map((row) => row.id)]).toEqual([key, [id, other.id]]);
      expect([key, await found({ id: key, operator: 'EQUALS', value: -1 })]).toEqual([key, [id]]);
    }
  });
});

describe('the number and the name of one thing', () => {
  test('are one value, published, asked for and sorted by either, and told by name', async () => {
    const { id } = await publish({ 8: '2031-01-31' });
    const metadata = await seen(id);
    expect(metadata['RETENTION_DATE']).toBe('2031-01-31');
    expect(metadata).not.toHaveProperty('8');
    for (const key of ['8', 'RETENTION_DATE']) {
      expect(await found({ id: key, operator: 'EQUALS', value: '2031-01-31' })).toEqual([id]);
      const sorted = await client.call('listOwnDocuments', { body: { sort: [{ by: key, order: 'ASC' }], size: 1 } });
      expect(sorted.status).toBe(200);
    }
    const twice = await publish({ 8: '2031-01-31', RETENTION_DATE: '2032-01-31' });
    expect(twice.error?.code).toBe('DOCUMENT_METADATA_ERROR');
  });

  test('a number without a name is shown as the number', async () => {
    const { id } = await publish({ 11: '2030-06-30' });
    expect(await seen(id)).toMatchObject({ 2: 1, 11: '2030-06-30', 14: '9101', 4: expect.any(Number) });
  });
});

describe('definitions and dictionaries', () => {
  test('hold every type, with names in both languages, for clients and for everybody', async () => {
    const everything = (await client.call('listOwnMetadata', {})).body.items;
    const forScreens = (await client.call('mapOwnMetadata', {})).body;
    const forEverybody = (await portal.anonymous.call('listPublicMetadata', {})).body.items;
    for (const [id, type, dictionary] of own) {
      const expected = {
        id,
        number: null,
        type,
        dictionary,
        name: { pl: `${id} po polsku`, en: `${id} in English` },
        description: 'of this bank',
        removed: false,
        required: false,
        system: false,
        final: false,
        screens: ['R', 'D'],
      };
      for (const items of [everything, forScreens.items, forEverybody]) expect(items.find((one) => one.id === id)).toMatchObject(expected);
    }
    expect(forScreens.statementMarker).toBe('WISLA_ST_DOC_TYPE');
    const { items } = (await portal.anonymous.call('listDictionaries', {})).body;
    expect(items.find(({ id }) => id === 'BRANCH')).toEqual({
      id: 'BRANCH',
      name: { pl: 'Oddział', en: 'Branch' },
      type: 'KEY_NAME',
      values: ['TORUN', 'LODZ'].map((key) => ({ key, name: { pl: `Oddział ${key}`, en: `Branch ${key}` } })),
    });
    for (const { type, dictionary } of everything) if (type === 'KEY_NAME') expect(items.map(({ id }) => id)).toContain(dictionary);
  });

  test('removed definitions take no new values, and go on showing the old ones', async () => {
    const { id } = await publish({ OWN_TEXT: 'sprzed lat' });
    await portal.db.updateTable('metadata_definition').set({ removed: true }).where('id', '=', 'OWN_TEXT').execute();
    await writeBranches('TORUN', 'LODZ', 'WAW');
    try {
      expect((await publish({ OWN_TEXT: 'dzisiaj' })).error?.code).toBe('DOCUMENT_METADATA_ERROR');
      expect(await seen(id)).toMatchObject({ OWN_TEXT: 'sprzed lat' });
      const definition = (await client.call('listOwnMetadata', {})).body.items.find((one) => one.id === 'OWN_TEXT');
      expect(definition?.removed).toBe(true);
    } finally {
      await portal.db.updateTable('metadata_definition').set({ removed: false }).where('id', '=', 'OWN_TEXT').execute();
      await writeBranches('TORUN', 'LODZ');
    }
  });
});

describe('settings of the installation', () => {
  test('name the marker of statements: value, list and criteria follow it', async () => {
    const { id } = await publish({ WISLA_ST_DOC_TYPE: 'STATEMENTS', ST_NUMBER: '7/2026' });
    const statements: Criterion[] = [
      { id: 'TYPE', operator: 'EQUALS', value: 'PRIVATE' },
      { id: 'WISLA_ST_DOC_TYPE', operator: 'EQUALS', value: 'STATEMENTS' },
    ];
    expect(await found(...statements)).toEqual([id]);
    expect(await found({ id: 'WISLA_ST_DOC_TYPE', operator: 'NOT_EQUALS', value: 'STATEMENTS' })).not.toContain(id);
    expect((await publish({ PERGAMIN_ST_DOC_TYPE: 'STATEMENTS' })).error?.code).toBe('DOCUMENT_METADATA_ERROR');
    expect(await seen(id)).not.toHaveProperty('WISLA_ST_DOC_TYPE');
  });

  test('name the ignore markers, which are told by id and by number (E9)', async () => {
    expect((await client.call('listIgnoreMarkers', {})).body).toEqual(['OWN_FLAG', '11', 'RETENTION_DATE', '8', 'SOMETHING']);
  });
});
