import { addMonths, batchReportLine, createWallClock } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendBatch, sendPart, untilState } from '#testing/batches.ts';
import { aBrokenPdf, aPdf } from '#testing/pdfs.ts';
import { listStoredPages } from '#testing/stored-pages.ts';
import { startTestPortal, type TestCaller, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let publisher: TestCaller;
let client: TestClient;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { RETENTION_YEARS: 'private=10', PUBLISH_MAX_BYTES: '1000000' }, drawsFirstPages: true });
  ({ publisher } = portal);
  client = await portal.signIn('1001', { cif: '7001' });
  await portal.addClient('1002', { cif: '7002' });
});
afterAll(() => portal[Symbol.asyncDispose]());

const open = async (name: string): Promise<string> => (await publisher.call('openBatch', { body: { name } })).body.id;
const commit = (id: string, documents: number, publishAt?: number) =>
  publisher.call('commitBatch', { params: { id }, body: { documents, ...(publishAt === undefined ? {} : { publishAt }) } });
const get = async (id: string) => (await publisher.call('getBatch', { params: { id } })).body;
const listNames = async (): Promise<string[]> =>
  (await client.call('listOwnDocuments', { body: { size: 100 } })).body.items.map(({ id }) => id);
const reportOf = async (id: string) =>
  (await publisher.call('getBatchReport', { params: { id } })).bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => batchReportLine.parse(JSON.parse(line)));

test('documents of a batch appear when it is committed, each under its id, with notifications and the retention of that day', async () => {
  const id = await open('happy');
  const sent = await sendPart(publisher, id, [
    { cif: '7001', uniqueName: 'happy-1' },
    { cif: '7002', uniqueName: 'happy-2' },
  ]);
  const more = await sendPart(publisher, id, [{ type: 'PUBLIC', uniqueName: 'happy-3' }]);
  expect([sent.body.refused, more.body.refused]).toEqual([[], []]);
  const ids = [...sent.body.accepted, ...more.body.accepted].map((document) => document.id);
  expect(await get(id)).toMatchObject({ state: 'OPEN', documents: 3, published: 0, committed: null, opened: { keyName: 'tests' } });
  const drafts = await reportOf(id);
  expect(drafts.map(({ state, publishedAt }) => [state, publishedAt])).toEqual([0, 1, 2].map(() => ['DRAFT', null]));
  // Whoever commits it with a second key sees for whom it is.
  expect(drafts.map(({ type, cif, cif2, groupId, fileName }) => [type, cif, cif2, groupId, fileName])).toEqual([
    ['PRIVATE', '7001', null, null, expect.any(String)],
    ['PRIVATE', '7002', null, null, expect.any(String)],
    ['PUBLIC', null, null, null, expect.any(String)],
  ]);
  expect(await listNames()).not.toContain(ids[0]);

  expect((await commit(id, 3)).body).toMatchObject({ publishAt: null, committed: { keyName: 'tests' } });
  await untilState(portal, id, { state: 'PUBLISHED', documents: 3, published: 3 });
  expect(await listNames()).toContain(ids[0]);
  const { publishedAt } = await get(id);
  const report = await reportOf(id);
  expect(report.map((line) => [line.id, line.uniqueName, line.state, line.publishedAt])).toEqual(
    ids.map((document, nth) => [document, `happy-${nth + 1}`, 'ACTIVE', publishedAt]),
  );
  const told = (await client.call('listNotifications', {})).body;
  expect(JSON.stringify(told)).toContain(ids[0]);
  const lastDay = addMonths(createWallClock(portal.settings.timeZone)(new Date(publishedAt ?? 0)).day, 120);
  const life = (await publisher.call('getDocumentLife', { params: { id: ids[0] ?? '' } })).body;
  expect([life.document.retentionDate, life.items.map(({ event }) => event)]).toEqual([lastDay, ['PUBLISHED']]);
  const download = await client.call('downloadDocument', { params: { id: ids[0] ?? '' } });
  expect(download.bytes.equals(aPdf({ text: 'happy-1' }))).toBe(true);
});

test('the first page of a batch’s document is drawn when it is opened, and not ahead of time', { timeout: 60_000 }, async () => {
  const id = await open('first pages');
  const [document] = (await sendPart(publisher, id, [{ cif: '7001', uniqueName: 'first-page' }])).body.accepted;
  await commit(id, 1);
  await untilState(portal, id, { state: 'PUBLISHED' });
  // Jobs of first pages are done in their order.
  const { sha256 } = (await portal.publish({ cif: '7001', pdf: aPdf({ text: 'ahead of time' }) })).body;
  await expect.poll(() => listStoredPages(portal, sha256), { timeout: 40_000 }).toHaveLength(1);
  expect(await listStoredPages(portal, document?.sha256)).toEqual([]);
  const page = await client.call('getPageImage', { params: { id: document?.id ?? '', page: '1' }, query: {} });
  expect(page.status).toBe(200);
});

