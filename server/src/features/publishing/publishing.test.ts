import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withCatalogue } from '#testing/hostile-pdfs.ts';
import { aPdf, aPdfWithoutSizeOf, aProtectedPdf } from '#testing/pdfs.ts';
import { writePages } from '#testing/simple-pdf.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { toUnicode, writeInGlyphs } from '#testing/unembedded-pdfs.ts';

let portal: TestPortal;
let strict: TestPortal;
let lenient: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.addClient('1001', { cif: '7001' });
  await portal.addClient('1002', { cif: '7002' });
  strict = await startTestPortal({ environment: { PUBLISH_CONTENT: 'refuse' } });
  lenient = await startTestPortal({ environment: { PUBLISH_CONTENT: 'accept', PUBLISH_FOREIGN_DATA: 'accept' } });
  for (const other of [strict, lenient]) await other.addClient('1001', { cif: '7001' });
});

afterAll(async () => {
  for (const opened of [portal, strict, lenient]) await opened[Symbol.asyncDispose]();
});

const principalsOf = async (documentId: string): Promise<string[]> => {
  const rows = await portal.db
    .selectFrom('delivery')
    .select('principal')
    .where('document_id', '=', documentId)
    .orderBy('principal')
    .execute();
  return rows.map((row) => row.principal);
};

describe('a published document', () => {
  test('is answered with its checksum, size and pages', async () => {
    const pdf = aPdf({ pages: 3, text: 'Aneks' });
    const { body } = await portal.publish({ cif: '7001', pdf });
    expect(body).toMatchObject({
      sha256: createHash('sha256').update(pdf).digest('hex'),
      size: pdf.byteLength,
      pageCount: 3,
      repeated: false,
    });
  });

  test('reaches both of its owners', async () => {
    const { body } = await portal.publish({ cif: '7001', cif2: '7002', pdf: aPdf({ text: 'Wspolna' }) });
    expect(await principalsOf(body.id)).toEqual(['cif:7001', 'cif:7002']);
  });

  test('a document of a group reaches the group, a public one everybody', async () => {
    const group = await portal.publish({ type: 'GROUP', groupId: 'premium', pdf: aPdf({ text: 'Grupa' }) });
    const everybody = await portal.publish({ type: 'PUBLIC', pdf: aPdf({ text: 'Cennik' }) });
    expect(await principalsOf(group.body.id)).toEqual(['group:premium']);
    expect(await principalsOf(everybody.body.id)).toEqual(['public']);
  });

  test('cannot be changed in the record of its publication, not even by the owner of the database', async () => {
    const { body } = await portal.publish({ cif: '7001', pdf: aPdf({ text: 'Trwala' }) });
    const { db } = portal.owner;
    const change = sql`update publication set sha256 = ${'0'.repeat(64)} where document_id = ${body.id}`.execute(db);
    await expect(change).rejects.toThrow(/insert-only/);
    await expect(sql`delete from publication where document_id = ${body.id}`.execute(db)).rejects.toThrow(/insert-only/);
    await expect(sql`truncate publication`.execute(db)).rejects.toThrow(/insert-only/);
  });
});

describe('publishing the same again', () => {
  test('gives the first answer and adds nothing', async () => {
    const publication = { cif: '7001', uniqueName: 'KH-1', pdf: aPdf({ text: 'KH-1' }) };
    const first = await portal.publish(publication);
    const second = await portal.publish(publication);
    expect(second.body).toEqual({ ...first.body, repeated: true });
  });

  test('publishing other bytes under the same name is a duplicate', async () => {
    await portal.publish({ cif: '7001', uniqueName: 'KH-2', pdf: aPdf({ text: 'KH-2' }) });
    const other = await portal.publish({ cif: '7001', uniqueName: 'KH-2', pdf: aPdf({ text: 'KH-2 changed' }) });
    expect([other.status, other.error?.code]).toEqual([409, 'RESOURCE_DUPLICATE']);
  });

  test('five times at once makes one document', async () => {
    const publication = { cif: '7001', uniqueName: 'KH-3', pdf: aPdf({ text: 'KH-3' }) };
    const answers = await Promise.all(Array.from({ length: 5 }, () => portal.publish(publication)));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.body.repeated)).toHaveLength(1);
  });
});

