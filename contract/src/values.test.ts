import { describe, expect, test } from 'vitest';
import { safeParse } from 'zod/mini';
import type { ZodMiniType } from 'zod/mini';
import { documentQuery } from './documents.ts';
import { groupId } from './groups.ts';
import { clientRecord, publication } from './publishing.ts';
import {
  calendarDay,
  cif,
  documentId,
  epochMs,
  keptEpochMs,
  keptText,
  languageCode,
  pageNumber,
  patternedText,
  personalId,
  renderWidth,
  sha256Hex,
  storableText,
} from './values.ts';

const id = '0198f3a0-1234-7abc-8def-0123456789ab';
const aPublication = { type: 'PUBLIC', fileName: 'a' };
const client = { personalId: '1', cif: 'c', firstName: 'A', lastName: 'B' };

const accepted: [string, ZodMiniType, unknown, unknown][] = [
  ['a document id', documentId, id, id],
  ['a document id in capitals', documentId, id.toUpperCase(), id],
  ['the first page', pageNumber, '1', 1],
  ['the last page there may be', pageNumber, '10000', 10_000],
  ['a personal id of digits', personalId, '10000001', '10000001'],
  ['a personal id that is an address', personalId, 'jan.nowak@example.com', 'jan.nowak@example.com'],
  ['a personal id of 64 characters', personalId, 'a'.repeat(64), 'a'.repeat(64)],
  ['a personal id with points at both ends', personalId, '.a.', '.a.'],
  ['a CIF', cif, 'PL-000123', 'PL-000123'],
  ['a checksum in capitals', sha256Hex, 'AB'.repeat(32), 'ab'.repeat(32)],
  ['text whose letters are apart, composed', keptText(10), 'o\u0301', 'ó'],
  ['a group whose letters are apart, composed', groupId, 'Z\u0307', 'Ż'],
  [
    'a name of a key whose letters are apart',
    publication,
    { ...aPublication, metadata: { 'a\u0328': 'e\u0328' } },
    { ...aPublication, metadata: { ą: 'ę' } },
  ],
  [
    'a password as it was typed',
    clientRecord,
    { ...client, initialPassword: 'zo\u0301łwzo\u0301łw' },
    { ...client, initialPassword: 'zo\u0301łwzo\u0301łw' },
  ],
  ['the year 1969', epochMs, -1, -1],
  ['the last moment that a Date can hold', epochMs, 8.64e15, 8.64e15],
  ['the first year that is kept', keptEpochMs, Date.parse('0001-01-01'), Date.parse('0001-01-01')],
  ['the first day that is kept', calendarDay, '0001-01-01', '0001-01-01'],
  ['the last day that is kept', calendarDay, '9999-12-31', '9999-12-31'],
  ['text in any script', keptText(10), 'Łódź 文書 😀', 'Łódź 文書 😀'],
  ['a width', renderWidth, '1860', 1860],
  ['no width', renderWidth, undefined, 1240],
  ['a language', languageCode, 'EN', 'EN'],
];

const refused: [string, ZodMiniType, unknown][] = [
  ...['', 'x', `${id}0`, ` ${id}`, `{${id}}`, id.replaceAll('-', ''), '1 OR 1=1', '../etc/passwd', `${id}\n`, 1, null].map(
    (value): [string, ZodMiniType, unknown] => ['a document id', documentId, value],
  ),
  ...['0', '-1', '01', '1.0', '1e3', '0x1', ' 1', '1 ', '', '10001', '100000', '١', 1].map((value): [string, ZodMiniType, unknown] => [
    'a page',
    pageNumber,
    value,
  ]),
  ...['', ' ', 'a b', 'a/b', 'a%2fb', 'ą', 'a\n', '<b>', 'a'.repeat(65), '.', '..', 7].map((value): [string, ZodMiniType, unknown] => [
    'a personal id',
    personalId,
    value,
  ]),
  ...['0000-01-01', '0000-12-31', '2026-02-30', '2026-13-01', '10000-01-01', '2026-1-1', ' 2026-01-01'].map(
    (value): [string, ZodMiniType, unknown] => ['a day', calendarDay, value],
  ),
  ['a CIF', cif, 'a'.repeat(33)],
  ['a CIF', cif, "x' or 1=1"],
  ['a checksum', sha256Hex, 'ab'.repeat(31)],
  ['a checksum', sha256Hex, 'xy'.repeat(32)],
  ['a moment', epochMs, 8.64e15 + 2],
  ['a moment', epochMs, Number.NaN],
  ['a moment', epochMs, 1.5],
  ['a moment', epochMs, '1'],
  ['a moment that is kept', keptEpochMs, Date.parse('0001-01-01') - 1],
  ...['', 'a'.repeat(11), 'a\0b', '\ud800', '\udc00a'].map((value): [string, ZodMiniType, unknown] => [
    'text that is kept',
    keptText(10),
    value,
  ]),
  ['a width', renderWidth, '1241'],
  ['a width', renderWidth, ''],
  ['a language', languageCode, 'pl'],
];

test.each(accepted)('%s is accepted', (_, schema, value, read) => {
  expect(safeParse(schema, value)).toMatchObject({ success: true, data: read });
});

