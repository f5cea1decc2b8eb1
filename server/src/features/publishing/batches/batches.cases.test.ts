import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CallName, calls } from '@pergamin/contract';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { sendBatch, sendPart, untilState } from '#testing/batches.ts';
import { aPdf } from '#testing/pdfs.ts';
import { formOf, startTestPortal, type TestAnswer, type TestCaller, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let publisher: TestCaller;
let client: TestClient;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { BATCH_SECOND_KEY: 'required' } });
  ({ publisher } = portal);
  client = await portal.signIn('1001', { cif: '7001' });
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => portal[Symbol.asyncDispose]());

const batchCalls: readonly CallName[] = [
  'openBatch',
  'addToBatch',
  'getBatch',
  'listBatches',
  'commitBatch',
  'discardBatch',
  'getBatchReport',
];
const unknown = '00000000-0000-4000-8000-000000000000';
const get = async (id: string) => (await publisher.call('getBatch', { params: { id } })).body;
const revokeNewest = () =>
  portal.owner.pool.query(
    'update publisher_key set revoked_at = now() where id = (select id from publisher_key order by created_at desc limit 1)',
  );

describe('a draft', () => {
  const pdf = aPdf({ text: 'nothing of this is seen' });
  let id: string;
  let sha256: string;
  let publicId: string;

  beforeAll(async () => {
    const { body: batch } = await publisher.call('openBatch', { body: { name: 'drafts' } });
    const { body } = await sendPart(publisher, batch.id, [
      { cif: '7001', uniqueName: 'draft-private', pdf, fileName: 'Niewidoczny.pdf' },
      { type: 'PUBLIC', uniqueName: 'draft-public', pdf, fileName: 'Niewidoczny.pdf' },
    ]);
    [id = '', publicId = ''] = body.accepted.map((document) => document.id);
    sha256 = body.accepted[0]?.sha256 ?? '';
    for (const job of ['document-search:read', 'documents:sweep', 'documents:remove', 'objects:sweep', 'notices:sweep', 'notices:remind'])
      await portal.runJob(job);
  });

  const withId = Object.values(calls)
    .filter(
      ({ path, area }) => path.includes('/:id') && (area === 'protected' || area === 'open' || path.includes('/publisher/documents/')),
    )
    .filter(({ path }) => !path.includes('/sso/'))
    .map(({ name }) => name);

  test.each(withId)('is answered by %s as a document that there is not', async (name) => {
    const call = calls[name];
    const ask = async (asked: string) => {
      const isOfPublisher = call.area === 'publisher';
      const body =
        name === 'changeDocumentState'
          ? { state: 'CANCELLED', reason: 'x' }
          : name === 'holdDocument'
            ? { held: true, reason: 'x' }
            : name === 'retainDocument'
              ? { until: -1, reason: 'x' }
              : { reason: 'x' };
      const answer = await portal.server.inject({
        method: call.method,
        url: call.path.replace(':page', '1').replace(':id', asked),
        headers: {
          host: portal.settings.publicUrl.host,
          ...(isOfPublisher ? { authorization: `Bearer ${portal.publisherKey}` } : { authorization: client.token, cookie: client.cookie }),
          ...(call.method === 'GET' ? {} : { 'content-type': 'application/json' }),
        },
        ...(call.method === 'GET' ? {} : { payload: JSON.stringify('body' in call || isOfPublisher ? body : {}) }),
      });
      return [answer.statusCode, answer.body];
    };
    const asUnknown = await ask(unknown);
    expect(await ask(id)).toEqual(asUnknown);
    expect(await ask(publicId)).toEqual(asUnknown);
  });

  const lists: readonly (readonly [string, () => Promise<{ readonly bytes: Buffer; readonly status: number }>])[] = [
    ['the list of documents', () => client.call('listOwnDocuments', { body: { size: 100 } })],
    ['the list of public documents', () => portal.anonymous.call('listPublicDocuments', { body: { size: 100 } })],
    ['the search', () => client.call('searchOwnDocuments', { body: { text: 'nothing' } })],
    ['the values of a column', () => client.call('listOwnValues', { body: { key: 'FILE_NAME' } })],
    ['notifications', () => client.call('listNotifications', {})],
    ['the report of unopened documents', () => publisher.call('listUnopened', { query: {} })],
    ['the table of unopened documents', () => publisher.call('exportUnopened', { query: {} })],
    [
      'a table of documents',
      () => client.call('exportDocumentsCsv', { body: { language: 'PL', columns: ['FILE_NAME'], query: { size: 100 } } }),
    ],
  ];

  test.each(lists)('is not in %s', async (_, ask) => {
    const { status, bytes } = await ask();
    expect(status).toBeLessThan(300);
    expect(bytes.toString()).not.toContain(id);
    expect(bytes.toString()).not.toContain('Niewidoczny');
  });

  test('cannot be found by its checksum, and cannot be packed or replaced', async () => {
    const found = (await client.call('checkChecksum', { body: { sha256 } })).body;
    expect(found).toEqual((await client.call('checkChecksum', { body: { sha256: 'ab'.repeat(32) } })).body);
    expect((await client.call('downloadDocumentsZip', { body: { ids: [id] } })).status).toBe(404);
    const replacing = await portal.publish({ cif: '7001', uniqueName: 'draft-next', replaces: id, pdf: aPdf() });
    expect([replacing.status, Object.keys(replacing.error?.fields ?? {})]).toEqual([400, ['replaces']]);
    const checked = (
      await publisher.call('checkPublications', {
        body: { items: [{ type: 'PRIVATE', cif: '7001', fileName: 'a.pdf', uniqueName: 'draft-private', sha256 }] },
      })
    ).body;
    expect(checked.published).toEqual([]);
  });

  test('keeps its bytes in every sweep', async () => {
    portal.clock.advance(25 * 3_600_000);
    await portal.runJob('objects:sweep');
    const { rows } = await portal.pool.query<{ key: string }>('select object_key as key from document where id = any($1)', [
      [id, publicId],
    ]);
    for (const { key } of rows) await access(join(portal.settings.dataDir, 'objects', key.slice(0, 2), key.slice(2, 4), key));
    expect(rows).toHaveLength(2);
  });
});

