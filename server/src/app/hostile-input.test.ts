import { calls, errorBody, type Call } from '@pergamin/contract';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { safeParse } from 'zod/mini';
import { anyText } from '#testing/any-text.ts';
import { propertyRuns } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories } from '#testing/sending.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** Valid requests with one value replaced: the portal refuses or accepts any value, and never fails. */

let portal: TestPortal;
let client: TestClient;
let documentId: string;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { PUBLISH_MAX_BYTES: '20000' } });
  await keepCategories(portal.publisher);
  client = await portal.signIn('1001', { cif: '7001' });
  documentId = (await portal.publish({ cif: '7001', pdf: aPdf(), metadata: { REG_DATE: '2026-01-31', ACCOUNT_NUMBER: '12 34' } })).body.id;
});

afterAll(() => portal[Symbol.asyncDispose]());

const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  'a\r\nb: c',
  '\u202efdp.exe',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  "' or 1=1 --",
  '%',
  '%%',
  '%_%',
  '%\\%',
  '\\',
  '{{constructor}}',
  '<img src=x onerror=alert(1)>',
  '=cmd|calc',
  'infinity',
  '-infinity',
  'NaN',
  'null',
  '0001-01-01',
  '0000-00-00',
  '9999-12-31',
  '2026-02-30',
  'x'.repeat(300),
  'İ'.repeat(100),
  '💥'.repeat(40),
];
const hostileNumbers = [0, -0, -1, 0.5, 1e-320, 1e300, -1e300, 2 ** 31, 2 ** 53, 2 ** 63, 8.64e15, -8.64e15, -62_135_596_800_001];

const hostile = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...hostileTexts) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...hostileNumbers) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(true, false, null, [], {}, [[]], ['a'], { a: 1 }) },
  { weight: 1, arbitrary: anyText(70) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const query: Json = {
  text: 'umowa',
  criteria: {
    metadata: [
      { id: 'FILE_NAME', operator: 'LIKE', value: '%a%' },
      { id: 'REG_DATE', operator: 'GQ', value: '2026-01-01' },
      { id: '4', operator: 'LQ', value: 7 },
      { id: 'PUBLICATION_DATE', operator: 'GQ', value: 0 },
      { id: 'HCP', operator: 'EQUALS', value: false },
    ],
    period: { start: 0, end: 4e12 },
  },
  sort: [{ by: 'REG_DATE', order: 'asc' }],
  page: 0,
  size: 10,
};
const record: Json = {
  personalId: '1002',
  cif: '7002',
  cif2: '7003',
  firstName: 'Anna',
  lastName: 'Nowak',
  email: 'anna@example.com',
  phone: '+48600100200',
  groups: ['a'],
  managed: false,
};
const dictionary: Json = { name: { pl: 'a', en: 'b' }, values: [{ key: 'K', name: { pl: 'a', en: 'b' } }] };
const publication: Json = {
  type: 'PRIVATE',
  fileName: 'a.pdf',
  uniqueName: 'KH-1',
  cif: '7001',
  addedBy: 'me',
  metadata: { REG_DATE: '2026-01-01', ST_NUMBER: '1', '11': -1, ACCOUNT_NUMBER: '12 34', DURATION_DESCRIPTION: 'x' },
};

/** Every place in a value that can be replaced. */
const placesIn = (value: Json, path: readonly string[] = []): (readonly string[])[] => {
  if (value === null || typeof value !== 'object') return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...path, name]))];
};

const withChange = (value: Json, [name, ...rest]: readonly string[], change: unknown): unknown => {
  if (name === undefined) return change;
  const entries = Object.entries(value ?? {}).map(([key, inner]) => [key, key === name ? withChange(inner, rest, change) : inner] as const);
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
};

const view: Json = {
  name: 'Umowy',
  folderId: null,
  kind: 'received',
  content: {
    text: 'umowa',
    period: 'CALC_2024',
    filters: [
      { key: 'ACCOUNT_NUMBER', value: '12' },
      { key: 'REG_DATE', from: '2026-01-01', to: null },
    ],
    sort: [{ by: 'REG_DATE', order: 'asc' }],
    columns: [{ key: 'REG_DATE', shown: true, widthPx: 100 }],
    pageSize: 25,
  },
};

const sentQuery: Json = {
  text: 'umowa',
  criteria: { filename: 'a', typeId: 'COMPLAINT', categoryId: 'COMPLAINTS', createdOnAfter: 0, createdOnBefore: 4e12 },
  sort: [{ by: 'createdOn', order: 'asc' }],
  page: 0,
  size: 10,
};
const category: Json = {
  id: 'HOSTILE',
  name: { pl: 'a', en: 'b' },
  retentionDays: 10,
  deleted: false,
  types: [{ id: 'HOSTILE_ONE', name: { pl: 'a', en: 'b' }, deleted: false }],
};

