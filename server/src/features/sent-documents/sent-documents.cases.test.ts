import { randomUUID } from 'node:crypto';
import type { CallName } from '@pergamin/contract';
import { calls } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { listStoredPages } from '#testing/stored-pages.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** The negative cases of sent documents: other clients learn nothing of them, also clients of the same organisation. */

let portal: TestPortal;
let sender: TestClient;
let relative: TestClient;
let stranger: TestClient;
let sentId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  await keepCategories(portal.publisher);
  sender = await portal.signIn('1001', { cif: '7001' });
  // Of the same customer number: its published documents are theirs as well, what another person sends is not.
  relative = await portal.signIn('1002', { cif: '7001' });
  stranger = await portal.signIn('1003', { cif: '7003' });
  sentId = (await upload(sender, { pdf: aPdf({ pages: 2, text: 'tajne' }), filename: 'Tajne.pdf' })).body.id;
});

afterAll(() => portal[Symbol.asyncDispose]());

const aboutOne = (Object.keys(calls) as CallName[]).filter(
  (name) =>
    calls[name].area === 'protected' && calls[name].path.startsWith('/api/protected/documents/client/') && calls[name].path.includes(':id'),
);

const ask = (name: CallName, id: string, client?: TestClient) =>
  portal.server.inject({
    method: calls[name].method,
    url: `${calls[name].path.replace(':id', id).replace(':page', '1')}${name.includes('Render') || name.includes('Image') ? '?width=1240' : ''}`,
    headers: {
      host: portal.settings.publicUrl.host,
      ...(client === undefined ? {} : { authorization: client.token, cookie: client.cookie }),
    },
  });

test('9: details, bytes, pages and their text are asked about', () => {
  expect(aboutOne.toSorted()).toEqual([
    'downloadSentDocument',
    'getSentDocument',
    'getSentLock',
    'getSentPageImage',
    'getSentPageText',
    'getSentReceipt',
    'getSentRenderResult',
  ]);
});

describe.each(aboutOne)('9: %s of what another client has sent', (name) => {
  test.each([
    ['another client', () => stranger],
    ['another client of the same customer number', () => relative],
  ])('is for %s the very answer of a random id', async (_, asker) => {
    const foreign = await ask(name, sentId, asker());
    expect([foreign.statusCode, foreign.json()]).toMatchObject([404, { code: 'DOCUMENT_NOT_FOUND_ERROR' }]);
    const random = await ask(name, randomUUID(), asker());
    const bodyOf = ({ statusCode, payload }: { statusCode: number; payload: string }) => [
      statusCode,
      payload.replace(/"requestId":"[^"]*"/, ''),
    ];
    expect(bodyOf(foreign)).toEqual(bodyOf(random));
  });

  test('is nothing without a session (6)', async () => {
    const answer = await ask(name, sentId);
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { code: 'ACCESS_DENIED' }]);
  });

  test.each(['1 OR 1=1', '..%2f', '%00', 'x'.repeat(10_000)])('is malformed with an id that cannot be (19: %s)', async (id) => {
    expect((await ask(name, encodeURI(id), sender)).statusCode).toBeGreaterThanOrEqual(400);
    expect((await ask(name, encodeURI(id), sender)).statusCode).toBeLessThan(500);
  });
});

test('9: asking about it draws no page, marks nothing and is in no list of theirs', async () => {
  const { sha256 } = (await sender.call('getSentDocument', { params: { id: sentId } })).body;
  for (const asker of [stranger, relative]) {
    for (const name of aboutOne) await ask(name, sentId, asker);
    expect((await asker.call('listSentDocuments', { body: { text: 'tajne' } })).body).toEqual({ items: [], total: 0 });
    expect((await asker.call('listOwnDocuments', { body: { text: '%tajne%' } })).body).toEqual({ items: [], total: 0 });
  }
  expect(await listStoredPages(portal, sha256)).toEqual([]);
});
