import { withdrawal } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendBatch, untilState } from '#testing/batches.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestCaller, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** A batch, or single documents, that should not have been published. */

let portal: TestPortal;
let publisher: TestCaller;
let anna: TestClient;
let jan: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  ({ publisher } = portal);
  anna = await portal.signIn('1001', { cif: '7001', email: 'anna@example.com' });
  jan = await portal.signIn('1002', { cif: '7002', email: 'jan@example.com' });
});
afterAll(() => portal[Symbol.asyncDispose]());

const publishBatch = async (name: string, documents: Parameters<typeof sendBatch>[2]): Promise<string> => {
  const id = await sendBatch(publisher, name, documents);
  await publisher.call('commitBatch', { params: { id }, body: { documents: documents.length } });
  await untilState(portal, id, { state: 'PUBLISHED' });
  return id;
};
const withdraw = (id: string, by: TestCaller = publisher) =>
  by.call('withdrawBatch', { params: { id }, body: { reason: 'zły plik, sprawa 12/26' } });
const sightingsOf = async (id: string) =>
  (await publisher.call('getBatchSightings', { params: { id } })).bytes
    .toString()
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => withdrawal.parse(JSON.parse(line)));
const namesOf = async (client: TestClient): Promise<string[]> =>
  (await client.call('listOwnDocuments', { body: { size: 100 } })).body.items.map(({ id }) => id);
const checkOpening = async (client: TestClient, id: string) =>
  (await client.call('checkDocument', { params: { id }, query: { opening: 'true' } })).body;

