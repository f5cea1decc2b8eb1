import { downloadDocument, getSelf, listOwnDocuments, login, markRead } from '@pergamin/contract';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { call, CallError, fetchBytes } from './api.ts';
import { on, type PortalEvents } from './events.ts';
import { clearSession, currentToken, storeSession } from './session-token.ts';
import { answerFetch, freshTab, refusal, tokenFor } from './page.fixture.tsx';

const anna = tokenFor('10000001');
const documentId = '6f1b7a32-0000-4000-8000-000000000001';
const person = { personalId: '10000001', firstName: 'Anna', lastName: 'Nowak', managed: false, language: 'PL' };

const listen = <Name extends keyof PortalEvents>(name: Name): PortalEvents[Name][] => {
  const heard: PortalEvents[Name][] = [];
  onTestFinished(on(name, (event) => void heard.push(event)));
  return heard;
};

const failureOf = async (made: Promise<unknown>): Promise<CallError> => {
  const error: unknown = await made.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CallError)) throw new Error(`Expected a CallError, not ${String(error)}`);
  return error;
};

beforeEach(() => freshTab());

test('a call sends the token and the cookies of our own origin, and answers what the row says', async () => {
  storeSession({ token: anna, expiresAtEpochMs: undefined });
  const asked = answerFetch({ 'GET /api/protected/account/self/info': person });
  expect(await call(getSelf, {})).toEqual(person);
  expect(asked[0]?.request.headers.get('authorization')).toBe(anna);
  expect(asked[0]?.request.credentials).toBe('same-origin');
});

test('a call with a body sends JSON', async () => {
  const asked = answerFetch({ 'POST /api/protected/documents/list/data': { items: [], total: 0 } });
  await call(listOwnDocuments, { body: { size: 3 } });
  expect(asked[0]?.request.headers.get('content-type')).toBe('application/json');
  expect(await asked[0]?.request.json()).toEqual({ size: 3 });
});

test('bytes come as they were sent, nothing comes as nothing', async () => {
  answerFetch({
    [`GET /api/protected/documents/download/${documentId}`]: new Response('%PDF-'),
    [`POST /api/protected/documents/mark/read/${documentId}`]: new Response(null, { status: 204 }),
  });
  expect(await (await call(downloadDocument, { params: { id: documentId } })).text()).toBe('%PDF-');
  expect(await call(markRead, { params: { id: documentId } })).toBeUndefined();
});

test('a file whose line breaks is asked for again from there, with the token', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  storeSession({ token: anna, expiresAtEpochMs: undefined });
  const headers = { etag: '"a"', 'content-type': 'application/pdf' };
  const breaks = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(new TextEncoder().encode('%PDF')),
      pull: (controller) => controller.error(new TypeError('network error')),
    },
    { highWaterMark: 0 },
  );
  const asked = answerFetch({
    [`GET /api/protected/documents/download/${documentId}`]: (request: Request) =>
      request.headers.has('range') ? new Response('-2.0', { status: 206, headers }) : new Response(breaks, { headers }),
  });
  const whole = call(downloadDocument, { params: { id: documentId } });
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.runAllTimersAsync();
  expect(await (await whole).text()).toBe('%PDF-2.0');
  const again = asked[1]?.request.headers;
  expect([again?.get('range'), again?.get('if-range'), again?.get('authorization')]).toEqual(['bytes=4-', '"a"', anna]);
});

test('headers of any answer move the session on', async () => {
  answerFetch({
    'POST /api/auth/login': new Response(null, { status: 204, headers: { authorization: anna, 'auth-expired-epoch': '42' } }),
  });
  await call(login, { form: new FormData() });
  expect(sessionStorage.getItem('authorization')).toBe(anna);
  expect(sessionStorage.getItem('auth-expired-epoch')).toBe('42');
});

test('headers of a refusal move the session on as well, but for one that ends it', async () => {
  storeSession({ token: anna, expiresAtEpochMs: 5 });
  const headers = { 'auth-expired-epoch': '42' };
  answerFetch({ 'GET /api/protected/account/self/info': refusal(404, 'RESOURCE_NOT_FOUND', { headers }) });
  await failureOf(call(getSelf, {}));
  expect(sessionStorage.getItem('auth-expired-epoch')).toBe('42');
  answerFetch({ 'GET /api/protected/account/self/info': refusal(401, 'ACCESS_DENIED', { headers }) });
  await failureOf(call(getSelf, {}));
  expect(sessionStorage.getItem('auth-expired-epoch')).toBeNull();
});

