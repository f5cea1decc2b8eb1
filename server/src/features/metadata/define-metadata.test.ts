import type { DefinitionRecord, MetadataMap } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let client: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  client = await portal.signIn('1001', { cif: '7001' });
});

afterAll(() => portal[Symbol.asyncDispose]());

const named = { pl: 'Oddział', en: 'Branch' };
const aKey = (id: string, more: Partial<DefinitionRecord> = {}): DefinitionRecord => ({ id, name: named, type: 'TEXT', ...more });
const define = (items: DefinitionRecord[], more: { dryRun?: boolean } = {}) =>
  portal.publisher.call('defineMetadata', { body: { items, ...more } });
const listed = async (id: string) => (await portal.publisher.call('listDefinitions', {})).body.items.find((item) => item.id === id);
const publishWith = (metadata: MetadataMap) => portal.publish({ cif: '7001', pdf: aPdf({ text: JSON.stringify(metadata) }), metadata });

test('a new key is told to clients, taken from publishers, and shown and found on documents at once', async () => {
  expect((await define([aKey('BRANCH', { screens: ['D'] })])).body).toEqual({ created: ['BRANCH'], changed: [], unchanged: 0 });
  const { id } = (await publishWith({ BRANCH: 'Poznań 3' })).body;
  expect((await client.call('getDocument', { params: { id } })).body.metadata).toMatchObject({ BRANCH: 'Poznań 3' });
  const { items } = (await client.call('mapOwnMetadata', {})).body;
  expect(items.at(-1)).toMatchObject({ id: 'BRANCH', name: named, screens: ['D'], required: false });
  const query = { text: 'poznań 3', criteria: { metadata: [], period: null }, sort: [] };
  expect((await client.call('listOwnDocuments', { body: query })).body.items.map((document) => document.id)).toEqual([id]);
});

test('a key that clients must not see is kept with the document and told to publishers only', async () => {
  await define([aKey('COST_CENTRE', { visible: false })]);
  const { id } = (await publishWith({ COST_CENTRE: 'C7' })).body;
  expect((await client.call('getDocument', { params: { id } })).body.metadata).not.toHaveProperty('COST_CENTRE');
  expect((await client.call('listOwnMetadata', {})).body.items.map((item) => item.id)).not.toContain('COST_CENTRE');
  expect(await listed('COST_CENTRE')).toMatchObject({ visible: false });
});

test('names, obligation and an end of use may change, and a repeated definition changes nothing', async () => {
  await define([aKey('REGION')]);
  const next = aKey('REGION', { name: { pl: 'Region sprzedaży', en: 'Sales region' }, required: true, description: 'From the register' });
  expect((await define([next])).body).toEqual({
    created: [],
    changed: [{ id: 'REGION', fields: ['name', 'description', 'required'] }],
    unchanged: 0,
  });
  expect((await define([next])).body).toEqual({ created: [], changed: [], unchanged: 1 });
  expect((await publishWith({})).error?.fields).toEqual({ REGION: 'required' });
  await define([aKey('REGION', { removed: true })]);
  expect((await publishWith({ REGION: 'north' })).error?.fields).toEqual({ REGION: 'no longer in use' });
  expect((await publishWith({})).status).toBe(200);
});

test('type, dictionary and visibility may change until a document carries the key', async () => {
  await define([aKey('AMOUNT_DUE')]);
  expect((await define([aKey('AMOUNT_DUE', { type: 'DECIMAL' })])).body.changed).toEqual([{ id: 'AMOUNT_DUE', fields: ['type'] }]);
  await publishWith({ AMOUNT_DUE: 12.5 });
  for (const [more, field] of [
    [{ type: 'TEXT' }, 'type'],
    [{ type: 'DECIMAL', visible: false }, 'visible'],
  ] as const)
    expect((await define([aKey('AMOUNT_DUE', more)])).error).toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: { [`items.0.${field}`]: 'cannot change: documents carry this key' },
    });
});

test('a key that has options no more keeps no dictionary either', async () => {
  await define([aKey('KIND', { type: 'KEY_NAME', dictionary: 'ST_DOC_TYPE' })]);
  expect((await define([aKey('KIND')])).body.changed).toEqual([{ id: 'KIND', fields: ['type', 'dictionary'] }]);
  expect(await listed('KIND')).toMatchObject({ type: 'TEXT', dictionary: null });
});

test('a dry run says what would change, and changes nothing', async () => {
  expect((await define([aKey('PLANNED')], { dryRun: true })).body.created).toEqual(['PLANNED']);
  expect(await listed('PLANNED')).toBeUndefined();
});

test.each<[what: string, record: DefinitionRecord, field: string]>([
  ['a number as a new key', aKey('77'), 'id'],
  ['a name that operators use for a number', aKey('PUBLISHED'), 'id'],
  ['the statement marker', aKey('PERGAMIN_ST_DOC_TYPE'), 'id'],
  ['a key that the portal sets', aKey('STATE', { type: 'KEY_NAME' }), 'id'],
  ['another type of a key that the product reads', aKey('REG_DATE', { type: 'TEXT' }), 'type'],
  ['a file without a name', aKey('FILE_NAME', { required: false }), 'id'],
  ['a dictionary of a text', aKey('NEW', { dictionary: 'ST_DOC_TYPE' }), 'dictionary'],
  ['a dictionary that there is not', aKey('NEW', { type: 'KEY_NAME', dictionary: 'NOWHERE' }), 'dictionary'],
])('%s is refused, and nothing of the call is kept', async (_, record, field) => {
  const { error } = await define([aKey('KEPT_WITH_IT'), record]);
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR', fields: { [`items.1.${field}`]: expect.any(String) } });
  expect(await listed('KEPT_WITH_IT')).toBeUndefined();
});

test('a key that is given twice is refused, and the call needs its scope', async () => {
  expect((await define([aKey('TWICE'), aKey('TWICE')])).error?.fields).toEqual({ 'items.1.id': 'given twice' });
  const other = await portal.withKey(['dictionaries:write']);
  expect((await other.call('defineMetadata', { body: { items: [aKey('X')] } })).error?.code).toBe('CALL_NOT_PERMITTED');
  expect((await other.call('listDefinitions', {})).error?.code).toBe('CALL_NOT_PERMITTED');
});

test('what is listed can be defined again and changes nothing', async () => {
  const { items } = (await portal.publisher.call('listDefinitions', {})).body;
  expect((await define(items)).body).toEqual({ created: [], changed: [], unchanged: items.length });
});