describe('a batch that is withdrawn', () => {
  test('leaves the lists of those who have not opened it; the others are told, and the report names them', async () => {
    const id = await publishBatch('withdrawn', [
      { cif: '7001', uniqueName: 'W-1' },
      { cif: '7002', uniqueName: 'W-2' },
      { type: 'PUBLIC', uniqueName: 'W-3' },
    ]);
    const [seen = '', unseen = '', open = ''] = (await sightingsOf(id)).map((document) => document.id);
    expect((await checkOpening(anna, seen)).status).toBe('SHA_CIF_OK');
    await anna.call('markPage', { params: { id: seen, page: '1' } });

    expect((await withdraw(id)).body).toMatchObject({
      state: 'WITHDRAWING',
      withdrawn: { keyName: 'tests', reason: 'zły plik, sprawa 12/26' },
    });
    await untilState(portal, id, { state: 'WITHDRAWN', documents: 3, published: 3 });
    await portal.runJob('ledger:round');

    expect(await namesOf(anna)).toContain(seen);
    expect(await namesOf(jan)).not.toContain(unseen);
    expect((await jan.call('getDocument', { params: { id: unseen } })).status).toBe(404);
    expect((await checkOpening(jan, unseen)).status).toBe('DOCUMENT_NOT_EXIST');
    expect((await anna.call('getDocument', { params: { id: seen } })).body.state).toBe('CANCELLED');
    expect((await portal.anonymous.call('getPublicDocument', { params: { id: open } })).body.state).toBe('CANCELLED');

    const told = (await anna.call('listNotifications', {})).body.items.filter(({ value }) => value === seen);
    expect(told.map(({ type }) => type)).toEqual(['withdrawal']);
    expect((await jan.call('listNotifications', {})).body.items.filter(({ value }) => value === unseen)).toEqual([]);
    const { rows } = await portal.pool.query<{ document_id: string; receiver: string }>(
      "select document_id, receiver from notice where kind = 'withdrawal' and document_id = any($1)",
      [[seen, unseen, open]],
    );
    expect(rows).toEqual([{ document_id: seen, receiver: '1001' }]);

    const report = await sightingsOf(id);
    expect(
      report.map(({ uniqueName, state, withdrawn, seenBy }) => [uniqueName, state, withdrawn, seenBy.map(({ personalId }) => personalId)]),
    ).toEqual([
      ['W-1', 'CANCELLED', false, ['1001']],
      ['W-2', 'CANCELLED', true, []],
      ['W-3', 'CANCELLED', false, []],
    ]);
    expect(report[0]?.seenBy).toMatchObject([{ pages: [1], readOn: null }]);

    // Nobody writes a letter about what is not there.
    const unopened = (await publisher.call('listUnopened', { query: {} })).body.items;
    expect(unopened.map(({ documentId }) => documentId)).not.toContain(unseen);

    const { items } = (await publisher.call('getDocumentLife', { params: { id: unseen } })).body;
    expect(items.map(({ event, after, keyName, reason }) => [event, after, keyName, reason])).toEqual([
      ['PUBLISHED', null, 'tests', null],
      ['STATE_CHANGED', 'CANCELLED', 'tests', 'zły plik, sprawa 12/26'],
      ['WITHDRAWN', null, 'tests', 'zły plik, sprawa 12/26'],
    ]);
    const entered = await portal.pool.query("select from ledger_entry where event = 'STATE_CHANGED' and document_id = any($1)", [
      [seen, unseen, open],
    ]);
    expect(entered.rowCount).toBe(3);

    // Again nothing changes, and what was repeated by mistake does not come back.
    expect((await withdraw(id)).body.state).toBe('WITHDRAWN');
    expect((await portal.publish({ cif: '7002', uniqueName: 'W-2', pdf: aPdf({ text: 'W-2' }) })).body).toMatchObject({
      id: unseen,
      state: 'CANCELLED',
      repeated: true,
    });
    expect(await namesOf(jan)).not.toContain(unseen);
  });

  test('before its moment is removed, and never published', async () => {
    const id = await sendBatch(publisher, 'halfway', [
      { cif: '7001', uniqueName: 'W-half-1' },
      { cif: '7002', uniqueName: 'W-half-2' },
    ]);
    const publishAt = portal.clock.now().getTime() + 60_000;
    await publisher.call('commitBatch', { params: { id }, body: { documents: 2, publishAt } });
    await withdraw(id);
    await untilState(portal, id, { state: 'WITHDRAWN', documents: 0, published: 0 });
    portal.clock.advance(60_000);
    await portal.runJob('publishing:batches');
    await portal.runJob('finish-batch', { id });
    expect(await sightingsOf(id)).toEqual([]);
    // Its names are free.
    expect((await portal.publish({ cif: '7001', uniqueName: 'W-half-1', pdf: aPdf() })).status).toBe(200);
  });

  test('of new versions puts the former ones in force again, and their names can be published anew', async () => {
    const former = (await portal.publish({ cif: '7002', uniqueName: 'W-4', pdf: aPdf({ text: 'right' }) })).body.id;
    const id = await publishBatch('new versions', [{ cif: '7002', uniqueName: 'W-4', replaces: former }]);
    await withdraw(id);
    await untilState(portal, id, { state: 'WITHDRAWN' });
    await portal.runJob('ledger:round');
    expect((await jan.call('getDocument', { params: { id: former } })).body.state).toBe('ACTIVE');
    expect((await jan.call('checkDocument', { params: { id: former }, query: {} })).body).toMatchObject({
      status: 'SHA_CIF_OK',
      differences: [],
    });
    const { items } = (await publisher.call('getDocumentLife', { params: { id: former } })).body;
    expect(items.at(-1)).toMatchObject({ before: 'OBSOLETE', after: 'ACTIVE', reason: 'zły plik, sprawa 12/26' });
    // By name again, once more in a batch.
    const again = await publishBatch('right versions', [
      { cif: '7002', uniqueName: 'W-4', replaces: former, pdf: aPdf({ text: 'really right' }) },
    ]);
    const [{ id: right } = { id: '' }] = await sightingsOf(again);
    expect((await jan.call('getDocument', { params: { id: former } })).body).toMatchObject({ state: 'OBSOLETE', successor: right });
    // Withdrawn once more, the wrong batch changes nothing of it.
    await withdraw(id);
    expect((await jan.call('getDocument', { params: { id: right } })).body.state).toBe('ACTIVE');
    expect((await jan.call('getDocument', { params: { id: former } })).body.state).toBe('OBSOLETE');
  });

  test('has to be committed, and is known', async () => {
    const open = await sendBatch(publisher, 'still open', [{ cif: '7001', uniqueName: 'W-open' }]);
    expect((await withdraw(open)).error?.code).toBe('INVALID_STATUS');
    expect((await withdraw('00000000-0000-4000-8000-000000000000')).error?.code).toBe('RESOURCE_NOT_FOUND');
    const id = await publishBatch('scope', [{ cif: '7001', uniqueName: 'W-scope' }]);
    expect((await withdraw(id, await portal.withKey(['documents:publish']))).error?.code).toBe('CALL_NOT_PERMITTED');
  });
});

