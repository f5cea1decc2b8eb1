import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { aPdf } from '#testing/pdfs.ts';
import {
  createTestBrowser,
  createVerifier,
  encodeLogin,
  goToPasswordPage,
  loginPayload,
  obtainCode,
  redeemCode,
  submitPassword,
} from '#testing/sign-in-as.ts';
import { password, startTestPortal, type TestPortal } from '#testing/test-portal.ts';

/** Case 103: a whole session, its mistakes and its failures, with every line that was logged about it down to the finest. */

const lines: string[] = [];
let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal({ log: createLog('trace', { write: (line) => void lines.push(line) }), drawsFirstPages: true });
});

afterAll(() => portal[Symbol.asyncDispose]());

const logged = (): string => lines.join('');

test('nothing that signs a person in, names a person in an address, or is the content of a document is in the log', async () => {
  const { host } = portal.settings.publicUrl;
  const personalId = 'kN4ry.person';
  const secrets = new Set<string>([password, portal.publisherKey]);
  await portal.addClient(personalId, { cif: '7001', firstName: 'Kanaria', email: 'kanaria@example.com', phone: '+48600100999' });

  const stranger = createTestBrowser(portal.server, host);
  const { state } = createVerifier();
  const page = await goToPasswordPage(stranger, { personalId, state });
  await submitPassword(stranger, page, { password: 'kN4ry-wrong-password' });
  await stranger.request('GET', `/api/open/redirect/back/pergamin?code=kN4ry-code&state=kN4ry-state`);
  await stranger.request('GET', '/oauth/kN4ry-one-time');
  await stranger.request('GET', '/sso/kN4ry-assertion?state=kN4ry-state', { headers: { accept: 'text/html' } });
  await stranger.request('POST', '/api/auth/login', loginPayload(encodeLogin({ code: 'kN4ry-code', v: 'kN4ry-verifier' })));
  await stranger.request('POST', '/api/auth/login', loginPayload('kN4ry-no-code'));

  const browser = createTestBrowser(portal.server, host);
  const { code, verifier } = await obtainCode(browser, { personalId, password });
  const login = await redeemCode(browser, { code, verifier });
  for (const secret of [state, code, verifier, String(login.headers['authorization']).slice(7)]) secrets.add(secret);
  for (const { value } of [...browser.cookies.values(), ...stranger.cookies.values()]) secrets.add(value);

  const headers = { authorization: String(login.headers['authorization']) };
  const publication = { cif: '7001', uniqueName: 'kN4ry-name', fileName: 'kN4ry-file', pdf: aPdf({ text: 'kN4ry-content' }) };
  const { id } = (await portal.publish({ ...publication, metadata: { ACCOUNT_NUMBER: 'kN4ry-account' } })).body;
  await portal.publish({ ...publication, pdf: aPdf({ text: 'kN4ry-other' }) });
  for (const path of ['data', 'download', 'render/queue/result', 'document/check'])
    await browser.request('GET', `/api/protected/documents/${path}/${id}?opening=kN4ry-query`, { headers });
  await browser.request('POST', '/api/protected/documents/list/data', {
    headers: { ...headers, 'content-type': 'application/json' },
    payload: JSON.stringify({
      text: 'kN4ry-search',
      criteria: { metadata: [{ id: 'FILE_NAME', operator: 'EQUALS', value: 'kN4ry-search' }] },
    }),
  });
  await browser.request('GET', `/api/protected/documents/data/kN4ry-id`, { headers });
  await browser.request('GET', `/api/protected/documents/data/${randomUUID()}`, { headers: { ...headers, cookie: 'portal=kN4ry-cookie' } });
  await browser.request('GET', `/api/open/sign-in/redirection/kN4ry.person`);
  await portal.anonymous.call('publishDocument', { form: new FormData() }, { authorization: `Bearer pk_kN4ry${'a'.repeat(38)}` });

  expect(lines.length).toBeGreaterThan(20);
  for (const secret of secrets) expect(logged()).not.toContain(secret);
  // The one place where a personal id belongs: who typed a wrong password.
  const others = lines.filter((line) => !line.includes('"msg":"identity: wrong password"')).join('');
  expect(others.match(/.{0,60}kN4ry.{0,60}/g) ?? []).toEqual([]);
  expect(others).not.toMatch(/Kanaria|kanaria@|600100999/);
});

test('what the database refuses is told without its statement and its values, and nothing of it to the caller', async () => {
  const reader = await portal.signIn('1002', { cif: '7002' });
  const { body } = await portal.publish({ cif: '7002', pdf: aPdf({ text: 'refused' }) });
  await portal.owner.pool.query(`alter table document_mark add constraint not_now check (personal_id <> '1002')`);
  lines.length = 0;
  const answer = await reader.call('markPage', { params: { id: body.id, page: '1' } });
  expect([answer.status, answer.error]).toEqual([
    500,
    { code: 'INTERNAL_SERVER_ERROR', message: 'Internal error', requestId: answer.error?.requestId },
  ]);
  expect(logged()).toContain(answer.error?.requestId);
  expect(logged()).toContain('not_now');
  expect(logged()).not.toMatch(/insert into|1002|detail/i);
});
