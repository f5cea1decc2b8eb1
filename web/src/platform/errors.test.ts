import { errorCodes, type ErrorCode } from '@pergamin/contract';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { CallError } from './api.ts';
import { alertError, durationText, isNotFound, sentenceOf } from './errors.ts';
import { on } from './events.ts';
import { freshTab } from './page.fixture.tsx';

const refused = (status: number, failure: { code?: string; retryAfterMs?: number; hadToken?: boolean } = {}) =>
  new CallError('refused', {
    status,
    rawCode: failure.code,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what api.ts does by its guard
    code: failure.code !== undefined && Object.hasOwn(errorCodes, failure.code) ? (failure.code as ErrorCode) : undefined,
    retryAfterMs: failure.retryAfterMs,
    hadToken: failure.hadToken ?? false,
  });

const alertsDuring = (act: () => void): string[] => {
  const alerts: string[] = [];
  onTestFinished(on('alert', ({ title }) => void alerts.push(title)));
  act();
  return alerts;
};

beforeEach(() => freshTab('EN'));

test('a failure is told by its code, whatever the status', () => {
  expect(sentenceOf(refused(404, { code: 'DOCUMENT_NOT_FOUND_ERROR' }))).toBe('Document not found');
  expect(sentenceOf(refused(500, { code: 'DOCUMENT_NOT_FOUND_ERROR' }))).toBe('Document not found');
  expect(sentenceOf(refused(500, { code: 'RENDER_ERROR' }))).toBe('Sorry, there was a problem. Please try again later');
});

test('a code without a sentence is shown as it came', () => {
  expect(sentenceOf(refused(400, { code: 'SOMETHING_NEW' }))).toBe('SOMETHING_NEW');
});

test('an answer without a code gets the default sentence', () => {
  for (const status of [400, 404, 500, 502, 503, 504]) {
    expect(sentenceOf(refused(status))).toBe('Sorry, there was a problem. Please try again later');
  }
  expect(sentenceOf(new TypeError('a mistake of ours'))).toBe('Sorry, there was a problem. Please try again later');
});

test('no answer at all is a network error', () => {
  expect(sentenceOf(refused(0))).toBe('Network Error');
});

test('too many attempts say when to try again', async () => {
  expect(sentenceOf(refused(429, { code: 'CALL_NOT_PERMITTED', retryAfterMs: 30_000 }))).toBe('Too many attempts. Try again in 30 seconds');
  await freshTab('PL');
  expect(sentenceOf(refused(429, { code: 'CALL_NOT_PERMITTED', retryAfterMs: 120_000 }))).toBe(
    'Zbyt wiele prób. Spróbuj ponownie za 2 minuty',
  );
  expect([1_000, 22_000, 60_000, 121_000, 300_000].map(durationText)).toEqual([
    '1 sekundę',
    '22 sekundy',
    '60 sekund',
    '3 minuty',
    '5 minut',
  ]);
});

test('a refused token is the end of a session, a missing one is a lack of access', () => {
  expect(sentenceOf(refused(401, { code: 'ACCESS_DENIED', hadToken: true }))).toBe('Your session is no longer active');
  expect(sentenceOf(refused(401, { code: 'ACCESS_DENIED' }))).toBe('You do not have access to this resource');
});

test('silent codes, the end of the session and the statute raise no alert', () => {
  const alerts = alertsDuring(() => {
    for (const code of ['DOCUMENT_NOT_FOUND_ERROR', 'DUPLICATE_BC', 'INVALID_STATUS', 'DOCUMENT_METADATA_ERROR'])
      alertError(refused(409, { code }));
    alertError(refused(401, { code: 'ACCESS_DENIED', hadToken: true }));
    alertError(refused(403, { code: 'CALL_NOT_PERMITTED' }));
    alertError(new DOMException('left', 'AbortError'));
  });
  expect(alerts).toEqual([]);
});

test('any other failure is shown', () => {
  const alerts = alertsDuring(() => {
    alertError(refused(503, { code: 'STORAGE_ERROR' }));
    alertError(refused(429, { code: 'CALL_NOT_PERMITTED', retryAfterMs: 1_000 }));
  });
  expect(alerts).toEqual(['The document storage reported an error. Please try again later', 'Too many attempts. Try again in 1 second']);
});

test('not found has three forms', () => {
  expect(isNotFound(refused(404))).toBe(true);
  expect(isNotFound(refused(400, { code: 'RESOURCE_NOT_FOUND' }))).toBe(true);
  expect(isNotFound(refused(403, { code: 'CALL_NOT_PERMITTED' }))).toBe(false);
});
