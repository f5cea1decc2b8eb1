import { webhookEvent, type WebhookEvent, type WebhookType, webhookTypes } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MailServer, refusal, startMailServer } from '#testing/mail-server.ts';
import { aPdf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import { payloadsOfPage } from '#testing/webhook-page.ts';
import { startWebhookPeer, type WebhookPeer } from '#testing/webhook-peer.ts';

let portal: TestPortal;
let peer: WebhookPeer;
let mail: MailServer;
let reader: TestClient;
let refusesWith: Error | undefined;

beforeAll(async () => {
  peer = await startWebhookPeer();
  mail = await startMailServer({
    async onRecipient() {
      if (refusesWith !== undefined) throw refusesWith;
    },
  });
  portal = await startTestPortal({
    environment: { ...peer.environment, RECEIVED_WEBHOOK_EVENTS: webhookTypes.join(','), SMTP_URL: mail.url },
  });
  reader = await portal.signIn('10000001', { cif: '7001', email: 'anna@example.com', groups: ['vip'] });
  await portal.addClient('10000002', { cif: '7002' });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
});

let papers = 0;
const publish = async (more: Partial<Parameters<TestPortal['publish']>[0]> = {}): Promise<string> => {
  papers += 1;
  const uniqueName = `told-${papers}`;
  return (await portal.publish({ cif: '7001', uniqueName, pdf: aPdf({ text: `told ${papers}` }), ...more })).body.id;
};

const eventsOf = <Type extends WebhookType>(type: Type, documentId: string): Extract<WebhookEvent, { type: Type }>[] =>
  peer.posted.flatMap(({ event }) =>
    event.type === type && 'document' in event && event.document.id === documentId ? [event as Extract<WebhookEvent, { type: Type }>] : [],
  );

/** Waits for it; the job that the room wakes by itself may come before this one. */
const firstEvent = async <Type extends WebhookType>(type: Type, documentId: string) => {
  await expect
    .poll(
      async () => {
        await portal.runJob('webhooks:deliver');
        return eventsOf(type, documentId).length;
      },
      { timeout: 30_000 },
    )
    .toBeGreaterThan(0);
  const [event] = eventsOf(type, documentId);
  if (event === undefined) throw new Error('no event');
  return event;
};

const toldOf = async (documentId: string): Promise<string[]> => {
  const rows = await portal.db.selectFrom('webhook_delivery').select('type').where('document_id', '=', documentId).execute();
  return rows.map(({ type }) => type);
};

const noticeOf = (documentId: string) =>
  portal.db.selectFrom('notice').selectAll().where('document_id', '=', documentId).executeTakeFirstOrThrow();

const becomes = async (documentId: string, state: string): Promise<void> => {
  await expect.poll(async () => (await noticeOf(documentId)).state, { timeout: 30_000 }).toBe(state);
};

const exampleOf = (type: WebhookType): WebhookEvent => {
  const example = payloadsOfPage.map((text) => webhookEvent.parse(JSON.parse(text))).find((one) => one.type === type);
  if (example === undefined) throw new Error(`there is no example of ${type}`);
  return example;
};

/** The names of all fields, with their nesting. */
const fieldsOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fieldsOf(inner)]))
    : typeof value;

