import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Log } from '#platform/log/log.ts';
import { silentLog } from '#platform/log/log.ts';
import { createMetrics } from '#platform/metrics/metrics.ts';
import { readSettings } from '#platform/settings/settings.ts';
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts';
import { startWebhookPeer, type WebhookPeer } from '#testing/webhook-peer.ts';
import { createWebhooks } from './webhooks.door.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

let database: TestDatabase;
let peer: WebhookPeer;
let nowMs: number;
let alarms: object[];
let log: Log;
let metrics: ReturnType<typeof createMetrics>;

beforeAll(async () => {
  database = await createTestDatabase();
  peer = await startWebhookPeer();
});
beforeEach(async () => {
  await database.pool.query('delete from webhook_delivery');
  peer.posted.length = 0;
  peer.answerWith((response) => void response.writeHead(204).end());
  nowMs = Date.parse('2026-11-23T08:00:00Z');
  alarms = [];
  log = newLog();
  metrics = createMetrics();
});
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Of one test: an outage lasts for a second after its end. */
const newLog = (): Log => Object.assign(silentLog(), { error: (alarm: object) => void alarms.push(alarm) });

/** The room in a process of its own, whose jobs run when the test says so. */
const openRoom = (environment: Record<string, string> = {}) => {
  const settings = readSettings({ ...peer.environment, RECEIVED_WEBHOOK_EVENTS: 'batch.finished,document.read', ...environment });
  /** In seconds, where a moment was given: by what was told before the run, it is also woken without one, sooner or later. */
  const wokenAt: number[] = [];
  const jobs = {
    async add(_name: string, _payload: object, { runAt }: { runAt?: Date } = {}) {
      // By the clock of the machine.
      if (runAt !== undefined) wokenAt.push(Math.round((runAt.getTime() - Date.now()) / 1_000));
    },
  };
  const webhooks = createWebhooks({ db: database.db, jobs, settings, metrics, running: { clock: { now: () => new Date(nowMs) }, log } });
  const run = async (name = 'webhooks:deliver', signal = new AbortController().signal): Promise<void> => {
    wokenAt.length = 0;
    await webhooks.jobs[name]?.({}, signal);
  };
  return { ...webhooks, wokenAt, run };
};

const aBatch = (name: string) => ({
  type: 'batch.finished' as const,
  createdOn: nowMs,
  batch: { id: `batch-${name}`, name, documents: 3, publishedAt: nowMs },
});

const tellOf = (room: Pick<ReturnType<typeof openRoom>, 'tell'>, ...names: string[]): Promise<void> =>
  database.db.transaction().execute((trx) => room.tell(trx, names.map(aBatch)));

const rows = () => database.db.selectFrom('webhook_delivery').selectAll().orderBy('due_at').execute();
const manyNames = (count: number): string[] => Array.from({ length: count }, (_, index) => `batch ${index}`);

