import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** What is asked of very many documents is broken off by the database after fifteen seconds. Here it waits for a table, and is broken off at once. */

let portal: TestPortal;
let client: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  client = await portal.signIn('6001', { cif: 'slow' });
  await portal.publish({ pdf: aPdf(), cif: 'slow', fileName: 'Umowa' });
});

afterAll(() => portal[Symbol.asyncDispose]());

type Answered = { readonly status: number; readonly error?: { readonly code: string } | undefined; readonly headers: object };

/** Asks while the table is locked, and cancels the waiting statement, as its time limit does. */
const brokenOff = async (table: 'delivery' | 'document_words', ask: () => Promise<Answered>): Promise<Answered> => {
  const keeper = await portal.owner.pool.connect();
  try {
    await keeper.query('begin');
    await keeper.query(`lock table ${table} in access exclusive mode`);
    const answer = ask();
    await expect
      .poll(async () => {
        const { rows } = await keeper.query<{ cancelled: boolean }>(
          'select pg_cancel_backend(pid) as cancelled from pg_locks where not granted and relation = $1::text::regclass',
          [table],
        );
        return rows.some(({ cancelled }) => cancelled);
      })
      .toBe(true);
    return await answer;
  } finally {
    await keeper.query('rollback');
    keeper.release();
  }
};

const text = '%umow%';
const ways: readonly (readonly [what: string, table: 'delivery' | 'document_words', ask: () => Promise<Answered>])[] = [
  ['a free text in a list', 'delivery', () => client.call('listOwnDocuments', { body: { text } })],
  ['a filter of a list', 'delivery', () => client.call('listOwnDocuments', { body: { sort: [{ by: 'FILE_NAME', order: 'asc' }] } })],
  ['the values of a key', 'delivery', () => client.call('listOwnValues', { body: { key: 'BAR_NUMBER', text } })],
  ['a free text among public documents', 'delivery', () => portal.anonymous.call('listPublicDocuments', { body: { text } })],
  ['words of the pages', 'document_words', () => client.call('searchOwnDocuments', { body: { text: 'umowa' } })],
  [
    'a list as a table',
    'delivery',
    () => client.call('exportDocumentsCsv', { body: { language: 'PL', columns: ['FILE_NAME'], query: { text } } }),
  ],
];

test.each(ways)('%s that takes the database too long is to be asked again later, and is answered then', async (_, table, ask) => {
  const { status, error, headers } = await brokenOff(table, ask);
  expect([status, error?.code, headers]).toEqual([429, 'CALL_NOT_PERMITTED', expect.objectContaining({ 'retry-after': '30' })]);
  expect((await ask()).status).toBe(200);
});
