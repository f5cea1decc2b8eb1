import { randomUUID } from 'node:crypto';
import { type BodyOf, type CallInput, type calls, exportLimits } from '@pergamin/contract';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliverRest } from '#testing/deliver.ts';
import { changePastTriggers } from '#testing/ledger-damage.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.publisher.call('upsertDictionary', {
    params: { id: 'PRIV_DOC_PRODUCT_GROUP' },
    body: { name: { pl: 'Grupa', en: 'Group' }, values: [{ key: 'LOAN', name: { pl: 'Kredyty; pożyczki', en: 'Loans' } }] },
  });
});

afterAll(() => portal[Symbol.asyncDispose]());

let last = 7_000;
const aClient = async (): Promise<TestClient & { cif: string }> => {
  const id = String((last += 1));
  return { ...(await portal.signIn(id, { cif: `c${id}` })), cif: `c${id}` };
};

let text = 0;
const publish = async (description: Omit<Parameters<TestPortal['publish']>[0], 'pdf'>): Promise<string> => {
  portal.clock.advance(10);
  return (await portal.publish({ pdf: aPdf({ text: String((text += 1)) }), ...description })).body.id;
};

type Body = CallInput<typeof calls.exportDocumentsCsv>['body'];

const ask = (client: TestClient, body: Partial<Body>) =>
  client.call('exportDocumentsCsv', { body: { language: 'PL', columns: ['FILE_NAME'], ...body } });

const table = async (client: TestClient, body: Partial<Body>): Promise<string[][]> => {
  const { bytes, error } = await ask(client, body);
  expect(error).toBeUndefined();
  return parse(bytes, { bom: true, delimiter: body.language === 'EN' ? ',' : ';', record_delimiter: '\r\n' });
};

const received: BodyOf<typeof calls.exportDocumentsCsv>['query'] = {
  text: null,
  criteria: {
    metadata: [
      { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
      { id: 'PERGAMIN_ST_DOC_TYPE', operator: 'NOT_EQUALS', value: 'STATEMENTS' },
    ],
    period: null,
  },
  sort: [],
  page: 7,
  size: 5,
};

test('a table says what the screens say, in either language', async () => {
  const client = await aClient();
  const id = await publish({
    cif: client.cif,
    fileName: 'Umowa; "kredytu", ł',
    metadata: {
      PRIV_DOC_PRODUCT_GROUP: 'LOAN',
      ACCOUNT_NUMBER: '12345678901234567890123456',
      REG_DATE: '2026-01-31',
      RETENTION_DATE: -1,
      PRIV_CASE_NUMBER: '=HYPERLINK("https://evil.example")',
    },
  });
  await changePastTriggers(portal, sql`update publication set at = '2026-07-01T22:30:05Z' where document_id = ${id}::uuid`);
  const columns = [
    'FILE_NAME',
    'PRIV_DOC_PRODUCT_GROUP',
    'ACCOUNT_NUMBER',
    'REG_DATE',
    'ST_DATE',
    '8',
    '7',
    'HCP',
    'PRIV_CASE_NUMBER',
    'STATE',
    '2',
  ];
  const { headers, bytes } = await ask(client, { columns, ids: [id] });
  expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'private, no-store' });
  expect(headers['content-disposition']).toMatch(/^attachment; filename="documents-\d{4}-\d{2}-\d{2}\.csv"/);
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const evil = `'=HYPERLINK("https://evil.example")`;
  const account = '12 3456 7890 1234 5678 9012 3456';
  expect(await table(client, { columns, ids: [id] })).toEqual([
    [
      'Nazwa pliku',
      'Grupa produktowa',
      'Numer rachunku',
      'Data rejestracji',
      'Data wyciągu',
      'Data końca przechowywania',
      'Data publikacji',
      'Zapisany w archiwum bez możliwości usunięcia',
      'Numer sprawy',
      'Stan',
      'Wersja',
    ],
    [
      'Umowa; "kredytu", ł',
      'Kredyty; pożyczki',
      account,
      '2026-01-31',
      'N/A',
      'bezterminowo',
      '2026-07-02, 00:30:05',
      'nie',
      evil,
      'Aktywny',
      '1',
    ],
  ]);
  const [labels, english] = await table(client, { language: 'EN', columns, ids: [id] });
  expect(labels?.slice(0, 3)).toEqual(['File name', 'Product group', 'Account number']);
  expect(english).toEqual([
    'Umowa; "kredytu", ł',
    'Loans',
    account,
    '2026-01-31',
    'N/A',
    'bezterminowo (indefinite)',
    '2026-07-02, 00:30:05',
    'no',
    evil,
    'Active',
    '1',
  ]);
});

