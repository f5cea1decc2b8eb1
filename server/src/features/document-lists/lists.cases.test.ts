import { calls, type Criterion, errorBody } from '@pergamin/contract';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** The negative cases of lists, by their numbers in the security design: each hostile query is answered with own rows or a refusal. */

let portal: TestPortal;
let owner: TestClient;
let stranger: TestClient;
let ownId: string;

const secret = 'SPR/2026/tajne';

let pdfs = 0;
const publish = async (description: Omit<Parameters<TestPortal['publish']>[0], 'pdf'>): Promise<string> =>
  (await portal.publish({ pdf: aPdf({ text: `kwarcyt ${(pdfs += 1)}` }), ...description })).body.id;

beforeAll(async () => {
  portal = await startTestPortal();
  owner = await portal.signIn('3101', { cif: '9101' });
  stranger = await portal.signIn('3102', { cif: '9102' });
  await publish({ cif: '9101', metadata: { PRIV_CASE_NUMBER: secret } });
  ownId = await publish({ cif: '9102', metadata: { PRIV_CASE_NUMBER: 'SPR/2026/własne' } });
});

afterAll(() => portal[Symbol.asyncDispose]());

const post = (path: string, payload: string | object, { client, headers = {} }: { client?: TestClient; headers?: object } = {}) =>
  portal.server.inject({
    method: 'POST',
    url: path,
    headers: {
      host: portal.settings.publicUrl.host,
      'content-type': 'application/json',
      ...(client === undefined ? {} : { authorization: client.token, cookie: client.cookie }),
      ...headers,
    },
    payload,
  });

const listPath = calls.listOwnDocuments.path;
const oneCriterion = (criterion: unknown): object => ({ criteria: { metadata: [criterion] } });
const like = (value: unknown): object => oneCriterion({ id: 'FILE_NAME', operator: 'LIKE', value });
const deep = `${'{"criteria":'.repeat(100)}{}${'}'.repeat(100)}`;

describe('a list that is asked for what cannot be', () => {
  const hiddenKeys = ['UNIQUE_NAME', '10', 'object_key', 'password', 'ADDED_BY', 'doc.object_key'];
  type Refused = [what: string, body: string | object, code?: string];
  const refused: Refused[] = [
    ...hiddenKeys.flatMap((id): Refused[] => [
      [`15: a filter by ${id}`, oneCriterion({ id, operator: 'EQUALS', value: 'x' })],
      [`15: the order of ${id}`, { sort: [{ by: id, order: 'asc' }] }],
    ]),
    ['16: the page 1e9', { page: 1_000_000_000 }],
    ['16: the page -1', { page: -1 }],
    ['16: the page "1e3"', { page: '1e3' }],
    ['95: a prototype', '{"__proto__":{"admin":true}}'],
    ['95: a prototype of a constructor', '{"constructor":{"prototype":{"admin":true}}}'],
    ['97: SQL for an operator', oneCriterion({ id: 'FILE_NAME', operator: '= 1 or', value: 'x' })],
    ['97: SQL for a key', oneCriterion({ id: "FILE_NAME' or true --", operator: 'EQUALS', value: 'x' })],
    ['97: SQL for what it is sorted by', { sort: [{ by: '(select password from client)', order: 'asc' }] }],
    ['97: SQL for an order', { sort: [{ by: 'FILE_NAME', order: 'asc; drop table document' }] }],
    ['98: 257 signs', like(`%${'a'.repeat(257)}%`)],
    ['98: a sign that no database keeps', like('%\0%')],
    ['99: 10 000 criteria', { criteria: { metadata: Array.from({ length: 10_000 }, () => ({ id: '4', operator: 'GQ', value: 1 })) } }],
    ['99: JSON of a hundred levels', deep],
    ['99: a size of 1e9', { size: 1_000_000_000 }],
    ['100: a period that ends before its start', { criteria: { period: { start: 2, end: 1 } } }, 'INVALID_DATE_RANGE'],
    ['100: a moment after the last', { criteria: { period: { start: 8.64e15 + 1, end: null } } }],
    ['what is unread by a word', { criteria: { unread: 'yes' } }],
    ['what is unread by a number', { criteria: { unread: 1 } }],
    ['an order by what is unread', { sort: [{ by: 'UNREAD', order: 'asc' }] }],
    ['100: a moment that is text', { criteria: { period: { start: 'NaN', end: null } } }],
    ['100: a moment that is no number', '{"criteria":{"period":{"start":NaN,"end":null}}}'],
    ['100: a day beyond all', oneCriterion({ id: 'REG_DATE', operator: 'GQ', value: 8.64e15 + 1 })],
    ['100: a day that is a word', oneCriterion({ id: 'REG_DATE', operator: 'GQ', value: 'yesterday' })],
  ];

  test.each(refused)('refuses %s, and tells nothing of itself (94)', async (_, body, code = 'VALIDATION_ERROR') => {
    const answer = await post(listPath, body, { client: stranger });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code }]);
    expect(errorBody.safeParse(answer.json()).success).toBe(true);
    expect(answer.body).not.toMatch(/select |\.ts|node_modules|\bat \w+ \(/);
  });

  const literal: readonly (readonly [what: string, body: object])[] = [
    ['97: SQL in a value', like("%' or true --%")],
    ['97: SQL in a free text', { text: "%'; drop table document; --%" }],
    ['98: 128 wildcards', like(`%${'%_'.repeat(63)}%`)],
    ['98: a backslash at the end', like('%a\\')],
    ['98: half an escape', like('%\\%')],
    ['98: a regular expression', { text: '%(.*)*$%' }],
  ];
  test.each(literal)('takes %s for text, which nothing has', async (_, body) => {
    const answer = await post(listPath, body, { client: stranger });
    expect([answer.statusCode, answer.json()]).toEqual([200, { items: [], total: 0 }]);
  });
});