describe('the calls of batches', () => {
  test.each(batchCalls)('%s is closed to a client, to a stranger and to a key without its scope', async (name) => {
    const ask = async (headers: Record<string, string>) => {
      const { method, path } = calls[name];
      const { statusCode } = await portal.server.inject({
        method,
        url: path.replace(':id', unknown),
        headers: { host: portal.settings.publicUrl.host, ...headers },
      });
      return statusCode;
    };
    const other = await portal.issueKey(['documents:read']);
    expect(await ask({ authorization: client.token, cookie: client.cookie })).toBe(401);
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: `Bearer ${other}` })).toBe(403);
  });

  test('answer an unknown batch with 404', async () => {
    const params = { id: unknown };
    const answers = await Promise.all([
      sendPart(publisher, unknown, [{ cif: '7001', uniqueName: 'x' }]),
      publisher.call('getBatch', { params }),
      publisher.call('commitBatch', { params, body: { documents: 1 } }),
      publisher.call('discardBatch', { params }),
      publisher.call('getBatchReport', { params }),
    ]);
    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(answers.map(() => [404, 'RESOURCE_NOT_FOUND']));
  });

  test('refuse the demonstration', async () => {
    const key = await portal.keys.issue({ name: 'demo', scopes: ['documents:publish'], demo: true });
    const answer = await portal.anonymous.call('openBatch', { body: { name: 'demo' } }, { authorization: `Bearer ${key}` });
    expect([answer.status, answer.error?.code]).toEqual([403, 'CALL_NOT_PERMITTED']);
  });
});

describe('a part', () => {
  const description = JSON.stringify({ type: 'PRIVATE', cif: '7001', fileName: 'a.pdf', uniqueName: 'shape', metadata: {} });
  const file = (): Blob => new Blob([Uint8Array.from(aPdf())], { type: 'application/pdf' });
  const shapes: readonly (readonly [string, (form: FormData) => void])[] = [
    ['nothing', () => {}],
    ['a file without a description', (form) => form.append('file', file(), 'a.pdf')],
    ['a description without a file', (form) => form.append('description', description)],
    [
      'two descriptions for one file',
      (form) => {
        form.append('description', description);
        form.append('description', description);
        form.append('file', file(), 'a.pdf');
      },
    ],
    [
      'another field',
      (form) => {
        form.append('description', description);
        form.append('other', file(), 'a.pdf');
      },
    ],
    [
      'more documents than a part may have',
      (form) => {
        for (let nth = 0; nth <= 200; nth += 1) {
          form.append('description', description);
          form.append('file', new Blob(['x']), 'a.pdf');
        }
      },
    ],
  ];

  test.each(shapes)('of %s is refused whole', async (name, fill) => {
    const { body: batch } = await publisher.call('openBatch', { body: { name: `shape of ${name}` } });
    const form = new FormData();
    fill(form);
    const answer = await publisher.call('addToBatch', { params: { id: batch.id }, form });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await get(batch.id)).documents).toBe(0);
  });
});