test('one document that is refused does not refuse its part, and each says why', async () => {
  const id = await open('refusals');
  const { body } = await sendPart(publisher, id, [
    { cif: '7001', uniqueName: 'refusals-0' },
    { cif: '7001', uniqueName: 'refusals-1', pdf: aBrokenPdf() },
    { cif: '7999', uniqueName: 'refusals-2' },
    { cif: '7001', uniqueName: 'refusals-3', sha256: '0'.repeat(64) },
    { cif: '7001' },
    { cif: '7001', uniqueName: 'refusals-5', replaces: '00000000-0000-4000-8000-000000000000' },
    { cif: '7001', uniqueName: 'refusals-0', pdf: aPdf({ text: 'other' }) },
    { cif: '7001', uniqueName: 'refusals-0' },
    { cif: '7001', uniqueName: 'refusals-8', metadata: { NO_SUCH_KEY: 'x' } },
  ]);
  expect(body.accepted.map(({ index, repeated }) => [index, repeated])).toEqual([
    [0, false],
    [7, true],
  ]);
  expect(body.accepted[1]?.id).toBe(body.accepted[0]?.id);
  expect(body.refused.map(({ index, code }) => [index, code])).toEqual([
    [1, 'DOCUMENT_UPLOAD_ERROR'],
    [2, 'VALIDATION_ERROR'],
    [3, 'INVALID_SHA256'],
    [4, 'VALIDATION_ERROR'],
    [5, 'VALIDATION_ERROR'],
    [6, 'RESOURCE_DUPLICATE'],
    [8, 'DOCUMENT_METADATA_ERROR'],
  ]);
  expect((await get(id)).documents).toBe(1);
});

test('a file that is too large is refused by itself', async () => {
  const id = await open('large');
  const { body } = await sendPart(publisher, id, [
    { cif: '7001', uniqueName: 'large-1', pdf: Buffer.alloc(1_000_001) },
    { cif: '7001', uniqueName: 'large-2' },
  ]);
  expect(body.refused.map(({ index, code }) => [index, code])).toEqual([[0, 'DOCUMENT_MAX_SIZE_ERROR']]);
  expect(body.accepted.map(({ index }) => index)).toEqual([1]);
});

test('a part that is sent again, also twice at once, is repeated and adds nothing', async () => {
  const id = await open('again');
  const documents = Array.from({ length: 20 }, (_, nth) => ({ cif: '7001', uniqueName: `again-${nth}` }));
  const [one, other] = await Promise.all([sendPart(publisher, id, documents), sendPart(publisher, id, documents)]);
  const third = await sendPart(publisher, id, documents);
  const ids = [one, other, third].map(({ body }) => body.accepted.map((document) => document.id));
  expect(ids[1]).toEqual(ids[0]);
  expect(ids[2]).toEqual(ids[0]);
  expect([one, other].flatMap(({ body }) => body.accepted).filter(({ repeated }) => !repeated)).toHaveLength(20);
  expect(third.body.accepted.every(({ repeated, publishedAt }) => repeated && publishedAt === null)).toBe(true);
  expect((await get(id)).documents).toBe(20);
});

test('what was published before is repeated with its moment, and does not count', async () => {
  const before = (await portal.publish({ cif: '7001', uniqueName: 'before', pdf: aPdf({ text: 'before' }) })).body;
  const id = await open('before');
  const { body } = await sendPart(publisher, id, [{ cif: '7001', uniqueName: 'before' }]);
  expect(body.accepted).toEqual([expect.objectContaining({ id: before.id, publishedAt: before.publishedAt, repeated: true })]);
  expect((await get(id)).documents).toBe(0);
});

test('a name that a batch has is taken for other batches and for single publications', async () => {
  await sendBatch(publisher, 'taken', [{ cif: '7001', uniqueName: 'taken' }]);
  const other = await open('taken by another');
  const { body } = await sendPart(publisher, other, [{ cif: '7001', uniqueName: 'taken' }]);
  const single = await portal.publish({ cif: '7001', uniqueName: 'taken', pdf: aPdf({ text: 'taken' }) });
  expect([body.refused[0]?.code, single.status, single.error?.code]).toEqual(['RESOURCE_DUPLICATE', 409, 'RESOURCE_DUPLICATE']);
});

test('the name of a batch finds it again with the same key, and is taken for another one until the batch is discarded', async () => {
  const first = await publisher.call('openBatch', { body: { name: 'names' } });
  const again = await publisher.call('openBatch', { body: { name: 'names' } });
  expect([first.body.repeated, again.body.repeated, again.body.id]).toEqual([false, true, first.body.id]);
  const other = await portal.withKey(['documents:publish']);
  expect((await other.call('openBatch', { body: { name: 'names' } })).error?.code).toBe('RESOURCE_DUPLICATE');
  await publisher.call('discardBatch', { params: { id: first.body.id } });
  const next = await other.call('openBatch', { body: { name: 'names' } });
  expect([next.body.repeated, next.body.id === first.body.id]).toEqual([false, false]);
});