test('chosen documents are in the order they were chosen in, each once', async () => {
  const client = await aClient();
  const [a, b] = [await publish({ cif: client.cif, fileName: 'A' }), await publish({ cif: client.cif, fileName: 'B' })];
  expect(await table(client, { ids: [b, a, b] })).toEqual([['Nazwa pliku'], ['B'], ['A']]);
});

test('a search is exported whole and in its own order, from any page', async () => {
  const client = await aClient();
  const model = await publish({ cif: client.cif, fileName: 'Umowa 0000' });
  await sql`
    insert into document (id, type, kind, cif, file_name, object_key, sha256, size, page_count, page_sizes, published_at, search_text)
    select gen_random_uuid(), type, kind, cif, 'Umowa ' || lpad(number::text, 4, '0'), object_key, sha256, size, page_count, page_sizes,
      published_at + number * interval '1 second', search_text
    from document, generate_series(1, 1200) as number where id = ${model}`.execute(portal.db);
  await deliverRest(portal.pool, `cif:${client.cif}`);
  const names = Array.from({ length: 1_201 }, (_, index) => `Umowa ${String(index).padStart(4, '0')}`);
  expect((await table(client, { query: received })).slice(1).flat()).toEqual(names.toReversed());
  const sorted = { ...received, sort: [{ by: 'FILE_NAME', order: 'asc' as const }], text: 'umowa' };
  expect((await table(client, { query: sorted })).slice(1).flat()).toEqual(names);
  const none = { ...sorted, text: 'aneks' };
  expect(await table(client, { query: none })).toEqual([['Nazwa pliku']]);
});

test('more rows than a table may have are refused, and nothing is cut in silence', async () => {
  const client = await aClient();
  const model = await publish({ cif: client.cif });
  await sql`
    insert into document (id, type, kind, cif, file_name, object_key, sha256, size, page_count, page_sizes, published_at, search_text)
    select gen_random_uuid(), type, kind, cif, file_name, object_key, sha256, size, page_count, page_sizes, published_at, search_text
    from document, generate_series(1, ${exportLimits.maxCsvRows}::int) where id = ${model}`.execute(portal.db);
  await deliverRest(portal.pool, `cif:${client.cif}`);
  const { error } = await ask(client, { query: received });
  expect(error).toMatchObject({ code: 'VALIDATION_ERROR', fields: { query: expect.stringContaining('10001') } });
});

describe('a table is refused', () => {
  const wrong: { name: string; body: Partial<Body>; field: string }[] = [
    { name: 'without documents', body: {}, field: 'ids' },
    { name: 'of ids and a search', body: { ids: [randomUUID()], query: received }, field: 'ids' },
    { name: 'without columns', body: { query: received, columns: [] }, field: 'columns' },
    { name: 'with a hidden column', body: { query: received, columns: ['ADDED_BY'] }, field: 'columns.0' },
    { name: 'with a column for criteria only', body: { query: received, columns: ['PERGAMIN_ST_DOC_TYPE'] }, field: 'columns.0' },
    { name: 'with a key of the language', body: { query: received, columns: ['FILE_NAME', '__proto__'] }, field: 'columns.1' },
    { name: 'in no language', body: { query: received, language: '../' }, field: 'language' },
    { name: 'of more than a thousand ids', body: { ids: Array.from({ length: 1_001 }, () => randomUUID()) }, field: 'ids' },
  ];
  test.each(wrong)('$name', async ({ body, field }) => {
    const { error } = await ask(await aClient(), body);
    expect([error?.code, Object.keys(error?.fields ?? {})]).toEqual(['VALIDATION_ERROR', [field]]);
  });

  test('a table with a document of another client is refused', async () => {
    const [client, other] = [await aClient(), await aClient()];
    const ids = [await publish({ cif: client.cif }), await publish({ cif: other.cif })];
    expect((await ask(client, { ids })).error?.code).toBe('DOCUMENT_NOT_FOUND_ERROR');
    expect((await ask(client, { ids: ids.slice(0, 1) })).status).toBe(200);
  });

  test('while another export of the client is under way', async () => {
    const client = await aClient();
    const expires = new Date(portal.clock.now().getTime() + 60_000);
    await portal.db
      .insertInto('export_lease')
      .values({ personal_id: client.personalId, holder: randomUUID(), expires_at: expires })
      .execute();
    expect((await ask(client, { query: received })).status).toBe(429);
    expect((await ask(await aClient(), { query: received })).status).toBe(200);
  });
});

test('numbers of other people are in no table, under any choice of columns', async () => {
  const [first, second] = [await aClient(), await aClient()];
  const id = await publish({ cif: first.cif, cif2: second.cif });
  const columns = ['CIF', 'CIF2', '14'];
  expect((await table(first, { columns, ids: [id] }))[1]).toEqual([first.cif, '', first.cif]);
  expect((await table(second, { columns, ids: [id] }))[1]).toEqual(['', second.cif, second.cif]);
});