describe('the first key', () => {
  test('is written once, for its owner only, and works', async () => {
    const path = join(portal.settings.dataDir, 'publisher.key');
    await portal.keys.ensureFirst(path);
    const key = await readFile(path, 'utf8');
    await portal.keys.ensureFirst(path);
    expect(await readFile(path, 'utf8')).toBe(key);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const form = new FormData();
    form.set('description', JSON.stringify({ type: 'PUBLIC', fileName: 'a.pdf' }));
    form.set('file', new Blob([Uint8Array.from(aPdf({ text: 'first key' }))]), 'a.pdf');
    const answer = await portal.anonymous.call('publishDocument', { form }, { authorization: `Bearer ${key.trim()}` });
    expect(answer.status).toBe(200);
  });

  test('the key of a start that was interrupted becomes the first key, and a file that holds no key does not', async () => {
    const other = strict;
    const path = join(other.settings.dataDir, 'publisher.key');
    await writeFile(path, 'half a k');
    await expect(other.keys.ensureFirst(path)).rejects.toThrow('holds no key');
    const key = `pk_${'k'.repeat(43)}`;
    await writeFile(path, `${key}\n`);
    await other.keys.ensureFirst(path);
    const answer = await other.anonymous.call('removeDemo', {}, { authorization: `Bearer ${key}` });
    expect(answer.status).toBe(200);
  });
});

