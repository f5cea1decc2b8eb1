import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { calls } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { aPdf } from '#testing/pdfs.ts';
import { portOf } from '#testing/raw-http.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});

afterAll(() => portal[Symbol.asyncDispose]());

const part = (header: string, content: string): string => `--line\r\ncontent-disposition: form-data; ${header}\r\n\r\n${content}\r\n`;
const file = part('name="file"; filename="a.pdf"\r\ncontent-type: application/pdf', Buffer.from(aPdf()).toString('latin1'));
const good = part('name="description"', JSON.stringify({ type: 'PUBLIC', fileName: 'a.pdf' }));

const send = (parts: readonly string[]) =>
  portal.server.inject({
    method: 'POST',
    url: calls.publishDocument.path,
    headers: {
      host: portal.settings.publicUrl.host,
      authorization: `Bearer ${portal.publisherKey}`,
      'content-type': 'multipart/form-data; boundary=line',
    },
    payload: Buffer.from(`${parts.join('')}--line--\r\n`, 'latin1'),
  });

/** As clients generated from the OpenAPI document write it: the part says its type and has no file name. */
const publishWith = (type: string, description: string) => send([part(`name="description"\r\ncontent-type: ${type}`, description), file]);

test.each(['application/json', 'application/json; charset=utf-8', 'text/plain'])('a description may say that it is %s', async (type) => {
  const answer = await publishWith(type, JSON.stringify({ type: 'PUBLIC', fileName: 'a.pdf' }));
  expect([answer.statusCode, answer.json<{ pageCount: number }>().pageCount]).toEqual([200, 1]);
});

test.each(['{"type": ', '7', '{"type": "PUBLIC", "fileName": "a.pdf", "__proto__": {"demo": true}}'])(
  'a description that says it is JSON and is %s is refused',
  async (description) => {
    const answer = await publishWith('application/json', description);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([400, 'VALIDATION_ERROR']);
  },
);

test('the parts may come in either order', async () => {
  expect((await send([good, file])).statusCode).toBe(200);
  expect((await send([file, good])).statusCode).toBe(200);
});

const other = part('name="description"', JSON.stringify({ type: 'PRIVATE', fileName: 'a.pdf', cif: '1' }));

test.each<[string, string[], string]>([
  ['two descriptions, of which two readers may believe different ones', [good, other, file], 'description'],
  ['a second description after the file', [good, file, other], 'description'],
  ['a description of more than 64 KiB', [part('name="description"', ' '.repeat(65_537)), file], 'description'],
  ['a description that is a file', [part('name="description"; filename="a.json"', '{}'), file], 'description'],
  ['a file without a name, which is a field', [good, part('name="file"', '%PDF-')], 'file'],
  ['a field after the file', [good, file, part('name="more"', 'x')], 'more'],
  ['a field that would reach the prototype', [part('name="__proto__"', 'x'), good, file], ''],
  ['two files', [good, file, file], ''],
  ['a thousand parts', Array.from({ length: 1_000 }, (_, index) => part(`name="f${index}"`, 'x')), 'f0'],
])('%s is refused, and nothing of it stays', async (_, parts, field) => {
  const answer = await send(parts);
  const body = answer.json<{ code: string; fields?: object }>();
  expect([answer.statusCode, body.code]).toEqual([400, 'VALIDATION_ERROR']);
  if (field !== '') expect(Object.keys(body.fields ?? {})).toEqual([field]);
  expect(await readdir(join(portal.settings.dataDir, 'uploads'))).toEqual([]);
});

test('an upload that breaks off in the middle leaves nothing, and is no fault of the portal', async () => {
  const lines: string[] = [];
  await using listening = await startTestPortal({ log: createLog('info', { write: (line) => void lines.push(line) }) });
  await listening.server.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect(portOf(listening.server.server), '127.0.0.1');
  socket.write(
    `POST ${calls.publishDocument.path} HTTP/1.1\r\nHost: ${listening.settings.publicUrl.host}\r\n` +
      `Authorization: Bearer ${listening.publisherKey}\r\nContent-Type: multipart/form-data; boundary=line\r\n` +
      `Content-Length: 1000000\r\n\r\n${good}${file.slice(0, 300)}`,
  );
  const uploads = join(listening.settings.dataDir, 'uploads');
  await expect.poll(() => readdir(uploads).catch(() => [])).toHaveLength(1);
  socket.destroy();
  await expect.poll(() => readdir(uploads)).toEqual([]);
  await expect.poll(() => lines.filter((line) => line.includes(calls.publishDocument.path)).length).toBeGreaterThan(0);
  expect(lines.filter((line) => Number(/"level":(\d+)/.exec(line)?.[1]) > 40)).toEqual([]);
  expect(await listening.db.selectFrom('document').select('id').execute()).toEqual([]);
});
