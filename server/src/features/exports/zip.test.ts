import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isProved, parsePolicy, verifyReceipt } from '@pergamin/ledger';
import { fromBufferPromise } from 'yauzl';
import { changePastTriggers } from '#testing/ledger-damage.ts';
import { aLongPdf, aPdf } from '#testing/pdfs.ts';
import { portOf } from '#testing/raw-http.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.server.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(() => portal[Symbol.asyncDispose]());

let last = 6_000;
const aClient = async (): Promise<TestClient & { cif: string }> => {
  const id = String((last += 1));
  return { ...(await portal.signIn(id, { cif: `c${id}` })), cif: `c${id}` };
};

const publish = async (description: Parameters<TestPortal['publish']>[0]): Promise<string> => (await portal.publish(description)).body.id;
const zip = (client: TestClient, ids: string[]) => client.call('downloadDocumentsZip', { body: { ids } });
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Unzipped {
  readonly name: string;
  readonly bytes: Buffer;
  readonly modified: string;
}

const unzip = async (archive: Buffer): Promise<Unzipped[]> => {
  const opened = await fromBufferPromise(archive);
  const files: Unzipped[] = [];
  for await (const entry of opened.eachEntry())
    files.push({
      name: entry.fileName,
      bytes: await buffer(await opened.openReadStreamPromise(entry)),
      modified: entry.getLastModDate({ timezone: 'UTC' }).toISOString().slice(0, 16),
    });
  return files;
};

/** Without what proves them. */
const unzipDocuments = async (archive: Buffer): Promise<Unzipped[]> =>
  (await unzip(archive)).filter(({ name }) => !/\.tlog-proof$|^keys\.txt$|^verify\.html$/.test(name));

const marksOf = (client: TestClient) =>
  portal.db
    .selectFrom('document_mark')
    .select(['document_id', 'downloaded_at', 'read_at'])
    .where('personal_id', '=', client.personalId)
    .execute();

/** Of one that may be changed: objects are read-only. */
const objectFile = async (id: string): Promise<string> => {
  const { object_key: key } = await portal.db.selectFrom('document').select('object_key').where('id', '=', id).executeTakeFirstOrThrow();
  const folder = join(portal.settings.dataDir, 'objects');
  const path = (await readdir(folder, { recursive: true })).find((file) => file.endsWith(key.split('/').at(-1) ?? key));
  await chmod(join(folder, path ?? key), 0o600);
  return join(folder, path ?? key);
};

describe('an archive', () => {
  test('holds the documents as they were published, by their days and names, with their checksums', async () => {
    const client = await aClient();
    const pdfs = [aPdf({ text: 'one' }), aPdf({ text: 'two', pages: 4 }), aPdf({ text: 'three' })] as const;
    const publishedAt = '2026-07-01T22:30:00Z';
    const first = await publish({ pdf: pdfs[0], cif: client.cif, fileName: 'Umowa – część 1', metadata: { REG_DATE: '2026-07-02' } });
    const second = await publish({
      pdf: pdfs[1],
      cif: client.cif,
      fileName: 'Wyciąg 6/2026.pdf',
      metadata: { PERGAMIN_ST_DOC_TYPE: 'STATEMENTS', ST_DATE: '2026-06-30' },
    });
    const third = await publish({ pdf: pdfs[2], cif: client.cif, fileName: 'Umowa – część 1' });
    await changePastTriggers(portal, sql`update publication set at = ${publishedAt}::timestamptz where document_id = ${third}::uuid`);
    const { headers, bytes } = await zip(client, [second, first, third, second]);
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(bytes.length),
      'cache-control': 'private, no-store',
    });
    expect(headers['content-disposition']).toMatch(/^attachment; filename="documents-\d{4}-\d{2}-\d{2}\.zip"/);
    const [manifest, ...files] = await unzipDocuments(bytes);
    const names = ['2026-06-30 Wyciąg 62026.pdf', '2026-07-02 Umowa – część 1.pdf', '2026-07-02 Umowa – część 1 (2).pdf'];
    expect(files.map(({ name }) => name)).toEqual(names);
    expect(files.map(({ bytes: held }) => sha256(held))).toEqual([pdfs[1], pdfs[0], pdfs[2]].map(sha256));
    expect(files[2]?.modified).toBe('2026-07-02T00:30');
    expect(manifest?.name).toBe('MANIFEST.sha256');
    const lines = [pdfs[1], pdfs[0], pdfs[2]].map((pdf, index) => `${sha256(pdf)}  ${names[index]}`);
    expect(manifest?.bytes.toString().split('\n').slice(0, 3)).toEqual(lines);
  });

  test('has names of one day in the order of the alphabet, with numbers by their size', async () => {
    const client = await aClient();
    const names = ['Wyciąg 10', 'żółw', 'Wyciąg 2', 'Łódź', 'Lublin', 'Wyciąg 02', 'Zebra'];
    const ids: string[] = [];
    for (const fileName of names)
      ids.push(await publish({ pdf: aPdf({ text: fileName }), cif: client.cif, fileName, metadata: { REG_DATE: '2026-11-18' } }));
    const [, ...files] = await unzipDocuments((await zip(client, ids)).bytes);
    const inOrder = ['Lublin', 'Łódź', 'Wyciąg 2', 'Wyciąg 02', 'Wyciąg 10', 'Zebra', 'żółw'];
    expect(files.map(({ name }) => name)).toEqual(inOrder.map((name) => `2026-11-18 ${name}.pdf`));
  });

  test('holds the receipt of each document and the keys, and they prove it; all of them stand in its list', async () => {
    const client = await aClient();
    const pdf = aPdf({ text: 'proved' });
    const { bytes } = await zip(client, [await publish({ pdf, cif: client.cif, fileName: 'Umowa', metadata: { REG_DATE: '2026-07-02' } })]);
    const files = new Map((await unzip(bytes)).map((file) => [file.name, file.bytes]));
    const receipt = files.get('2026-07-02 Umowa.pdf.tlog-proof') ?? '';
    const policy = parsePolicy(String(files.get('keys.txt')));
    expect(isProved(verifyReceipt(receipt, { sha256: sha256(pdf), policy }))).toBe(true);
    const listed = String(files.get('MANIFEST.sha256')).trimEnd().split('\n');
    const held = [...files].filter(([name]) => name !== 'MANIFEST.sha256').map(([name, content]) => `${sha256(content)}  ${name}`);
    expect(listed).toEqual(held);
  });

  test('counts as the download of each of its documents, the first time kept, and as the reading of none', async () => {
    const client = await aClient();
    const ids = [await publish({ pdf: aPdf({ text: 'a' }), cif: client.cif }), await publish({ pdf: aPdf({ text: 'b' }), type: 'PUBLIC' })];
    await zip(client, ids);
    const marks = await marksOf(client);
    expect(marks.map(({ document_id: id }) => id).toSorted()).toEqual(ids.toSorted());
    for (const mark of marks) expect([mark.downloaded_at instanceof Date, mark.read_at]).toEqual([true, null]);
    portal.clock.advance(5_000);
    await zip(client, ids);
    expect(await marksOf(client)).toEqual(marks);
  });
});

