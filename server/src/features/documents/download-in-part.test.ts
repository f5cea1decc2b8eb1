import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { get as getOverHttp, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { calls } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aLongPdf, aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let anna: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('1001', { cif: '7001' });
});

afterAll(() => portal[Symbol.asyncDispose]());

const publish = async (pdf: Uint8Array = aPdf({ pages: 3 })): Promise<{ id: string; sha256: string; pdf: Buffer }> => {
  const { body } = await portal.publish({ type: 'PRIVATE', cif: '7001', pdf });
  return { id: body.id, sha256: body.sha256, pdf: Buffer.from(pdf) };
};

const send = async (pdf: Uint8Array): Promise<{ id: string; sha256: string; pdf: Buffer }> => {
  const form = new FormData();
  form.set('description', JSON.stringify({ filename: 'skan.pdf', categoryId: 'COMPLAINT', typeId: 'COMPLAINT_OTHER' }));
  form.set('file', new Blob([Uint8Array.from(pdf)], { type: 'application/pdf' }), 'skan.pdf');
  const { body } = await anna.call('uploadDocument', { form });
  return { id: body.id, sha256: body.sha256, pdf: Buffer.from(pdf) };
};

const own = (): Record<string, string> => ({ host: 'localhost:8080', authorization: anna.token, cookie: anna.cookie });
const downloaded = async (id: string) => (await anna.call('getDocument', { params: { id } })).body.downloaded;
const ask = (
  id: string,
  headers: Record<string, string> = {},
  { method = 'GET', query = '' }: { method?: 'GET' | 'HEAD'; query?: string } = {},
) => portal.server.inject({ method, url: `${calls.downloadDocument.path.replace(':id', id)}${query}`, headers: { ...own(), ...headers } });

describe('a document of one’s own', () => {
  test('a HEAD request tells what a download would, opens nothing and marks nothing', async () => {
    const { id, sha256, pdf } = await publish();
    const head = await ask(id, { range: 'bytes=0-9' }, { method: 'HEAD' });
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
    expect(head.headers).toMatchObject({
      'content-length': String(pdf.length),
      'content-type': 'application/pdf',
      'accept-ranges': 'bytes',
      etag: `"${sha256}"`,
      'cache-control': 'private, no-store',
    });
    expect(await downloaded(id)).toBeNull();
    const whole = await ask(id);
    for (const name of ['content-length', 'content-type', 'content-disposition', 'accept-ranges', 'etag', 'cache-control'])
      expect([name, whole.headers[name]]).toEqual([name, head.headers[name]]);
    expect(
      (
        await portal
          .signIn('1002', { cif: '7002' })
          .then(({ token, cookie }) => ask(id, { authorization: token, cookie }, { method: 'HEAD' }))
      ).statusCode,
    ).toBe(404);
  });

  test('a range of it is sent alone, and sets the mark of a download only when the copy is whole with it', async () => {
    const { id, sha256, pdf } = await publish();
    const etag = `"${sha256}"`;
    const first = await ask(id, { range: 'bytes=0-99' });
    expect([first.statusCode, first.headers['content-range'], first.rawPayload]).toEqual([
      206,
      `bytes 0-99/${pdf.length}`,
      pdf.subarray(0, 100),
    ]);
    // Whoever takes the end alone has not got the rest.
    expect((await ask(id, { range: 'bytes=-20' })).rawPayload).toEqual(pdf.subarray(-20));
    expect(await downloaded(id)).toBeNull();
    const rest = await ask(id, { range: 'bytes=100-', 'if-range': etag });
    expect([rest.statusCode, rest.headers['content-length'], rest.rawPayload]).toEqual([206, String(pdf.length - 100), pdf.subarray(100)]);
    expect(await downloaded(id)).toBeTypeOf('number');
  });

  test('a range that is all of it is a download, and a showing in parts is none', async () => {
    const [taken, shown] = [await publish(), await publish()];
    await ask(taken.id, { range: 'bytes=0-' });
    expect(await downloaded(taken.id)).toBeTypeOf('number');
    const asked = { range: 'bytes=1-', 'if-range': `"${shown.sha256}"` };
    expect((await ask(shown.id, asked, { query: '?purpose=showing' })).statusCode).toBe(206);
    expect(await downloaded(shown.id)).toBeNull();
  });

  test.each([
    ['a copy of another file', { range: 'bytes=5-9', 'if-range': `"${'0'.repeat(64)}"` }],
    ['a weak tag', { range: 'bytes=5-9', 'if-range': 'W/"x"' }],
    ['a date', { range: 'bytes=5-9', 'if-range': 'Sat, 28 Nov 2026 00:00:00 GMT' }],
    ['several ranges', { range: 'bytes=0-1,5-9' }],
    ['another unit', { range: 'pages=1-2' }],
  ])('%s is answered with all of it', async (_, headers) => {
    const { id, pdf } = await publish();
    const answer = await ask(id, headers);
    expect([answer.statusCode, answer.rawPayload]).toEqual([200, pdf]);
  });

  test('a range beyond its end is refused with its length', async () => {
    const { id, pdf } = await publish();
    const answer = await ask(id, { range: `bytes=${pdf.length}-` });
    expect([answer.statusCode, answer.rawPayload.length, answer.headers['content-range']]).toEqual([416, 0, `bytes */${pdf.length}`]);
  });

  test('of an object that was altered nothing of a range is sent, even outside of what was altered, and the document is marked', async () => {
    const { id } = await publish();
    const { object_key: key } = await portal.db.selectFrom('document').select('object_key').where('id', '=', id).executeTakeFirstOrThrow();
    const path = join(portal.settings.dataDir, 'objects', key.slice(0, 2), key.slice(2, 4), key);
    await chmod(path, 0o600);
    await writeFile(path, 'X', { flag: 'r+' });
    const answer = await ask(id, { range: 'bytes=100-199' });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'STORAGE_ERROR']);
    expect(answer.headers).not.toHaveProperty('content-range');
    expect((await anna.call('getDocument', { params: { id } })).body.corrupted).toBe(true);
    expect((await ask(id, {}, { method: 'HEAD' })).statusCode).toBe(503);
  });
});

