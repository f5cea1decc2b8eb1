import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { calls, sendingLimits } from '@pergamin/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ClamdServer, eicar, startClamdServer } from '#testing/clamd-server.ts';
import { stream } from '#testing/simple-pdf.ts';
import * as hostile from '#testing/hostile-pdfs.ts';
import { isNightly } from '#testing/nightly.ts';
import { aBrokenPdf, aLongPdf, aPdf, aPdfOfTooManyPages, aPdfWithoutPages, aProtectedPdf } from '#testing/pdfs.ts';
import { portOf } from '#testing/raw-http.ts';
import { keepCategories, testCategories, upload } from '#testing/sending.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
/** Takes three files a day, and none with a link to the outside. */
let strict: TestPortal;
let clamd: ClamdServer;
let client: TestClient;

beforeAll(async () => {
  clamd = await startClamdServer();
  portal = await startTestPortal({ environment: { CLAMD_URL: clamd.url } });
  await keepCategories(portal.publisher);
  await keepCategories(portal.publisher, [
    { id: 'OLD', name: { pl: 'Stare', en: 'Old' }, deleted: true, types: [{ id: 'OLD_ONE', name: { pl: 'Stary', en: 'Old' } }] },
  ]);
  client = await portal.signIn('1001', { cif: '7001' });
  await portal.server.listen({ port: 0, host: '127.0.0.1' });
  strict = await startTestPortal({
    environment: { CLAMD_URL: clamd.url, SENDING_FILES_PER_DAY: '3', SENDING_REFUSE: 'OUTSIDE_LINK' },
  });
  await keepCategories(strict.publisher);
});
afterAll(async () => {
  await strict[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
  await clamd[Symbol.asyncDispose]();
});
afterEach(() => clamd.behave('judge'));

const everything = async ({ settings: { dataDir }, db } = portal) => {
  const files = await readdir(join(dataDir, 'objects'), { recursive: true, withFileTypes: true });
  return {
    rows: (await db.selectFrom('sent_document').select('id').execute()).length,
    objects: files.filter((file) => file.isFile()).length,
    uploads: (await readdir(join(dataDir, 'uploads')).catch(() => [])).length,
  };
};

const part = (header: string, content: string): string => `--line\r\ncontent-disposition: form-data; ${header}\r\n\r\n${content}\r\n`;
const pdfPart = part('name="file"; filename="a.pdf"\r\ncontent-type: application/pdf', Buffer.from(aPdf()).toString('latin1'));
const described = (description: unknown): string =>
  part('name="description"', typeof description === 'string' ? description : JSON.stringify(description));
const good = { filename: 'a.pdf', categoryId: 'COMPLAINTS', typeId: 'COMPLAINT' };

const sendParts = (parts: readonly string[]) =>
  portal.server.inject({
    method: 'POST',
    url: calls.uploadDocument.path,
    headers: {
      host: portal.settings.publicUrl.host,
      authorization: client.token,
      cookie: client.cookie,
      'content-type': 'multipart/form-data; boundary=line',
    },
    payload: Buffer.from(`${parts.join('')}--line--\r\n`, 'latin1'),
  });

const padded = (size: number): Uint8Array => {
  const pdf = aLongPdf({ bytes: size - 1_000 });
  return Buffer.concat([pdf, Buffer.alloc(size - pdf.length, '\n')]);
};

describe('a file that is refused leaves nothing behind', () => {
  const behind =
    (...parts: Uint8Array[]) =>
    () =>
      Buffer.concat([aPdf(), ...parts]);
  const action = (entry: string) => () => hostile.withCatalogue(`/OpenAction<<${entry}>>`);
  const cases: [string, () => Uint8Array | Promise<Uint8Array>, number, string, RegExp?][] = [
    ['69: a byte too many', () => padded(sendingLimits.maxFileBytes + 1), 413, 'DOCUMENT_MAX_SIZE_ERROR'],
    ['71: a web page', () => Buffer.from('<!doctype html><script>alert(1)</script>'), 400, 'INVALID_DOC_TYPE'],
    ['71: a drawing', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 400, 'INVALID_DOC_TYPE'],
    ['71: an archive', () => Buffer.from('PK\u0003\u0004rest', 'latin1'), 400, 'INVALID_DOC_TYPE'],
    ['71: a program', () => Buffer.from('MZ\u0090\0rest', 'latin1'), 400, 'INVALID_DOC_TYPE'],
    ['71: nothing at all', () => new Uint8Array(), 400, 'INVALID_DOC_TYPE'],
    ['72: a PDF that begins at 900', () => Buffer.concat([Buffer.alloc(900, ' '), aPdf()]), 400, 'INVALID_DOC_TYPE'],
    ['72: an archive with a PDF in it', () => Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), aPdf()]), 400, 'INVALID_DOC_TYPE'],
    ['72: a web page with a PDF in it', () => Buffer.concat([Buffer.from('<script>x</script>'), aPdf()]), 400, 'INVALID_DOC_TYPE'],
    ['72: an archive behind the end', behind(hostile.foreign.zip()), 400, 'INVALID_DOC_TYPE'],
    ['72: a web page behind the end', behind(hostile.foreign.html), 400, 'INVALID_DOC_TYPE'],
    ['72: a program behind the end', behind(hostile.foreign.program), 400, 'INVALID_DOC_TYPE'],
    ['72: an archive between two ends', behind(hostile.foreign.zip(), Buffer.from('\n%%EOF\n')), 400, 'INVALID_DOC_TYPE'],
    [
      '72: a web page in the first line',
      () => Buffer.from(Buffer.from(aPdf()).toString().replace('-1.7', '-1.7<html>')),
      400,
      'INVALID_DOC_TYPE',
    ],
    ['76: a PDF that needs a password', () => aProtectedPdf('open'), 400, 'DOCUMENT_UPLOAD_ERROR', /password/],
    ['76: a broken PDF', aBrokenPdf, 400, 'DOCUMENT_UPLOAD_ERROR', /broken/],
    ['76: a PDF without pages', aPdfWithoutPages, 400, 'DOCUMENT_UPLOAD_ERROR', /no pages/],
    ['77: a script', action('/S/JavaScript/JS(app.alert\\(1\\))'), 400, 'DOCUMENT_UPLOAD_ERROR', /a script/],
    ['77: a hidden script', action('/S/J#61vaScript/J#53(x)'), 400, 'DOCUMENT_UPLOAD_ERROR', /a script/],
    ['77: a program to be started', action('/S/Launch/F(cmd.exe)'), 400, 'DOCUMENT_UPLOAD_ERROR', /starts a program/],
    ['81: 100 000 pages', () => aPdfOfTooManyPages(100_000), 400, 'DOCUMENT_UPLOAD_ERROR', /too many pages/],
    ['82: a known virus', () => hostile.withCatalogue('', stream(eicar)), 400, 'DOCUMENT_UPLOAD_ERROR', /infected/],
  ];

  test.each(cases)('%s', async (_, pdf, status, code, message = /./) => {
    const before = await everything();
    const answer = await upload(client, { pdf: await pdf() });
    expect([answer.status, answer.error?.code]).toEqual([status, code]);
    expect(answer.error?.message).toMatch(message);
    expect(await everything()).toEqual(before);
  });

  test('69: a file of more bytes than allowed, sent without its length, leaves nothing behind', async () => {
    const before = await everything();
    const asked = request({
      port: portOf(portal.server.server),
      host: '127.0.0.1',
      method: 'POST',
      path: calls.uploadDocument.path,
      headers: {
        host: portal.settings.publicUrl.host,
        authorization: client.token,
        cookie: client.cookie,
        'content-type': 'multipart/form-data; boundary=line',
      },
    });
    const file = Buffer.from(padded(sendingLimits.maxFileBytes + 1)).toString('latin1');
    asked.write(Buffer.from(`${described(good)}${part('name="file"; filename="a.pdf"', file)}--line--\r\n`, 'latin1'));
    asked.end();
    const [answer]: IncomingMessage[] = await once(asked, 'response');
    answer?.resume();
    expect(asked.getHeader('content-length')).toBeUndefined();
    expect(answer?.statusCode).toBe(413);
    await expect.poll(() => everything()).toEqual(before);
  });
});

