import { calls } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});

afterAll(() => portal[Symbol.asyncDispose]());

/** As clients generated from the OpenAPI document write it: the part says its type and has no file name. */
const publishWith = (type: string, description: string) => {
  const part = (header: string, content: string): string => `--line\r\ncontent-disposition: form-data; ${header}\r\n\r\n${content}\r\n`;
  const file = part('name="file"; filename="a.pdf"\r\ncontent-type: application/pdf', Buffer.from(aPdf()).toString('latin1'));
  return portal.server.inject({
    method: 'POST',
    url: calls.publishDocument.path,
    headers: {
      host: portal.settings.publicUrl.host,
      authorization: `Bearer ${portal.publisherKey}`,
      'content-type': 'multipart/form-data; boundary=line',
    },
    payload: Buffer.from(`${part(`name="description"\r\ncontent-type: ${type}`, description)}${file}--line--\r\n`, 'latin1'),
  });
};

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