test('a long download whose line breaks is continued where it broke, byte for byte', async () => {
  const { id, sha256, pdf } = await publish(aLongPdf({ bytes: 12 * 1024 * 1024, text: 'train' }));
  const address = await portal.server.listen({ port: 0, host: '127.0.0.1' });
  const from = async (headers: Record<string, string>): Promise<IncomingMessage> => {
    const asked = getOverHttp(`${address}${calls.downloadDocument.path.replace(':id', id)}`, { headers: { ...own(), ...headers } });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return response;
  };
  const broken = await from({});
  const [begun] = (await once(broken, 'data')) as [Buffer];
  broken.destroy();
  expect(begun.length).toBeLessThan(pdf.length);
  const rest = await from({ range: `bytes=${begun.length}-`, 'if-range': String(broken.headers.etag) });
  expect([rest.statusCode, broken.headers.etag]).toEqual([206, `"${sha256}"`]);
  const pieces = [begun];
  for await (const piece of rest as AsyncIterable<Buffer>) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(pdf)).toBe(true);
  expect(await downloaded(id)).toBeTypeOf('number');
});

test('what a client has sent can be taken in parts by the client and by the organisation', async () => {
  await portal.publisher.call('upsertCategories', {
    body: {
      items: [
        {
          id: 'COMPLAINT',
          name: { pl: 'Reklamacja', en: 'Complaint' },
          types: [{ id: 'COMPLAINT_OTHER', name: { pl: 'Inna', en: 'Other' } }],
        },
      ],
    },
  });
  const { id, sha256, pdf } = await send(aPdf({ text: 'sent in parts' }));
  const places = [
    [calls.downloadSentDocument.path, own()],
    [calls.downloadReceived.path, { host: 'localhost:8080', authorization: `Bearer ${portal.publisherKey}` }],
  ] as const;
  for (const [path, headers] of places) {
    const url = path.replace(':id', id);
    const head = await portal.server.inject({ method: 'HEAD', url, headers });
    expect([head.statusCode, head.headers['content-length'], head.headers['etag']]).toEqual([200, String(pdf.length), `"${sha256}"`]);
    const part = await portal.server.inject({ url, headers: { ...headers, range: 'bytes=7-', 'if-range': `"${sha256}"` } });
    expect([part.statusCode, part.rawPayload]).toEqual([206, pdf.subarray(7)]);
  }
});
