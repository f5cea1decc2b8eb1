import { randomUUID } from 'node:crypto';
import type { CheckedPart, EntryState } from '@pergamin/contract';
import { parseStatement } from '@pergamin/ledger';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reportKeptDocuments } from '#features/documents/documents.door.ts';
import { auditLedgerOf } from '#features/ledger/ledger.door.ts';
import { silentLog } from '#platform/log/log.ts';
import { openStore } from '#platform/objects/open-store.ts';
import { changePastTriggers } from '#testing/ledger-damage.ts';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { withoutLimits } from '#testing/without-limits.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** What the operator of the database can change of a published document, past all triggers, and who notices (docs/durable-medium.md). */

let portal: TestPortal;
let anna: TestClient;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { SCRUB_DAYS: '1', NOTICES: 'never', RETENTION_YEARS: 'private=5' } });
  anna = await portal.signIn('6101', { cif: '8101' });
  await portal.addClient('6102', { cif: '8102' });
});

afterAll(() => portal[Symbol.asyncDispose]());

// Checks that were counted do not count any more.
beforeEach(() => portal.clock.advance(60_001));

const publish = async (description: Partial<Parameters<TestPortal['publish']>[0]> = {}): Promise<string> =>
  (await portal.publish({ cif: '8101', cif2: '8102', fileName: 'Umowa.pdf', pdf: aPdf({ text: randomUUID() }), ...description })).body.id;

const check = async (id: string, client: TestClient = anna) => {
  const answer = await client.call('checkDocument', { params: { id } });
  return answer.error === undefined ? answer.body : { status: answer.error.code, differences: [] };
};

const open = async (id: string, client: TestClient = anna) =>
  (await client.call('checkDocument', { params: { id }, query: { opening: 'true', width: '1240' } })).body;

const audit = async () => {
  const { objects } = await openStore(portal.settings);
  return auditLedgerOf({ db: portal.db, settings: portal.settings, log: silentLog(), objects });
};

const wrongDocuments = async () => (await reportKeptDocuments(portal.db, { now: portal.clock.now(), days: 1 })).wrong;

type Change = (id: string) => readonly ReturnType<typeof sql>[];

const uuid = (id: string) => sql`${id}::uuid`;
const ofDocument =
  (set: ReturnType<typeof sql>): Change =>
  (id) => [sql`update document set ${set} where id = ${uuid(id)}`];
const earlier = sql`interval '400 days'`;

