import type { Criterion } from '@pergamin/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/* Names, account numbers and case numbers as files and people write them. */

const account = '61109010140000071219812874';
const inGroups = '61 1090 1014 0000 0712 1981 2874';
const spellings = [`PL${account}`, account, inGroups, inGroups.replaceAll(' ', '-'), inGroups.replaceAll(' ', '\u00a0'), `pl${inGroups}`];
const names = [
  'Wyciąg 10.pdf',
  'Wyciąg 2.pdf',
  'Wyciąg 02.pdf',
  'Łódź.pdf',
  'Lublin.pdf',
  'Mapa.pdf',
  'Ćma.pdf',
  'Cel.pdf',
  'Dom.pdf',
  '100%_zniżki.pdf',
  'żółw.pdf',
  'Straße Überweisung.pdf',
  'aneks.pdf',
  'Zebra.pdf',
  'Umowa  o  kredyt.pdf',
];
const inOrder = [
  '100%_zniżki.pdf',
  'aneks.pdf',
  'Cel.pdf',
  'Ćma.pdf',
  'Dom.pdf',
  'Lublin.pdf',
  'Łódź.pdf',
  'Mapa.pdf',
  'Straße Überweisung.pdf',
  'Umowa  o  kredyt.pdf',
  'Wyciąg 02.pdf',
  'Wyciąg 2.pdf',
  'Wyciąg 10.pdf',
  'Zebra.pdf',
  'żółw.pdf',
];
const cases = ['KH/2026/10', 'KH/2026/9', 'KH 2026 11', 'AB/2026/1'];

let portal: TestPortal;
let anna: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('9001', { cif: 'named' });
  await portal.publisher.call('defineMetadata', {
    body: {
      items: [
        { id: 'LOAN_ACCOUNT', name: { pl: 'Rachunek kredytu', en: 'Loan account' }, type: 'TEXT', visible: true },
        { id: 'BRANCH', name: { pl: 'Oddział', en: 'Branch' }, type: 'TEXT', visible: true },
      ],
    },
  });
  for (const fileName of names) await portal.publish({ pdf: aPdf({ text: fileName }), cif: 'named', fileName });
  for (const [index, spelling] of spellings.entries())
    await portal.publish({
      pdf: aPdf({ text: `account ${index}` }),
      cif: 'named',
      fileName: `Rachunek ${index}`,
      metadata: { ACCOUNT_NUMBER: spelling, LOAN_ACCOUNT: spelling, PRIV_CASE_NUMBER: cases[index] ?? '' },
    });
});

afterAll(() => portal[Symbol.asyncDispose]());

interface Asked {
  readonly text?: string;
  readonly metadata?: Criterion[];
  readonly by?: string;
  readonly order?: 'asc' | 'desc';
}
const list = async ({ text, metadata = [], by = 'FILE_NAME', order = 'asc' }: Asked, client = anna) => {
  const { body } = await client.call('listOwnDocuments', {
    body: { text: text ?? null, criteria: { metadata, period: null }, sort: [{ by, order }], size: 100 },
  });
  return body.items.map(({ metadata: { FILE_NAME: name } }) => String(name));
};
const valuesOf = async (key: string) =>
  (await anna.call('listOwnValues', { body: { key, text: null, criteria: { metadata: [], period: null } } })).body.items;
const accounts = spellings.map((_, index) => `Rachunek ${index}`);

describe('names', () => {
  test('are in the order of the alphabet, with numbers by their size, forwards and backwards', async () => {
    const own = (found: string[]) => found.filter((name) => !name.startsWith('Rachunek'));
    expect(own(await list({}))).toEqual(inOrder);
    expect(own(await list({ order: 'desc' }))).toEqual(inOrder.toReversed());
    expect((await valuesOf('FILE_NAME')).filter((name) => !String(name).startsWith('Rachunek'))).toEqual(inOrder);
  });

  test('keep their order from page to page, each once', async () => {
    const pages: string[] = [];
    for (let page = 0; page * 4 < names.length + spellings.length; page += 1) {
      const { body } = await anna.call('listOwnDocuments', { body: { sort: [{ by: 'FILE_NAME', order: 'asc' }], page, size: 4 } });
      pages.push(...body.items.map(({ metadata }) => String(metadata['FILE_NAME'])));
    }
    expect(pages).toEqual(await list({}));
  });

  test('of cases are ordered by their numbers', async () => {
    expect((await valuesOf('PRIV_CASE_NUMBER')).map(String)).toEqual(['AB/2026/1', 'KH 2026 11', 'KH/2026/9', 'KH/2026/10']);
    const found = await list({ by: 'PRIV_CASE_NUMBER', metadata: [{ id: 'PRIV_CASE_NUMBER', operator: 'LIKE', value: '%KH/2026/%' }] });
    expect(found).toEqual(['Rachunek 2', 'Rachunek 1', 'Rachunek 0']);
  });

  test.each([
    ['kh 2026', ['Rachunek 0', 'Rachunek 1', 'Rachunek 2']],
    ['KH-2026-9', ['Rachunek 1']],
    ['kh/2026/11', ['Rachunek 2']],
    ['2026/1', ['Rachunek 0', 'Rachunek 2', 'Rachunek 3']],
    ['umowa o kredyt', ['Umowa  o  kredyt.pdf']],
    ['Umowa   o kredyt', ['Umowa  o  kredyt.pdf']],
    ['umowao', []],
    ['strasse uber', ['Straße Überweisung.pdf']],
    ['straße', ['Straße Überweisung.pdf']],
    ['100%_zni', ['100%_zniżki.pdf']],
    ['Wycia\u0328g 10', ['Wyciąg 10.pdf']],
    ['.*', []],
    ['(', []],
    ['kh 2026 (', []],
  ])('text that is typed as %j is found however it is written', async (text, found) => {
    expect(await list({ text })).toEqual(found);
    expect(await list({ text: `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` })).toEqual(found);
  });
});

