import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, testCategories, upload } from '#testing/sending.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import { startWebhookPeer, type WebhookPeer, webhookSecret } from '#testing/webhook-peer.ts';

let peer: WebhookPeer;
let portal: TestPortal;
let client: TestClient;

beforeAll(async () => {
  peer = await startWebhookPeer();
  portal = await startTestPortal({ environment: peer.environment });
  await keepCategories(portal.publisher);
  client = await portal.signIn('1001', { cif: '7001' });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
});

const list = async (query: { since?: string; limit?: string; pending?: 'true' } = {}) =>
  (await portal.publisher.call('listReceived', { query })).body;

describe('the organisation', () => {
  test('reads on from where it was, oldest first, and misses nothing', async () => {
    const start = await list();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push((await upload(client, { pdf: aPdf({ text: name }), filename: `${name}.pdf` })).body.id);
    const first = await list({ since: String(start.cursor), limit: '2' });
    expect([first.items.map(({ id }) => id), first.more]).toEqual([ids.slice(0, 2), true]);
    const second = await list({ since: String(first.cursor), limit: '2' });
    expect([second.items.map(({ id }) => id), second.more]).toEqual([ids.slice(2), false]);
    const third = await list({ since: String(second.cursor) });
    expect(third).toEqual({ items: [], cursor: second.cursor, more: false });
  });

  test('misses nothing of what many send at once', async () => {
    const { cursor: start } = await list();
    const seen: string[] = [];
    const sending = { isOver: false };
    const readOn = async (cursor: string): Promise<void> => {
      const wasOver = sending.isOver;
      const { items, cursor: next } = await list({ since: cursor, limit: '3' });
      seen.push(...items.map(({ id }) => id));
      if (!wasOver || items.length > 0) await readOn(String(next));
    };
    const reading = readOn(String(start));
    const sent = await Promise.all(Array.from({ length: 20 }, (_, index) => upload(client, { pdf: aPdf({ text: `many ${index}` }) })));
    sending.isOver = true;
    await reading;
    expect(seen.toSorted()).toEqual(sent.map(({ body }) => body.id).toSorted());
  });

  test('is told whose it is, what it is, and what was found in it', async () => {
    const pdf = aPdf({ text: 'whose' });
    const sent = (await upload(client, { pdf, filename: 'Czyje.pdf' })).body;
    const { items } = await list({ pending: 'true' });
    expect(items.at(-1)).toEqual({
      id: sent.id,
      personalId: '1001',
      cif: '7001',
      filename: 'Czyje.pdf',
      category: sent.category,
      type: sent.type,
      createdOn: sent.createdOn,
      retentionDate: sent.retentionDate,
      size: pdf.length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      pageCount: 1,
      flags: [],
      scan: { result: 'NONE', at: null, engine: null },
      acknowledgedOn: null,
    });
    const download = await portal.publisher.call('downloadReceived', { params: { id: sent.id } });
    expect(download.bytes.equals(pdf)).toBe(true);
    expect(download.headers['etag']).toBe(`"${items.at(-1)?.sha256}"`);
  });

  test('acknowledges once, which its sender is told with the time', async () => {
    const { id } = (await upload(client, { pdf: aPdf({ text: 'acknowledged' }) })).body;
    const first = await portal.publisher.call('acknowledgeReceived', { params: { id } });
    portal.clock.advance(1_000);
    const again = await portal.publisher.call('acknowledgeReceived', { params: { id } });
    expect(again.body).toEqual(first.body);
    const { status, receivedOn } = (await client.call('getSentDocument', { params: { id } })).body;
    expect([status, receivedOn]).toEqual(['RECEIVED', first.body.acknowledgedOn]);
    expect((await list({ pending: 'true' })).items.map((item) => item.id)).not.toContain(id);
    expect((await list({ limit: '500' })).items.map((item) => item.id)).toContain(id);
  });

  test('finds nothing under an id that is none, or is a published document’s', async () => {
    const { id } = (await portal.publish({ cif: '7001', pdf: aPdf() })).body;
    for (const other of [id, '0f8fad5b-d9cb-469f-a165-70867728950e']) {
      const answers = [
        await portal.publisher.call('downloadReceived', { params: { id: other } }),
        await portal.publisher.call('acknowledgeReceived', { params: { id: other } }),
      ];
      expect(answers.map(({ error }) => error?.code)).toEqual(['DOCUMENT_NOT_FOUND_ERROR', 'DOCUMENT_NOT_FOUND_ERROR']);
    }
  });

  test.each([{ since: '-1' }, { since: '1e3' }, { since: 'x' }, { limit: '0' }, { limit: '501' }, { pending: 'yes' }])(
    'a call of the organisation with %j is refused',
    async (query) => {
      expect((await portal.publisher.call('listReceived', { query: query as never })).error?.code).toBe('VALIDATION_ERROR');
    },
  );
});