/** Who checks, opens and scrubs finds these, and the audit tells what the last scrub found. */
const changes: readonly [name: string, change: Change, differences: readonly CheckedPart[]][] = [
  ['back-dated in the row', ofDocument(sql`published_at = published_at - ${earlier}`), ['TIME']],
  [
    'back-dated in row, register and deliveries alike',
    (id) => [
      sql`update document set published_at = published_at - ${earlier} where id = ${uuid(id)}`,
      sql`update publication set at = at - ${earlier} where document_id = ${uuid(id)}`,
      sql`update delivery set published_at = published_at - ${earlier} where document_id = ${uuid(id)}`,
    ],
    ['TIME'],
  ],
  ['back-dated in the register', (id) => [sql`update publication set at = at - ${earlier} where document_id = ${uuid(id)}`], ['TIME']],
  [
    'back-dated in the deliveries',
    (id) => [sql`update delivery set published_at = published_at - ${earlier} where document_id = ${uuid(id)}`],
    ['TIME'],
  ],
  [
    'dated a year later everywhere',
    (id) => [
      sql`update document set published_at = published_at + interval '1 year' where id = ${uuid(id)}`,
      sql`update publication set at = at + interval '1 year' where document_id = ${uuid(id)}`,
      sql`update delivery set published_at = published_at + interval '1 year' where document_id = ${uuid(id)}`,
    ],
    ['TIME'],
  ],
  [
    'dated a year later everywhere, and its checkpoint with it, before something else was published',
    (id) => [
      sql`update document set published_at = published_at + interval '1 year' where id = ${uuid(id)}`,
      sql`update publication set at = at + interval '1 year' where document_id = ${uuid(id)}`,
      sql`update delivery set published_at = published_at + interval '1 year' where document_id = ${uuid(id)}`,
      sql`update ledger_checkpoint set at = at + interval '1 year' where size > (select max(index) from ledger_entry where document_id = ${uuid(id)})`,
    ],
    ['TIME'],
  ],
  [
    'put on another day of its list',
    (id) => [sql`update delivery set listed_on = listed_on - 400 where document_id = ${uuid(id)}`],
    ['TIME'],
  ],
  ['renamed', ofDocument(sql`file_name = 'Aneks.pdf'`), ['METADATA']],
  ['given another case number', ofDocument(sql`case_number = '77/2020'`), ['METADATA']],
  ['given another version', ofDocument(sql`version = 2`), ['METADATA']],
  ['given another value of a key of the organisation', ofDocument(sql`meta = meta || '{"BAR_NUMBER": "1"}'`), ['METADATA']],
  ['given another size', ofDocument(sql`size = size + 1`), ['SIZE']],
  ['cancelled in the row alone', ofDocument(sql`state = 'CANCELLED'`), ['STATE']],
  ['kept until 2020', ofDocument(sql`retention_date = '2020-01-01'`), ['RETENTION']],
  ['kept for no time', ofDocument(sql`retention_date = null`), ['RETENTION']],
  [
    'kept until 2020 in row and register alike',
    (id) => [
      sql`update document set retention_date = '2020-01-01' where id = ${uuid(id)}`,
      sql`update publication set retention_date = '2020-01-01' where document_id = ${uuid(id)}`,
    ],
    // Name, values and retention are one hash.
    ['METADATA'],
  ],
  [
    'delivered to a stranger, too',
    (id) => [
      sql`insert into delivery (principal, document_id, kind, published_at, listed_on)
        select 'cif:8109', document_id, kind, published_at, listed_on from delivery where document_id = ${uuid(id)} limit 1`,
    ],
    ['RECIPIENTS'],
  ],
  [
    'taken away from its second owner',
    (id) => [sql`delete from delivery where document_id = ${uuid(id)} and principal = 'cif:8102'`],
    ['RECIPIENTS'],
  ],
  ['moved to another list', (id) => [sql`update delivery set kind = 'statement' where document_id = ${uuid(id)}`], ['RECIPIENTS']],
];