test('batches are listed newest first, page by page', async () => {
  const ids = [];
  for (const nth of [1, 2, 3]) ids.unshift(await open(`listed-${nth}`));
  const first = (await publisher.call('listBatches', { query: { limit: '2' } })).body;
  expect(first.items.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const next = (await publisher.call('listBatches', { query: { limit: '1', before: first.cursor ?? '' } })).body;
  expect(next.items.map(({ id }) => id)).toEqual(ids.slice(2));
});

test('a list of batches after one that there is not is refused, and so is a parameter that is mistyped', async () => {
  const before = '00000000-0000-4000-8000-000000000000';
  expect((await publisher.call('listBatches', { query: { before } })).error?.code).toBe('RESOURCE_NOT_FOUND');
  const mistyped = await publisher.call('listBatches', { query: { form: before } as never });
  expect([mistyped.status, mistyped.error?.code, mistyped.error?.fields]).toEqual([
    400,
    'VALIDATION_ERROR',
    { form: 'unknown; this call has before, limit' },
  ]);
});

describe('a commit', () => {
  test('for a moment has a job that begins at that moment', async () => {
    const id = await sendBatch(publisher, 'to the second', [{ cif: '7001', uniqueName: 'to-the-second' }]);
    const inMs = 2_000;
    const begun = Date.now();
    await commit(id, 1, portal.clock.now().getTime() + inMs);
    const { rows } = await portal.pool.query<{ run_at: Date }>('select run_at from graphile_worker.jobs where key = $1', [`batch:${id}`]);
    expect(rows[0]?.run_at.getTime()).toBeGreaterThanOrEqual(begun + inMs - 50);
    portal.clock.advance(inMs);
    // No round of every minute is run here.
    await untilState(portal, id, { state: 'PUBLISHED' });
  });

  test('with a wrong count changes nothing, and says the count', async () => {
    const id = await sendBatch(publisher, 'count', [{ cif: '7001', uniqueName: 'count' }]);
    const answer = await commit(id, 2);
    expect([answer.status, answer.error?.fields]).toEqual([400, { documents: 'the batch has 1' }]);
    expect((await get(id)).state).toBe('OPEN');
  });

  test('for a later moment is released at that moment and not before, and can be given up until then', async () => {
    const at = portal.clock.now().getTime() + 3_600_000;
    const id = await sendBatch(publisher, 'later', [{ cif: '7001', uniqueName: 'later' }]);
    const given = await sendBatch(publisher, 'later and given up', [{ cif: '7001', uniqueName: 'later and given up' }]);
    for (const one of [id, given]) expect((await commit(one, 1, at)).body).toMatchObject({ state: 'COMMITTED', publishAt: at });
    expect((await commit(id, 1, at)).status).toBe(200);
    expect((await commit(id, 1)).error?.code).toBe('INVALID_STATUS');
    expect((await sendPart(publisher, id, [{ cif: '7001', uniqueName: 'too late' }])).error?.code).toBe('INVALID_STATUS');
    await portal.runJob('publishing:batches');
    await portal.runJob('finish-batch', { id });
    expect(await get(id)).toMatchObject({ state: 'COMMITTED', published: 0 });
    expect((await publisher.call('discardBatch', { params: { id: given } })).body.state).toBe('DISCARDED');
    portal.clock.advance(3_600_000);
    await portal.runJob('publishing:batches');
    await untilState(portal, id, { state: 'PUBLISHED', published: 1 });
    expect((await get(id)).publishedAt).toBeGreaterThanOrEqual(at);
    await untilState(portal, given, { state: 'DISCARDED', documents: 0, published: 0 });
  });

  test('that is made again gives the same answer, and nothing can be given up after it was released', async () => {
    const id = await sendBatch(publisher, 'twice', [{ cif: '7001', uniqueName: 'twice' }]);
    await commit(id, 1);
    await untilState(portal, id, { state: 'PUBLISHED' });
    expect((await commit(id, 1)).body).toEqual(await get(id));
    expect((await publisher.call('discardBatch', { params: { id } })).error?.code).toBe('INVALID_STATUS');
  });
});

test('discarding removes exactly the documents of the batch with their bytes, and their names are free again', async () => {
  const { db } = portal;
  const objects = async (): Promise<string[]> =>
    (await db.selectFrom('document').select('object_key').execute()).map((row) => row.object_key);
  const before = await objects();
  const id = await sendBatch(publisher, 'discarded', [
    { cif: '7001', uniqueName: 'discarded-1' },
    { cif: '7002', uniqueName: 'discarded-2' },
  ]);
  const own = (await objects()).filter((key) => !before.includes(key));
  expect(own).toHaveLength(2);
  await publisher.call('discardBatch', { params: { id } });
  await untilState(portal, id, { state: 'DISCARDED', documents: 0 });
  expect((await objects()).toSorted()).toEqual(before.toSorted());
  expect(await reportOf(id)).toEqual([]);
  expect((await publisher.call('discardBatch', { params: { id } })).body.state).toBe('DISCARDED');
  expect((await portal.publish({ cif: '7001', uniqueName: 'discarded-1', pdf: aPdf() })).status).toBe(200);
});
