import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
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
  // Of the documentation.
  await portal.addClient('10000003', { cif: '700100001' });
  for (const cif of ['7001', '7002'])
    ids.push((await portal.publish({ cif, fileName: `=Umowa\u001b[31m ${cif}.pdf`, pdf: aPdf({ text: cif }) })).body.id);
  const isSent = async (): Promise<void> => {
    if ((await noticesOf(ids[0]))[0]?.state !== 'sent') throw new Error('not sent yet');
  };
  await vi.waitFor(isSent, { timeout: 15_000, interval: 20 });
});
afterAll(() => started[Symbol.asyncDispose]());

const momentText = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const cellsOf = (out: string): string[][] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  '));

test('a line for each document that a recipient has not opened, and how many there are', async () => {
  const { code, out, error } = await pergamin('report', 'unread');
  expect(code).toBe(0);
  expect(cellsOf(out)).toEqual([
    [momentText, '10000001', ids[0], 'unread', 'sent (EMAIL, 1 attempt)', '=Umowa [31m 7001.pdf'],
    [momentText, '10000002', ids[1], 'unread', 'failed (NO_ADDRESS, 0 attempts)', '=Umowa [31m 7002.pdf'],
  ]);
  expect(error).toBe('unread 2, not delivered 1\nnotices: queued 0, sent 1, failed 1, bounced 0, undeliverable 1, reminders 0\n');
});

test('only what was not delivered, only from a day on, to a day, of a document or of a customer number', async () => {
  const namesOf = async (...args: string[]) => cellsOf((await pergamin('report', 'unread', ...args)).out).map(([, name]) => name);
  expect(await namesOf('--only', 'undelivered')).toEqual(['10000002']);
  expect(await namesOf('--document', ids[0] ?? '')).toEqual(['10000001']);
  expect(await namesOf('--cif', '7002')).toEqual(['10000002']);
  expect((await pergamin('report', 'unread', '--from', '2999-01-01')).out).toBe('');
  expect((await pergamin('report', 'unread', '--to', '1999-01-01')).out).toBe('');
  expect((await pergamin('report', 'unread', '--kind', 'statement')).out).toBe('');
});

test('a table, on the output or in a file that only its owner reads, and how many rows it has', async () => {
  const { code, out, error } = await pergamin('report', 'unread', '--format', 'csv');
  expect([code, out.split('\r\n').length, error]).toEqual([0, 4, '2 rows\n']);
  expect(out).toContain(",'=Umowa");
  expect(await pergamin('report', 'unread', '--format', 'csv', '--output', 'unread.csv')).toEqual({ code: 0, out: '', error: '2 rows\n' });
  expect(await readFile(join(folder, 'unread.csv'), 'utf8')).toBe(`\ufeff${out}`);
  expect((await stat(join(folder, 'unread.csv'))).mode & 0o777).toBe(0o600);
});

test('the proof of delivery is a line for each document and client, a table, or an object a line', async () => {
  await portal.db
    .insertInto('document_mark')
    .values({ personal_id: '10000001', document_id: ids[0] ?? '', opened_at: '2026-11-23T08:15:00Z', pages: [1], page_times: '{"1": 5}' })
    .execute();
  const { code, out, error } = await pergamin('report', 'delivery');
  expect(code).toBe(0);
  expect(cellsOf(out)).toEqual([
    [
      momentText,
      '10000001',
      ids[0],
      'sent (EMAIL, 1 attempt)',
      'opened 2026-11-23T08:15:00Z',
      'pages 1 of 1',
      'not read',
      'not downloaded',
      'not verified',
      '=Umowa [31m 7001.pdf',
    ],
    expect.arrayContaining(['10000002', 'failed (NO_ADDRESS, 0 attempts)', 'not opened', 'pages 0 of 1']),
  ]);
  expect(error).toBe('rows 2, opened 1, read 0, downloaded 0, not delivered 1\n');
  const table = await pergamin('report', 'delivery', '--document', ids[0] ?? '', '--format', 'csv');
  expect([table.out.split('\r\n').length, table.error]).toEqual([3, '1 rows\n']);
  const objects = await pergamin('report', 'delivery', '--cif', '7001', '--format', 'json');
  expect(JSON.parse(objects.out)).toMatchObject({ documentId: ids[0], pages: [{ page: 1, seenOn: 5 }] });
});

test('the commands that the documentation shows work as they are written', async () => {
  const page = await readFile(new URL('../../docs/publishing.md', import.meta.url), 'utf8');
  const shown = [...page.matchAll(/^ {4}npx --no pergamin (report .*)$/gm)].map(([, command = '']) => command);
  expect(shown.length).toBeGreaterThan(3);
  for (const command of shown) {
    const words = command.replace('0b9f1c1e-…', ids[0] ?? '').split(' ');
    expect([command, (await pergamin(...words)).code]).toEqual([command, 0]);
  }
});

test('the report of a document that was never published ends with 1', async () => {
  const ended = await pergamin('report', 'delivery', '--document', '00000000-0000-4000-8000-000000000000', '--output', 'none.csv');
  expect(ended).toMatchObject({ code: 1, error: expect.stringContaining('DOCUMENT_NOT_FOUND_ERROR') });
});

test('a report that is cut off ends with 1', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv' });
    response.write('personal id\r\n10000001\r\n', () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  const ended = await runPergamin(['report', 'delivery', '--format', 'csv'], {
    folder,
    environment: { ...environment, PERGAMIN_URL: url },
  });
  server.close();
  expect(ended).toMatchObject({ code: 1, error: expect.stringContaining('could not be written completely') });
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
  [['report', 'unread', '--format', 'xlsx']],
  [['report', 'delivery', '--only', 'unread']],
  [['report', 'delivery', '--kind', 'public']],
  [['report', 'bounced']],
])('the words %j end with 2', async (words) => {
  expect((await pergamin(...words)).code).toBe(2);
});

test('a day that there is not is refused', async () => {
  expect(await pergamin('report', 'unread', '--from', '2026-02-30')).toMatchObject({
    code: 1,
    error: expect.stringContaining('VALIDATION_ERROR'),
  });
});