describe('a document that was changed in the database alone', () => {
  test.each(changes)('%s: its check says so, it is not opened, and the scrub finds it', async (_name, change, differences) => {
    const id = await publish();
    await publish();
    expect(await check(id)).toMatchObject({ status: 'SHA_CIF_OK', entry: 'PROVED', differences: [], notCompared: [] });
    await changePastTriggers(portal, ...change(id));
    const shown = { status: 'SHA_CIF_NOK', differences };
    expect(await check(id)).toMatchObject(shown);
    expect(await open(id)).toMatchObject(shown);
    expect((await open(id)).opened).toBeUndefined();
    await sql`update document_check set differences = null`.execute(portal.db);
    await portal.runJob('ledger:scrub');
    expect(await wrongDocuments()).toContain(id);
  });

  test('given another type: its check, its opening and the scrub say so', async () => {
    const id = await publish({ type: 'GROUP', cif: undefined, cif2: undefined, groupId: 'club' });
    await changePastTriggers(
      portal,
      sql`update document set type = 'PRIVATE', cif = '8101', group_id = null where id = ${uuid(id)}`,
      sql`update publication set cif = '8101', group_id = null where document_id = ${uuid(id)}`,
      sql`update delivery set principal = 'cif:8101' where document_id = ${uuid(id)}`,
    );
    expect(await check(id)).toMatchObject({ status: 'CIF_NOT_EQUAL', differences: ['TYPE'] });
    await portal.runJob('ledger:scrub');
    expect(await wrongDocuments()).toContain(id);
  });

  test('delivered to a stranger: the stranger’s check says that it is not theirs', async () => {
    const id = await publish();
    await changePastTriggers(
      portal,
      sql`insert into delivery (principal, document_id, kind, published_at, listed_on)
        select 'cif:8109', document_id, kind, published_at, listed_on from delivery where document_id = ${uuid(id)} limit 1`,
    );
    const stranger = await portal.signIn('6109', { cif: '8109' });
    expect(await check(id, stranger)).toMatchObject({ status: 'CIF_NOT_EQUAL', differences: ['RECIPIENTS'] });
  });

  test('withdrawn in the row alone: it is hidden from its owner, and the scrub finds it', async () => {
    const id = await publish();
    await changePastTriggers(portal, sql`update document set withdrawn_at = now() where id = ${uuid(id)}`);
    expect((await check(id)).status).toBe('DOCUMENT_NOT_EXIST');
    await portal.runJob('ledger:scrub');
    expect(await wrongDocuments()).toContain(id);
  });

  test('the date that the portal shows is the register’s, whatever the row says', async () => {
    const id = await publish();
    const shown = async () => {
      const details = (await anna.call('getDocument', { params: { id } })).body;
      const { items } = (await anna.call('listOwnDocuments', { body: {} })).body;
      const row = items.find((item) => item.id === id);
      const life = (await portal.publisher.call('getDocumentLife', { params: { id } })).body;
      const history = (await anna.call('getDocumentHistory', { params: { id } })).body.items[0]?.at;
      return [
        details.metadata['PUBLICATION_DATE'],
        row?.metadata['PUBLICATION_DATE'],
        life.document.publishedAt,
        life.items[0]?.at,
        history,
      ];
    };
    const before = await shown();
    await changePastTriggers(portal, sql`update document set published_at = published_at - ${earlier} where id = ${uuid(id)}`);
    expect(await shown()).toEqual(before);
    expect(new Set(before).size).toBe(1);
  });

  test('a longer retention that the organisation asked for is right, and taking it back is noticed', async () => {
    const id = await publish();
    await portal.publisher.call('retainDocument', { params: { id }, body: { until: '2099-12-31', reason: 'A dispute' } });
    await portal.runJob('ledger:round');
    expect(await check(id)).toMatchObject({ status: 'SHA_CIF_OK', differences: [], notCompared: [] });
    await changePastTriggers(portal, sql`update document set retention_date = '2031-01-01' where id = ${uuid(id)}`);
    expect(await check(id)).toMatchObject({ status: 'SHA_CIF_NOK', differences: ['RETENTION'] });
  });

  test('a cancellation is right as soon as it happened, and before the ledger covers it nothing is said of the state', async () => {
    const id = await publish();
    await portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'CANCELLED', reason: 'A wrong amount' } });
    await portal.runJob('ledger:round');
    expect(await check(id)).toMatchObject({ status: 'SHA_CIF_OK', notCompared: [] });
    await changePastTriggers(portal, sql`update document set state = 'ACTIVE' where id = ${uuid(id)}`);
    expect(await check(id)).toMatchObject({ status: 'SHA_CIF_NOK', differences: ['STATE'] });
  });
});

