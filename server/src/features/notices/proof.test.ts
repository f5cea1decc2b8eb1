import { randomUUID } from 'node:crypto';
import { type CallInput, type calls, type DeliveryProof, deliveryProof } from '@pergamin/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { changePastTriggers } from '#testing/ledger-damage.ts';
import { isNightly } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let anna: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('83000001', { cif: '83001', email: 'anna@example.com', groups: ['savers'] });
  await portal.addClient('83000002', { cif: '83002' });
  await portal.addClient('83000003', { cif: '83003', cif2: '83002', email: 'third@example.com', groups: ['savers'] });
});
afterAll(() => portal[Symbol.asyncDispose]());

type Query = NonNullable<CallInput<(typeof calls)['exportDeliveries']>['query']>;

const publish = async (more: Partial<Parameters<TestPortal['publish']>[0]> = {}): Promise<string> =>
  (await portal.publish({ cif: '83001', fileName: 'Umowa.pdf', pdf: aPdf({ pages: 2, text: randomUUID() }), ...more })).body.id;

const ask = (query: Query) => portal.publisher.call('exportDeliveries', { query });

const linesOf = (bytes: Buffer): string[] => bytes.toString('utf8').trimEnd().split('\n');

const proofsOf = async (query: Query): Promise<DeliveryProof[]> => {
  const { bytes } = await ask({ ...query, format: 'json' });
  return bytes.length === 0 ? [] : linesOf(bytes).map((line) => deliveryProof.parse(JSON.parse(line)));
};

const tableOf = async (query: Query): Promise<string[]> => {
  const { bytes } = await ask(query);
  return bytes.toString('utf8').trimEnd().split('\r\n');
};

const pairsOf = async (query: Query) => (await proofsOf(query)).map(({ documentId, personalId }) => [documentId, personalId]);

const setPublished = (id: string, at: string) =>
  changePastTriggers(
    portal,
    sql`update document set published_at = ${at}::timestamptz where id = ${id}::uuid`,
    sql`update publication set at = ${at}::timestamptz where document_id = ${id}::uuid`,
  );

const allSent = (): Promise<void> =>
  vi.waitFor(async () => expect((await portal.publisher.call('countNotices', { query: {} })).body.queued).toBe(0), {
    timeout: 15_000,
    interval: 20,
  });