describe('nothing is sent', () => {
  test.each(['another client’s', 'an unknown', 'a deleted', 'an unreleased'])(
    'nothing is sent when %s document is among the chosen ones',
    async (name) => {
      const client = await aClient();
      const own = await publish({ pdf: aPdf({ text: name }), cif: client.cif });
      const wrong = name === 'another client’s' ? (await aClient()).cif : client.cif;
      const id = name === 'an unknown' ? randomUUID() : await publish({ pdf: aPdf({ text: `${name} 2` }), cif: wrong });
      if (name === 'a deleted') await portal.db.updateTable('document').set({ state: 'DELETED' }).where('id', '=', id).execute();
      if (name === 'an unreleased') await portal.db.updateTable('document').set({ published_at: null }).where('id', '=', id).execute();
      const { status, error } = await zip(client, [own, id]);
      expect([status, error]).toEqual([404, { code: 'DOCUMENT_NOT_FOUND_ERROR', message: 'Document not found' }]);
      expect(await marksOf(client)).toEqual([]);
      expect((await zip(client, [own])).status).toBe(200);
    },
  );

  test('nothing is sent when one document is known to be damaged, and the answer says which', async () => {
    const client = await aClient();
    const own = await publish({ pdf: aPdf({ text: 'sound' }), cif: client.cif });
    const damaged = await publish({ pdf: aPdf({ text: 'damaged' }), cif: client.cif });
    await portal.db.updateTable('document').set({ corrupted: true }).where('id', '=', damaged).execute();
    const { status, error } = await zip(client, [own, damaged]);
    expect([status, error?.code, Object.keys(error?.fields ?? {})]).toEqual([503, 'STORAGE_ERROR', [damaged]]);
    expect(await marksOf(client)).toEqual([]);
  });

  let anyone: TestClient | undefined;
  test.each([
    ['no ids', []],
    ['more than a thousand', Array.from({ length: 1_001 }, () => randomUUID())],
    ['what is no id', ['../../etc/passwd']],
  ])('a request for %s gets no archive', async (_, ids) => {
    anyone ??= await aClient();
    expect((await zip(anyone, ids)).error?.code).toBe('VALIDATION_ERROR');
  });
});

/** Over a real connection; undefined when the server broke it off. */
const download = async (client: TestClient, ids: string[]): Promise<Buffer | undefined> => {
  const asked = ask(client, ids);
  const [response] = await once(asked, 'response');
  return buffer(response).catch(() => undefined);
};

const ask = (client: TestClient, ids: string[]) => {
  const asked = request({
    port: portOf(portal.server.server),
    method: 'POST',
    path: '/api/protected/documents/export/zip',
    headers: {
      host: portal.settings.publicUrl.host,
      authorization: client.token,
      cookie: client.cookie,
      'content-type': 'application/json',
    },
  });
  asked.on('error', () => {});
  asked.end(JSON.stringify({ ids }));
  return asked;
};