describe('an account number', () => {
  test.each(spellings)('that is written as %j finds the documents of all spellings of it', async (spelling) => {
    expect(await list({ text: spelling })).toEqual(accounts);
    for (const id of ['ACCOUNT_NUMBER', 'LOAN_ACCOUNT'])
      for (const [operator, value] of [
        ['EQUALS', spelling],
        ['LIKE', spelling],
        ['LIKE', `%${spelling}%`],
        ['LIKE', `%${spelling.slice(0, 12)}%`],
      ] as const)
        expect([id, operator, value, await list({ metadata: [{ id, operator, value }] })]).toEqual([id, operator, value, accounts]);
    expect(await list({ metadata: [{ id: 'ACCOUNT_NUMBER', operator: 'NOT_EQUALS', value: spelling }] })).toEqual(
      inOrder.toSorted(() => 0),
    );
  });

  test('is one entry of a filter, of any key of account numbers', async () => {
    for (const key of ['ACCOUNT_NUMBER', 'LOAN_ACCOUNT']) {
      const items = await valuesOf(key);
      expect([key, items.length, String(items[0]).replaceAll(/\D/g, '')]).toEqual([key, 1, account]);
    }
  });

  test('of which a part is typed finds them too, and another number does not', async () => {
    for (const text of ['1090 1014', '10901014', '1014-0000-0712', 'PL61 1090'])
      expect([text, await list({ text })]).toEqual([text, accounts]);
    for (const text of [`PL${account.slice(0, -1)}5`, `DE${account}9`]) expect([text, await list({ text })]).toEqual([text, []]);
  });
});

describe('letters and their marks', () => {
  const composed = 'Wyciąg żółty.pdf';
  const apart = composed.normalize('NFD');

  test('are kept in one way, whichever way they come in', async () => {
    const client = await portal.signIn('9002', { cif: 'apart' });
    const { body } = await portal.publish({
      pdf: aPdf({ text: 'apart' }),
      cif: 'apart',
      fileName: apart,
      uniqueName: apart,
      metadata: { BRANCH: 'Łódź'.normalize('NFD'), PRIV_CASE_NUMBER: 'Ś/1'.normalize('NFD') },
    });
    const { metadata } = (await client.call('getDocument', { params: { id: body.id } })).body;
    expect([metadata['FILE_NAME'], metadata['BRANCH'], metadata['PRIV_CASE_NUMBER']]).toEqual([composed, 'Łódź', 'Ś/1']);
    const again = await portal.publish({
      pdf: aPdf({ text: 'apart' }),
      cif: 'apart',
      fileName: composed,
      uniqueName: composed,
      metadata: { BRANCH: 'Łódź', PRIV_CASE_NUMBER: 'Ś/1' },
    });
    expect([again.body.id, again.body.repeated]).toEqual([body.id, true]);
    for (const value of ['Łódź', 'Łódź'.normalize('NFD')])
      for (const operator of ['EQUALS', 'LIKE'] as const)
        expect(await list({ metadata: [{ id: 'BRANCH', operator, value }] }, client)).toEqual([composed]);
  });

  test('that were kept apart before are found, named and told in one way', async () => {
    const client = await portal.signIn('9003', { cif: 'before' });
    const publish = (name: string) =>
      portal.publish({ pdf: aPdf({ text: 'before' }), cif: 'before', fileName: name, uniqueName: `${name} before` });
    const { body } = await publish(composed);
    // As an earlier release kept what a Mac sent.
    await sql`update document set unique_name = normalize(unique_name, NFD), file_name = normalize(file_name, NFD),
      meta = jsonb_build_object('BRANCH', normalize('Łódź', NFD)) where id = ${body.id}::uuid`.execute(portal.db);
    for (const name of [composed, apart]) expect((await publish(name)).body).toMatchObject({ id: body.id, repeated: true });
    const other = await portal.publish({
      pdf: aPdf({ text: 'other bytes' }),
      cif: 'before',
      fileName: composed,
      uniqueName: `${composed} before`,
    });
    expect(other.error?.code).toBe('RESOURCE_DUPLICATE');
    for (const [id, value] of [
      ['BRANCH', 'Łódź'],
      ['FILE_NAME', composed],
    ] as const)
      expect(await list({ metadata: [{ id, operator: 'EQUALS', value }] }, client)).toEqual([composed]);
    const { body: values } = await client.call('listOwnValues', {
      body: { key: 'BRANCH', text: null, criteria: { metadata: [], period: null } },
    });
    expect(values.items).toEqual(['Łódź']);
  });

  test('of a forgotten document’s name are recognised in either way', async () => {
    const name = `zapomniany ${apart}`;
    const pdf = aPdf({ text: 'forgotten' });
    const { body } = await portal.publish({ pdf, cif: 'named', uniqueName: name });
    await sql`update document set unique_name = normalize(unique_name, NFD) where id = ${body.id}::uuid`.execute(portal.db);
    const params = { id: body.id };
    expect((await portal.publisher.call('changeDocumentState', { params, body: { state: 'DELETED', reason: 'asked for' } })).status).toBe(
      200,
    );
    expect((await portal.publisher.call('forgetDocument', { params, body: { reason: 'asked for' } })).status).toBe(200);
    const again = await portal.publish({ pdf, cif: 'named', uniqueName: name });
    expect(again.body).toMatchObject({ id: body.id, repeated: true });
  });
});