describe('a document that was read', () => {
  test('is told with whose reading it was and when, the first time alone', async () => {
    const id = await publish();
    for (let time = 0; time < 2; time += 1) expect((await readToTheEnd(reader, id)).status).toBe(204);
    const event = await firstEvent('document.read', id);
    const { read_at: readAt } = await portal.db
      .selectFrom('document_mark')
      .select('read_at')
      .where('document_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(event).toEqual({
      id: expect.any(String),
      type: 'document.read',
      createdOn: readAt?.getTime(),
      document: { id, uniqueName: `told-${papers}` },
      personalId: '10000001',
    });
    expect(await toldOf(id)).toEqual(['document.read']);
    expect(fieldsOf(event)).toEqual(fieldsOf(exampleOf('document.read')));
  });

  test('is not told when it was closed before its last page', async () => {
    const id = await publish({ pdf: aPdf({ pages: 2, text: 'two pages' }) });
    await reader.call('markPage', { params: { id, page: '1' } });
    expect((await reader.call('markRead', { params: { id } })).error?.code).toBe('INVALID_STATUS');
    expect(await toldOf(id)).toEqual([]);
  });

  test('is told when it was delivered to a group, and not when it is public, another’s or downloaded', async () => {
    const group = await publish({ type: 'GROUP', groupId: 'vip', cif: undefined });
    const open = await publish({ type: 'PUBLIC', cif: undefined });
    const foreign = await publish({ cif: '7002' });
    const own = await publish();
    for (const id of [group, open, foreign]) await readToTheEnd(reader, id);
    await reader.call('downloadDocument', { params: { id: own }, query: {} });
    const told = await Promise.all([group, open, foreign, own].map(toldOf));
    expect(told.map((types) => types.filter((type) => type === 'document.read').length)).toEqual([1, 0, 0, 0]);
  });

  test('and then forgotten leaves nothing of who read it', async () => {
    peer.answerWith((response) => void response.writeHead(422).end());
    const id = await publish();
    await readToTheEnd(reader, id);
    const reason = 'Wniosek 7/26';
    await portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'DELETED', reason } });
    expect(await toldOf(id)).toEqual(['document.read']);
    expect((await portal.publisher.call('forgetDocument', { params: { id }, body: { reason } })).status).toBe(200);
    expect(await toldOf(id)).toEqual([]);
    peer.answerWith((response) => void response.writeHead(204).end());
  });
});

describe('a notice that failed', () => {
  test('is told when the mail server refuses it for good, and says nothing of its words and address', async () => {
    refusesWith = refusal(550, 'no such user anna@example.com');
    const id = await publish({ fileName: 'Umowa kredytu.pdf' });
    const event = await firstEvent('notice.failed', id);
    refusesWith = undefined;
    expect(event).toEqual({
      id: expect.any(String),
      type: 'notice.failed',
      createdOn: expect.any(Number),
      notice: { id: (await noticeOf(id)).id, kind: 'publication', channel: 'EMAIL', reason: 'REFUSED' },
      document: { id, uniqueName: `told-${papers}` },
      personalId: '10000001',
    });
    expect(peer.posted.map(({ body }) => body).join('\n')).not.toMatch(/anna@|kredytu|no such user/);
    expect(fieldsOf(event)).toEqual(fieldsOf(exampleOf('notice.failed')));
  });

  test('is told with its publication for a client without an address', async () => {
    const id = await publish({ cif: '7002' });
    expect(await firstEvent('notice.failed', id)).toMatchObject({
      notice: { channel: null, reason: 'NO_ADDRESS' },
      personalId: '10000002',
    });
  });

  test('is told once when it bounced, however often that is reported', async () => {
    const id = await publish();
    await becomes(id, 'sent');
    for (let time = 0; time < 2; time += 1) await portal.publisher.call('reportBounce', { body: { id: (await noticeOf(id)).id } });
    expect(await firstEvent('notice.failed', id)).toMatchObject({ notice: { channel: 'EMAIL', reason: 'BOUNCED' } });
    expect(await toldOf(id)).toEqual(['notice.failed']);
  });

  test('is not told while it is tried again, nor when its document was withdrawn', async () => {
    refusesWith = refusal(451, 'busy');
    const id = await publish();
    await expect.poll(async () => (await noticeOf(id)).failures, { timeout: 30_000 }).toBe(1);
    expect(await toldOf(id)).toEqual([]);
    refusesWith = undefined;
    await portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'DELETED', reason: 'Pomyłka' } });
    await portal.pool.query(`update notice set due_at = now() where document_id = $1`, [id]);
    await portal.pool.query(`update graphile_worker._private_jobs set run_at = now() where locked_at is null`);
    await becomes(id, 'failed');
    expect([(await noticeOf(id)).reason, await toldOf(id)]).toEqual(['WITHDRAWN', []]);
  });
});