describe('the system of the organisation', () => {
  const attemptsOf = (id: string) =>
    portal.db.selectFrom('webhook_delivery').selectAll().where('document_id', '=', id).executeTakeFirstOrThrow();
  const eventOf = (id: string) => peer.posted.filter(({ event }) => 'document' in event && event.document.id === id);

  test('is told of each document, in words that only the portal can have written', async () => {
    const { id } = (await upload(client, { pdf: aPdf({ text: 'hook' }) })).body;
    await expect.poll(async () => (await attemptsOf(id)).state, { timeout: 15_000 }).toBe('delivered');
    const [event, ...more] = eventOf(id);
    expect(more).toEqual([]);
    const {
      created_at: createdAt,
      sha256,
      size,
    } = await portal.db.selectFrom('sent_document').select(['created_at', 'sha256', 'size']).where('id', '=', id).executeTakeFirstOrThrow();
    const document = { id, sha256, size, categoryId: 'COMPLAINTS', typeId: 'COMPLAINT' };
    const said = { id: (await attemptsOf(id)).id, type: 'document.received', createdOn: createdAt.getTime(), document };
    // To the letter: it is a promise to those who use it.
    expect(event?.body).toBe(JSON.stringify(said));
    expect(event?.body).not.toMatch(/1001|7001|Nowak|Reklamacja/);
    const [, seconds = '', signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(event?.headers['pergamin-signature'])) ?? [];
    expect(signature).toBe(createHmac('sha256', webhookSecret).update(`${seconds}.${event?.body}`).digest('hex'));
    expect(Math.abs(Number(seconds) - portal.clock.now().getTime() / 1_000)).toBeLessThan(60);
    expect(event?.headers['pergamin-event']).toBe((await attemptsOf(id)).id);
  });

  test('a webhook that fails or redirects is retried, and each attempt is counted', async () => {
    const statuses = [500, 307];
    peer.answerWith((response) => void response.writeHead(statuses.shift() ?? 204, { location: 'http://127.0.0.1:1/' }).end());
    const { id } = (await upload(client, { pdf: aPdf({ text: 'retry' }) })).body;
    await expect
      .poll(
        async () => {
          await portal.pool.query('update webhook_delivery set due_at = created_at');
          await portal.pool.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null');
          return (await attemptsOf(id)).state;
        },
        { timeout: 30_000, interval: 200 },
      )
      .toBe('delivered');
    expect(await attemptsOf(id)).toMatchObject({ attempts: 3, last_status: 204, last_error: null });
    expect(eventOf(id)).toHaveLength(3);
  });
});