test('69: a file of exactly 5 242 880 bytes is taken', async () => {
  expect((await upload(client, { pdf: padded(sendingLimits.maxFileBytes) })).status).toBe(201);
});

describe('70, 74: a request that is wrong is refused, and the part or field is named', () => {
  test.each<[string, string[], string[]]>([
    ['70: two files', [described(good), pdfPart, pdfPart], []],
    ['70: a hundred fields', Array.from({ length: 100 }, (_, index) => part(`name="f${index}"`, 'x')), ['f0']],
    ['70: a field of the language', [part('name="__proto__"', 'x'), described(good), pdfPart], []],
    ['70: another field', [described(good), part('name="more"', 'x'), pdfPart], ['more']],
    ['70: no file', [described(good)], ['file']],
    ['74: no description', [pdfPart], ['description']],
    ['74: a description that is no JSON', [described('{'), pdfPart], ['description']],
    ['74: a description that is a list', [described('[]'), pdfPart], ['description']],
    ['74: a key of the language', [described(`{"__proto__":{},${JSON.stringify(good).slice(1)}`), pdfPart], ['__proto__']],
    ['74: a key too many', [described({ ...good, personalId: '1002' }), pdfPart], ['description']],
    ['74: no name', [described({ ...good, filename: '' }), pdfPart], ['filename']],
    ['74: a name that is no text', [described({ ...good, filename: 7 }), pdfPart], ['filename']],
    ['74: no type', [described({ filename: 'a.pdf', categoryId: 'LOANS' }), pdfPart], ['typeId']],
    ['74: an unknown category', [described({ ...good, categoryId: 'NONE' }), pdfPart], ['typeId']],
    ['74: an unknown type', [described({ ...good, typeId: 'NONE' }), pdfPart], ['typeId']],
    ['74: a type of another category', [described({ ...good, typeId: 'INCOME' }), pdfPart], ['typeId']],
    ['74: a deleted category', [described({ ...good, categoryId: 'OLD', typeId: 'OLD_ONE' }), pdfPart], ['typeId']],
    ['74: a category that is no key', [described({ ...good, categoryId: "' or 1=1" }), pdfPart], ['categoryId']],
  ])('%s', async (_, parts, fields) => {
    const before = await everything();
    const answer = await sendParts(parts);
    const { code, fields: named = {} } = answer.json<{ code: string; fields?: object }>();
    expect([answer.statusCode, code]).toEqual([400, 'VALIDATION_ERROR']);
    if (fields.length > 0) expect(Object.keys(named)).toEqual(fields);
    expect(await everything()).toEqual(before);
  });

  test.each(['base64', 'quoted-printable'])('a part in %s is answered 415: the parser hands it on as it came', async (encoding) => {
    const before = await everything();
    const coded = part('name="description"', JSON.stringify(good)).replace(
      '\r\n\r\n',
      `\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`,
    );
    expect((await sendParts([coded, pdfPart])).statusCode).toBe(415);
    expect(await everything()).toEqual(before);
  });

  test.each(['short', 'x'.repeat(101), 'with spaces', 'ключ-ключ', '../../etc'])('an idempotency key %j', async (key) => {
    const headers = { host: portal.settings.publicUrl.host, authorization: client.token, cookie: client.cookie };
    const answer = await portal.server.inject({
      method: 'POST',
      url: calls.uploadDocument.path,
      headers: { ...headers, 'idempotency-key': Buffer.from(key).toString('latin1'), 'content-type': 'multipart/form-data; boundary=line' },
      payload: `${described(good)}${pdfPart}--line--\r\n`,
    });
    expect(answer.json()).toMatchObject({ code: 'VALIDATION_ERROR', fields: { 'Idempotency-Key': expect.any(String) } });
  });
});

