import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** What a client did with a document is evidence: the first time of each is kept, and nothing changes or removes it. */

let portal: TestPortal;
let anna: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('4301', { cif: '9501' });
});
afterAll(() => portal[Symbol.asyncDispose]());

const publish = async (): Promise<string> => (await portal.publish({ cif: '9501', pdf: aPdf({ pages: 3, text: randomUUID() }) })).body.id;

const markOf = (id: string) =>
  portal.db.selectFrom('document_mark').selectAll().where('document_id', '=', id).where('personal_id', '=', '4301').executeTakeFirst();

const open = (id: string) => anna.call('checkDocument', { params: { id }, query: { opening: 'true', width: '1240' } });
const reach = (id: string, page: number, shown: 'true' | 'false' = 'true') =>
  anna.call('markPage', { params: { id, page: String(page) }, query: shown === 'true' ? {} : { shown } });
const verify = (id: string) => anna.call('checkDocument', { params: { id }, query: {} });

/** The moment before something that is done a second later, and the moment after it. */
const span = async (act: () => Promise<unknown>): Promise<{ from: number; to: number }> => {
  portal.clock.advance(1_000);
  const from = portal.clock.now().getTime();
  await act();
  return { from, to: portal.clock.now().getTime() };
};

const expectWithin = (epochMs: number | undefined, { from, to }: { from: number; to: number }): void => {
  expect(epochMs).toBeGreaterThanOrEqual(from);
  expect(epochMs).toBeLessThanOrEqual(to);
};

test('the opening, each page, the reading, the download and the verification are kept with their first times', async () => {
  const id = await publish();
  const everything = [
    () => open(id),
    () => reach(id, 3),
    () => reach(id, 1),
    () => anna.call('markPage', { params: { id, page: '2' }, query: { shown: 'false' } }),
    () => anna.call('markRead', { params: { id } }),
    () => anna.call('downloadDocument', { params: { id } }),
    () => verify(id),
  ];
  const spans = [];
  for (const act of everything) spans.push(await span(act));
  const mark = await markOf(id);
  const times = [
    mark?.opened_at?.getTime(),
    mark?.page_times['3'],
    mark?.page_times['1'],
    undefined,
    mark?.read_at?.getTime(),
    mark?.downloaded_at?.getTime(),
    mark?.verified['SHA_CIF_OK'],
  ];
  // A page that could not be shown has no time.
  for (const [index, within] of spans.entries()) if (index !== 3) expectWithin(times[index], within);
  expect([Object.keys(mark?.page_times ?? {}), Object.keys(mark?.verified ?? {})]).toEqual([['1', '3'], ['SHA_CIF_OK']]);
  for (const act of everything) await span(act);
  expect(await markOf(id)).toEqual(mark);
});

test('the file that is shown by the browser counts as an opening, and as no download', async () => {
  const id = await publish();
  await anna.call('downloadDocument', { params: { id }, query: { purpose: 'showing' } });
  expect(await markOf(id)).toMatchObject({ opened_at: expect.any(Date), downloaded_at: null, read_at: null });
});

test('a page that could not be shown has no time until it is shown', async () => {
  const id = await publish();
  await reach(id, 2, 'false');
  expect(await markOf(id)).toMatchObject({ pages: [2], pages_not_shown: [2], page_times: {} });
  const within = await span(() => reach(id, 2));
  const mark = await markOf(id);
  expect(mark).toMatchObject({ pages: [2], pages_not_shown: [] });
  expectWithin(mark?.page_times['2'], within);
});

test('a page that was reached before times were kept stays without one', async () => {
  const id = await publish();
  await portal.db
    .insertInto('document_mark')
    .values({ personal_id: '4301', document_id: id, pages: [1] })
    .execute();
  await reach(id, 1);
  await reach(id, 2);
  const mark = await markOf(id);
  expect([mark?.pages, Object.keys(mark?.page_times ?? {})]).toEqual([[1, 2], ['2']]);
});

test('every outcome of a verification is kept with its first time, and the check of an opening is none', async () => {
  const id = await publish();
  await open(id);
  expect((await markOf(id))?.verified).toEqual({});
  const { sha256 } = await portal.db.selectFrom('document').select('sha256').where('id', '=', id).executeTakeFirstOrThrow();
  const first = await span(() => anna.call('checkChecksum', { body: { sha256 } }));
  await portal.pool.query(`update document set sha256 = $2 where id = $1`, [id, 'f'.repeat(64)]);
  const second = await span(() => verify(id));
  await portal.pool.query(`update document set sha256 = $2, corrupted = false where id = $1`, [id, sha256]);
  await span(() => verify(id));
  const { verified = {} } = (await markOf(id)) ?? {};
  expect(Object.keys(verified).toSorted()).toEqual(['SHA_CIF_OK', 'SHA_NOT_EQUAL']);
  expectWithin(verified['SHA_CIF_OK'], first);
  expectWithin(verified['SHA_NOT_EQUAL'], second);
});

test('a document of another client is not marked by opening or verifying it', async () => {
  await portal.addClient('4302', { cif: '9502' });
  const { id } = (await portal.publish({ cif: '9502', pdf: aPdf({ text: randomUUID() }) })).body;
  await open(id);
  await verify(id);
  expect(await portal.db.selectFrom('document_mark').selectAll().where('document_id', '=', id).execute()).toEqual([]);
});

describe('the database refuses', () => {
  let id: string;
  beforeAll(async () => {
    id = await publish();
    await open(id);
    await reach(id, 1);
    await readToTheEnd(anna, id);
    await anna.call('downloadDocument', { params: { id } });
    await verify(id);
  });

  test.each([
    'opened_at = null',
    `opened_at = opened_at + interval '1 second'`,
    'read_at = null',
    `read_at = now() - interval '1 day'`,
    'downloaded_at = null',
    `pages = '{}'`,
    `pages = '{2}'`,
    `page_times = '{}'`,
    `page_times = '{"1": 5}'`,
    `page_times = null`,
    `verified = '{}'`,
    `verified = '{"SHA_CIF_OK": 5}'`,
    `personal_id = '4302'`,
  ])('to set %s where there is a time already', async (change) => {
    const before = await markOf(id);
    await expect(sql.raw(`update document_mark set ${change} where document_id = '${id}'`).execute(portal.owner.db)).rejects.toThrow(
      /kept with its first time|not-null/,
    );
    expect(await markOf(id)).toEqual(before);
  });

  test('to delete or to empty what clients did', async () => {
    const { db } = portal.owner;
    await expect(sql`delete from document_mark where document_id = ${id}::uuid`.execute(db)).rejects.toThrow(/is kept/);
    await expect(sql`delete from client where personal_id = '4301'`.execute(db)).rejects.toThrow(/is kept/);
    await expect(sql`truncate document_mark`.execute(db)).rejects.toThrow(/insert-only/);
  });
});