describe('a key', () => {
  const other = () => portal.withKey(['documents:publish']);

  test('that opened a batch or sent documents into it does not commit it; another one does', async () => {
    const id = await sendBatch(publisher, 'four eyes', [{ cif: '7001', uniqueName: 'four-1' }]);
    const sender = await other();
    await sendPart(sender, id, [{ cif: '7001', uniqueName: 'four-2' }]);
    const commit = (by: TestCaller) => by.call('commitBatch', { params: { id }, body: { documents: 2 } });
    for (const one of [publisher, sender]) {
      const { status, error } = await commit(one);
      expect([status, error?.code, Object.keys(error?.fields ?? {})]).toEqual([403, 'CALL_NOT_PERMITTED', ['key']]);
    }
    expect((await commit(await other())).status).toBe(200);
    await untilState(portal, id, { state: 'PUBLISHED' });
    // What is done already is no second commit.
    expect((await commit(publisher)).status).toBe(200);
  });

  describe('without the scope documents:release', () => {
    const publishOnly = () => portal.withKey(['documents:publish', 'statutes:publish']);
    const form = (description: object): FormData => formOf(description, aPdf({ text: 'alone' }));
    const single = { type: 'PRIVATE', cif: '7001', fileName: 'a.pdf', metadata: {} };
    let replaces: string;
    beforeAll(async () => {
      replaces = (await portal.publish({ cif: '7001', pdf: aPdf({ text: 'to be replaced' }) })).body.id;
      await portal.publishStatute({ version: 'later', effectiveFrom: portal.clock.now().getTime() + 3_600_000, pdf: aPdf() });
    });

    test.each<[string, (by: TestCaller) => Promise<Pick<TestAnswer<'publishDocument'>, 'status' | 'error'>>]>([
      ['a single document', (by) => by.call('publishDocument', { form: form(single) })],
      ['a new version of a document', (by) => by.call('publishDocument', { form: form({ ...single, replaces }) })],
      ['a statute', (by) => by.call('publishStatute', { form: form({ version: 'alone' }) })],
    ])('does not publish %s alone, and with it does', async (_, publish) => {
      const count = async () => (await portal.owner.pool.query('select from document union all select from statute')).rowCount;
      const before = await count();
      const { status, error } = await publish(await publishOnly());
      expect([status, error?.code, Object.keys(error?.fields ?? {})]).toEqual([403, 'CALL_NOT_PERMITTED', ['key']]);
      expect(await count()).toBe(before);
      const releasing = await portal.withKey(['documents:publish', 'statutes:publish', 'documents:release']);
      expect((await publish(releasing)).status).toBe(200);
      expect(await count()).toBe((before ?? 0) + 1);
    });

    test('does not take back a statute, and commits no batch that it filled', async () => {
      const key = await publishOnly();
      const withdrawn = await key.call('withdrawStatute', { body: { version: 'later', reason: 'a mistake' } });
      expect([withdrawn.status, withdrawn.error?.code]).toEqual([403, 'CALL_NOT_PERMITTED']);
      const id = await sendBatch(key, 'alone', [{ cif: '7001', uniqueName: 'alone-1' }]);
      expect((await key.call('commitBatch', { params: { id }, body: { documents: 1 } })).error?.code).toBe('CALL_NOT_PERMITTED');
    });

    test('publishes alone where no second key is required', async () => {
      await using open = await startTestPortal();
      await open.addClient('1001', { cif: '7001' });
      const key = await open.withKey(['documents:publish']);
      expect((await key.call('publishDocument', { form: form(single) })).status).toBe(200);
    });
  });

  test('that was rotated from one that filled the batch is no other key, and finds its batch', async () => {
    const former = await other();
    const id = await sendBatch(former, 'rotated', [{ cif: '7001', uniqueName: 'rotated' }]);
    const next = await other();
    await portal.owner.pool.query(
      `update publisher_key set replaces = (select opened_by from batch where id = $1)
       where id = (select id from publisher_key order by created_at desc limit 1)`,
      [id],
    );
    expect((await next.call('openBatch', { body: { name: 'rotated' } })).body).toMatchObject({ id, repeated: true });
    expect((await next.call('commitBatch', { params: { id }, body: { documents: 1 } })).error?.code).toBe('CALL_NOT_PERMITTED');
  });

  test.each([
    ['revoked', 'update publisher_key set revoked_at = now() where id = $1'],
    ['expired', 'update publisher_key set expires_at = now() where id = $1'],
  ])('continues the batch of one that was %s, by its name; while that works it is told the id', async (how, end) => {
    const name = `left by ${how}`;
    const id = await sendBatch(await other(), name, [{ cif: '7001', uniqueName: `left-${how}-1` }]);
    const heir = await other();
    const refused = await heir.call('openBatch', { body: { name } });
    expect([refused.error?.code, refused.error?.fields?.['name']]).toEqual(['RESOURCE_DUPLICATE', expect.stringContaining(id)]);
    const { opened } = await get(id);
    await portal.owner.pool.query(end, [opened.keyId]);
    expect((await heir.call('openBatch', { body: { name } })).body).toMatchObject({ id, repeated: true, documents: 1 });
    await sendPart(heir, id, [{ cif: '7001', uniqueName: `left-${how}-2` }]);
    expect((await heir.call('commitBatch', { params: { id }, body: { documents: 2 } })).error?.code).toBe('CALL_NOT_PERMITTED');
    expect((await publisher.call('commitBatch', { params: { id }, body: { documents: 2 } })).status).toBe(200);
    await untilState(portal, id, { state: 'PUBLISHED' });
  });

  test('that is revoked sends no further part and commits nothing; what it committed before is released all the same', async () => {
    const id = await sendBatch(publisher, 'revoked', [{ cif: '7001', uniqueName: 'revoked-1' }]);
    const committed = await sendBatch(publisher, 'revoked later', [{ cif: '7001', uniqueName: 'revoked-later' }]);
    const key = await other();
    const publishAt = portal.clock.now().getTime() + 1_000;
    await key.call('commitBatch', { params: { id: committed }, body: { documents: 1, publishAt } });
    await revokeNewest();
    expect((await sendPart(key, id, [{ cif: '7001', uniqueName: 'revoked-2' }])).error?.code).toBe('ACCESS_DENIED');
    expect((await key.call('commitBatch', { params: { id }, body: { documents: 1 } })).error?.code).toBe('ACCESS_DENIED');
    expect(await get(id)).toMatchObject({ state: 'OPEN', documents: 1 });
    portal.clock.advance(1_000);
    await portal.runJob('publishing:batches');
    await untilState(portal, committed, { state: 'PUBLISHED' });
  });

  test('that is revoked while its part is received keeps nothing of the part', async () => {
    const id = await sendBatch(publisher, 'revoked meanwhile', [{ cif: '7001', uniqueName: 'meanwhile-1' }]);
    const key = await other();
    const revoking = await portal.owner.pool.connect();
    try {
      await revoking.query(
        'begin; update publisher_key set revoked_at = now() where id = (select id from publisher_key order by created_at desc limit 1)',
      );
      const sending = sendPart(key, id, [{ cif: '7001', uniqueName: 'meanwhile-2' }]);
      const waiting = async () =>
        (
          await portal.owner.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%publisher_key%'`,
          )
        ).rowCount;
      await expect.poll(waiting, { timeout: 15_000 }).toBe(1);
      await revoking.query('commit');
      expect((await sending).error?.code).toBe('ACCESS_DENIED');
    } finally {
      revoking.release();
    }
    expect((await get(id)).documents).toBe(1);
  });
});

