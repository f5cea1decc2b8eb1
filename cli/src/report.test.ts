import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { aPdf } from '@pergamin/server/testing/pdfs';
import type { TestPortal } from '@pergamin/server/testing/test-portal';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let started: CliPortal;
let folder: string;
let portal: TestPortal;
let environment: CliPortal['environment'];
const ids: string[] = [];

const pergamin = (...args: string[]): Promise<Ended> => runPergamin(args, { folder, environment });
const noticesOf = (id: string | undefined) =>
  portal.db
    .selectFrom('notice')
    .selectAll()
    .where('document_id', '=', id ?? '')
    .execute();

beforeAll(async () => {
  started = await startCliPortal();
  ({ portal, folder, environment } = started);
  await portal.addClient('10000001', { cif: '7001', email: 'anna@example.com' });
  await portal.addClient('10000002', { cif: '7002' });
  for (const cif of ['7001', '7002'])
    ids.push((await portal.publish({ cif, fileName: `=Umowa\u001b[31m ${cif}.pdf`, pdf: aPdf({ text: cif }) })).body.id);
  const isSent = async (): Promise<void> => {
    if ((await noticesOf(ids[0]))[0]?.state !== 'sent') throw new Error('not sent yet');
  };
  await vi.waitFor(isSent, { timeout: 15_000, interval: 20 });
});
afterAll(() => started[Symbol.asyncDispose]());

test('a line for each document that a recipient has not opened, and how many there are', async () => {
  const { code, out, error } = await pergamin('report', 'unread');
  const day = new Date().toISOString().slice(0, 10);
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    `${day}  10000001  ${ids[0]}  unread  sent (EMAIL, 1 attempt)  =Umowa [31m 7001.pdf`,
    `${day}  10000002  ${ids[1]}  unread  failed (NO_ADDRESS, 0 attempts)  =Umowa [31m 7002.pdf`,
    '',
  ]);
  expect(error).toBe('unread 2, not delivered 1; notices: queued 0, sent 1, failed 1, bounced 0, undeliverable 1, reminders 0\n');
});

test('only what was not delivered, or only from a day on', async () => {
  expect((await pergamin('report', 'unread', '--only', 'undelivered')).out).toContain('10000002');
  expect((await pergamin('report', 'unread', '--only', 'undelivered')).out).not.toContain('10000001');
  expect((await pergamin('report', 'unread', '--since', '2999-01-01')).out).toBe('');
});

test('a table, on the output or in a file that only its owner reads', async () => {
  const { code, out } = await pergamin('report', 'unread', '--csv');
  expect([code, out.split('\r\n').length]).toEqual([0, 4]);
  expect(out).toContain(",'=Umowa");
  expect(await pergamin('report', 'unread', '--csv', '--to', 'unread.csv')).toEqual({ code: 0, out: '', error: '' });
  expect(await readFile(join(folder, 'unread.csv'), 'utf8')).toBe(`\ufeff${out}`);
  expect((await stat(join(folder, 'unread.csv'))).mode & 0o777).toBe(0o600);
});

test('a bounce may be reported by the Message-ID any number of times; that of an unknown mail ends with 1', async () => {
  const [notice] = await noticesOf(ids[0]);
  const messageId = notice?.message_id ?? '';
  for (let times = 0; times < 2; times += 1)
    expect(await pergamin('report', 'bounced', messageId, '--reason', 'no such user')).toEqual({
      code: 0,
      out: `bounced ${messageId}\n`,
      error: '',
    });
  expect(await noticesOf(ids[0])).toMatchObject([{ state: 'bounced', last_error: 'no such user' }]);
  expect(await pergamin('report', 'bounced', '<x@example.com>')).toMatchObject({
    code: 1,
    error: expect.stringContaining('RESOURCE_NOT_FOUND'),
  });
});

test.each([
  [['report']],
  [['report', 'read']],
  [['report', 'unread', '--only', 'read']],
  [['report', 'unread', '--to', 'x']],
  [['report', 'bounced']],
])('the words %j end with 2', async (words) => {
  expect((await pergamin(...words)).code).toBe(2);
});

test('a day that there is not is refused', async () => {
  expect(await pergamin('report', 'unread', '--since', '2026-02-30')).toMatchObject({
    code: 1,
    error: expect.stringContaining('VALIDATION_ERROR'),
  });
});
