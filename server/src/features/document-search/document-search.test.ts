import type { Publication } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stemsOfTexts } from '#platform/database/migrations/0003-stems-of-texts.ts';
import { stream, writePdf } from '#testing/simple-pdf.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
/** A client without documents. */
let reader: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.signIn('4000', { cif: 's4000' });
});

afterAll(() => portal[Symbol.asyncDispose]());

/** One page for each text, written with a font that every reader has; letters beyond ASCII as octal signs. */
const aTextPdf = (...pages: string[]): Uint8Array => {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  return writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...pages.flatMap((text, index) => [
      `<</Type/Page/Parent 2 0 R/Contents ${5 + index * 2} 0 R>>`,
      stream(`BT /F 12 Tf 50 700 Td (${text}) Tj ET`),
    ]),
  ]);
};

let last = 4_000;
const aClient = async (person: Parameters<TestPortal['signIn']>[1] = {}): Promise<TestClient & { cif: string }> => {
  const id = String((last += 1));
  const client = await portal.signIn(id, { cif: `s${id}`, ...person });
  return { ...client, cif: person.cif ?? `s${id}` };
};

const publish = async (pdf: Uint8Array, description: Partial<Publication>): Promise<string> => {
  portal.clock.advance(10);
  return (await portal.publish({ pdf, type: 'PRIVATE', ...description })).body.id;
};

const readTexts = (): Promise<void> => portal.runJob('document-search:read');
const find = async (client: TestClient, text: string, page = {}) =>
  (await client.call('searchOwnDocuments', { body: { text, ...page } })).body;
const idsOf = async (client: TestClient, text: string): Promise<string[]> =>
  (await find(client, text)).items.map(({ document }) => document.id);

test('a document is found by beginnings of its words, with the page and the piece of it that says them', async () => {
  const client = await aClient();
  const id = await publish(aTextPdf('Umowa rachunku', 'Stopa procentowa wk\\363adu wynosi 4'), {
    cif: client.cif,
    fileName: 'Warunki.pdf',
  });
  await publish(aTextPdf('Regulamin kart'), { cif: client.cif });
  await readTexts();
  const { items, total } = await find(client, 'wkoad proc');
  expect(total).toBe(1);
  expect(items).toMatchObject([{ document: { id, metadata: { FILE_NAME: 'Warunki.pdf' }, read: null }, page: 2 }]);
  expect(items[0]?.fragment).toEqual([
    { text: 'Stopa ', match: false },
    { text: 'proc', match: true },
    { text: 'entowa ', match: false },
    { text: 'wkóad', match: true },
    { text: 'u wynosi 4', match: false },
  ]);
  expect(await idsOf(client, 'umowa WYNOSI')).toEqual([id]);
  expect(await idsOf(client, 'umowa regulamin')).toEqual([]);
  expect(await idsOf(client, 'procentowaX')).toEqual([]);
});

test('a document is found by its words in another inflection, Polish or English, and by nothing that only begins alike', async () => {
  const client = await aClient();
  const polish = await publish(aTextPdf('Oprocentowanie konta i harmonogram rat'), { cif: client.cif });
  const english = await publish(aTextPdf('Monthly statements of your contact'), { cif: client.cif });
  await readTexts();
  expect(await idsOf(client, 'oprocentowaniem')).toEqual([polish]);
  expect(await idsOf(client, 'Konto racie')).toEqual([polish]);
  expect(await idsOf(client, 'statement')).toEqual([english]);
  expect(await idsOf(client, 'stating')).toEqual([]);
  expect(await idsOf(client, 'kontakt')).toEqual([]);
  expect((await find(client, 'oprocentowaniem')).items[0]?.fragment[0]).toEqual({ text: 'Oprocentowanie', match: true });
});

test('an account number is found however it is typed and however the page prints it', async () => {
  const client = await aClient();
  const account = '61109010140000071219812874';
  const inGroups = '61 1090 1014 0000 0712 1981 2874';
  const printed = [account, inGroups, `PL${account}`, `PL${inGroups}`, `PL ${inGroups}`, inGroups.replaceAll(' ', '-')];
  const ids: string[] = [];
  for (const number of printed) ids.push(await publish(aTextPdf(`Rachunek ${number} prowadzony`), { cif: client.cif }));
  await publish(aTextPdf(`Rachunek ${inGroups.replace('2874', '2875')}`), { cif: client.cif });
  await readTexts();
  for (const typed of [...printed, `rachunek ${inGroups}`, inGroups.replaceAll(' ', '\u00a0')])
    expect([typed, (await idsOf(client, typed)).toSorted()]).toEqual([typed, ids.toSorted()]);
});

test('ß is found as ss, in texts that were read before, too', async () => {
  const client = await aClient();
  const id = await publish(aTextPdf('Stra\\337e und Ma\\337'), { cif: client.cif });
  await readTexts();
  const finds = async () => Promise.all(['strasse', 'Straße', 'mass strasse'].map((typed) => idsOf(client, typed)));
  expect(await finds()).toEqual([[id], [id], [id]]);
  await portal.pool.query(`update document_words set words = array_to_tsvector(array['straße', 'und', 'maß', $2]) where document_id = $1`, [
    id,
    `@cif:${client.cif}`,
  ]);
  expect(await finds()).toEqual([[id], [id], [id]]);
});

