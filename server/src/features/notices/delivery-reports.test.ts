import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { type SmsPeer, startSmsGateway } from '#testing/sms-gateway.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { isFailure, isFromGateway, readDeliveryReport } from './delivery-report.ts';

/** What a gateway tells of its messages by calling us, over HTTP as it does (M3: bounced). */

const secret = 'report-secret-canary-0001';
let portal: TestPortal;
let gateway: SmsPeer;

beforeAll(async () => {
  gateway = await startSmsGateway();
  gateway.answerWith(() => ({ status: 201, body: JSON.stringify({ id: `sms-${randomUUID()}` }) }));
  portal = await startTestPortal({
    environment: { SMS_URL: gateway.url, SMS_REPORT_TOKEN: secret, SMS_REPORT_FAILED: 'UNDELIVERED,failed,405' },
  });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
});

const noticeOf = (documentId: string) =>
  portal.db.selectFrom('notice').selectAll().where('document_id', '=', documentId).executeTakeFirstOrThrow();

let people = 0;
const publishSms = async (): Promise<string> => {
  people += 1;
  const cif = `cif-${people}`;
  await portal.addClient(`62${String(people).padStart(4, '0')}`, { cif, phone: '+48600100200' });
  return (await portal.publish({ cif, pdf: aPdf({ text: randomUUID() }) })).body.id;
};
/** A notice that the gateway has taken. */
const aSentSms = async () => {
  const id = await publishSms();
  await vi.waitFor(async () => expect(await noticeOf(id)).toMatchObject({ state: 'sent', channel: 'SMS' }), { timeout: 15_000 });
  return noticeOf(id);
};

const tell = async (body: string, { token = secret, type = 'application/json', of = portal } = {}) => {
  const answer = await of.server.inject({
    method: 'POST',
    url: `/api/open/notices/delivery/${token}`,
    headers: { host: new URL(of.settings.publicUrl).host, 'content-type': type },
    payload: body,
  });
  return { status: answer.statusCode, body: answer.body };
};
/** Whose gateway tells of many messages at once. */
const portalOfLists = () =>
  startTestPortal({
    environment: {
      SMS_URL: gateway.url,
      SMS_REPORT_TOKEN: secret,
      SMS_REPORT_ID: 'results.*.id',
      SMS_REPORT_STATUS: 'results.*.status',
    },
  });
const taken = { status: 200, body: 'OK' };