test('a batch that is withdrawn while it is being released: what is visible by then is taken back, and nothing else comes', async () => {
  await using busy = await startTestPortal();
  await busy.addClient('1001', { cif: '7001' });
  const id = await sendBatch(busy.publisher, 'half', [{ cif: '7001', uniqueName: 'half' }]);
  // Of 150 customers with four each; no file of theirs is looked at.
  await busy.owner.pool.query(
    `insert into document (id, type, kind, cif, file_name, unique_name, object_key, sha256, size, page_count, page_sizes, search_text,
       batch_id, batch_position)
     select gen_random_uuid(), type, kind, 'S' || (nth % 150), file_name, 'half-' || nth, object_key, sha256, size, page_count, page_sizes,
       search_text, batch_id, 1 + nth
     from document, generate_series(1, 600) as nth where batch_id = $1`,
    [id],
  );
  await busy.owner.pool.query('update batch set documents = 601 where id = $1', [id]);
  await busy.publisher.call('commitBatch', { params: { id }, body: { documents: 601 } });
  const batch = async () => (await busy.publisher.call('getBatch', { params: { id } })).body;
  await expect.poll(async () => (await batch()).published, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
  expect((await withdraw(id, busy.publisher)).status).toBe(200);
  await untilState(busy, id, { state: 'WITHDRAWN' });
  const { documents, published } = await batch();
  const { rows } = await busy.pool.query<{ state: string; gone: boolean; count: number }>(
    'select state, withdrawn_at is not null as gone, count(*)::int as count from document where batch_id = $1 group by 1, 2',
    [id],
  );
  expect(rows).toEqual([{ state: 'CANCELLED', gone: true, count: published }]);
  expect(documents).toBe(published);
  expect((await busy.pool.query('select from delivery')).rowCount).toBe(0);
  await busy.runJob('publishing:batches');
  await busy.runJob('ledger:round');
  expect(await batch()).toMatchObject({ state: 'WITHDRAWN', published });
});

test('what is withdrawn by a key that does not act alone takes another key than those that filled the batch', async () => {
  await using careful = await startTestPortal({ environment: { BATCH_SECOND_KEY: 'required' } });
  await careful.addClient('1001', { cif: '7001' });
  const id = await sendBatch(careful.publisher, 'four eyes', [{ cif: '7001', uniqueName: 'E-1' }]);
  const second = await careful.withKey(['documents:publish', 'documents:status']);
  await second.call('commitBatch', { params: { id }, body: { documents: 1 } });
  await untilState(careful, id, { state: 'PUBLISHED' });
  expect((await withdraw(id, careful.publisher)).error?.code).toBe('CALL_NOT_PERMITTED');
  const [{ id: document } = { id: '' }] = (await careful.pool.query<{ id: string }>('select id from document')).rows;
  const single = { params: { id: document }, body: { reason: 'wrong' } };
  expect((await second.call('withdrawDocument', single)).error?.code).toBe('CALL_NOT_PERMITTED');
  expect((await withdraw(id, second)).status).toBe(200);
  await untilState(careful, id, { state: 'WITHDRAWN' });
});

describe('a single document that is withdrawn', () => {
  const take = (id: string) => publisher.call('withdrawDocument', { params: { id }, body: { reason: 'wrong client' } });

  test('leaves the lists, and the answer names who has seen it', async () => {
    const unseen = (await portal.publish({ cif: '7002', pdf: aPdf({ text: 'single 1' }) })).body.id;
    const seen = (await portal.publish({ cif: '7001', pdf: aPdf({ text: 'single 2' }) })).body.id;
    await checkOpening(anna, seen);
    expect((await take(unseen)).body).toMatchObject({ state: 'CANCELLED', withdrawn: true, changed: true, seenBy: [] });
    expect((await take(unseen)).body).toMatchObject({ withdrawn: true, changed: false });
    expect((await take(seen)).body).toMatchObject({
      state: 'CANCELLED',
      withdrawn: false,
      changed: true,
      seenBy: [{ personalId: '1001' }],
    });
    expect(await namesOf(jan)).not.toContain(unseen);
    expect(await namesOf(anna)).toContain(seen);
  });

  test('is refused when it was deleted or replaced, and is no damage to the audit', async () => {
    const former = (await portal.publish({ cif: '7001', pdf: aPdf({ text: 'former' }) })).body.id;
    await portal.publish({ cif: '7001', pdf: aPdf({ text: 'later' }), replaces: former });
    expect((await take(former)).error?.code).toBe('INVALID_STATUS');
    expect((await take('00000000-0000-4000-8000-000000000000')).error?.code).toBe('DOCUMENT_NOT_FOUND_ERROR');
    await portal.runJob('ledger:round');
    await portal.runJob('ledger:scrub');
    const { rows } = await portal.pool.query<{ corrupted: boolean }>(
      'select corrupted from document where withdrawn_at is not null and corrupted',
    );
    expect(rows).toEqual([]);
  });
});
