import { startWebhookPeer, type WebhookPeer } from '@pergamin/server/testing/webhook-peer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliPortal, startCliPortal } from './testing/cli-portal.ts';
import { type Ended, runPergamin } from './testing/run-pergamin.ts';

let peer: WebhookPeer;
let started: CliPortal;

const pergamin = (...args: string[]): Promise<Ended> => runPergamin(args, started);
const id = '0b7e0000-0000-4000-8000-000000000001';
const other = '0b7e0000-0000-4000-8000-000000000002';
const batch = { id: 'b', name: 'November', documents: 3, publishedAt: 0 };

beforeAll(async () => {
  peer = await startWebhookPeer();
  started = await startCliPortal(peer.environment);
  await started.portal.pool.query(
    `insert into webhook_delivery (id, type, event, state, attempts, last_status, last_error, due_at, created_at)
      select event, 'batch.finished', $2::json, 'failed', attempts, 503, E'answered\\x1b[31m503', now(), created::timestamptz
      from unnest($1::uuid[], '{1,16}'::int[], '{2026-11-23T08:00:00Z,2026-11-22T08:00:00Z}'::text[]) as told (event, attempts, created)`,
    [[id, other], JSON.stringify({ type: 'batch.finished', createdOn: 0, batch })],
  );
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await peer[Symbol.asyncDispose]();
});

test('pergamin webhooks has a line for each event that was given up, and posts it once more', async () => {
  expect(await pergamin('webhooks', 'list')).toEqual({
    code: 0,
    out: [
      `2026-11-23T08:00:00.000Z  ${id}  batch.finished  -  1 attempt  answered [31m503`,
      `2026-11-22T08:00:00.000Z  ${other}  batch.finished  -  16 attempts  answered [31m503`,
      '',
    ].join('\n'),
    error: '',
  });
  expect(await pergamin('webhooks', 'retry', id)).toMatchObject({ code: 0, out: 'queued again 1\n' });
  await expect
    .poll(async () => (await started.portal.pool.query(`select id from webhook_delivery where state = 'delivered'`)).rows, {
      timeout: 15_000,
    })
    .toEqual([{ id }]);
  expect((await pergamin('webhooks', 'list', '--state', 'delivered')).out).toBe(
    `2026-11-23T08:00:00.000Z  ${id}  batch.finished  -  1 attempt\n`,
  );
  expect(await pergamin('webhooks', 'retry', '--all')).toMatchObject({ code: 0, out: 'queued again 1\n' });
  await expect.poll(() => peer.posted.map(({ event }) => event.id), { timeout: 30_000 }).toEqual([id, other]);
});

test.each([
  [['webhooks']],
  [['webhooks', 'list', 'x']],
  [['webhooks', 'list', '--state', 'lost']],
  [['webhooks', 'retry', '--state', 'failed']],
  [['webhooks', 'retry', '--all', id]],
  [['webhooks', 'list', '--all']],
])('the words %j end with 2', async (words) => {
  expect((await pergamin(...words)).code).toBe(2);
});