describe('a document whose publication is not in the ledger', () => {
  const never: Change = (id) => [
    sql`update ledger_entry set document_id = null, event = null, statement = null where document_id = ${uuid(id)}`,
  ];
  const detached: Change = (id) => [sql`update ledger_entry set document_id = null where document_id = ${uuid(id)}`];
  const ofAnother: Change = (id) => [
    sql`update ledger_entry set document_id = null where document_id = ${uuid(id)}`,
    sql`update ledger_entry set document_id = ${uuid(id)} where index = 0`,
  ];
  const renamedEvent: Change = (id) => [sql`update ledger_entry set event = 'NOTIFIED' where document_id = ${uuid(id)}`];

  test.each([
    ['was never entered', 'among the documents without an entry', never],
    ['has its entry detached', 'among the documents without an entry', detached],
    ['has the entry of another document', 'by the entry, whose row names another document than its statement', ofAnother],
    ['has its entry called a notice', 'among the documents without an entry', renamedEvent],
  ] as const)('%s: its check answers NOT_FOUND_BC, it opens and the answer says so, the audit finds it %s', async (_name, how, change) => {
    const id = await publish();
    await changePastTriggers(portal, ...change(id));
    expect(await check(id)).toMatchObject({ status: 'NOT_FOUND_BC' });
    const entry: EntryState = 'MISSING';
    expect(await open(id)).toMatchObject({ status: 'SHA_CIF_OK', entry, ledger: null, opened: { document: { id } } });
    expect((await anna.call('getReceipt', { params: { id } })).error?.code).toBe('NOT_FOUND_BC');
    const { missing, problem } = await audit();
    expect(how.startsWith('among') ? missing.ids.includes(id) : problem).toBeTruthy();
    await portal.runJob('ledger:scrub');
    expect(await portal.metrics.registry.metrics()).toContain(`pergamin_scrub_documents{what="missing"} ${missing.count}`);
  });

  test('the bytes, too, are others: that is said, and not hidden behind the missing entry', async () => {
    const id = await publish();
    await changePastTriggers(portal, ...never(id), sql`update document set sha256 = ${'0'.repeat(64)} where id = ${uuid(id)}`);
    expect(await check(id)).toMatchObject({ status: 'SHA_NOT_EQUAL', entry: 'MISSING' });
  });

  test('it was published before and waits for its entry: it is checked, and nothing is said that was not compared', async () => {
    const id = await publish();
    await changePastTriggers(
      portal,
      ...never(id),
      sql`insert into ledger_pending (document_id, event, sha256, size, owner, type, state, metadata)
        select id, 'PUBLISHED', sha256, size, ledger_owner(document), type, state, ledger_metadata(document) from document where id = ${uuid(id)}`,
    );
    const told = {
      status: 'SHA_CIF_OK',
      entry: 'WAITING',
      ledger: null,
      differences: [],
      notCompared: ['TIME', 'METADATA', 'TYPE', 'SIZE', 'STATE', 'RETENTION'],
    };
    expect(await check(id)).toMatchObject(told);
    expect((await audit()).missing.ids).not.toContain(id);
  });

  test('a public document, as everybody checks it', async () => {
    const id = await publish({ type: 'PUBLIC', cif: undefined, cif2: undefined });
    expect((await portal.anonymous.call('checkPublicDocument', { params: { id } })).body).toMatchObject({
      status: 'SHA_CIF_OK',
      entry: 'PROVED',
    });
    await changePastTriggers(portal, sql`update ledger_entry set document_id = null where document_id = ${uuid(id)}`);
    expect((await portal.anonymous.call('checkPublicDocument', { params: { id } })).error?.code).toBe('NOT_FOUND_BC');
    expect((await audit()).missing.ids).toContain(id);
  });
});