describe('a dictionary', () => {
  const body = { name: { pl: 'Grupa produktowa', en: 'Product group' }, values: [{ key: 'LOANS', name: { pl: 'Kredyty', en: 'Loans' } }] };

  test('gives the options that a publication may use', async () => {
    await portal.publisher.call('upsertDictionary', { params: { id: 'PRIV_DOC_PRODUCT_GROUP' }, body });
    const published = await portal.publish({ cif: '7001', metadata: { PRIV_DOC_PRODUCT_GROUP: 'LOANS' }, pdf: aPdf({ text: 'Kredyt' }) });
    expect(published.status).toBe(200);
    const { body: known } = await portal.anonymous.call('listDictionaries', {});
    expect(known.items.find(({ id }) => id === 'PRIV_DOC_PRODUCT_GROUP')?.values).toContainEqual(body.values[0]);
  });

  test('a dictionary of the portal itself cannot be replaced', async () => {
    const answer = await portal.publisher.call('upsertDictionary', { params: { id: 'STATE' }, body });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

test('a page that cannot be drawn is told to the publisher and kept with the document', async () => {
  const pdf = aPdfWithoutSizeOf(2, { pages: 3 });
  const { body } = await portal.publish({ cif: '7001', pdf });
  expect(body.flags).toEqual(['PAGE_UNDRAWABLE']);
  const stored = await portal.db.selectFrom('document').select('pdf_flags').where('id', '=', body.id).executeTakeFirst();
  expect(stored?.pdf_flags).toEqual(['PAGE_UNDRAWABLE']);
});

describe('a PDF that could do something in other hands', () => {
  const script = withCatalogue('/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>');
  const link = withCatalogue('/OpenAction<</S/URI/URI(https://example.com)>>');

  test('is published, and its publisher is told what it holds, each time', async () => {
    const publication = { cif: '7001', uniqueName: 'KH-SCRIPT', pdf: script };
    expect((await portal.publish(publication)).body).toMatchObject({ flags: ['JAVASCRIPT'], repeated: false });
    expect((await portal.publish(publication)).body).toMatchObject({ flags: ['JAVASCRIPT'], repeated: true });
    expect((await portal.publish({ cif: '7001', pdf: aPdf({ text: 'plain' }) })).body.flags).toEqual([]);
  });

  test('is published although it holds words that no page shows, and its publisher is told so, each time', async () => {
    const hidden = {
      cif: '7001',
      uniqueName: 'KH-HIDDEN',
      pdf: writePages([''], '1.7', 'BT /F 10 Tf 20 70 Td (seen) Tj 0 200 Td (unseen) Tj ET'),
    };
    expect((await portal.publish(hidden)).body).toMatchObject({ flags: ['HIDDEN_CONTENT'], repeated: false });
    expect((await portal.publish(hidden)).body).toMatchObject({ flags: ['HIDDEN_CONTENT'], repeated: true });
  });

  test('is published although letters are guessed or missing, and its publisher is told so, each time', async () => {
    const guessed = { cif: '7001', uniqueName: 'KH-GUESSED', pdf: writeInGlyphs({ name: 'Unheard', codes: [83, 261] }) };
    expect((await portal.publish(guessed)).body).toMatchObject({ flags: ['FONT_GUESSED'], repeated: false });
    expect((await portal.publish(guessed)).body).toMatchObject({ flags: ['FONT_GUESSED'], repeated: true });
    const further = [toUnicode(new Map([[1, '中']]))];
    const missing = writeInGlyphs({ name: 'Unheard', codes: [1], entries: '/ToUnicode 8 0 R', further });
    expect((await portal.publish({ cif: '7001', pdf: missing })).body.flags).toEqual(['LETTERS_MISSING']);
  });

  test.each([
    ['refuse', script, { code: 'DOCUMENT_UPLOAD_ERROR', message: 'The PDF holds a script' }, undefined],
    ['refuse', link, undefined, ['OUTSIDE_LINK']],
    ['accept', script, undefined, []],
  ])('is treated by the setting: %s', async (content, pdf, error, flags) => {
    const answer = await (content === 'refuse' ? strict : lenient).publish({ cif: '7001', pdf });
    if (error === undefined) expect(answer.body.flags).toEqual(flags);
    else expect(answer.error).toMatchObject(error);
  });
});

test('a PDF with damaged tables is published as it is, and its publisher is told each time that they were repaired', async () => {
  const client = await lenient.signIn('1001');
  const pdf = Buffer.from(
    Buffer.from(aPdf())
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n7'),
    'latin1',
  );
  const publication = { cif: '7001', uniqueName: 'KH-DAMAGED', pdf };
  const { body } = await lenient.publish(publication);
  expect(body).toMatchObject({ flags: ['REPAIRED'], repeated: false, pageCount: 1 });
  expect((await lenient.publish(publication)).body).toMatchObject({ flags: ['REPAIRED'], repeated: true });
  expect((await client.call('downloadDocument', { params: { id: body.id } })).bytes.equals(pdf)).toBe(true);
});

test('a PDF with data behind its end is published where the setting says so, and its bytes are kept as they are', async () => {
  const client = await lenient.signIn('1001');
  const pdf = Buffer.concat([aPdf(), Buffer.from('\nprinted by HOST7')]);
  const { id } = (await lenient.publish({ cif: '7001', pdf })).body;
  expect((await client.call('downloadDocument', { params: { id } })).bytes.equals(pdf)).toBe(true);
});

test('a PDF that is encrypted, but opens without a password, is published, drawn, found by its words and handed out as it is', async () => {
  const client = await portal.signIn('1001');
  const pdf = await aProtectedPdf('change', aPdf({ text: 'Zastrzezona' }));
  const { id } = (await portal.publish({ cif: '7001', pdf })).body;
  expect((await client.call('downloadDocument', { params: { id } })).bytes.equals(pdf)).toBe(true);
  expect((await client.call('getPageImage', { params: { id, page: '1' }, query: { width: '1240' } })).status).toBe(200);
  await portal.runJob('document-search:read');
  const { items } = (await client.call('searchOwnDocuments', { body: { text: 'zastrzezona' } })).body;
  expect(items.map(({ document }) => document.id)).toEqual([id]);
});