/** The connection breaks at the next statement that fits, after so many that fit before. */
const breakAt = (statement: RegExp, { after = 0 } = {}): void => {
  // oxlint-disable-next-line typescript/unbound-method -- applied to each connection below
  const query = Client.prototype.query as (...values: unknown[]) => unknown;
  let seen = 0;
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...values: unknown[]) {
    const [asked] = values;
    const text = typeof asked === 'string' ? asked : ((asked as { text?: string }).text ?? '');
    if (!statement.test(text)) return Reflect.apply(query, this, values);
    seen += 1;
    if (seen <= after) return Reflect.apply(query, this, values);
    spy.mockRestore();
    return Promise.reject(new Error('Connection terminated unexpectedly'));
  });
};

describe('an outage', () => {
  test('of the database while a part is kept ends in an error, and the part is sent again', async () => {
    const { body: batch } = await publisher.call('openBatch', { body: { name: 'outage' } });
    const documents = [1, 2, 3].map((nth) => ({ cif: '7001', uniqueName: `outage-${nth}` }));
    breakAt(/insert into document/);
    const broken = await sendPart(publisher, batch.id, documents);
    expect([broken.status, broken.error?.code]).toEqual([503, 'STORAGE_ERROR']);
    expect((await get(batch.id)).documents).toBe(0);
    expect((await sendPart(publisher, batch.id, documents)).body.accepted.map(({ repeated }) => repeated)).toEqual([false, false, false]);
    expect((await get(batch.id)).documents).toBe(3);
  });

  test('in the middle of a release leaves whole slices with whole customers, and the next turn goes on', async () => {
    const id = await sendBatch(publisher, 'slices', [{ cif: '7001', uniqueName: 'slices' }]);
    // Six hundred more, of 150 customers with four each, which no slice of 250 ends with; no file of theirs is looked at.
    await portal.owner.pool.query(
      `insert into document (id, type, kind, cif, file_name, unique_name, object_key, sha256, size, page_count, page_sizes, search_text,
         batch_id, batch_position)
       select gen_random_uuid(), type, kind, 'S' || (nth % 150), file_name, 'slices-' || nth, object_key, sha256, size, page_count, page_sizes,
         search_text, batch_id, 1 + nth
       from document, generate_series(1, 600) as nth where batch_id = $1`,
      [id],
    );
    await portal.owner.pool.query('update batch set documents = 601 where id = $1', [id]);
    const publishAt = portal.clock.now().getTime() + 60_000;
    const committed = await (
      await portal.withKey(['documents:publish'])
    ).call('commitBatch', { params: { id }, body: { documents: 601, publishAt } });
    expect(committed.status).toBe(200);
    portal.clock.advance(60_000);
    breakAt(/update document set published_at/, { after: 1 });
    await expect(portal.runJob('finish-batch', { id })).rejects.toThrow('Connection terminated');
    const half = await get(id);
    expect([half.state, half.published > 0, half.published < 601]).toEqual(['COMMITTED', true, true]);
    const { rows } = await portal.pool.query<{ moments: number; released: number; all: number }>(
      `select count(distinct published_at)::int as moments, count(published_at)::int as released, count(*)::int as "all"
       from document where batch_id = $1 group by cif`,
      [id],
    );
    expect(rows.filter(({ released, all }) => released !== 0 && released !== all)).toEqual([]);
    expect((await publisher.call('discardBatch', { params: { id } })).error?.code).toBe('INVALID_STATUS');
    await portal.runJob('finish-batch', { id });
    expect(await get(id)).toMatchObject({ state: 'PUBLISHED', published: 601 });
    const { rowCount } = await portal.pool.query(
      'select from publication p join document d on d.id = p.document_id where d.batch_id = $1',
      [id],
    );
    expect(rowCount).toBe(601);
  });

  test('of the disk while documents are stored ends in an error, and the part is sent again', async () => {
    const { body: batch } = await publisher.call('openBatch', { body: { name: 'disk' } });
    const folder = `${portal.settings.dataDir}/uploads`;
    await mkdir(folder, { recursive: true });
    await rename(folder, `${folder}-aside`);
    await writeFile(folder, 'in the way');
    const documents = [{ cif: '7001', uniqueName: 'disk' }];
    const broken = await sendPart(publisher, batch.id, documents);
    await rm(folder);
    await rename(`${folder}-aside`, folder);
    expect([broken.status, broken.error?.code]).toEqual([503, 'STORAGE_ERROR']);
    expect((await sendPart(publisher, batch.id, documents)).body.accepted).toHaveLength(1);
  });
});