describe('what an entry of the ledger is about, and is gone', () => {
  const lostOf = async (id: string) => (await audit()).lost.entries.filter(({ documentId }) => documentId === id).map(({ what }) => what);

  const removeObject = async (table: 'document' | 'sent_document', id: string): Promise<void> => {
    const { object_key: key } = await portal.db.selectFrom(table).select('object_key').where('id', '=', id).executeTakeFirstOrThrow();
    const { objects } = await openStore(portal.settings);
    await objects.discard(key);
  };

  test.each([
    [
      'DOCUMENT',
      (id: string) =>
        ['document', 'delivery', 'publication'].map(
          (table) => sql`delete from ${sql.table(table)} where ${sql.ref(table === 'document' ? 'id' : 'document_id')} = ${uuid(id)}`,
        ),
    ],
    ['PUBLICATION', (id: string) => [sql`delete from publication where document_id = ${uuid(id)}`]],
    ['PUBLICATION', (id: string) => [sql`update document set published_at = null where id = ${uuid(id)}`]],
    ['DELIVERY', (id: string) => [sql`delete from delivery where document_id = ${uuid(id)} and principal = 'cif:8101'`]],
    [
      'DELIVERY',
      (id: string) => [
        sql`update document set state = 'DELETED' where id = ${uuid(id)}`,
        sql`delete from delivery where document_id = ${uuid(id)}`,
      ],
    ],
    ['DELIVERY', (id: string) => [sql`update document set withdrawn_at = now() where id = ${uuid(id)}`]],
    [
      'DELIVERY',
      (id: string) => [
        sql`update document set state = 'CANCELLED', withdrawn_at = now() where id = ${uuid(id)}`,
        sql`delete from delivery where document_id = ${uuid(id)}`,
      ],
    ],
    ['STATEMENT', (id: string) => [sql`update ledger_entry set statement = null where document_id = ${uuid(id)}`]],
  ] as const)('%s: the audit lists the entry', async (what, change) => {
    const id = await publish({ cif2: undefined });
    await changePastTriggers(portal, ...change(id));
    expect(await lostOf(id)).toEqual([what]);
    await portal.runJob('ledger:scrub');
    const { count } = (await audit()).lost;
    expect(await portal.metrics.registry.metrics()).toContain(`pergamin_scrub_documents{what="lost"} ${count}`);
  });

  test('BYTES: of a published document, and of one that a client sent', async () => {
    const id = await publish({ cif2: undefined });
    await keepCategories(portal.publisher);
    const sent = (await upload(anna, { pdf: aPdf({ text: 'Reklamacja' }) })).body.id;
    await portal.runJob('ledger:round');
    expect([await lostOf(id), await lostOf(sent)]).toEqual([[], []]);
    await removeObject('document', id);
    await removeObject('sent_document', sent);
    expect([await lostOf(id), await lostOf(sent)]).toEqual([['BYTES'], ['BYTES']]);
    await changePastTriggers(portal, sql`delete from sent_document where id = ${uuid(sent)}`);
    expect(await lostOf(sent)).toEqual(['DOCUMENT']);
  });

  test('what was deleted or forgotten by the organisation is not lost', async () => {
    const deleted = await publish();
    const forgotten = await publish();
    const beforeRetention = { beforeRetention: true, reason: 'A test' };
    await portal.publisher.call('changeDocumentState', { params: { id: deleted }, body: { state: 'DELETED', ...beforeRetention } });
    await portal.publisher.call('changeDocumentState', { params: { id: forgotten }, body: { state: 'FORGOTTEN', ...beforeRetention } });
    expect([await lostOf(deleted), await lostOf(forgotten)]).toEqual([[], []]);
    await portal.runJob('ledger:round');
    await portal.runJob('documents:remove');
    expect([await lostOf(deleted), await lostOf(forgotten)]).toEqual([[], []]);
    const { ids } = (await audit()).missing;
    expect(ids.filter((id) => id === deleted || id === forgotten)).toEqual([]);
  });
});

