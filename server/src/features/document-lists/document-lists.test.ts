import { type Criterion, type DocumentQuery, type Publication } from '@pergamin/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

const markerKey = 'PERGAMIN_ST_DOC_TYPE';
const received: Criterion[] = [
  { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
  { id: markerKey, operator: 'NOT_EQUALS', value: 'STATEMENTS' },
];
const statements: Criterion[] = [
  { id: 'TYPE', operator: 'EQUALS', value: 'PRIVATE' },
  { id: markerKey, operator: 'EQUALS', value: 'STATEMENTS' },
];

let portal: TestPortal;
/** A client without documents, who is only refused or shown nothing. */
let reader: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.signIn('3000', { cif: 'c3000' });
});

afterAll(() => portal[Symbol.asyncDispose]());

/** Every test has a client of its own, so that none sees another's documents. */
let last = 3_000;
const aClient = async (person: Parameters<TestPortal['signIn']>[1] = {}): Promise<TestClient & { cif: string }> => {
  const id = String((last += 1));
  const client = await portal.signIn(id, { cif: `c${id}`, ...person });
  return { ...client, cif: person.cif ?? `c${id}` };
};

let text = 0;
const publish = async (description: Partial<Publication>): Promise<string> => {
  portal.clock.advance(10);
  const { body } = await portal.publish({ pdf: aPdf({ text: String((text += 1)) }), type: 'PRIVATE', ...description });
  return body.id;
};

type Query = Partial<Omit<DocumentQuery, 'criteria'>> & {
  metadata?: Criterion[];
  period?: { start: number | null; end: number | null };
  unread?: boolean;
};

const ask = (client: TestClient, { metadata = received, period, unread, ...query }: Query = {}) =>
  client.call('listOwnDocuments', {
    body: {
      ...query,
      criteria: { metadata, ...(period === undefined ? {} : { period }), ...(unread === undefined ? {} : { unread }) },
    },
  });

const list = async (client: TestClient, query: Query = {}) => (await ask(client, query)).body;
const ids = async (client: TestClient, query: Query = {}): Promise<string[]> => (await list(client, query)).items.map(({ id }) => id);
const names = async (client: TestClient, query: Query = {}) =>
  (await list(client, query)).items.map(({ metadata }) => metadata['FILE_NAME']);

describe('a list of what is unread', () => {
  test('holds what this client has neither read nor downloaded, whatever others have, and counts it', async () => {
    const [client, other] = [await aClient({ groups: ['readers'] }), await aClient({ groups: ['readers'] })];
    const published: string[] = [];
    for (let i = 0; i < 4; i += 1) published.push(await publish({ type: 'GROUP', groupId: 'readers' }));
    const [first = '', second = '', third = '', fourth = ''] = published;
    expect(await list(client, { unread: true, size: 1 })).toMatchObject({ total: 4, items: [{ id: fourth, read: null }] });
    await readToTheEnd(client, second);
    await client.call('markPage', { params: { id: third, page: '1' } });
    await readToTheEnd(other, fourth);
    await client.call('downloadDocument', { params: { id: first } });
    await expect.poll(() => ids(client, { unread: true })).toEqual([fourth, third]);
    expect(await list(client, { unread: true, size: 1, page: 1 })).toMatchObject({ total: 2, items: [{ id: third }] });
    expect(await ids(other, { unread: true })).toEqual([third, second, first]);
    expect(await ids(client, { unread: false })).toEqual([fourth, third, second, first]);
  });

  test('is narrowed by everything else that is asked, and tells the values of the same documents', async () => {
    const client = await aClient();
    const { cif } = client;
    const [read, unread] = [await publish({ cif, metadata: { BAR_NUMBER: '1' } }), await publish({ cif, metadata: { BAR_NUMBER: '2' } })];
    const statement = await publish({ cif, metadata: { [markerKey]: 'STATEMENTS', BAR_NUMBER: '2' } });
    await readToTheEnd(client, read);
    const having = (value: string): Criterion[] => [...received, { id: 'BAR_NUMBER', operator: 'EQUALS', value }];
    expect(await ids(client, { unread: true, metadata: having('1') })).toEqual([]);
    expect(await ids(client, { unread: true, metadata: having('2') })).toEqual([unread]);
    expect(await ids(client, { unread: true, metadata: statements })).toEqual([statement]);
    const values = await client.call('listOwnValues', { body: { criteria: { metadata: received, unread: true }, key: 'BAR_NUMBER' } });
    expect(values.body.items).toEqual(['2']);
  });
});

