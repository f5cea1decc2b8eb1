import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import { startWebhookPeer, type WebhookPeer } from '#testing/webhook-peer.ts';

let peer: WebhookPeer;
let portal: TestPortal;
let clients: TestClient[];

beforeAll(async () => {
  peer = await startWebhookPeer();
  portal = await startTestPortal({ environment: peer.environment });
  await keepCategories(portal.publisher);
  clients = [await portal.signIn('1001', { cif: '7001' }), await portal.signIn('1002', { cif: '7002' })];
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
});

/** How many calls wait for a lock of others. */
const waiting = async (): Promise<number> => {
  const { rowCount } = await portal.owner.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount ?? 0;
};

const placesGiven = async (): Promise<number> => {
  const { rows } = await portal.owner.pool.query<{ given: string }>(
    'select case when is_called then last_value else 0 end as given from sent_document_place',
  );
  return Number(rows[0]?.given);
};

test('a document gets its place in the order only when those with an earlier one are there to be read', async () => {
  const before = await placesGiven();
  const { cursor } = (await portal.publisher.call('listReceived', { query: {} })).body;
  // The last thing that a sending writes: the first one has its place by then, and is not there yet.
  const held = await portal.owner.pool.connect();
  await held.query('begin; lock table webhook_delivery in exclusive mode');
  const sent = [];
  try {
    for (const [index, client] of clients.entries()) {
      sent.push(upload(client, { pdf: aPdf({ text: `in turn ${index}` }) }));
      await expect.poll(waiting, { timeout: 15_000 }).toBe(index + 1);
    }
    expect((await placesGiven()) - before).toBe(1);
    expect((await portal.publisher.call('listReceived', { query: { since: String(cursor) } })).body).toEqual({
      items: [],
      cursor,
      more: false,
    });
  } finally {
    await held.query('rollback');
    held.release();
  }
  const ids = (await Promise.all(sent)).map(({ body }) => body.id);
  const { items } = (await portal.publisher.call('listReceived', { query: { since: String(cursor) } })).body;
  expect(items.map(({ id }) => id)).toEqual(ids);
});