describe('a document with two owners', () => {
  const statementsOf = async (id: string) => {
    const { rows } = await sql<{ statement: Buffer }>`
      select statement from ledger_entry where document_id = ${uuid(id)} order by index`.execute(portal.db);
    return rows.map(({ statement }) => parseStatement(statement));
  };

  test('is stated to each of them by itself, and the receipt of one does not name the other', async () => {
    const id = await publish();
    expect((await statementsOf(id)).map(({ event, owner }) => [event, owner])).toEqual([
      ['PUBLISHED', 'cif:8101'],
      ['PUBLISHED', 'cif:8102'],
    ]);
    const piotr = await portal.signIn('6102', { cif: '8102' });
    const receiptOf = async (client: TestClient) => (await client.call('getReceipt', { params: { id } })).bytes.toString('latin1');
    const named = async (client: TestClient) => {
      const extra = Buffer.from(/^extra (.*)$/m.exec(await receiptOf(client))?.[1] ?? '', 'base64').toString('latin1');
      return ['cif:8101', 'cif:8102'].filter((owner) => extra.includes(owner));
    };
    expect([await named(anna), await named(piotr)]).toEqual([['cif:8101'], ['cif:8102']]);
    const [first, second] = [await check(id, anna), await check(id, piotr)];
    expect(first).toMatchObject({ status: 'SHA_CIF_OK', entry: 'PROVED' });
    expect(second).toMatchObject({ status: 'SHA_CIF_OK', entry: 'PROVED' });
    expect('ledger' in first && 'ledger' in second && second.ledger?.index).toBe(('ledger' in first ? (first.ledger?.index ?? 0) : 0) + 1);
    const places = await Promise.all(
      [anna, piotr].map(async (client) => (await client.call('getDocumentHistory', { params: { id } })).body.items[0]?.entry?.index),
    );
    expect(places).toEqual(['ledger' in first && first.ledger?.index, 'ledger' in second && second.ledger?.index]);
  });

  test('is released once, when both statements are covered, and the scrub finds nothing', async () => {
    const id = await publish();
    const { rows } = await sql`select from publication where document_id = ${uuid(id)}`.execute(portal.db);
    expect(rows.length).toBe(1);
    await portal.runJob('ledger:scrub');
    expect(await wrongDocuments()).not.toContain(id);
  });

  test('whose second statement is detached has no entry for its second owner, and both are told', async () => {
    const id = await publish();
    const last = sql`(select max(index) from ledger_entry where document_id = ${uuid(id)})`;
    await changePastTriggers(portal, sql`update ledger_entry set document_id = null where index = ${last}`);
    const piotr = await portal.signIn('6103', { cif: '8102' });
    expect([(await check(id, anna)).status, (await check(id, piotr)).status]).toEqual(['NOT_FOUND_BC', 'NOT_FOUND_BC']);
  });
});

describe('a publication', () => {
  test('that becomes visible on a later day than it was entered is kept longer, and an entry says so', async () => {
    const id = await publish();
    const of = sql`where document_id = ${uuid(id)}`;
    // As a round leaves it that was broken off the day before.
    await changePastTriggers(
      portal,
      sql`delete from delivery ${of}`,
      sql`delete from publication ${of}`,
      sql`update document set published_at = null, retention_date = retention_date - 1 where id = ${uuid(id)}`,
      sql`insert into ledger_pending (document_id, event, sha256, size, owner, type, state, metadata, index)
        select id, 'PUBLISHED', sha256, size, ledger_owner(document), type, state, '', (select max(index) from ledger_entry ${of})
        from document where id = ${uuid(id)}`,
    );
    await publish();
    await portal.runJob('ledger:round');
    const { rows } = await sql<{ event: string }>`select event from ledger_entry ${of} order by index`.execute(portal.db);
    expect(rows.map(({ event }) => event)).toEqual(['PUBLISHED', 'PUBLISHED', 'RETENTION_EXTENDED']);
    expect(await check(id)).toMatchObject({ status: 'SHA_CIF_OK', differences: [], notCompared: [] });
  });

  test('that is made while the clock was set back is right: it is dated as its entry is', async () => {
    // The limits of calls, too, look at the clock.
    await using other = await startTestPortal({ environment: { NOTICES: 'never' }, limits: withoutLimits });
    const maria = await other.signIn('6201', { cif: '8201' });
    await other.publish({ cif: '8201', pdf: aPdf() });
    other.clock.advance(-3_600_000);
    const { id } = (await other.publish({ cif: '8201', pdf: aPdf({ text: randomUUID() }) })).body;
    other.clock.advance(3_600_000);
    const checked = (await maria.call('checkDocument', { params: { id } })).body;
    expect(checked).toMatchObject({ status: 'SHA_CIF_OK', differences: [], notCompared: [] });
  });
});