describe('the received list', () => {
  test('holds what is not public and no statement, the newest first, with the reader’s marks', async () => {
    const client = await aClient();
    const { cif } = client;
    const first = await publish({ cif, fileName: 'Pierwsza' });
    const statement = await publish({ cif, metadata: { [markerKey]: 'STATEMENTS', ST_NUMBER: '1/2026' } });
    const open = await publish({ type: 'PUBLIC' });
    const second = await publish({ cif, metadata: { PRIV_CASE_NUMBER: 'K/1' } });
    await readToTheEnd(client, first);
    const { items, total } = await list(client);
    expect(items.map(({ id }) => id)).toEqual([second, first]);
    expect(total).toBe(2);
    expect(items[1]?.read).toBeTypeOf('number');
    expect(items[0]).toMatchObject({ read: null, downloaded: null, state: 'ACTIVE', corrupted: false, deleted: false, published: true });
    expect(items[0]?.metadata).toMatchObject({ PRIV_CASE_NUMBER: 'K/1', CIF: cif });
    expect(await ids(client, { metadata: statements })).toEqual([statement]);
    expect(await ids(client, { metadata: [{ id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' }] })).toContain(open);
  });

  test('holds a document once, however many of the reader’s numbers it was delivered to', async () => {
    const client = await aClient({ cif: 'both-a', cif2: 'both-b', groups: ['both'] });
    const joint = await publish({ cif: 'both-a', cif2: 'both-b' });
    const grouped = await publish({ type: 'GROUP', groupId: 'both' });
    const second = await publish({ cif: 'both-b' });
    expect(await list(client)).toMatchObject({ total: 3 });
    expect(await ids(client)).toEqual([second, grouped, joint]);
    expect(await ids(client, { text: 'umowa' })).toEqual([second, grouped, joint]);
  });

  test('counts again when something was delivered, and leaves out what was deleted', async () => {
    const client = await aClient();
    const gone = await publish({ cif: client.cif });
    expect((await list(client)).total).toBe(1);
    const stays = await publish({ cif: client.cif });
    expect((await list(client)).total).toBe(2);
    await portal.db.updateTable('document').set({ state: 'DELETED' }).where('id', '=', gone).execute();
    expect(await list(client)).toMatchObject({ total: 1, items: [{ id: stays }] });
    expect(await list(client, { text: 'umowa' })).toMatchObject({ total: 1, items: [{ id: stays }] });
  });

  test('follows a document that the publisher changes: its date, its values, its state', async () => {
    const client = await aClient();
    const id = await publish({ cif: client.cif, metadata: { REG_DATE: '2020-06-15', PRIV_CASE_NUMBER: 'K/1', BAR_NUMBER: '1' } });
    const within = (day: string) => ids(client, { period: { start: Date.parse(`${day}T00:00Z`), end: Date.parse(`${day}T12:00Z`) } });
    const having = (key: string, value: string) => ids(client, { metadata: [...received, { id: key, operator: 'EQUALS', value }] });
    expect(await within('2020-06-15')).toEqual([id]);
    await portal.db.updateTable('document').set({ reg_date: '2021-07-16', case_number: 'K/2' }).where('id', '=', id).execute();
    expect([await within('2020-06-15'), await within('2021-07-16')]).toEqual([[], [id]]);
    expect([await having('PRIV_CASE_NUMBER', 'K/1'), await having('PRIV_CASE_NUMBER', 'K/2')]).toEqual([[], [id]]);
    await portal.db.updateTable('document').set({ reg_date: 'infinity', file_name: 'Inna' }).where('id', '=', id).execute();
    expect([await within('2021-07-16'), await having('FILE_NAME', 'Inna')]).toEqual([[id], [id]]);
    await portal.db.updateTable('document').set({ state: 'OBSOLETE' }).where('id', '=', id).execute();
    expect([await having('STATE', 'ACTIVE'), await having('STATE', 'OBSOLETE')]).toEqual([[], [id]]);
  });

  test('is asked for a document by its checksum', async () => {
    const client = await aClient();
    const id = await publish({ cif: client.cif });
    await publish({ cif: client.cif });
    const sha256 = (await list(client)).items.find((item) => item.id === id)?.metadata['CHECKSUM_SHA256'] ?? '';
    const having = (operator: Criterion['operator'], value: Criterion['value']) =>
      ids(client, { metadata: [...received, { id: 'CHECKSUM_SHA256', operator, value }] });
    expect(await having('EQUALS', sha256)).toEqual([id]);
    expect(await having('LIKE', `%${String(sha256).slice(3, 20)}%`)).toEqual([id]);
    expect(await having('EQUALS', String(sha256).toUpperCase())).toEqual([]);
    expect(await having('NOT_EQUALS', sha256)).toHaveLength(1);
  });

  test('goes on holding what was cancelled, with its state', async () => {
    const client = await aClient();
    const id = await publish({ cif: client.cif });
    await portal.db.updateTable('document').set({ state: 'CANCELLED' }).where('id', '=', id).execute();
    expect((await list(client)).items).toMatchObject([{ id, state: 'CANCELLED' }]);
    expect(await ids(client, { metadata: [...received, { id: 'STATE', operator: 'EQUALS', value: 'ACTIVE' }] })).toEqual([]);
  });

  test('is empty, with an honest total, for whom nothing was published', async () => {
    expect(await list(reader)).toEqual({ items: [], total: 0 });
  });

  test('is paged without gaps and repetitions, from both ends', async () => {
    const client = await aClient();
    const model = await publish({ cif: client.cif });
    await sql`
      with copies as (
        insert into document (id, type, kind, cif, file_name, object_key, sha256, size, page_count, page_sizes, published_at, search_text)
        select gen_random_uuid(), type, kind, cif, 'Kopia ' || number, object_key, sha256, size, page_count, page_sizes,
          published_at + (number / 3) * interval '1 second', search_text
        from document, generate_series(1, 499) as number where id = ${model}
        returning id, published_at
      )
      insert into delivery (principal, document_id, kind, published_at, listed_on)
      select ${`cif:${client.cif}`}, id, 'private', published_at, '2026-01-01' from copies`.execute(portal.db);
    const pages = async (sort: DocumentQuery['sort'] = []): Promise<string[]> => {
      const found: string[] = [];
      for (let page = 0; page < 10; page += 1) found.push(...(await ids(client, { page, size: 50, sort })));
      return found;
    };
    const newestFirst = await pages();
    expect(new Set(newestFirst).size).toBe(500);
    expect(await pages([{ by: '7', order: 'asc' }])).toEqual(newestFirst.toReversed());
    const searched = await pages([
      { by: 'PUBLICATION_DATE', order: 'desc' },
      { by: '4', order: 'asc' },
    ]);
    expect(searched).toHaveLength(500);
    expect(await list(client, { page: 10, size: 50 })).toEqual({ items: [], total: 500 });
    expect(await ids(client, { page: 70, size: 7 })).toEqual(newestFirst.slice(490, 497));
  });
});

describe('criteria', () => {
  test('narrow the list by every type of value', async () => {
    const client = await aClient();
    const { cif } = client;
    await portal.publisher.call('upsertDictionary', {
      params: { id: 'PRIV_DOC_PRODUCT_GROUP' },
      body: {
        name: { pl: 'Grupa', en: 'Group' },
        values: [
          { key: 'LOAN', name: { pl: 'Kredyty', en: 'Loans' } },
          { key: 'CARD', name: { pl: 'Płatnicze karty', en: 'Cards' } },
        ],
      },
    });
    await publish({
      cif,
      fileName: 'A',
      metadata: { PRIV_CASE_NUMBER: 'Łódź/50%_1', PRIV_DOC_PRODUCT_GROUP: 'LOAN', REG_DATE: '2026-03-29' },
    });
    await publish({
      cif,
      fileName: 'B',
      metadata: { PRIV_CASE_NUMBER: 'łodz/5012', PRIV_DOC_PRODUCT_GROUP: 'CARD', REG_DATE: '2026-03-30' },
    });
    await publish({ cif, fileName: 'C', metadata: { ACCOUNT_NUMBER: '12 3456 7890', '11': -1, BAR_NUMBER: '00-7' } });
    await publish({ cif, fileName: 'D', metadata: { '11': '2027-01-31' } });
    const having = (id: string, operator: Criterion['operator'], value: Criterion['value']) =>
      names(client, { metadata: [...received, { id, operator, value }], sort: [{ by: 'FILE_NAME', order: 'asc' }] });

    expect(await having('PRIV_CASE_NUMBER', 'LIKE', '%LODZ%')).toEqual(['A', 'B']);
    expect(await having('PRIV_CASE_NUMBER', 'LIKE', '%50\\%\\_1%')).toEqual(['A']);
    expect(await having('PRIV_CASE_NUMBER', 'LIKE', '%50%1%')).toEqual([]);
    expect(await having('PRIV_CASE_NUMBER', 'LIKE', 'lodz/5012')).toEqual(['B']);
    expect(await having('PRIV_CASE_NUMBER', 'EQUALS', 'łodz/5012')).toEqual(['B']);
    expect(await having('PRIV_CASE_NUMBER', 'NOT_EQUALS', 'łodz/5012')).toEqual(['A', 'C', 'D']);
    expect(await having('PRIV_DOC_PRODUCT_GROUP', 'EQUALS', 'LOAN')).toEqual(['A']);
    expect(await having('PRIV_DOC_PRODUCT_GROUP', 'LIKE', '%LOAN%')).toEqual(['A']);
    expect(await having('PRIV_DOC_PRODUCT_GROUP', 'LIKE', '%platnicze%')).toEqual(['B']);
    expect(await having('ACCOUNT_NUMBER', 'LIKE', '%34567%')).toEqual(['C']);
    expect(await having('ACCOUNT_NUMBER', 'LIKE', '%12 34%')).toEqual(['C']);
    expect(await having('BAR_NUMBER', 'EQUALS', '00-7')).toEqual(['C']);
    expect(await having('REG_DATE', 'GQ', '2026-03-30')).toEqual(['B']);
    expect(await having('REG_DATE', 'LQ', Date.parse('2026-03-29T21:59:59.999Z'))).toEqual(['A']);
    expect(await having('REG_DATE', 'LQ', Date.parse('2026-03-29T22:00:00.000Z'))).toEqual(['A', 'B']);
    expect(await having('11', 'EQUALS', -1)).toEqual(['C']);
    expect(await having('11', 'LQ', '2027-12-31')).toEqual(['D']);
    expect(await having('4', 'GQ', 1)).toEqual(['A', 'B', 'C', 'D']);
    expect(await having('2', 'EQUALS', 1)).toEqual(['A', 'B', 'C', 'D']);
    expect(await having('PUBLICATION_DATE', 'LQ', portal.clock.now().getTime())).toEqual(['A', 'B', 'C', 'D']);
    expect(await having('7', 'LQ', 0)).toEqual([]);
    expect(await having('HCP', 'EQUALS', false)).toEqual(['A', 'B', 'C', 'D']);
    expect(await having('PUBLISHED', 'EQUALS', true)).toEqual(['A', 'B', 'C', 'D']);
    expect(await having('PUBLIC', 'EQUALS', true)).toEqual([]);
    expect(await having('CIF', 'EQUALS', cif)).toEqual(['A', 'B', 'C', 'D']);
  });

  test('cannot widen the list to what is not the reader’s, nor tell who else owns a document', async () => {
    const client = await aClient();
    const other = await aClient();
    await publish({ cif: other.cif });
    const joint = await publish({ cif: client.cif, cif2: other.cif });
    const having = (...criteria: Criterion[]) => ids(client, { metadata: criteria });
    expect(await having({ id: 'CIF', operator: 'EQUALS', value: other.cif })).toEqual([]);
    expect(await having({ id: 'CIF2', operator: 'EQUALS', value: other.cif })).toEqual([]);
    expect(await having({ id: 'CIF2', operator: 'LIKE', value: `%${other.cif}%` })).toEqual([]);
    expect(await having({ id: '14', operator: 'NOT_EQUALS', value: other.cif }, ...received)).toEqual([joint]);
    expect(await ids(client, { text: other.cif })).toEqual([]);
    expect(await having({ id: 'CIF', operator: 'LIKE', value: "%' or true --%" })).toEqual([]);
    const bySecondOwner = [{ by: 'CIF2', order: 'asc' as const }];
    expect(await ids(client, { sort: bySecondOwner })).toEqual([joint]);
  });

  test.each([
    ['an unknown key', { id: 'SALARY', operator: 'EQUALS', value: 'x' }, 'criteria.metadata.0.id'],
    ['a publisher’s key', { id: 'UNIQUE_NAME', operator: 'EQUALS', value: 'x' }, 'criteria.metadata.0.id'],
    ['a publisher’s number', { id: '10', operator: 'EQUALS', value: 'x' }, 'criteria.metadata.0.id'],
    ['a name of the language', { id: '__proto__', operator: 'EQUALS', value: 'x' }, 'criteria.metadata.0.id'],
    ['a range of text', { id: 'FILE_NAME', operator: 'GQ', value: 'x' }, 'criteria.metadata.0.operator'],
    ['a part of a state', { id: 'STATE', operator: 'LIKE', value: '%A%' }, 'criteria.metadata.0.operator'],
    ['a part of a number', { id: '4', operator: 'LIKE', value: '%1%' }, 'criteria.metadata.0.operator'],
    ['a number that is text', { id: '4', operator: 'EQUALS', value: '1' }, 'criteria.metadata.0.value'],
    ['text that is a number', { id: 'FILE_NAME', operator: 'LIKE', value: 1 }, 'criteria.metadata.0.value'],
    ['a day that does not exist', { id: 'REG_DATE', operator: 'GQ', value: '2026-02-30' }, 'criteria.metadata.0.value'],
    ['text of 257 characters', { id: 'FILE_NAME', operator: 'LIKE', value: `%${'a'.repeat(257)}%` }, 'criteria.metadata.0.value'],
    ['a character that cannot be kept', { id: 'FILE_NAME', operator: 'EQUALS', value: 'a\0' }, 'criteria.metadata.0.value'],
  ] as const)('refuse %s', async (_, criterion, field) => {
    const { status, error } = await ask(reader, { metadata: [criterion] });
    expect([status, error?.code, Object.keys(error?.fields ?? {})]).toEqual([400, 'VALIDATION_ERROR', [field]]);
  });

  test('compare numbers with those that they can never be', async () => {
    const client = await aClient();
    const document = await publish({ cif: client.cif });
    for (const id of ['2', '4']) {
      const having = (operator: Criterion['operator'], value: number) => ids(client, { metadata: [...received, { id, operator, value }] });
      for (const value of [0.5, 1e300, -1e300, 2 ** 31, 2 ** 63]) expect(await having('EQUALS', value)).toEqual([]);
      expect(await having('NOT_EQUALS', 1.5)).toEqual([document]);
      expect(await having('GQ', 0.5)).toEqual([document]);
      expect(await having('LQ', 1e300)).toEqual([document]);
    }
  });

  test('criteria of 256 wildcards are only text', async () => {
    const value = `%${'\\%\\_'.repeat(128)}%`;
    expect(await ids(reader, { metadata: [{ id: 'FILE_NAME', operator: 'LIKE', value }] })).toEqual([]);
  });

  test.each([
    ['a period', { period: { start: 2, end: 1 } }],
    [
      'a range of one key',
      {
        metadata: [
          { id: 'REG_DATE', operator: 'GQ', value: '2026-02-02' },
          { id: 'REG_DATE', operator: 'LQ', value: '2026-02-01' },
        ],
      },
    ],
    [
      'a range of two keys',
      {
        metadata: [
          { id: 'ST_PERIOD_START', operator: 'GQ', value: '2026-02-02' },
          { id: 'ST_PERIOD_END', operator: 'LQ', value: '2026-02-01' },
        ],
      },
    ],
  ] satisfies [string, Query][])('refuse %s that ends before its start', async (_, query) => {
    const { status, error } = await ask(reader, query);
    expect([status, error?.code]).toEqual([400, 'INVALID_DATE_RANGE']);
  });
});

describe('the period', () => {
  test('acts on the list’s own date, in whole days of the organisation’s time zone', async () => {
    const client = await aClient();
    const { cif } = client;
    await publish({ cif, fileName: 'dated', metadata: { REG_DATE: '2020-06-15', ST_DATE: '2019-01-01' } });
    await publish({ cif, fileName: 'undated' });
    await publish({ cif, fileName: 'indefinite', metadata: { REG_DATE: -1 } });
    await publish({ cif, fileName: 'statement', metadata: { [markerKey]: 'STATEMENTS', ST_DATE: '2020-06-15', REG_DATE: '2018-01-01' } });
    const startOfDay = Date.parse('2020-06-15T00:00:00+02:00');
    const endOfDay = Date.parse('2020-06-15T23:59:59.999+02:00');
    const within = (start: number | null, end: number | null, metadata = received) => names(client, { period: { start, end }, metadata });
    expect(await within(startOfDay, endOfDay)).toEqual(['dated']);
    expect(await within(endOfDay + 1, null)).toEqual(['indefinite', 'undated']);
    expect(await within(null, startOfDay - 1)).toEqual([]);
    expect(await within(null, null)).toHaveLength(3);
    expect(await within(startOfDay, endOfDay, statements)).toEqual(['statement']);
    expect(await names(client, { period: { start: startOfDay, end: endOfDay }, text: 'dated' })).toEqual(['dated']);
    expect(await list(client, { period: { start: startOfDay, end: endOfDay } })).toMatchObject({ total: 1 });
  });
});

describe('the free text', () => {
  test('is found in what the client sees, in any case and without accents, and in names of options', async () => {
    const client = await aClient();
    const { cif } = client;
    const nameGroup = (pl: string) =>
      portal.publisher.call('upsertDictionary', {
        params: { id: 'PRIV_DOC_PRODUCT_GROUP' },
        body: { name: { pl: 'Grupa', en: 'Group' }, values: [{ key: 'DEPOSIT', name: { pl, en: 'Deposits' } }] },
      });
    await nameGroup('Lokaty');
    await publish({ cif, fileName: 'Wyciąg ŁÓDŹ.pdf', uniqueName: 'hidden-17', addedBy: 'Jan Ukryty' });
    await publish({ cif, fileName: 'B.pdf', metadata: { ACCOUNT_NUMBER: '11 2222 3333', PRIV_DOC_PRODUCT_GROUP: 'DEPOSIT' } });
    const found = (words: string) => names(client, { text: words, sort: [{ by: 'FILE_NAME', order: 'asc' }] });
    expect(await found('wyciag łódz')).toEqual(['Wyciąg ŁÓDŹ.pdf']);
    expect(await found('22223')).toEqual(['B.pdf']);
    expect(await found('11 22 22')).toEqual(['B.pdf']);
    expect(await found('lokat')).toEqual(['B.pdf']);
    expect(await found('deposits')).toEqual(['B.pdf']);
    expect(await found('hidden-17')).toEqual([]);
    expect(await found('ukryty')).toEqual([]);
    expect(await found('%')).toEqual([]);
    expect(await found('  ')).toHaveLength(2);
    await nameGroup('Oszczędności');
    expect(await found('oszczednosc')).toEqual(['B.pdf']);
    expect(await found('lokat')).toEqual([]);
  });
});

describe('the order', () => {
  test('is that of the Polish alphabet, documents without the value last, in both directions', async () => {
    const client = await aClient();
    const numbers = ['Ćma', 'Zebra', 'Cis', 'Łoś', 'Lis', 'Żuk'];
    for (const number of numbers) await publish({ cif: client.cif, metadata: { PRIV_CASE_NUMBER: number } });
    await publish({ cif: client.cif });
    const sorted = async (order: 'asc' | 'desc') =>
      (await list(client, { sort: [{ by: 'PRIV_CASE_NUMBER', order }] })).items.map(({ metadata }) => metadata['PRIV_CASE_NUMBER']);
    expect(await sorted('asc')).toEqual(['Cis', 'Ćma', 'Lis', 'Łoś', 'Zebra', 'Żuk', undefined]);
    expect(await sorted('desc')).toEqual(['Żuk', 'Zebra', 'Łoś', 'Lis', 'Ćma', 'Cis', undefined]);
  });

  test.each(['UNIQUE_NAME', '12', markerKey, 'object_key', "file_name'; drop table document --"])('cannot be by %s', async (by) => {
    const { status, error } = await ask(reader, { sort: [{ by: by.slice(0, 64), order: 'asc' }] });
    expect([status, error?.code, Object.keys(error?.fields ?? {})]).toEqual([400, 'VALIDATION_ERROR', ['sort.0.by']]);
  });

  test('takes asc and desc in any case', async () => {
    const { status } = await reader.call('listOwnDocuments', {
      body: { sort: [{ by: '1', order: 'DESC' }] },
    });
    expect(status).toBe(200);
  });
});