describe('73, 75: the name that is kept is harmless, and the description’s', () => {
  test.each([
    ['../../x.pdf', 'x.pdf'],
    ['C:\\x\\y.pdf', 'y.pdf'],
    ['a\u0000b\r\nc.pdf', 'abc.pdf'],
    [`${'x'.repeat(10_000)}.pdf`, `${'x'.repeat(200)}.pdf`],
    ['\u202Efdp.exe', 'fdp.exe.pdf'],
    ['CON.pdf', '_CON.pdf'],
    ['umowa', 'umowa.pdf'],
    ['<img src=x onerror=alert(1)>.PDF', '_img src=x onerror=alert(1)_.pdf'],
  ])('%j', async (filename, kept) => {
    const answer = await upload(client, { pdf: aPdf({ text: 'name' }), filename, partName: 'zupełnie inna nazwa.pdf' });
    expect([answer.status, answer.body.filename]).toEqual([201, kept]);
  });

  test('a part that has it in the other way of writing alone is a file like any other', async () => {
    const content = Buffer.from(aPdf({ text: 'other way' })).toString('latin1');
    const answer = await sendParts([described(good), part(`name="file"; filename*=UTF-8''%2e%2e%2fx.pdf`, content)]);
    expect([answer.statusCode, answer.json<{ filename: string }>().filename]).toEqual([201, good.filename]);
  });

  test('73, 75: a name of which nothing is left is replaced by the id', async () => {
    const { id, filename } = (await upload(client, { pdf: aPdf(), filename: '///' })).body;
    expect(filename).toBe(`${id}.pdf`);
  });
});