describe('categories', () => {
  const name = (word: string) => ({ pl: word, en: word });
  const upsert = (items: Parameters<typeof keepCategories>[1] = []) => portal.publisher.call('upsertCategories', { body: { items } });

  test('categories that are sent again change nothing', async () => {
    expect((await upsert(testCategories)).body).toEqual({ created: [], changed: [], unchanged: 2 });
  });

  test('come to clients with their types in order, without those that were deleted', async () => {
    const types = [
      { id: 'BY_POST', name: name('Poczta') },
      { id: 'BY_HAND', name: name('Osobiście') },
    ];
    await upsert([
      { id: 'OTHER', name: name('Inne'), types },
      { id: 'GONE', name: name('Dawne'), deleted: true, types: [] },
    ]);
    const offered = (await client.call('listCategories', {})).body;
    expect(offered.map(({ id }) => id)).toEqual(['COMPLAINTS', 'LOANS', 'OTHER']);
    expect(offered.at(-1)).toEqual({
      id: 'OTHER',
      name: name('Inne'),
      deleted: false,
      createdOn: expect.any(Number),
      types: types.map((type) => ({ ...type, deleted: false })),
    });
    expect((await upsert([{ id: 'OTHER', name: name('Inne'), types: types.slice(0, 1) }])).body).toEqual({
      created: [],
      changed: [{ id: 'OTHER', fields: [], types: { added: [], changed: [], removed: ['BY_HAND'] } }],
      unchanged: 0,
    });
    const after = (await client.call('listCategories', {})).body.at(-1);
    expect(after?.types.map(({ id }) => id)).toEqual(['BY_POST']);
  });

  test('are compared by what is new, otherwise named, in another order, taken up again or gone', async () => {
    const types = ['ONE', 'TWO', 'THREE'].map((id) => ({ id: `COMPARED_${id}`, name: name(id) }));
    const item = { id: 'COMPARED', name: name('Porównane'), types };
    expect((await upsert([item])).body.created).toEqual([{ id: 'COMPARED', types: types.map(({ id }) => id) }]);
    const [one, two, three] = types;
    if (one === undefined || two === undefined || three === undefined) throw new Error('three types');
    const added = { id: 'COMPARED_FOUR', name: name('FOUR') };
    const next = { ...item, retentionDays: 30, types: [three, { ...one, name: name('First') }, added] };
    expect((await upsert([next])).body.changed).toEqual([
      {
        id: 'COMPARED',
        fields: ['retentionDays', 'order'],
        types: { added: ['COMPARED_FOUR'], changed: ['COMPARED_ONE'], removed: ['COMPARED_TWO'] },
      },
    ]);
    expect((await upsert([{ ...next, types: [...next.types, two] }])).body.changed).toEqual([
      { id: 'COMPARED', fields: [], types: { added: [], changed: ['COMPARED_TWO'], removed: [] } },
    ]);
    expect((await upsert([{ ...next, name: name('Inne'), deleted: true, types: [...next.types, two] }])).body.changed).toEqual([
      { id: 'COMPARED', fields: ['name', 'deleted'], types: { added: [], changed: [], removed: [] } },
    ]);
  });

  test('are not deleted between their check and the insertion of the document that is sent under them', async () => {
    const item = { id: 'SHORT', name: name('Krótkie'), types: [{ id: 'SHORT_ONE', name: name('Krótki') }] };
    await upsert([item]);
    const waiting = async (what: string): Promise<number | null> =>
      (
        await portal.pool.query(`select from pg_locks join pg_database d on d.oid = database
        where datname = current_database() and not granted and ${what}`)
      ).rowCount;
    const halting = await portal.pool.connect();
    try {
      await halting.query('begin');
      await halting.query('lock table sent_document in share mode');
      const sending = upload(client, { pdf: aPdf({ text: 'short' }), categoryId: 'SHORT', typeId: 'SHORT_ONE' });
      await expect.poll(() => waiting(`relation = 'sent_document'::regclass`), { timeout: 15_000 }).toBe(1);
      const deleting = upsert([{ ...item, deleted: true }]);
      await expect.poll(() => waiting(`locktype = 'advisory'`), { timeout: 15_000 }).toBe(1);
      await halting.query('rollback');
      expect((await sending).status).toBe(201);
      await deleting;
    } finally {
      await halting.query('rollback');
      halting.release();
    }
    const answer = await upload(client, { pdf: aPdf({ text: 'short' }), categoryId: 'SHORT', typeId: 'SHORT_ONE' });
    expect(answer.error?.code).toBe('VALIDATION_ERROR');
  });

  test('categories that were deleted stay with the clients who have sent something under them, and cannot be chosen', async () => {
    const item = { id: 'OLD', name: name('Stare'), retentionDays: null, types: [{ id: 'OLD_ONE', name: name('Stary') }] };
    await upsert([item]);
    const description = { pdf: aPdf({ text: 'old' }), categoryId: 'OLD', typeId: 'OLD_ONE' };
    const sent = (await upload(client, description)).body;
    expect(sent.retentionDate).toBe(-1);
    await upsert([{ ...item, deleted: true }]);
    const stranger = await portal.signIn('1002', { cif: '7002' });
    const known = async (who: TestClient) => (await who.call('listCategories', {})).body.find(({ id }) => id === 'OLD');
    expect(await known(stranger)).toBeUndefined();
    expect(await known(client)).toMatchObject({ deleted: true, types: [{ id: 'OLD_ONE', deleted: true }] });
    expect((await upload(client, description)).error?.fields).toEqual({ typeId: expect.stringContaining('not a type') });
    expect((await client.call('getSentDocument', { params: { id: sent.id } })).body.category.name).toEqual(name('Stare'));
  });

  test.each([
    ['an id that is given twice', [testCategories[0]!, testCategories[0]!], 'items.1.id'],
    [
      'a type that is given twice',
      [{ id: 'X', name: name('X'), types: [0, 1].map(() => ({ id: 'Y', name: name('Y') })) }],
      'items.0.types.1.id',
    ],
    ['a type of another category', [{ id: 'X', name: name('X'), types: [{ id: 'INCOME', name: name('Y') }] }], 'items.0.types.0.id'],
  ])('categories with %s are refused, and nothing changes', async (_, items, field) => {
    const before = (await client.call('listCategories', {})).body;
    const answer = await upsert(items);
    expect([answer.status, Object.keys(answer.error?.fields ?? {})]).toEqual([400, [field]]);
    expect((await client.call('listCategories', {})).body).toEqual(before);
  });
});