describe('a delivery report', () => {
  test('a delivery report of a failed message sets its notice to bounced, by our reference and by the gateway’s own id', async () => {
    const [byReference, byId] = [await aSentSms(), await aSentSms()];
    expect(await tell(JSON.stringify({ id: byReference.id, status: 'undelivered' }))).toEqual(taken);
    expect(await tell(JSON.stringify({ id: byId.message_id, status: 405 }))).toEqual(taken);
    expect(await noticeOf(byReference.document_id)).toMatchObject({
      state: 'bounced',
      reason: 'BOUNCED',
      last_error: 'the gateway says undelivered',
      sends: 1,
    });
    expect(await noticeOf(byId.document_id)).toMatchObject({ state: 'bounced', last_error: 'the gateway says 405' });
  });

  test('comes as a form, too, of several messages at once', async () => {
    const [one, two] = [await aSentSms(), await aSentSms()];
    const form = new URLSearchParams({ id: `${one.message_id},${two.message_id}`, status: 'Failed,delivered' });
    expect(await tell(String(form), { type: 'application/x-www-form-urlencoded' })).toEqual(taken);
    expect([(await noticeOf(one.document_id)).state, (await noticeOf(two.document_id)).state]).toEqual(['bounced', 'sent']);
  });

  test.each(['delivered', 'queued', 'sent', ''])('the status "%s" in a delivery report changes nothing', async (status) => {
    const before = await aSentSms();
    expect(await tell(JSON.stringify({ id: before.id, status }))).toEqual(taken);
    expect(await noticeOf(before.document_id)).toEqual(before);
  });

  test('a delivery report that is repeated, or of an id without a notice, is answered alike and changes nothing', async () => {
    const { id, document_id: documentId } = await aSentSms();
    await tell(JSON.stringify({ id, status: 'failed' }));
    const before = await noticeOf(documentId);
    for (const told of [id, randomUUID(), 'sms-unknown', 'sms\u0000unknown', '<x@example.com>', "' or 1=1 --", null, { a: 1 }])
      // oxlint-disable-next-line no-await-in-loop -- One report after another.
      expect([told, await tell(JSON.stringify({ id: told, status: 'UNDELIVERED' }))]).toEqual([told, taken]);
    expect(await noticeOf(documentId)).toEqual(before);
  });

  test.each(['wrong', `${secret}x`, secret.slice(0, -1), '%2e%2e'])(
    'a delivery report under the secret %s is not found, and changes nothing',
    async (token) => {
      const { id, document_id: documentId } = await aSentSms();
      expect(await tell(JSON.stringify({ id, status: 'failed' }), { token })).toMatchObject({
        status: 404,
        body: expect.stringContaining('RESOURCE_NOT_FOUND'),
      });
      expect((await noticeOf(documentId)).state).toBe('sent');
    },
  );

  test('an empty delivery report is answered, and under a wrong secret is refused', async () => {
    expect((await portal.anonymous.call('reportDelivery', { params: { token: secret } })).status).toBe(200);
    const refused = await portal.anonymous.call('reportDelivery', { params: { token: 'wrong' } });
    expect([refused.status, refused.error?.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  test('is taken by no portal that has no secret for it', async () => {
    const other = await startTestPortal({ environment: { SMS_URL: gateway.url } });
    expect((await tell(JSON.stringify({ id: 'x', status: 'failed' }), { of: other })).status).toBe(404);
    await other[Symbol.asyncDispose]();
  });

  test.each([
    ['broken JSON', '{', 'application/json', 400],
    ['XML', '<status/>', 'application/xml', 415],
    ['too long', JSON.stringify({ id: 'x'.repeat(300_000), status: 'failed' }), 'application/json', 400],
  ])('an unreadable delivery report is refused: %s', async (_why, body, type, status) => {
    expect((await tell(body, { type })).status).toBe(status);
  });
});

describe('a delivery report that is faster than the answer to the message', () => {
  const whenSent = (tellOf: (messageId: string) => Promise<unknown>): void =>
    gateway.answerWith(async () => {
      const id = `sms-${randomUUID()}`;
      await tellOf(id);
      return { status: 201, body: JSON.stringify({ id }) };
    });
  const failed = (id: unknown): string => JSON.stringify({ id, status: 'undelivered' });
  const becomes = (documentId: string, state: string) =>
    vi.waitFor(async () => expect(await noticeOf(documentId)).toMatchObject({ state }), { timeout: 15_000 });
  const countKept = async (): Promise<number> => (await portal.db.selectFrom('early_report').select('message_id').execute()).length;

  afterEach(async () => {
    gateway.answerWith(() => ({ status: 201, body: JSON.stringify({ id: `sms-${randomUUID()}` }) }));
    await portal.db.deleteFrom('early_report').execute();
  });

  test('sets its notice to bounced, too, and leaves nothing behind', async () => {
    await portal.db.deleteFrom('early_report').execute();
    const answers: unknown[] = [];
    whenSent(async (id) => answers.push(await tell(failed(id)), await tell(failed(id))));
    const documentId = await publishSms();
    await becomes(documentId, 'bounced');
    expect(await noticeOf(documentId)).toMatchObject({ reason: 'BOUNCED', last_error: 'the gateway says undelivered', sends: 1 });
    expect([answers, await countKept()]).toEqual([[taken, taken], 0]);
  });

  test('sets it to bounced in the very moment in which the id is written down, too', async () => {
    const sent = Promise.withResolvers<string>();
    const answers = Promise.withResolvers<void>();
    whenSent(async (id) => {
      sent.resolve(id);
      await answers.promise;
    });
    const documentId = await publishSms();
    const messageId = await sent.promise;
    const isWaitedFor = (lock: 'transactionid' | 'advisory') =>
      vi.waitFor(
        async () => {
          const { rows } = await portal.pool.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = $1",
            [lock],
          );
          expect(rows).toHaveLength(1);
        },
        { timeout: 15_000, interval: 10 },
      );
    const undone = new Error('undone');
    let telling: Promise<unknown> = Promise.resolve();
    const holding = portal.db.transaction().execute(async (trx) => {
      // Holds the report up when it has found no notice, and before it is kept.
      await trx
        .insertInto('early_report')
        .values({ message_id: messageId, reason: 'held', received_at: new Date(0) })
        .execute();
      telling = tell(failed(messageId));
      await isWaitedFor('transactionid');
      answers.resolve();
      await Promise.race([isWaitedFor('advisory'), becomes(documentId, 'sent')]);
      throw undone;
    });
    await expect(holding).rejects.toBe(undone);
    expect(await telling).toEqual(taken);
    await becomes(documentId, 'bounced');
  });

  test('counts for an hour', async () => {
    whenSent(async (id) => {
      await tell(failed(id));
      portal.clock.advance(3_600_000);
    });
    const documentId = await publishSms();
    await becomes(documentId, 'sent');
    expect((await noticeOf(documentId)).reason).toBeNull();
  });

  test('a report of an unknown id is kept among the youngest ten thousand, and only from a sender that knows the secret', async () => {
    const report = (from: number): string =>
      JSON.stringify({ results: Array.from({ length: 1_000 }, (_, index) => ({ id: `nobody-${from + index}`, status: 'failed' })) });
    const other = await portalOfLists();
    for (let from = 0; from < 12_000; from += 1_000) {
      // oxlint-disable-next-line no-await-in-loop -- One report after another, each younger than the one before.
      expect(await tell(report(from), { of: other })).toEqual(taken);
      other.clock.advance(1);
    }
    const kept = await other.db.selectFrom('early_report').select('message_id').orderBy('received_at').execute();
    expect([kept.length, kept.some(({ message_id: id }) => id === 'nobody-1999')]).toEqual([10_000, false]);
    expect((await tell(report(50_000), { of: other, token: 'wrong' })).status).toBe(404);
    expect(await other.db.selectFrom('early_report').select('message_id').where('message_id', '=', 'nobody-50000').execute()).toEqual([]);
    other.clock.advance(3_600_000);
    await other.runJob('notices:sweep');
    expect(await other.db.selectFrom('early_report').select('message_id').execute()).toEqual([]);
    await other[Symbol.asyncDispose]();
  });
});

describe('where it says what', () => {
  const settings = { idAt: 'results.*.messageId', statusAt: 'results.*.status.groupName' };

  test('is a path through lists', () => {
    const body = {
      results: [
        { messageId: 'a', status: { groupName: 'UNDELIVERABLE' } },
        { messageId: 7, status: { groupName: 'DELIVERED' } },
      ],
    };
    expect(readDeliveryReport(body, settings)).toEqual([
      { id: 'a', status: 'UNDELIVERABLE' },
      { id: '7', status: 'DELIVERED' },
    ]);
  });

  test.each([null, 7, 'text', [], {}, { results: {} }, { results: [null] }, { results: [{ messageId: {}, status: { groupName: [] } }] }])(
    'nothing is read from %j',
    (body) => {
      expect(readDeliveryReport(body, settings)).toEqual([]);
    },
  );

  test('a form that has no such field says nothing, and too long an id is none', () => {
    const form = { idAt: 'MsgId', statusAt: 'status' };
    expect(readDeliveryReport(new URLSearchParams('a=1&b=2'), form)).toEqual([]);
    expect(readDeliveryReport(new URLSearchParams(`MsgId=${'1'.repeat(301)}&status=failed`), form)).toEqual([]);
  });

  test('statuses are read without regard to capitals, the secret with it', () => {
    expect(isFailure('UnDelivered', { failed: ['undelivered'] })).toBe(true);
    expect(isFailure('delivered', { failed: ['undelivered'] })).toBe(false);
    expect(isFromGateway(secret.toUpperCase(), { token: secret })).toBe(false);
  });
});