test.each(refused.map(([name, schema, value]) => [name, value, schema] as const))('%s is not %j', (_, value, schema) => {
  expect(safeParse(schema, value).success).toBe(false);
});

test('what is too long is told so, and matched against no pattern', () => {
  const slow = patternedText(/^(?:a+)+$/, { maxLength: 5, error: 'not a row of a' });
  expect(safeParse(slow, `${'a'.repeat(20)}!`).error?.issues).toMatchObject([{ code: 'too_big', message: 'not a row of a' }]);
});

test('what is too long is not looked through for signs that cannot be kept', () => {
  expect(safeParse(storableText(3), '\0'.repeat(4)).error?.issues).toMatchObject([{ code: 'too_big' }]);
});

describe('a query of a list', () => {
  test('asks for the first ten of everything when it says nothing', () => {
    expect(safeParse(documentQuery, {}).data).toEqual({
      text: null,
      criteria: { metadata: [], period: null },
      sort: [],
      page: 0,
      size: 10,
    });
  });

  test('may write the order in capitals', () => {
    expect(safeParse(documentQuery, { sort: [{ by: 'PUBLICATION_DATE', order: 'DESC' }] }).data?.sort).toEqual([
      { by: 'PUBLICATION_DATE', order: 'desc' },
    ]);
  });

  const criterion = { id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' };
  test.each([
    ['a page before the first', { page: -1 }],
    ['half a page', { page: 0.5 }],
    ['a billionth page', { page: 1e9 }],
    ['no rows', { size: 0 }],
    ['more than a hundred rows', { size: 101 }],
    ['a text of 257 characters', { text: 'x'.repeat(257) }],
    ['51 criteria', { criteria: { metadata: Array.from({ length: 51 }, () => criterion) } }],
    ['an operator of its own', { criteria: { metadata: [{ ...criterion, operator: 'OR' }] } }],
    ['an order of its own', { sort: [{ by: 'TYPE', order: 'asc; drop table document' }] }],
    ['a field of its own', { owner: 'cif-2' }],
    ['another owner among the criteria', { criteria: { owner: 'cif-2' } }],
    ['a value that is a list', { criteria: { metadata: [{ ...criterion, value: ['a'] }] } }],
    ['a value of 515 characters', { criteria: { metadata: [{ ...criterion, value: 'x'.repeat(515) }] } }],
    ['a value with a sign that no database keeps', { criteria: { metadata: [{ ...criterion, value: 'a\0' }] } }],
    ['a key with a sign that no database keeps', { sort: [{ by: 'a\0', order: 'asc' }] }],
    ['a text of half a character', { text: '\ud800' }],
  ])('may not ask for %s', (_, query) => {
    expect(safeParse(documentQuery, query).success).toBe(false);
  });
});

describe('what a publisher says', () => {
  test('about a document is its type and name at the least', () => {
    expect(safeParse(publication, { type: 'PUBLIC', fileName: 'a.pdf' }).data).toEqual({ type: 'PUBLIC', fileName: 'a.pdf', metadata: {} });
  });

  test.each([
    ['a type of its own', { type: 'SECRET' }],
    ['no name', { fileName: '' }],
    ['an unknown field', { owner: 'x' }],
    ['a checksum that is none', { sha256: 'abc' }],
    ['metadata that are a list', { metadata: [1] }],
    ['a value that is an object', { metadata: { FILE_NAME: {} } }],
    ['a value that is too long', { metadata: { FILE_NAME: 'x'.repeat(2_001) } }],
    ['a value that cannot be kept', { metadata: { FILE_NAME: 'a\0b' } }],
    ['a value of half a character', { metadata: { FILE_NAME: '\ud800' } }],
    ['a key that cannot be kept', { metadata: { 'a\0b': 'x' } }],
  ])('about a document may not be %s', (_, part) => {
    expect(safeParse(publication, { type: 'PUBLIC', fileName: 'a.pdf', ...part }).success).toBe(false);
  });

  test.each(['jan@żółć.example', 'jan.nowak+bank@example.com', "o'brien@xn--kda4b0koi.example", '#!$%&*/=?^_`{|}~-@a.b-c.pl'])(
    'about a client may be the address %s',
    (email) => {
      expect(safeParse(clientRecord, { ...client, email }).data).toEqual({ ...client, email });
    },
  );

  test.each([
    ['an address without a domain', { email: 'jan@localhost' }],
    ['two addresses', { email: 'a@b.pl, c@d.pl' }],
    ['an address with two points in a row', { email: 'jan@b..pl' }],
    ['an address that ends with a point', { email: 'jan@b.pl.' }],
    ['an address with a name', { email: 'Jan <a@b.pl>' }],
    ['an address with letters beyond ASCII before the @', { email: 'żółć@example.com' }],
    ['an address with a path', { email: 'jan@b.pl/c.pl' }],
    ['an address whose domain is encoded', { email: 'jan@b%2epl.pl' }],
    ['a phone without its country', { phone: '600100200' }],
    ['a short password', { initialPassword: '1234567' }],
    ['no last name', { lastName: '' }],
  ])('about a client may not be %s', (_, part) => {
    expect(safeParse(clientRecord, client).success).toBe(true);
    expect(safeParse(clientRecord, { ...client, ...part }).success).toBe(false);
  });
});