test('texts that were read before there were stems are found by stems after the next round, without their files', async () => {
  const client = await aClient();
  const id = await publish(aTextPdf('Dawne umowy'), { cif: client.cif });
  await readTexts();
  await portal.pool.query(`update document_words set words = array_to_tsvector(array['dawne', 'umowy', $2]) where document_id = $1`, [
    id,
    `@cif:${client.cif}`,
  ]);
  await portal.db.updateTable('document').set({ object_key: '00/nothing' }).where('id', '=', id).execute();
  expect([await idsOf(client, 'umowa'), await idsOf(client, 'umow')]).toEqual([[], [id]]);
  await stemsOfTexts.up(portal.owner.db);
  expect(await idsOf(client, 'umow')).toEqual([id]);
  await readTexts();
  expect(await idsOf(client, 'umowa')).toEqual([id]);
});

test('a page with more words than can be kept together is found by its first ones', async () => {
  const client = await aClient();
  const id = await publish(aTextPdf('Nic'), { cif: client.cif });
  const letters = (number: number): string => String(number).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
  const words = Array.from({ length: 25_000 }, (_, index) => `${letters(index)}${'umowami'.repeat(7)}`);
  await portal.pool.query('insert into document_page_text (document_id, page, text) values ($1, 1, $2)', [
    id,
    `Pierwsza ${words.join(' ')}`,
  ]);
  await readTexts();
  expect(await idsOf(client, 'pierwsza')).toEqual([id]);
});

test('the newest documents come first, each once, and pages of the answer neither overlap nor miss any', async () => {
  const client = await aClient();
  const ids: string[] = [];
  for (let number = 0; number < 5; number += 1)
    ids.unshift(await publish(aTextPdf(`Aneks ${number}`, `Aneks ${number} ci\\271g dalszy`), { cif: client.cif }));
  await readTexts();
  const page = async (number: number) => (await find(client, 'aneks', { page: number, size: 2 })).items.map(({ document }) => document.id);
  expect([...(await page(0)), ...(await page(1)), ...(await page(2))]).toEqual(ids);
  expect(await find(client, 'aneks', { page: 3, size: 2 })).toEqual({ items: [], total: 5 });
});

test('a search finds only what was delivered to the caller, and of a group only what was published during the membership', async () => {
  const [owner, second, stranger] = [await aClient(), await aClient(), reader];
  const member = await aClient({ groups: ['readers'] });
  const joint = await publish(aTextPdf('Tajemnica wsp\\363lna'), { cif: owner.cif, cif2: second.cif });
  const grouped = await publish(aTextPdf('Tajemnica grupy'), { type: 'GROUP', groupId: 'readers' });
  await publish(aTextPdf('Tajemnica wszystkich'), { type: 'PUBLIC' });
  await readTexts();
  portal.clock.advance(1_000);
  const late = await aClient();
  await portal.db.insertInto('group_member').values({ group_id: 'readers', cif: late.cif, since: portal.clock.now() }).execute();
  expect(await idsOf(owner, 'tajemnica')).toEqual([joint]);
  expect(await idsOf(second, 'tajemnica')).toEqual([joint]);
  expect(await idsOf(member, 'tajemnica')).toEqual([grouped]);
  expect(await idsOf(late, 'tajemnica')).toEqual([]);
  expect(await idsOf(stranger, 'tajemnica')).toEqual([]);
  expect(await idsOf(stranger, `@cif:${owner.cif} | tajemnica`)).toEqual([]);
  expect(await idsOf(owner, owner.cif)).toEqual([]);
});

test('a document is not found before its text was read, and its text goes with it', async () => {
  const client = await aClient();
  const id = await publish(aTextPdf('Przemijanie'), { cif: client.cif });
  expect(await idsOf(client, 'przemijanie')).toEqual([]);
  await readTexts();
  expect(await idsOf(client, 'przemijanie')).toEqual([id]);
  await portal.db.updateTable('document').set({ state: 'DELETED' }).where('id', '=', id).execute();
  expect(await idsOf(client, 'przemijanie')).toEqual([]);
  const { rows } = await portal.pool.query(
    'select document_id from document_page_text where document_id = $1 union all select document_id from document_words where document_id = $1',
    [id],
  );
  expect(rows).toEqual([]);
});

test('what was published before there was a search is read in the next round', async () => {
  const client = await aClient();
  const id = await publish(aTextPdf('Dawne dzieje'), { cif: client.cif });
  await readTexts();
  for (const table of ['document_words', 'document_page_text'])
    await portal.pool.query(`delete from ${table} where document_id = $1`, [id]);
  await portal.db.updateTable('document').set({ text_read_at: null }).where('id', '=', id).execute();
  await readTexts();
  expect(await idsOf(client, 'dzieje')).toEqual([id]);
});

test('a document whose object is lost does not keep the others waiting', async () => {
  const client = await aClient();
  const id = await publish(aTextPdf('Wytrwa\\263e'), { cif: client.cif });
  const lost = await publish(aTextPdf('Zgubione'), { cif: client.cif });
  await portal.db.updateTable('document').set({ object_key: '00/nothing' }).where('id', '=', lost).execute();
  await readTexts();
  expect(await idsOf(client, 'wytrwa')).toEqual([id]);
});

test.each(['', 'a'.repeat(257), 'a\0b', '\ud800'])('a search for %j is refused', async (text) => {
  const { status, error } = await reader.call('searchOwnDocuments', { body: { text } });
  expect([status, error?.code]).toEqual([400, 'VALIDATION_ERROR']);
});

test.each(['   ', '%', "';--", "x' | '@cif:s4001", '\\', '🂡'])('a search for %j finds nothing and breaks nothing', async (text) => {
  expect(await find(reader, text)).toEqual({ items: [], total: 0 });
});