describe('the log of the webhook', () => {
  const list = async (query: { state?: 'queued' | 'failed' | 'delivered'; limit?: string; cursor?: string } = {}) =>
    (await portal.publisher.call('listWebhooks', { query })).body;

  test('names what was given up with its last answer, and has it posted once more', async () => {
    peer.answerWith((response) => void response.writeHead(422).end());
    const id = await publish();
    await readToTheEnd(reader, id);
    await firstEvent('document.read', id);
    await portal.pool.query(`update webhook_delivery set state = 'failed' where document_id = $1`, [id]);
    const { items } = await list();
    const [failed] = items.filter(({ documentId }) => documentId === id);
    expect(failed).toMatchObject({
      type: 'document.read',
      state: 'failed',
      lastStatus: 422,
      lastError: 'answered 422',
      nextAttemptOn: null,
    });
    expect(JSON.stringify(items)).not.toContain('10000001');
    peer.answerWith((response) => void response.writeHead(204).end());
    const before = eventsOf('document.read', id).length;
    const answer = await portal.publisher.call('retryWebhooks', { body: { ids: [failed?.id ?? ''] } });
    expect(answer.body).toEqual({ retried: 1, more: false });
    await expect.poll(() => eventsOf('document.read', id).length, { timeout: 30_000 }).toBeGreaterThan(before);
    await expect
      .poll(async () => (await list({ state: 'delivered' })).items.map((one) => one.id), { timeout: 30_000 })
      .toContain(failed?.id);
  });

  test('comes in pages that miss nothing and repeat nothing, the newest first', async () => {
    await portal.pool.query(
      `insert into webhook_delivery (id, type, event, state, due_at, created_at)
      select gen_random_uuid(), 'batch.finished', $1::json, 'failed', now(), date_trunc('milliseconds', now()) - (n / 3) * interval '1 second'
      from generate_series(1, 10) as n`,
      [JSON.stringify({ type: 'batch.finished', createdOn: 0, batch: { id: 'b', name: 'November', documents: 3, publishedAt: 0 } })],
    );
    const all = (await list({ limit: '500' })).items;
    const seen = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: '3', ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.items);
      cursor = page.cursor;
    } while (cursor !== null);
    expect(seen).toEqual(all);
    expect(all.length).toBeGreaterThanOrEqual(10);
    expect(all.map(({ createdOn }) => createdOn)).toEqual(all.map(({ createdOn }) => createdOn).toSorted((one, other) => other - one));
    expect((await portal.publisher.call('retryWebhooks', { body: {} })).body).toEqual({ retried: all.length, more: false });
  });

  test.each([{ state: 'lost' }, { limit: '0' }, { limit: '501' }, { cursor: 'e30' }, { cursor: '!' }])(
    'asked with %j is refused',
    async (query) => {
      expect((await portal.publisher.call('listWebhooks', { query: query as never })).error?.code).toBe('VALIDATION_ERROR');
    },
  );

  test.each([{ ids: [] }, { ids: ['x'] }, { id: 'x' }, { ids: ['00000000-0000-4000-8000-000000000000'] }])(
    'a retry of %j is refused',
    async (body) => {
      expect((await portal.publisher.call('retryWebhooks', { body })).error?.code).toBe('VALIDATION_ERROR');
    },
  );

  test('is read and retried with keys of their own', async () => {
    const [reads, retries] = [await portal.withKey(['webhooks:read']), await portal.withKey(['webhooks:retry'])];
    const answers = [
      await reads.call('listWebhooks', { query: {} }),
      await reads.call('retryWebhooks', { body: {} }),
      await retries.call('listWebhooks', { query: {} }),
      await retries.call('retryWebhooks', { body: {} }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 200]);
  });
});