const bodies: readonly (readonly [keyof typeof calls, Json])[] = [
  ['listOwnDocuments', query],
  ['listPublicDocuments', query],
  ['listOwnValues', { ...query, key: 'REG_DATE' }],
  ['exportDocumentsCsv', { language: 'PL', columns: ['FILE_NAME', 'REG_DATE'], query }],
  ['downloadDocumentsZip', { ids: ['0f8fad5b-d9cb-469f-a165-70867728950e'] }],
  ['createSavedView', view],
  ['upsertClients', { items: [record] }],
  ['upsertDictionary', dictionary],
  ['publishDocument', publication],
  ['listSentDocuments', sentQuery],
  ['uploadDocument', { filename: 'a.pdf', categoryId: 'COMPLAINTS', typeId: 'COMPLAINT' }],
  ['upsertCategories', { items: [category] }],
  ['publishStatute', { version: '1', effectiveFrom: 4e12, changes: 'x' }],
];

const textOf = (json: unknown): string => JSON.stringify(json) ?? 'undefined';

const send = (name: keyof typeof calls, body: string, id: string) => {
  const call: Call = calls[name];
  const credentials: Record<string, string> =
    call.area === 'protected' ? { authorization: client.token, cookie: client.cookie } : { authorization: `Bearer ${portal.publisherKey}` };
  const headers = { host: portal.settings.publicUrl.host, ...credentials };
  const url = call.path.replaceAll(/:\w+/g, id);
  if (call.form === undefined)
    return portal.server.inject({ method: call.method, url, headers: { ...headers, 'content-type': 'application/json' }, payload: body });
  const part = (header: string, content: string): string => `--line\r\ncontent-disposition: form-data; ${header}\r\n\r\n${content}\r\n`;
  const file = Buffer.from(aPdf()).toString('latin1');
  const payload = `${part('name="description"', Buffer.from(body).toString('latin1'))}${part('name="file"; filename="a.pdf"', file)}--line--\r\n`;
  return portal.server.inject({
    method: call.method,
    url,
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=line' },
    payload: Buffer.from(payload, 'latin1'),
  });
};

const expectCalm = (answer: Awaited<ReturnType<typeof send>>): void => {
  expect(answer.statusCode).toBeLessThan(500);
  if (answer.statusCode < 400) return;
  expect(safeParse(errorBody, answer.json()).success).toBe(true);
  expect(answer.body).not.toMatch(/node_modules|\bat .*:\d+:\d+|syntax error|relation "|SQLSTATE|\/tmp\//);
};

test.each(bodies)('one wrong value in the body of %s', { timeout: 60_000 }, async (name, body) => {
  const change = fc.record({ place: fc.constantFrom(...placesIn(body)), value: hostile });
  await fc.assert(
    fc.asyncProperty(change, async ({ place, value }) => {
      expectCalm(await send(name, textOf(withChange(body, place, value)), 'ADVERSARY'));
    }),
    propertyRuns({ day: 12, night: 300 }),
  );
  // What was accepted can be read again.
  expectCalm(await send('listOwnDocuments', textOf({ size: 100 }), ''));
});

test('a name of the language for a name of a field', async () => {
  for (const [name, body] of bodies)
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const json = textOf(body).replace(/\{"/, `{"${key}":{"x":1},"`);
      expectCalm(await send(name, json, 'ADVERSARY'));
    }
});

const paramCalls = Object.values<Call>(calls).filter(({ path, area }) => path.includes(':') && area !== 'auth');

test('one wrong value in an address', { timeout: 60_000 }, async () => {
  const texts = fc.oneof(fc.constantFrom(...hostileTexts, '1e3', '0x1', '10001', documentId), anyText(40));
  const address = fc.record({
    call: fc.constantFrom(...paramCalls),
    param: texts,
    name: fc.constantFrom('width', 'opening', 'state', 'lang', 'x'),
    value: texts,
  });
  await fc.assert(
    fc.asyncProperty(address, async ({ call, param, name, value }) => {
      const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
      const url = `${call.path.replaceAll(/:\w+/g, encode(param))}?${name}=${encode(value)}&${name}=${encode(param)}`;
      const headers = { host: portal.settings.publicUrl.host, authorization: client.token, cookie: client.cookie };
      const answer = await portal.server.inject({ method: call.method, url, headers });
      expect(answer.statusCode).toBeLessThan(500);
    }),
    propertyRuns({ day: 40, night: 1_000 }),
  );
});

test('deep, long and doubled JSON', async () => {
  const deep = (open: string, close: string, times: number): string => `${open.repeat(times)}${close.repeat(times)}`;
  for (const body of [
    deep('[', ']', 100_000),
    deep('{"a":[', ']}', 30_000),
    `{"text":${deep('[', ']', 100_000)}}`,
    '{"page":0,"page":0}',
    '{',
    '',
    '\ufeff{}',
  ])
    expectCalm(await send('listOwnDocuments', body, ''));
});