describe('77: what could do something in other hands is kept as it is, and the organisation is told', () => {
  test.each([
    [
      'an attached file',
      hostile.withCatalogue('/Names<</EmbeddedFiles<</Names[(a)5 0 R]>>>>', '<</Type/Filespec/EF<<>>>>'),
      'EMBEDDED_FILE',
    ],
    ['a form that is sent', hostile.withCatalogue('/AcroForm<</Fields[]/A<</S/SubmitForm/F(https://evil.example)>>>>'), 'FORM_SUBMIT'],
    ['an address that is opened at once', hostile.withCatalogue('/OpenAction<</S/URI/URI(https://evil.example)>>'), 'OUTSIDE_LINK'],
    ['a form in XML', hostile.withCatalogue('/AcroForm<</Fields[]/XFA(x)>>'), 'XFA'],
    ['a film', hostile.withCatalogue('', '<</Type/Annot/Subtype/RichMedia>>'), 'RICH_MEDIA'],
  ])('%s', async (_, pdf, flag) => {
    const { id } = (await upload(client, { pdf })).body;
    const { items } = (await portal.publisher.call('listReceived', { query: { limit: '500' } })).body;
    expect(items.find((item) => item.id === id)?.flags).toEqual([flag]);
    expect((await portal.publisher.call('downloadReceived', { params: { id } })).bytes.equals(Buffer.from(pdf))).toBe(true);
  });

  test('or refused, where the setting is stricter', async () => {
    const sender = await strict.signIn('1001', { cif: '7001' });
    const answer = await upload(sender, { pdf: hostile.withCatalogue('/OpenAction<</S/URI/URI(https://evil.example)>>') });
    expect([answer.error?.code, answer.error?.message]).toEqual(['DOCUMENT_UPLOAD_ERROR', 'The PDF holds a link to the outside']);
  });
});

describe('78, 79, 80: a PDF made to keep its reader busy is answered within five seconds, and drawn within limits or not at all', () => {
  const cases: [string, () => Uint8Array][] = [
    ['78: tables that name themselves', hostile.xrefLoop],
    ['78: pages that are their own parents', hostile.pageTreeCycle],
    ['78: a million objects in one stream', hostile.millionObjects],
    ['78: fifty streams of objects', hostile.manyObjectStreams],
    ['78: a content of ten thousand to one', () => hostile.flateBomb(isNightly ? 200 : 50)],
    ['78: fifty filters', hostile.nestedFilters],
    ['79: a page of a thousand million points', () => hostile.withBox('[0 0 1000000000 1000000000]')],
    ['79: a page without size', () => hostile.withBox('[0 0 0 0]')],
    ['79: a page of no number', () => hostile.withBox('[0 0 NaN NaN]')],
    ['79: a page the other way round', () => hostile.withBox('[100 100 -100 -100]')],
    ['79: an inch of 75 000', () => hostile.withBox('[0 0 595 842]', '/UserUnit 75000')],
    ['80: a JBIG2 image without measure', () => hostile.hugeImage('JBIG2Decode')],
    ['80: a JPEG 2000 image without measure', () => hostile.hugeImage('JPXDecode')],
    ['80: a fax without measure', () => hostile.hugeImage('CCITTFaxDecode')],
  ];
  // By day each third: that all of them are read and drawn within limits, the tests of the PDF pool say.
  test.each(cases.filter((_, index) => isNightly || index % 3 === 1))('%s', { timeout: 60_000 }, async (_, pdf) => {
    const file = pdf();
    const startedAt = performance.now();
    const answer = await upload(client, { pdf: file });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    if (answer.status !== 201) return expect(answer.error?.code).toBe('DOCUMENT_UPLOAD_ERROR');
    const params = { id: answer.body.id };
    const look = async (): Promise<string> => {
      const answer = await client.call('getSentRenderResult', { params, query: { width: '1240' } });
      return answer.status === 200 ? String(answer.body.done) : String(answer.error?.code);
    };
    await expect.poll(look, { timeout: 50_000, interval: 200 }).not.toBe('false');
    expect(['true', 'INTERNAL_SERVER_ERROR']).toContain(await look());
    expect((await upload(client, { pdf: aPdf({ text: 'afterwards' }) })).status).toBe(201);
    return undefined;
  });
});