describe('13: no criterion makes a list of another client’s documents', () => {
  const tricks: readonly (readonly [what: string, criteria: readonly Criterion[]])[] = [
    ['their number', [{ id: 'CIF', operator: 'EQUALS', value: '9101' }]],
    ['a part of their number', [{ id: 'CIF', operator: 'LIKE', value: '%91%' }]],
    ['their number as recipient', [{ id: '14', operator: 'EQUALS', value: '9101' }]],
    ['every number but one’s own', [{ id: 'CIF', operator: 'NOT_EQUALS', value: '9102' }]],
    ['every second number', [{ id: 'CIF2', operator: 'NOT_EQUALS', value: 'x' }]],
    ['their case', [{ id: 'PRIV_CASE_NUMBER', operator: 'LIKE', value: '%SPR%' }]],
    ['all that is private', [{ id: 'TYPE', operator: 'EQUALS', value: 'PRIVATE' }]],
    ['all that is not deleted', [{ id: 'STATE', operator: 'NOT_EQUALS', value: 'DELETED' }]],
    ['any checksum', [{ id: 'CHECKSUM_SHA256', operator: 'NOT_EQUALS', value: 'x' }]],
  ];
  test('all that is unread', async () => {
    for (const unread of [true, false]) {
      const { body } = await stranger.call('listOwnDocuments', { body: { criteria: { metadata: [], unread }, size: 100 } });
      expect(body.items.map(({ id }) => id)).toEqual([ownId]);
    }
  });

  test.each(tricks)('%s', async (_, metadata) => {
    for (const text of [null, '%spr%']) {
      const { body } = await stranger.call('listOwnDocuments', { body: { text, criteria: { metadata: [...metadata] }, size: 100 } });
      expect(body.items.filter(({ id }) => id !== ownId)).toEqual([]);
      const query = { text, criteria: { metadata: [...metadata] } };
      const values = await stranger.call('listOwnValues', { body: { ...query, key: 'PRIV_CASE_NUMBER' } });
      expect(JSON.stringify(values.body)).not.toContain('tajne');
      const table = await stranger.call('exportDocumentsCsv', { body: { language: 'EN', columns: ['PRIV_CASE_NUMBER'], query } });
      expect(table.bytes.toString()).not.toContain('tajne');
    }
  });
});

describe('18: a document that is another customer’s from now on', () => {
  /** As the organisation's hand does it who puts a wrong customer number right. */
  const reassign = async (id: string, cif: string): Promise<void> => {
    await sql`update document set cif = ${cif} where id = ${id}`.execute(portal.db);
    await sql`update delivery set principal = ${`cif:${cif}`} where document_id = ${id}`.execute(portal.db);
  };
  const params = (id: string) => ({ params: { id } });
  const listed = async (client: TestClient, id: string, body: object): Promise<boolean> =>
    (await client.call('listOwnDocuments', { body: { size: 100, ...body } })).body.items.some((item) => item.id === id);

  const ways: [what: string, isThere: (client: TestClient, id: string) => Promise<boolean>, isBytes?: boolean][] = [
    ['the list', (client, id) => listed(client, id, {})],
    ['its free text', (client, id) => listed(client, id, { text: '%przeniesiony%' })],
    [
      'its filters',
      (client, id) => listed(client, id, { criteria: { metadata: [{ id: 'PRIV_CASE_NUMBER', operator: 'EQUALS', value: 'P/1' }] } }),
    ],
    [
      'its values',
      async (client) => {
        const { body } = await client.call('listOwnValues', { body: { key: 'PRIV_CASE_NUMBER' } });
        return body.items.some((value) => value === 'P/1');
      },
    ],
    ['its data', async (client, id) => (await client.call('getDocument', params(id))).status === 200],
    ['its bytes', async (client, id) => (await client.call('downloadDocument', params(id))).status === 200, true],
    ['its history', async (client, id) => (await client.call('getDocumentHistory', params(id))).status === 200],
    [
      'its pages',
      async (client, id) => {
        const url = `/api/protected/documents/render/page/${id}/1?width=1240`;
        const headers = { host: portal.settings.publicUrl.host, authorization: client.token, cookie: client.cookie };
        return (await portal.server.inject({ url, headers })).statusCode === 200;
      },
      true,
    ],
    ['an archive', async (client, id) => (await client.call('downloadDocumentsZip', { body: { ids: [id] } })).status === 200, true],
    [
      'a table',
      async (client, id) =>
        (await client.call('exportDocumentsCsv', { body: { language: 'PL', columns: ['FILE_NAME'], ids: [id] } })).status === 200,
    ],
  ];

  test('is gone from everything that the old owner sees at once, and there for the new one unless it is bytes', async () => {
    const id = await publish({ cif: '9101', fileName: 'Przeniesiony', metadata: { PRIV_CASE_NUMBER: 'P/1' } });
    await expect
      .poll(async () => (await owner.call('getRenderResult', { ...params(id), query: {} })).body.done, { timeout: 20_000 })
      .toBe(true);
    const seenBy = async (client: TestClient): Promise<string[]> => {
      const seen: string[] = [];
      for (const [what, isThere] of ways) if (await isThere(client, id)) seen.push(what);
      return seen;
    };
    expect([await seenBy(owner), await seenBy(stranger)]).toEqual([ways.map(([what]) => what), []]);
    await reassign(id, '9102');
    // A new owner gets the bytes only once they are published again for that owner.
    expect([await seenBy(owner), await seenBy(stranger)]).toEqual([
      [],
      ways.filter(([, , isBytes]) => isBytes !== true).map(([what]) => what),
    ]);
    await sql`update document set state = 'DELETED' where id = ${id}`.execute(portal.db);
    await sql`delete from delivery where document_id = ${id}`.execute(portal.db);
  });
});