describe('the proof of delivery of one document', () => {
  test('says of each of its clients what happened first, and when', async () => {
    const id = await publish({ uniqueName: 'proven', cif: '83001', cif2: '83002' });
    await allSent();
    const [before] = await proofsOf({ document: id });
    expect(before).toMatchObject({ openedOn: null, pages: [], readOn: null, downloadedOn: null, verifications: [] });
    const times: number[] = [];
    for (const act of [
      () => anna.call('checkDocument', { params: { id }, query: { opening: 'true', width: '1240' } }),
      () => anna.call('markPage', { params: { id, page: '1' } }),
      () => anna.call('markPage', { params: { id, page: '2' } }),
      () => anna.call('markRead', { params: { id } }),
      () => anna.call('downloadDocument', { params: { id } }),
      () => anna.call('checkDocument', { params: { id }, query: {} }),
    ]) {
      portal.clock.advance(60_000);
      times.push(portal.clock.now().getTime());
      await act();
    }
    const [first, second, third, ...more] = await proofsOf({ document: id });
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      documentId: id,
      uniqueName: 'proven',
      fileName: 'Umowa.pdf',
      kind: 'private',
      state: 'ACTIVE',
      pageCount: 2,
      personalId: '83000001',
      notice: { state: 'sent', channel: 'EMAIL', failedOn: null },
      pagesNotShown: [],
    });
    const told = [
      first?.openedOn,
      ...(first?.pages ?? []).map(({ seenOn }) => seenOn),
      first?.readOn,
      first?.downloadedOn,
      first?.verifications[0]?.on,
    ];
    expect(told.map((time, index) => Math.floor(((time ?? 0) - (times[index] ?? 0)) / 60_000))).toEqual(times.map(() => 0));
    expect(first?.verifications.map(({ outcome }) => outcome)).toEqual(['SHA_CIF_OK']);
    expect(first?.notice?.sentOn).toBeGreaterThanOrEqual(first?.publishedOn ?? 0);
    expect(second).toMatchObject({
      personalId: '83000002',
      notice: { state: 'failed', reason: 'NO_ADDRESS', failedOn: expect.any(Number), sentOn: null },
      openedOn: null,
      pages: [],
    });
    expect(third).toMatchObject({ personalId: '83000003', notice: { state: 'sent' }, readOn: null });
  });

  test('has a page that could not be shown, and a page that was reached before times were kept, without a time', async () => {
    const id = await publish();
    await portal.db
      .insertInto('document_mark')
      .values({ personal_id: '83000001', document_id: id, pages: [1] })
      .execute();
    await anna.call('markPage', { params: { id, page: '2' }, query: { shown: 'false' } });
    const [proof] = await proofsOf({ document: id });
    expect(proof?.pages).toEqual([
      { page: 1, seenOn: null },
      { page: 2, seenOn: null },
    ]);
    expect(proof?.pagesNotShown).toEqual([2]);
    expect((await tableOf({ document: id }))[1]).toContain(',2,2,1= 2=,2,');
  });

  test('names of a group who was in it at the moment of publication, and who did something with the document', async () => {
    const id = await publish({ type: 'GROUP', groupId: 'savers', cif: undefined });
    portal.clock.advance(1_000);
    await portal.addClient('83000003', { cif: '83003', cif2: '83002', email: 'third@example.com', groups: [] });
    await portal.addClient('83000004', { cif: '83004', groups: ['savers'] });
    await portal.addClient('83000005', { cif: '83005' });
    await portal.db.insertInto('document_mark').values({ personal_id: '83000005', document_id: id, read_at: new Date() }).execute();
    expect((await proofsOf({ document: id })).map(({ personalId }) => personalId)).toEqual(['83000001', '83000003', '83000005']);
  });

  test('stays after the document was deleted, and is gone with what is forgotten', async () => {
    const id = await publish();
    await readToTheEnd(anna, id);
    const { readOn } = (await proofsOf({ document: id }))[0] ?? {};
    await portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'DELETED', reason: 'a test' } });
    expect(await proofsOf({ document: id })).toMatchObject([{ state: 'DELETED', readOn }]);
    await portal.publisher.call('forgetDocument', { params: { id }, body: { reason: 'a test' } });
    expect(await proofsOf({ document: id })).toEqual([]);
  });

  test('says that a notice bounced, when, and that it had been sent before', async () => {
    const id = await publish();
    await allSent();
    const [sent] = await proofsOf({ document: id });
    portal.clock.advance(60_000);
    await portal.publisher.call('reportBounce', { body: { id: sent?.notice?.id ?? '', reason: 'mailbox\r\nfull' } });
    const [bounced] = await proofsOf({ document: id });
    expect(bounced?.notice).toMatchObject({ state: 'bounced', reason: 'BOUNCED', sentOn: sent?.notice?.sentOn });
    expect(bounced?.notice?.failedOn).toBeGreaterThanOrEqual((sent?.notice?.sentOn ?? 0) + 60_000);
  });

  test('has nothing of what is everybody’s, and the id of no document is not found', async () => {
    const id = await publish({ type: 'PUBLIC', cif: undefined });
    expect(await proofsOf({ document: id })).toEqual([]);
    for (const name of ['exportDeliveries', 'exportUnopened', 'listUnopened'] as const) {
      const unknown = await portal.publisher.call(name, { query: { cif: 'nobody-has-this' } });
      expect([name, unknown.error?.code, Object.keys(unknown.error?.fields ?? {})]).toEqual([name, 'VALIDATION_ERROR', ['cif']]);
      const { status, error } = await portal.publisher.call(name, { query: { document: randomUUID() } });
      expect([name, status, error?.code]).toEqual([name, 404, 'DOCUMENT_NOT_FOUND_ERROR']);
    }
  });
});