describe('an event', () => {
  test('exists with the transaction that tells it, and without it not', async () => {
    const room = openRoom();
    const undone = database.db.transaction().execute(async (trx) => {
      await room.tell(trx, [aBatch('undone')]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await tellOf(room, 'November');
    await room.run();
    expect(peer.posted.map(({ event }) => event)).toEqual([{ id: expect.any(String), ...aBatch('November') }]);
  });

  test('is told without waiting for a transaction that tells another one', async () => {
    const room = openRoom();
    await database.db.transaction().execute(async (trx) => {
      await room.tell(trx, [aBatch('slow')]);
      await tellOf(room, 'quick');
      await room.run();
    });
    await room.run();
    expect(peer.posted.map(({ event }) => event)).toMatchObject([{ batch: { name: 'quick' } }, { batch: { name: 'slow' } }]);
  });

  test('of a type that is not wanted is not told', async () => {
    const room = openRoom({ RECEIVED_WEBHOOK_EVENTS: 'document.received' });
    await tellOf(room, 'November');
    expect(await rows()).toEqual([]);
    expect([room.wants('batch.finished'), room.wants('document.received')]).toEqual([false, true]);
  });

  test('that was delivered stays in the log without what it said, for a week', async () => {
    const room = openRoom();
    await tellOf(room, 'November');
    await room.run();
    expect(await rows()).toMatchObject([{ state: 'delivered', event: null, attempts: 1, last_status: 204, type: 'batch.finished' }]);
    nowMs += 7 * dayMs - 1;
    await room.run('webhooks:sweep');
    expect(await rows()).toHaveLength(1);
    nowMs += 2;
    await room.run('webhooks:sweep');
    expect(await rows()).toEqual([]);
  });
});

describe('an event that is not taken', () => {
  test('is posted sixteen times within two days under one id, and then an operator is told', async () => {
    peer.answerWith((response) => void response.writeHead(400).end());
    const room = openRoom();
    await tellOf(room, 'November');
    const beganMs = nowMs;
    for (let attempt = 1; attempt <= 16; attempt += 1) {
      await room.run();
      expect(peer.posted).toHaveLength(attempt);
      const [row] = await rows();
      expect(row).toMatchObject({
        state: attempt < 16 ? 'queued' : 'failed',
        attempts: attempt,
        last_status: 400,
        last_error: 'answered 400',
      });
      if (attempt < 16) {
        expect([room.wokenAt.length, alarms]).toEqual([1, []]);
        nowMs = (row?.due_at.getTime() ?? 0) - 1;
        await room.run();
        nowMs += 1;
      }
    }
    expect((nowMs - beganMs) / dayMs).toBeGreaterThan(1.5);
    expect((nowMs - beganMs) / dayMs).toBeLessThan(2);
    expect(new Set(peer.posted.map(({ event }) => event.id)).size).toBe(1);
    expect(alarms).toEqual([{ alarm: 'webhook', webhookId: peer.posted[0]?.event.id, type: 'batch.finished', error: 'answered 400' }]);
    const told = await metrics.registry.metrics();
    expect(told).toContain('pergamin_webhooks_total{event="batch.finished",outcome="retried"} 15');
    expect(told).toContain('pergamin_webhooks_total{event="batch.finished",outcome="failed"} 1');
    nowMs += 30 * dayMs;
    await room.run('webhooks:sweep');
    expect(await rows()).toEqual([]);
  });

  test('holds up no others', async () => {
    peer.answerWith(
      (response, { event }) => void response.writeHead(event.type === 'batch.finished' && event.batch.name < 'batch 5' ? 422 : 204).end(),
    );
    const room = openRoom();
    await tellOf(room, ...manyNames(60));
    await room.run();
    expect((await rows()).filter(({ state }) => state === 'delivered').length).toBe(
      60 - manyNames(60).filter((name) => name < 'batch 5').length,
    );
  });

  test('is posted again by a run that comes after one that was broken off', async () => {
    const stopping = new AbortController();
    peer.answerWith(() => stopping.abort());
    const room = openRoom();
    await tellOf(room, 'November');
    await room.run('webhooks:deliver', stopping.signal);
    expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0 }]);
    peer.answerWith((response) => void response.writeHead(204).end());
    await openRoom().run();
    expect(await rows()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    expect(peer.posted[0]?.event.id).toBe(peer.posted[1]?.event.id);
  });

  test('ends at once when no webhook is configured any more', async () => {
    await tellOf(openRoom(), 'November', 'December');
    await openRoom({ RECEIVED_WEBHOOK_URL: '', RECEIVED_WEBHOOK_SECRET: '' }).run();
    expect((await rows()).map(({ state, last_error: error }) => [state, error])).toEqual([
      ['failed', 'no webhook is configured any more'],
      ['failed', 'no webhook is configured any more'],
    ]);
    expect(alarms).toMatchObject([{ alarm: 'webhook', events: 2 }]);
  });
});

describe('many events', () => {
  test('are posted eight at a time', async () => {
    let open = 0;
    let most = 0;
    const eighth = Promise.withResolvers<void>();
    peer.answerWith(async (response) => {
      most = Math.max(most, (open += 1));
      if (open === 8) eighth.resolve();
      await eighth.promise;
      open -= 1;
      response.writeHead(204).end();
    });
    const room = openRoom();
    await tellOf(room, ...manyNames(200));
    await room.run();
    expect([most, peer.posted.length]).toEqual([8, 200]);
    expect((await rows()).every(({ state }) => state === 'delivered')).toBe(true);
  });

  test('wait while the system is in trouble, a handful of them tried every half minute', async () => {
    peer.answerWith((response) => void response.writeHead(503).end());
    const room = openRoom();
    await tellOf(room, ...manyNames(100));
    await room.run();
    const tried = peer.posted.length;
    expect(tried).toBeLessThan(16);
    expect(room.wokenAt).toEqual([30]);
    nowMs += 29_000;
    await room.run();
    expect([peer.posted.length, room.wokenAt]).toEqual([tried, [1]]);
    nowMs += 1_000;
    peer.answerWith((response) => void response.writeHead(204).end());
    await room.run();
    expect((await rows()).filter(({ state }) => state === 'delivered')).toHaveLength(100);
  });

  test('are given up after two days of it, and an operator is told once', async () => {
    const room = openRoom();
    await tellOf(room, ...manyNames(100));
    nowMs += 2 * dayMs + minuteMs;
    await tellOf(room, 'young');
    peer.answerWith((response) => void response.writeHead(503).end());
    await room.run();
    expect((await rows()).filter(({ state }) => state === 'queued').map(({ created_at: at }) => at.getTime())).toEqual([nowMs]);
    expect(alarms).toEqual([
      { outage: 'webhooks', reason: 'Error: answered 503' },
      { alarm: 'webhook', events: 100, error: 'answered 503' },
    ]);
  });
});
