import { type Criterion, type Publication, valueLimits } from '@pergamin/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliverRest } from '#testing/deliver.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
/** A client without documents. */
let reader: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.signIn('8000', { cif: 'c8000' });
  await portal.publisher.call('upsertDictionary', {
    params: { id: 'PRIV_DOC_PRODUCT_GROUP' },
    body: {
      name: { pl: 'Grupa', en: 'Group' },
      values: [
        { key: 'A', name: { pl: 'Ubezpieczenia', en: 'Policies' } },
        { key: 'B', name: { pl: 'Kredyty', en: 'Loans' } },
        { key: 'C', name: { pl: 'Łódzkie', en: 'Of Łódź' } },
      ],
    },
  });
});

afterAll(() => portal[Symbol.asyncDispose]());

let last = 8_000;
const aClient = async (person: Parameters<TestPortal['signIn']>[1] = {}): Promise<TestClient & { cif: string }> => {
  const id = String((last += 1));
  return { ...(await portal.signIn(id, { cif: `c${id}`, ...person })), cif: `c${id}` };
};

let text = 0;
const publish = async (description: Partial<Publication>): Promise<string> =>
  (await portal.publish({ pdf: aPdf({ text: String((text += 1)) }), ...description })).body.id;

const ask = (
  client: TestClient,
  key: string,
  query: { metadata?: Criterion[]; text?: string; period?: { start: number; end: number } } = {},
) =>
  client.call('listOwnValues', {
    body: { key, text: query.text ?? null, criteria: { metadata: query.metadata ?? [], period: query.period ?? null } },
  });
const values = async (client: TestClient, key: string, query: Parameters<typeof ask>[2] = {}) => (await ask(client, key, query)).body;