describe('an answer of a list', () => {
  const privateCalls = [
    ['89, 91: the list', listPath, {}],
    ['89, 91: the values of a key', calls.listOwnValues.path, { key: 'FILE_NAME' }],
    ['89, 91: the words of the pages', calls.searchOwnDocuments.path, { text: 'kwarcyt' }],
    ['89, 91: the sent list', calls.listSentDocuments.path, {}],
    ['89, 91: the list as a table', calls.exportDocumentsCsv.path, { language: 'PL', columns: ['FILE_NAME'], query: {} }],
  ] as const;

  test.each(privateCalls)('%s is not cached, and its content type is not guessed', async (_, path, body) => {
    const { statusCode, headers } = await post(path, body, { client: owner });
    expect([statusCode, headers]).toMatchObject([
      200,
      {
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-type': expect.stringMatching(/^(application\/json|text\/csv)/),
        'content-security-policy': expect.any(String),
      },
    ]);
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  test.each(privateCalls)('%s is nothing for a page of another site (90)', async (_, path, body) => {
    for (const site of ['cross-site', 'same-site']) {
      const answer = await post(path, body, { client: owner, headers: { 'sec-fetch-site': site } });
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'CALL_NOT_PERMITTED' }]);
    }
  });

  test.each(['<img src=x onerror=alert(1)>', 'javascript:alert(1)', '{{constructor}}', '\u202efdp.exe'])(
    '86: %j in a value is told as it is, and nothing but text',
    async (value) => {
      const id = await publish({ cif: '9101', metadata: { PRIV_CASE_NUMBER: value } });
      const { body, headers } = await owner.call('listOwnDocuments', { body: { size: 100 } });
      expect(body.items.find((item) => item.id === id)?.metadata).toMatchObject({ PRIV_CASE_NUMBER: value });
      expect(headers['content-type']).toMatch(/^application\/json/);
    },
  );
});

describe('109: a cell of a table that a spreadsheet would calculate', () => {
  const formulas = ["=cmd|'/c calc'!A1", '+1+1', '-1+1', '@SUM(A1)', '\t=1+1', '＝1+1', '=HYPERLINK("https://evil.example";"a")'];
  const keys = ['PRIV_CASE_NUMBER', 'ACCOUNT_NUMBER', 'BAR_NUMBER'] as const;

  test.each(formulas)('%j is text in every column and in both languages, after every end of the cell before it', async (formula) => {
    const ids = [
      await publish({ cif: '9101', fileName: 'a"', metadata: Object.fromEntries(keys.map((key) => [key, formula])) }),
      await publish({ cif: '9101', fileName: formula }),
    ];
    for (const language of ['PL', 'EN'] as const) {
      const { bytes } = await owner.call('exportDocumentsCsv', { body: { language, columns: ['FILE_NAME', ...keys], ids } });
      const delimiter = language === 'PL' ? ';' : ',';
      const [, ...rows]: string[][] = parse(bytes, { bom: true, delimiter, record_delimiter: '\r\n' });
      const cells = rows.flat().filter((cell) => cell !== '' && cell !== 'a"');
      expect(cells).toHaveLength(4);
      for (const cell of cells) {
        expect(cell).toMatch(/^'/);
        expect(cell.slice(1).trim()).toContain(formula.trim());
      }
    }
  });
});
