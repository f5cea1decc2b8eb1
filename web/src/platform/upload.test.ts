import { uploadDocument } from '@pergamin/contract';
import { beforeEach, expect, test } from 'vitest';
import { call, CallError } from './api.ts';
import { freshTab, tokenFor } from './page.fixture.tsx';
import { catchRequests } from './requests.fixture.ts';
import { storeSession } from './session-token.ts';
import { uploading } from './upload.ts';

const anna = tokenFor('10000001');

/** Begins to send a form and hands over what was sent. */
const begin = () => {
  const requests = catchRequests();
  const control = new AbortController();
  const told: number[] = [];
  const transport = uploading({ key: 'a'.repeat(32), onProgress: (part) => told.push(part) });
  const made = call(uploadDocument, { form: new FormData(), signal: control.signal, transport }).catch((error: unknown) => error);
  const [request] = requests;
  if (request === undefined) throw new Error('Nothing was sent');
  return { request, made, told, control };
};

beforeEach(() => freshTab());

test('an upload carries the token and its key as every call does, and is answered as every call is', async () => {
  storeSession({ token: anna, expiresAtEpochMs: undefined });
  const { request, made } = begin();
  expect(request.line).toBe('POST /api/protected/documents/client/upload');
  expect([request.headers.get('authorization'), request.headers.get('idempotency-key')]).toEqual([anna, 'a'.repeat(32)]);
  expect(request.body).toBeInstanceOf(FormData);
  request.answer(201, { id: 'x' });
  expect(await made).toEqual({ id: 'x' });
});

test('it tells how much of the body is on its way', async () => {
  const { request, made, told } = begin();
  request.progress(1, 4);
  request.progress(4, 4);
  request.answer(201);
  await made;
  expect(told).toEqual([0.25, 1]);
});

test('a refusal comes with its code, and ends the session when that is what it says', async () => {
  storeSession({ token: anna, expiresAtEpochMs: undefined });
  const { request, made } = begin();
  request.answer(401, { code: 'ACCESS_DENIED', message: 'no' });
  const error = await made;
  expect(error).toBeInstanceOf(CallError);
  expect(error).toMatchObject({ status: 401, code: 'ACCESS_DENIED', hadToken: true });
  expect(sessionStorage.getItem('authorization')).toBeNull();
});

test('no answer is a network error; breaking it off is none', async () => {
  const broken = begin();
  broken.request.fail();
  expect(await broken.made).toMatchObject({ name: 'CallError', status: 0 });
  const stopped = begin();
  stopped.control.abort();
  expect(stopped.request.isAborted).toBe(true);
  expect(await stopped.made).toMatchObject({ name: 'AbortError' });
});