describe('82: the scanner', () => {
  test('is handed the very bytes, and what it said is kept', async () => {
    const pdf = aPdf({ text: 'scanned' });
    const { id } = (await upload(client, { pdf })).body;
    expect(clamd.scanned.at(-1)?.equals(Buffer.from(pdf))).toBe(true);
    const { items } = (await portal.publisher.call('listReceived', { query: { limit: '500' } })).body;
    expect(items.find((item) => item.id === id)?.scan).toEqual({ result: 'CLEAN', at: expect.any(Number), engine: 'clamd' });
  });

  test.each(['error', 'close'] as const)('82: a scanner that answers with %s lets nothing in', async (how) => {
    const before = await everything();
    clamd.behave(how);
    const answer = await upload(client, { pdf: aPdf({ text: how }) });
    expect([answer.status, answer.error?.code]).toEqual([503, 'STORAGE_ERROR']);
    expect(await everything()).toEqual(before);
  });

  test('82: an unreachable scanner lets files in where the setting says so, and the organisation is told', async () => {
    await using open = await startTestPortal({ environment: { CLAMD_URL: 'tcp://127.0.0.1:1', MALWARE_SCAN_FAILURE: 'accept' } });
    await keepCategories(open.publisher, testCategories);
    const sender = await open.signIn('1001', { cif: '7001' });
    expect((await upload(sender, { pdf: aPdf() })).status).toBe(201);
    const { items } = (await open.publisher.call('listReceived', { query: {} })).body;
    expect(items[0]?.scan).toEqual({ result: 'UNAVAILABLE', at: null, engine: 'clamd' });
  });
});

test('83: the file after the last of the day is refused until tomorrow, but an answer that got lost is told again', async () => {
  const { objects: before } = await everything(strict);
  let sender = await strict.signIn('1002', { cif: '7002' });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => upload(sender, { pdf: aPdf(), key: `parallel-${index}` })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 429, 429, 429, 429, 429]);
  const refused = await upload(sender, { pdf: aPdf() });
  expect([refused.status, refused.error?.code]).toEqual([429, 'CALL_NOT_PERMITTED']);
  const waitS = Number(refused.headers['retry-after']);
  expect(waitS).toBeGreaterThan(0);
  expect(waitS).toBeLessThanOrEqual(25 * 3_600);
  const sent = answers.findIndex(({ status }) => status === 201);
  expect((await upload(sender, { pdf: aPdf(), key: `parallel-${sent}` })).body).toEqual(answers[sent]?.body);
  expect((await everything(strict)).objects - before).toBe(3);
  strict.clock.advance(waitS * 1_000);
  sender = await strict.signIn('1002');
  expect((await upload(sender, { pdf: aPdf() })).status).toBe(201);
});

test('83: files that are refused count as files of the day, but for those that were refused for nothing of their own', async () => {
  const sender = await strict.signIn('1003', { cif: '7003' });
  clamd.behave('error');
  expect((await upload(sender, { pdf: aPdf() })).error?.code).toBe('STORAGE_ERROR');
  clamd.behave('judge');
  expect((await upload(sender, { pdf: aPdf(), typeId: 'NONE' })).error?.code).toBe('VALIDATION_ERROR');
  expect((await upload(sender, { pdf: hostile.manyObjectStreams() })).error?.code).toBe('DOCUMENT_UPLOAD_ERROR');
  expect((await sender.call('getSendingLimits', {})).body.leftToday).toBe(1);
  expect((await upload(sender, { pdf: aPdf(), key: 'the-last-one' })).status).toBe(201);
  const refused = await upload(sender, { pdf: aPdf() });
  expect([refused.status, refused.error?.code, Number(refused.headers['retry-after']) > 0]).toEqual([429, 'CALL_NOT_PERMITTED', true]);
  expect((await upload(sender, { pdf: aPdf(), key: 'the-last-one' })).status).toBe(201);
  expect((await upload(await strict.signIn('1004', { cif: '7004' }), { pdf: aPdf() })).status).toBe(201);
  strict.clock.advance(Number(refused.headers['retry-after']) * 1_000);
  expect((await upload(await strict.signIn('1003'), { pdf: aPdf() })).status).toBe(201);
});