test('an answer that comes after the logout brings no session back', async () => {
  storeSession({ token: anna, expiresAtEpochMs: 5 });
  answerFetch({
    'GET /api/protected/account/self/info': Response.json(person, { headers: { authorization: anna, 'auth-expired-epoch': '42' } }),
  });
  const late = call(getSelf, {});
  clearSession();
  await late;
  expect(currentToken()).toBeUndefined();
});

test('a refusal tells code, fields and status', async () => {
  answerFetch({ 'GET /api/protected/account/self/info': refusal(400, 'VALIDATION_ERROR', { fields: { id: 'malformed' } }) });
  const error = await failureOf(call(getSelf, {}));
  expect({ code: error.code, status: error.status, fields: error.fields }).toEqual({
    code: 'VALIDATION_ERROR',
    status: 400,
    fields: { id: 'malformed' },
  });
});

test('too many attempts tell how long to wait', async () => {
  answerFetch({ 'GET /api/protected/account/self/info': refusal(429, 'CALL_NOT_PERMITTED', { headers: { 'retry-after': '30' } }) });
  expect((await failureOf(call(getSelf, {}))).retryAfterMs).toBe(30_000);
});

test('an answer that is not ours has no code', async () => {
  answerFetch({ 'GET /api/protected/account/self/info': new Response('<h1>Bad gateway</h1>', { status: 502 }) });
  const error = await failureOf(call(getSelf, {}));
  expect([error.code, error.rawCode, error.status]).toEqual([undefined, undefined, 502]);
  answerFetch({ 'GET /api/protected/account/self/info': new Response('<h1>Log in to this network</h1>') });
  expect((await failureOf(call(getSelf, {}))).status).toBe(200);
});

test('no answer is a network error, kept for the next start', async () => {
  answerFetch({ 'GET /api/protected/account/self/info': new TypeError('Failed to fetch') });
  const error = await failureOf(call(getSelf, {}));
  expect([error.message, error.status]).toEqual(['Network Error', 0]);
  expect(sessionStorage.getItem('error')).toBe('Network Error');
});

test('a refused token ends the session and says that there was one', async () => {
  storeSession({ token: anna, expiresAtEpochMs: 5 });
  localStorage.setItem('statute-accepted', '{}');
  const ends = listen('sessionEnded');
  answerFetch({ 'GET /api/protected/account/self/info': refusal(401, 'ACCESS_DENIED') });
  await failureOf(call(getSelf, {}));
  expect(ends).toEqual([{ hadToken: true }]);
  expect([currentToken(), sessionStorage.getItem('auth-expired-epoch'), localStorage.length]).toEqual([undefined, null, 0]);
});

test('a refusal of a token that is no longer ours says nothing about the new session', async () => {
  storeSession({ token: anna, expiresAtEpochMs: 5 });
  const ends = listen('sessionEnded');
  answerFetch({ 'GET /api/protected/account/self/info': refusal(401, 'ACCESS_DENIED') });
  const late = failureOf(call(getSelf, {}));
  const next = tokenFor('10000001');
  storeSession({ token: next, expiresAtEpochMs: 9 });
  await late;
  expect(ends).toEqual([]);
  expect(currentToken()).toBe(next);
});

test('a call refused until the statute is accepted asks for the statute', async () => {
  const wanted = listen('statuteRequired');
  answerFetch({
    'GET /api/protected/documents/download/x': refusal(403, 'CALL_NOT_PERMITTED'),
    'GET /api/protected/page': refusal(403, 'CALL_NOT_PERMITTED'),
  });
  await failureOf(call(downloadDocument, { params: { id: 'x' } }));
  await failureOf(fetchBytes('/api/protected/page'));
  expect(wanted).toHaveLength(2);
});

test('the token goes to no address but our own', async () => {
  const asked = answerFetch({});
  await expect(fetchBytes('https://elsewhere.example/api/x')).rejects.toThrow('Only paths of the portal itself are fetched');
  await expect(fetchBytes('//elsewhere.example/api/x')).rejects.toThrow('Only paths of the portal itself are fetched');
  expect(asked).toEqual([]);
});

test('an aborted call is no failure', async () => {
  const controller = new AbortController();
  controller.abort();
  answerFetch({ 'GET /api/protected/account/self/info': new DOMException('left', 'AbortError') });
  await expect(call(getSelf, { signal: controller.signal })).rejects.toThrow(DOMException);
  expect(sessionStorage.getItem('error')).toBeNull();
});