describe('the proof of delivery of a range', () => {
  test('has the days of the organisation, from the first midnight to the last', async () => {
    const ids: string[] = [];
    for (const moment of ['2026-02-10T22:59:59.999Z', '2026-02-10T23:00:00Z', '2026-02-11T22:59:59.999Z', '2026-02-11T23:00:00Z']) {
      const id = await publish();
      await setPublished(id, moment);
      ids.push(id);
    }
    const idsOf = async (query: Query) => (await pairsOf(query)).map(([id]) => id);
    expect(await idsOf({ from: '2026-02-11', to: '2026-02-11' })).toEqual(ids.slice(1, 3));
    expect(await idsOf({ to: '2026-02-10' })).toEqual(ids.slice(0, 1));
    expect(await idsOf({ from: '2026-02-12', to: '2026-02-13' })).toEqual(ids.slice(3));
  });

  test.each([
    ['short', '2026-03-29', ['2026-03-28T22:59:59Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', '2026-03-29T22:00:00Z']],
    ['long', '2026-10-25', ['2026-10-24T21:59:59Z', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', '2026-10-25T23:00:00Z']],
  ])(
    'has the %s day on which the clocks are changed whole, and nothing else, and so has the report of unread documents',
    async (_, day, at) => {
      const ids: string[] = [];
      for (const moment of at) {
        const id = await publish();
        await setPublished(id, moment);
        ids.push(id);
      }
      const query = { from: day, to: day };
      const meant = ids.slice(1, 3).map((id) => [id, '83000001']);
      expect(await pairsOf(query)).toEqual(meant);
      const { items } = (await portal.publisher.call('listUnopened', { query })).body;
      expect(items.map(({ documentId, personalId }) => [documentId, personalId])).toEqual(meant);
    },
  );

  test('may be only of statements, or of one customer number', async () => {
    const query = { from: '2019-01-01', to: '2019-01-01' };
    const [paper, shared] = [await publish(), await publish({ cif: '83001', cif2: '83002' })];
    const statement = await publish();
    for (const id of [paper, shared, statement]) await setPublished(id, '2019-01-01T12:00:00Z');
    await portal.pool.query(`update document set kind = 'statement' where id = $1`, [statement]);
    expect((await pairsOf({ ...query, kind: 'statement' })).map(([id]) => id)).toEqual([statement]);
    expect((await pairsOf({ ...query, kind: 'private' })).map(([id]) => id)).not.toContain(statement);
    expect(await pairsOf({ ...query, cif: '83002' })).toEqual([
      [shared, '83000002'],
      [shared, '83000003'],
    ]);
    const { items } = (await portal.publisher.call('listUnopened', { query: { ...query, cif: '83003' } })).body;
    expect(items.map(({ documentId, personalId }) => [documentId, personalId])).toEqual([[shared, '83000003']]);
  });

  test.each([
    ['a day that there is not', { from: '2026-02-30' }],
    ['an end before its beginning', { from: '2026-02-02', to: '2026-02-01' }],
    ['public documents', { kind: 'public' }],
    ['a number that is none', { cif: "' or 1=1 --" }],
    ['an id that is none', { document: '1' }],
    ['another format', { format: 'xlsx' }],
  ])('%s is refused', async (_, query) => {
    for (const name of ['exportDeliveries', 'exportUnopened'] as const) {
      const answer = await portal.publisher.call(name, { query: query as never });
      expect([name, answer.status, answer.error?.code]).toEqual([name, 400, 'VALIDATION_ERROR']);
    }
  });

  test('needs the scope of the other reports', async () => {
    const other = await portal.withKey(['documents:read']);
    expect((await other.call('exportDeliveries', { query: {} })).error?.code).toBe('CALL_NOT_PERMITTED');
    expect((await (await portal.withKey(['notices:read'])).call('exportDeliveries', { query: {} })).status).toBe(200);
  });
});

describe('as a table', () => {
  test('109: the proof has a row for each document and client, and no name in it is a formula', async () => {
    const id = await publish({ fileName: '=cmd|calc.pdf', uniqueName: '@SUM(A1)' });
    await setPublished(id, '2018-07-01T21:30:00Z');
    const answer = await ask({ document: id });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="delivery-\d{4}-\d\d-\d\d\.csv"/);
    const [head, row = '', ...more] = await tableOf({ document: id });
    expect(head).toBe(
      '\ufeffpersonal id,document,unique name,file name,kind,state,sha256,published,notice,reason,channel,sent,failed,reminded,opened,pages,' +
        'pages reached,page times,pages not shown,read,downloaded,verified,closed',
    );
    expect(row.startsWith(`83000001,${id},'@SUM(A1),'=cmd|calc.pdf,private,ACTIVE,`)).toBe(true);
    expect(row).toContain(',2018-07-01T23:30:00+02:00,');
    expect(more).toEqual([]);
  });

  test('has each page with its time, as the organisation’s clocks showed it', async () => {
    const id = await publish();
    const marked = { opened_at: '2026-10-25T00:30:00Z', page_times: JSON.stringify({ 1: Date.parse('2026-10-25T01:30:00Z') }) };
    await portal.db
      .insertInto('document_mark')
      .values({ personal_id: '83000001', document_id: id, pages: [1], ...marked })
      .execute();
    expect((await tableOf({ document: id }))[1]).toContain(',2026-10-25T02:30:00+02:00,2,1,1=2026-10-25T02:30:00+01:00,');
  });
});

test('a report of many documents comes whole and in order, however few rows are read at once', { timeout: 120_000 }, async () => {
  const count = isNightly ? 100_000 : 3_500;
  await portal.addClient('84000001', { cif: '84001' });
  await portal.addClient('84000002', { cif: '84001' });
  const model = await publish({ cif: '84001' });
  await setPublished(model, '2020-01-01T12:00:00Z');
  for (let from = 1; from <= count; from += 5_000)
    await portal.pool.query(
      `with made as (
        insert into document (id, type, kind, cif, file_name, object_key, sha256, size, page_count, page_sizes, published_at, search_text)
        select gen_random_uuid(), type, kind, cif, 'Umowa ' || nth, object_key, sha256, size, page_count, page_sizes,
          published_at + (nth / 100) * interval '1 second', search_text
        from document, generate_series($2::int, $3::int) as nth where id = $1
        returning id, sha256, cif, size, published_at
      )
      insert into publication (document_id, sha256, cif, size, at) select id, sha256, cif, size, published_at from made`,
      [model, from, Math.min(count, from + 4_999)],
    );
  const pairs = await pairsOf({ from: '2020-01-01', to: '2020-01-03' });
  expect(pairs).toHaveLength(2 * (count + 1));
  expect(new Set(pairs.map((pair) => pair.join(' '))).size).toBe(pairs.length);
  const { rows } = await portal.pool.query<{ id: string }>(
    `select id from document where published_at between '2020-01-01' and '2020-01-04' order by published_at, id`,
  );
  expect(pairs).toEqual(
    rows.flatMap(({ id }) => [
      [id, '84000001'],
      [id, '84000002'],
    ]),
  );
});