test('83: the file after the last of a session is refused, also of those that are sent at once, until the client signs in again', async () => {
  await using few = await startTestPortal({ environment: { SENDING_FILES_PER_SESSION: '2', SESSION_ABSOLUTE_HOURS: '4' } });
  await keepCategories(few.publisher);
  const sender = await few.signIn('1006', { cif: '7006' });
  const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => upload(sender, { pdf: aPdf(), key: `session-${index}` })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 429, 429, 429]);
  const refused = await upload(sender, { pdf: aPdf() });
  expect([refused.status, refused.error?.code, refused.error?.message]).toEqual([
    429,
    'CALL_NOT_PERMITTED',
    'Not more than 2 documents in one session',
  ]);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(4 * 3_600);
  expect((await sender.call('getSendingLimits', {})).body).toMatchObject({ filesPerSession: 2, leftInSession: 0, leftToday: 198 });
  const sent = answers.findIndex(({ status }) => status === 201);
  expect((await upload(sender, { pdf: aPdf(), key: `session-${sent}` })).body).toEqual(answers[sent]?.body);
  few.clock.advance(1_000);
  const again = await few.signIn('1006');
  expect((await again.call('getSendingLimits', {})).body).toMatchObject({ leftInSession: 2 });
  expect((await upload(again, { pdf: aPdf(), typeId: 'NONE' })).status).toBe(400);
  expect((await again.call('getSendingLimits', {})).body).toMatchObject({ leftInSession: 1 });
});

test('83: files that are refused while others wait for their turn count before those are looked into', async () => {
  const sender = await strict.signIn('1005', { cif: '7005' });
  const pdf = hostile.manyObjectStreams();
  const answers = await Promise.all(Array.from({ length: 10 }, () => upload(sender, { pdf })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([400, 400, 400, ...Array.from({ length: 7 }, () => 429)]);
});

test('84: an upload that breaks off in the middle leaves no row and no file', async () => {
  const before = await everything();
  const socket = connect(portOf(portal.server.server), '127.0.0.1');
  socket.write(
    `POST ${calls.uploadDocument.path} HTTP/1.1\r\nHost: ${portal.settings.publicUrl.host}\r\nAuthorization: ${client.token}\r\n` +
      `Cookie: ${client.cookie}\r\nContent-Type: multipart/form-data; boundary=line\r\nContent-Length: 1000000\r\n\r\n${described(good)}${pdfPart.slice(0, 300)}`,
  );
  await expect.poll(async () => (await everything()).uploads).toBe(before.uploads + 1);
  socket.destroy();
  await expect.poll(() => everything()).toEqual(before);
});

test('85: the same file at once: with one key one document, without keys as many as were sent, each of them whole', async () => {
  const pdf = aPdf({ text: 'at once' });
  const before = await everything();
  const count = isNightly ? 10 : 4;
  const keyed = await Promise.all(Array.from({ length: count }, () => upload(client, { pdf, key: 'at-once-0001' })));
  expect(new Set(keyed.map(({ body }) => body.id)).size).toBe(1);
  const free = await Promise.all(Array.from({ length: count }, () => upload(client, { pdf })));
  expect(new Set(free.map(({ body }) => body.id)).size).toBe(count);
  for (const { body } of free) {
    const download = await client.call('downloadSentDocument', { params: { id: body.id } });
    expect(download.bytes.equals(Buffer.from(pdf))).toBe(true);
  }
  const after = await everything();
  expect([after.rows - before.rows, after.objects - before.objects, after.uploads]).toEqual([count + 1, count + 1, 0]);
});
