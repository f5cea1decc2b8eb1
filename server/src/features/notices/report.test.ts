import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let reader: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.signIn('81000001', { cif: '81001', email: 'reader@example.com' });
  await portal.addClient('81000002', { cif: '81002' });
  await portal.addClient('81000003', { cif: '81002', email: 'second@example.com' });
});
afterAll(() => portal[Symbol.asyncDispose]());

let papers = 0;
const publishTo = async (cif: string, more: Partial<Parameters<TestPortal['publish']>[0]> = {}): Promise<string> => {
  papers += 1;
  return (await portal.publish({ cif, fileName: `Pismo ${papers}.pdf`, pdf: aPdf({ text: `reported ${papers}` }), ...more })).body.id;
};

const list = async (query: Record<string, string> = {}) => (await portal.publisher.call('listUnopened', { query })).body;

/** Over all pages. */
const listAll = async (query: Record<string, string>) => {
  const items = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list({ ...query, ...(cursor === null ? {} : { cursor }) });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return items;
};

const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 15_000, interval: 20 });

const allSent = (): Promise<void> =>
  eventually(async () => expect((await portal.publisher.call('countNotices', { query: {} })).body.queued).toBe(0));

describe('the report', () => {
  test('names each document with each of its owners until they have read or downloaded it', async () => {
    const [toRead, toDownload, toLeave, toTwo] = [
      await publishTo('81001'),
      await publishTo('81001'),
      await publishTo('81001', { uniqueName: 'left' }),
      await publishTo('81002'),
    ];
    await allSent();
    await readToTheEnd(reader, toRead);
    await reader.call('downloadDocument', { params: { id: toDownload } });
    const { items, cursor } = await list();
    expect(cursor).toBeNull();
    expect(items.map(({ documentId, personalId }) => [documentId, personalId])).toEqual([
      [toLeave, '81000001'],
      [toTwo, '81000002'],
      [toTwo, '81000003'],
    ]);
    expect(items[0]).toMatchObject({
      uniqueName: 'left',
      state: 'ACTIVE',
      unread: true,
      undelivered: false,
      notice: { state: 'sent', channel: 'EMAIL', reason: null, attempts: 1, sends: 1, lastError: null },
      remindedOn: null,
    });
    expect(items[1]).toMatchObject({
      unread: true,
      undelivered: true,
      notice: { state: 'failed', reason: 'NO_ADDRESS', channel: null, attempts: 0 },
    });
    expect((await list({ only: 'undelivered' })).items.map(({ personalId }) => personalId)).toEqual(['81000002']);
    expect((await portal.publisher.call('countNotices', { query: {} })).body).toEqual({
      queued: 0,
      sent: 4,
      failed: 1,
      bounced: 0,
      undeliverable: 1,
      reminders: 0,
    });
  });

  test('comes in pages of any size that miss nothing and repeat nothing', async () => {
    for (let more = 0; more < 5; more += 1) await publishTo('81002');
    await allSent();
    const whole = (await list({ limit: '500' })).items;
    for (const limit of ['1', '2', '3', '7']) expect(await listAll({ limit })).toEqual(whole);
    expect(whole).toHaveLength(13);
  });

  test('begins with the day that is asked for, where the organisation is', async () => {
    const today = new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Warsaw' }).format(portal.clock.now());
    const [, ...tail] = (await list({ limit: '500' })).items;
    expect((await listAll({ from: today, limit: '500' })).slice(1)).toEqual(tail);
    expect((await list({ from: '2999-01-01' })).items).toEqual([]);
    expect((await portal.publisher.call('countNotices', { query: { from: '2999-01-01' } })).body).toMatchObject({ sent: 0, failed: 0 });
  });

  test('says nothing of what was deleted, nor of what is everybody’s', async () => {
    const id = await publishTo('81001');
    await portal.publish({ type: 'PUBLIC', pdf: aPdf({ text: 'everybody' }) });
    await portal.pool.query(`update document set state = 'DELETED' where id = $1`, [id]);
    const { items } = await list({ limit: '500' });
    expect(items.map(({ documentId }) => documentId)).not.toContain(id);
    expect(items).toHaveLength(13);
  });

  test.each([
    ['a cursor that no answer gave', { cursor: 'abc' }],
    ['a cursor of something else', { cursor: Buffer.from('[1,2,3]').toString('base64url') }],
    ['a cursor that is SQL', { cursor: Buffer.from(`[1,"' or 1=1",null]`).toString('base64url') }],
    ['no page', { limit: '0' }],
    ['a page that is too large', { limit: '501' }],
    ['a day that there is not', { from: '2026-02-30' }],
    ['something else only', { only: 'read' }],
  ])('refuses %s', async (_, query) => {
    const answer = await portal.publisher.call('listUnopened', { query: query as never });
    expect([answer.status, answer.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('as a table', () => {
  test('109: the table holds every row, and no name in it is a formula', async () => {
    await publishTo('81001', { fileName: '=cmd|calc.pdf', uniqueName: '@SUM(A1)' });
    const answer = await portal.publisher.call('exportUnopened', { query: {} });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="unread-\d{4}-\d\d-\d\d\.csv"/);
    const [head = '', ...rows] = answer.bytes.toString('utf8').trimEnd().split('\r\n');
    expect(head).toBe(
      '\ufeffpersonal id,document,unique name,file name,state,published,unread,notice,reason,channel,attempts,sends,sent,failed,last error,reminded',
    );
    expect(rows).toHaveLength((await list({ limit: '500' })).items.length);
    expect(rows.at(-1)).toContain(",'@SUM(A1),'=cmd|calc.pdf,ACTIVE,");
  });

  test('the report of unread documents comes as objects, too, the same as page by page', async () => {
    await allSent();
    const answer = await portal.publisher.call('exportUnopened', { query: { format: 'json', only: 'unread' } });
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    const lines = answer.bytes.toString('utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual((await list({ only: 'unread', limit: '500' })).items);
  });
});

describe('a bounce', () => {
  const noticeOf = (documentId: string) =>
    portal.db.selectFrom('notice').selectAll().where('document_id', '=', documentId).executeTakeFirstOrThrow();
  const aSentNotice = async () => {
    const id = await publishTo('81001');
    await eventually(async () => expect(await noticeOf(id)).toMatchObject({ state: 'sent' }));
    return noticeOf(id);
  };
  const report = (id: string, reason?: string) =>
    portal.publisher.call('reportBounce', { body: { id, ...(reason === undefined ? {} : { reason }) } });

  test('is told by the notice’s own id, by its Message-ID with or without brackets, or by the gateway’s', async () => {
    const notices = await Promise.all([aSentNotice(), aSentNotice(), aSentNotice(), aSentNotice()]);
    await portal.pool.query(`update notice set message_id = 'SM-17' where id = $1`, [notices[3]?.id]);
    const ids = [notices[0]?.id, notices[1]?.message_id, notices[2]?.message_id?.slice(1, -1), 'SM-17'];
    for (const id of ids) expect((await report(id ?? '', 'mailbox\r\nfull')).status).toBe(204);
    for (const { document_id: id } of notices)
      expect(await noticeOf(id)).toMatchObject({ state: 'bounced', reason: 'BOUNCED', last_error: 'mailbox full', sends: 1 });
    expect((await list({ only: 'undelivered', limit: '500' })).items.filter(({ notice }) => notice?.state === 'bounced')).toHaveLength(4);
  });

  test('a repeated report of a bounce changes nothing', async () => {
    const { id, document_id: documentId } = await aSentNotice();
    await report(id, 'first');
    const before = await noticeOf(documentId);
    expect((await report(id, 'second')).status).toBe(204);
    expect(await noticeOf(documentId)).toEqual(before);
  });

  test('a bounce of an unknown notice is not found', async () => {
    for (const id of ['SM-unknown', '00000000-0000-4000-8000-000000000000', '<x@example.com>', "' or 1=1 --"])
      expect([id, (await report(id)).error?.code]).toEqual([id, 'RESOURCE_NOT_FOUND']);
  });

  test('a bounce that is reported before the gateway’s answer was recorded is not lost', async () => {
    const { id, document_id: documentId } = await aSentNotice();
    await portal.pool.query(`update notice set state = 'queued', due_at = now() + interval '1 day', sent_at = null where id = $1`, [id]);
    await report(id);
    expect(await noticeOf(documentId)).toMatchObject({ state: 'bounced' });
  });

  test('needs a key with its scope, and the report needs another', async () => {
    const { id } = await aSentNotice();
    const [reading, bouncing] = [await portal.withKey(['notices:read']), await portal.withKey(['notices:bounce'])];
    expect((await reading.call('reportBounce', { body: { id } })).error?.code).toBe('CALL_NOT_PERMITTED');
    expect((await bouncing.call('listUnopened', { query: {} })).error?.code).toBe('CALL_NOT_PERMITTED');
    expect((await portal.anonymous.call('reportBounce', { body: { id } })).status).toBe(401);
    expect((await bouncing.call('reportBounce', { body: { id } })).status).toBe(204);
  });
});