describe('an archive that cannot be finished', () => {
  test.each(['EN', 'PL'] as const)('says in %s which documents are missing, and is as long as was promised', async (language) => {
    const client = await aClient();
    const pdf = aPdf({ text: 'sound' });
    const sound = await publish({ pdf, cif: client.cif });
    const altered = await publish({ pdf: aPdf({ text: `altered ${language}` }), cif: client.cif, fileName: 'Altered' });
    const gone = await publish({ pdf: aPdf({ text: `gone ${language}` }), cif: client.cif, fileName: 'Gone' });
    await writeFile(await objectFile(altered), Buffer.alloc(aPdf({ text: `altered ${language}` }).length, 'x'));
    await rm(await objectFile(gone));
    const { headers, bytes } = await client.call('downloadDocumentsZip', { body: { ids: [altered, sound, gone], language } });
    expect(headers['content-length']).toBe(String(bytes.length));
    const [manifest, first, last, ...others] = await unzipDocuments(bytes);
    expect([manifest?.bytes.toString().match(/\.pdf$/gm)?.length, first?.bytes.equals(Buffer.from(pdf)), others]).toEqual([3, true, []]);
    expect(last?.name).toBe({ EN: 'INCOMPLETE - please read.txt', PL: 'NIEPEŁNE - proszę przeczytać.txt' }[language]);
    expect(last?.bytes.toString().trimEnd()).toMatch(
      {
        EN: /^This ZIP file is not complete.*Altered\.pdf\r\n.*Gone\.pdf$/s,
        PL: /^Ten plik ZIP jest niepełny.*Altered\.pdf\r\n.*Gone\.pdf$/s,
      }[language],
    );
    expect((await marksOf(client)).map(({ document_id: id }) => id)).toEqual([sound]);
  });

  test('says so of a document that is too long to be held, before any of its bytes', async () => {
    const client = await aClient();
    const long = aLongPdf({ text: 'damaged', bytes: 4_200_000 });
    const damaged = await publish({ pdf: long, cif: client.cif });
    const sound = await publish({ pdf: aLongPdf({ text: 'sound', bytes: 4_200_000 }), cif: client.cif });
    await writeFile(await objectFile(damaged), Buffer.from(long).fill('x', long.length - 10));
    const names = (await unzipDocuments((await zip(client, [damaged, sound])).bytes)).map(({ name, bytes }) => [
      name,
      bytes.length > 1_000_000,
    ]);
    expect(names).toEqual([
      ['MANIFEST.sha256', false],
      [expect.stringMatching(/pdf$/), true],
      [expect.stringMatching(/^NIEPEŁNE/), true],
    ]);
  });

  test('is known to be damaged from then on', async () => {
    const client = await aClient();
    const sound = await publish({ pdf: aPdf({ text: 'before' }), cif: client.cif });
    const damaged = await publish({ pdf: aPdf({ text: 'changed' }), cif: client.cif });
    const file = await objectFile(damaged);
    const { size } = await portal.db.selectFrom('document').select('size').where('id', '=', damaged).executeTakeFirstOrThrow();
    await writeFile(file, Buffer.alloc(size, 'x')).catch(async () => truncate(file, 10));
    expect(await unzipDocuments((await download(client, [sound, damaged])) ?? Buffer.alloc(0))).toHaveLength(3);
    const { corrupted } = await portal.db.selectFrom('document').select('corrupted').where('id', '=', damaged).executeTakeFirstOrThrow();
    expect(corrupted).toBe(true);
    expect((await zip(client, [sound, damaged])).error?.code).toBe('STORAGE_ERROR');
  });

  test('is no longer read, and its lease ends, when the reader leaves', async () => {
    const client = await aClient();
    const ids: string[] = [];
    // More than the sockets of both sides hold.
    for (let index = 0; index < 3; index += 1)
      ids.push(await publish({ pdf: aLongPdf({ text: `long ${index}`, bytes: 4_000_000 }), cif: client.cif }));
    const asked = ask(client, ids);
    const [response] = await once(asked, 'response');
    await once(response, 'readable');
    response.read(1);
    expect((await zip(client, ids)).error).toMatchObject({ code: 'CALL_NOT_PERMITTED', message: 'Another export is under way' });
    asked.destroy();
    await expect.poll(() => portal.db.selectFrom('export_lease').selectAll().execute()).toEqual([]);
    expect((await marksOf(client)).length).toBeLessThan(ids.length);
    const whole = await download(client, ids);
    expect(await unzipDocuments(whole ?? Buffer.alloc(0))).toHaveLength(4);
    expect(await marksOf(client)).toHaveLength(3);
  });

  test('the export of a process that died keeps its client waiting a minute at most', async () => {
    const client = await aClient();
    const id = await publish({ pdf: aPdf(), cif: client.cif });
    const expires = new Date(portal.clock.now().getTime() + 60_000);
    await portal.db
      .insertInto('export_lease')
      .values({ personal_id: client.personalId, holder: randomUUID(), expires_at: expires })
      .execute();
    const refused = await zip(client, [id]);
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    portal.clock.advance(60_001);
    expect((await zip(client, [id])).status).toBe(200);
    expect((await zip(client, [id])).status).toBe(200);
  });
});
