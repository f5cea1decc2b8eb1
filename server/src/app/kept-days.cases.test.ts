import type { CallName } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestCaller, type TestPortal } from '#testing/test-portal.ts';

/** Days at both ends of the calendar, in every call that takes one: answered, or refused with VALIDATION_ERROR; never broken off. */

let portal: TestPortal;
let id: string;
beforeAll(async () => {
  portal = await startTestPortal();
  await portal.addClient('1001', { cif: '7001' });
  ({ id } = (await portal.publish({ cif: '7001', pdf: aPdf() })).body);
});
afterAll(() => portal[Symbol.asyncDispose]());

const takingDays: readonly (readonly [CallName, (day: string) => object])[] = [
  ['listUnopened', (day) => ({ query: { from: day, to: day } })],
  ['exportUnopened', (day) => ({ query: { from: day, to: day } })],
  ['exportDeliveries', (day) => ({ query: { from: day, to: day } })],
  ['countNotices', (day) => ({ query: { from: day, to: day } })],
  ['retainDocument', (day) => ({ params: { id }, body: { until: day } })],
];

const ask = (by: TestCaller, name: CallName, input: object) => by.call(name, input);

test.each(takingDays)('%s refuses days before 0001-01-01 and behind 9999-12-31', async (name, inputOf) => {
  for (const day of ['0000-01-01', '0000-12-31', '-001-01-01', '10000-01-01', '2026-02-30']) {
    const { status, error } = await ask(portal.publisher, name, inputOf(day));
    expect([day, status, error?.code]).toEqual([day, 400, 'VALIDATION_ERROR']);
  }
});

test.each(takingDays)('%s takes the first and the last day', async (name, inputOf) => {
  for (const day of ['0001-01-01', '9999-12-31']) {
    const { status, error } = await ask(portal.publisher, name, inputOf(day));
    expect([day, status < 300 || error?.code === 'VALIDATION_ERROR' || error?.code === 'INVALID_STATUS']).toEqual([day, true]);
  }
});