describe('the values of a key', () => {
  test('are those of the caller’s documents, each once, in the order of the alphabet', async () => {
    const client = await aClient();
    const names = ['Żuraw', 'zebra', 'Łoś', 'lis', 'Źrebak', 'Lis', 'Ćma', 'cap'];
    for (const name of names) await publish({ cif: client.cif, metadata: { PRIV_CASE_NUMBER: name } });
    await publish({ cif: client.cif });
    const { items, more } = await values(client, 'PRIV_CASE_NUMBER');
    expect(items.map((item) => String(item).toLowerCase())).toEqual(['cap', 'ćma', 'lis', 'łoś', 'zebra', 'źrebak', 'żuraw']);
    expect(more).toBe(false);
  });

  test('the values of an account number are one value for each number, in any spelling', async () => {
    const client = await aClient();
    for (const number of ['12 3456 7890', '1234567890', '99', 'PL 10'])
      await publish({ cif: client.cif, metadata: { ACCOUNT_NUMBER: number } });
    const { items } = await values(client, 'ACCOUNT_NUMBER');
    expect(items.map((item) => String(item).replaceAll(' ', ''))).toEqual(['99', '1234567890', 'PL10']);
  });

  test('the values of a key of every type have the form of the contract', async () => {
    const client = await aClient();
    await publish({
      cif: client.cif,
      metadata: { PRIV_DOC_PRODUCT_GROUP: 'A', REG_DATE: '2026-02-01', RETENTION_DATE: -1, '11': '2027-01-01' },
    });
    await publish({
      cif: client.cif,
      metadata: { PRIV_DOC_PRODUCT_GROUP: 'C', REG_DATE: '2026-01-31', RETENTION_DATE: '2031-01-01', '11': -1 },
    });
    await publish({ cif: client.cif, metadata: { PRIV_DOC_PRODUCT_GROUP: 'B', REG_DATE: -1 } });
    const items = async (key: string) => (await values(client, key)).items;
    expect(await items('PRIV_DOC_PRODUCT_GROUP')).toEqual(['B', 'C', 'A']);
    expect(await items('REG_DATE')).toEqual([-1, '2026-01-31', '2026-02-01']);
    expect((await items('RETENTION_DATE')).toSorted()).toEqual([-1, '2031-01-01']);
    expect((await items('11')).toSorted()).toEqual([-1, '2027-01-01']);
    expect(await items('2')).toEqual([1]);
    expect(await items('HCP')).toEqual([false]);
    expect(await items('STATE')).toEqual(['ACTIVE']);
    expect(await items('TYPE')).toEqual(['PRIVATE']);
    expect(await items('CIF')).toEqual([client.cif]);
    expect(await items('CIF2')).toEqual([]);
    const moments = await items('7');
    expect(moments.every((moment) => typeof moment === 'number' && moment > 1.7e12)).toBe(true);
  });

  test('are those of the search beside which they are offered', async () => {
    const client = await aClient();
    await publish({ cif: client.cif, fileName: 'Umowa', metadata: { PRIV_CASE_NUMBER: '1', REG_DATE: '2025-05-05' } });
    await publish({ cif: client.cif, fileName: 'Aneks', metadata: { PRIV_CASE_NUMBER: '2', REG_DATE: '2026-05-05' } });
    await publish({ cif: client.cif, metadata: { PERGAMIN_ST_DOC_TYPE: 'STATEMENTS', PRIV_CASE_NUMBER: '3', ST_DATE: '2026-05-05' } });
    const items = async (query: Parameters<typeof ask>[2]) => (await values(client, 'PRIV_CASE_NUMBER', query)).items;
    expect(await items({})).toEqual(['1', '2', '3']);
    expect(await items({ text: 'aneks' })).toEqual(['2']);
    expect(await items({ period: { start: Date.UTC(2026, 0, 1), end: Date.UTC(2026, 11, 31) } })).toEqual(['2', '3']);
    expect(
      await items({
        metadata: [
          { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
          { id: 'PERGAMIN_ST_DOC_TYPE', operator: 'NOT_EQUALS', value: 'STATEMENTS' },
        ],
      }),
    ).toEqual(['1', '2']);
    expect(await items({ metadata: [{ id: 'FILE_NAME', operator: 'LIKE', value: '%umowa%' }] })).toEqual(['1', '3']);
  });

  test('too long for a list are told whole, and apart', async () => {
    const client = await aClient();
    const long = (end: string): string => `${'x'.repeat(400)}${end}`;
    for (const end of ['a', 'b', 'a']) await publish({ cif: client.cif, metadata: { PRIV_CASE_NUMBER: long(end) } });
    expect((await values(client, 'PRIV_CASE_NUMBER')).items).toEqual([long('a'), long('b')]);
  });

  test('beyond the limit are left out, and the answer says so', async () => {
    const client = await aClient();
    const model = await publish({ cif: client.cif, metadata: { PRIV_CASE_NUMBER: '0000' } });
    await sql`
      insert into document (id, type, kind, cif, case_number, file_name, object_key, sha256, size, page_count, page_sizes, published_at, search_text)
      select gen_random_uuid(), type, kind, cif, lpad(number::text, 4, '0'), file_name, object_key, sha256, size, page_count, page_sizes,
        published_at, search_text
      from document, generate_series(1, ${valueLimits.maxValues}::int) as number where id = ${model}`.execute(portal.db);
    await deliverRest(portal.pool, `cif:${client.cif}`);
    const { items, more } = await values(client, 'PRIV_CASE_NUMBER');
    expect([items.length, items[0], items.at(-1), more]).toEqual([valueLimits.maxValues, '0000', '0199', true]);
  });
});

describe('14: values of other clients’ documents are not told', () => {
  test('values of other clients’ documents are offered under no query', async () => {
    const [client, other] = [await aClient(), await aClient()];
    const secret = await publish({ cif: other.cif, metadata: { PRIV_CASE_NUMBER: 'tajne', ACCOUNT_NUMBER: '666' } });
    await publish({ cif: client.cif, metadata: { PRIV_CASE_NUMBER: 'jawne' } });
    const tries: Criterion[][] = [
      [],
      [{ id: 'CIF', operator: 'EQUALS', value: other.cif }],
      [{ id: 'CIF', operator: 'NOT_EQUALS', value: client.cif }],
      [{ id: '14', operator: 'LIKE', value: '%c%' }],
      [{ id: 'PRIV_CASE_NUMBER', operator: 'EQUALS', value: 'tajne' }],
    ];
    for (const metadata of tries) {
      const { items } = await values(client, 'PRIV_CASE_NUMBER', { metadata });
      expect(items).not.toContain('tajne');
      expect((await values(client, 'ACCOUNT_NUMBER', { metadata })).items).toEqual([]);
    }
    await portal.db.updateTable('document').set({ state: 'DELETED' }).where('id', '=', secret).execute();
    expect((await values(other, 'PRIV_CASE_NUMBER')).items).toEqual([]);
  });

  test('the number of the other owner is not offered', async () => {
    const [first, second] = [await aClient(), await aClient()];
    await publish({ cif: first.cif, cif2: second.cif });
    expect((await values(first, 'CIF2')).items).toEqual([]);
    expect((await values(second, 'CIF')).items).toEqual([]);
    expect((await values(second, '14')).items).toEqual([second.cif]);
  });

  test.each([
    'ADDED_BY',
    'UNIQUE_NAME',
    'GROUP_ID',
    'PERGAMIN_ST_DOC_TYPE',
    '12',
    '16',
    'PUBLIC',
    'object_key',
    '__proto__',
    '',
    'x'.repeat(65),
  ])('values of the key %j are not offered', async (key) => {
    const { error } = await ask(reader, key);
    expect([error?.code, Object.keys(error?.fields ?? {})]).toEqual(['VALIDATION_ERROR', ['key']]);
  });
});
