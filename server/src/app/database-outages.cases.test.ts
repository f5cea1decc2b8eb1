import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls, type ErrorBody } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock } from '#platform/clock/clock.ts';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { silentLog } from '#platform/log/log.ts';
import { createMetrics } from '#platform/metrics/metrics.ts';
import { readSettings } from '#platform/settings/settings.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#testing/database-proxy.ts';
import { isNightly } from '#testing/nightly.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import { openPortal } from './portal.ts';

/** Of readiness: what is promised, and what a busy machine adds to it. */
const readyWithinMs = 3_000;

let proxy: DatabaseProxy;
let portal: TestPortal;
let client: TestClient;

beforeAll(async () => {
  portal = await startTestPortal({
    async route(connection) {
      proxy = await startDatabaseProxy(connection);
      // The deadline is two seconds more.
      return { url: `${proxy.url}?statement_timeout=500` };
    },
  });
  client = await portal.signIn('70000001');
});

afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

const list = () => client.call('listOwnDocuments', { body: { size: 100 } });

const askReadiness = async (): Promise<{ status: number; ms: number }> => {
  const startedAtMs = performance.now();
  const { status } = await portal.anonymous.call('getReadiness', {});
  return { status, ms: performance.now() - startedAtMs };
};

/** What was found within the last two seconds is told again. */
const untilReadinessIs = (wanted: number): Promise<void> =>
  vi.waitFor(async () => expect((await askReadiness()).status).toBe(wanted), { timeout: 15_000, interval: 100 });

const untilItWorks = (): Promise<void> =>
  vi.waitFor(async () => expect((await list()).status).toBe(200), { timeout: 20_000, interval: 100 });

const fetchAsBrowser = (url: string, headers: Record<string, string> = {}) =>
  portal.server.inject({
    method: 'GET',
    url,
    headers: {
      host: portal.settings.publicUrl.host,
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      accept: 'text/html',
      ...headers,
    },
  });

const state = Buffer.from(JSON.stringify({ challenge: 'A'.repeat(43), method: 'S256' })).toString('base64');
const signInPath = `/api/open/redirect/login/70000001?state=${encodeURIComponent(state)}`;

describe('while the server of the database is down', () => {
  let identityPage: string;

  beforeAll(async () => {
    identityPage = String((await fetchAsBrowser(signInPath)).headers.location);
    // Longer than a session is remembered.
    portal.clock.advance(11_000);
    await proxy.end();
  });
  afterAll(async () => {
    await proxy.start();
    await untilItWorks();
    await untilReadinessIs(200);
  });

  const rows: readonly (readonly [string, () => Promise<{ status: number; error: ErrorBody | undefined; headers: object }>])[] = [
    ["a client's list", list],
    ['a statute', () => client.call('getStatute', { params: { id: '00000000-0000-4000-8000-000000000000' } })],
    ['a call of a publisher', () => portal.publisher.call('upsertClients', { body: { items: [] } })],
    [
      'the beginning of a sign-in by a script',
      () => portal.anonymous.call('startSignIn', { params: { personalId: '70000001' }, query: { state } }),
    ],
  ];

  test.each(rows)('%s is answered 503 in the documented body, with the time to wait', async (_what, ask) => {
    const { status, error, headers } = await ask();
    expect([status, error, headers]).toEqual([
      503,
      { code: 'STORAGE_ERROR', message: 'The database cannot be used at the moment', requestId: expect.any(String) },
      expect.objectContaining({ 'retry-after': '5' }),
    ]);
  });

  test.each([
    ['begins to sign in', signInPath],
    ['downloads a public document', '/api/open/documents/download/00000000-0000-4000-8000-000000000000'],
  ])('a browser that %s is answered 503, for a proxy that can ask elsewhere, by a page that tries again', async (_what, address) => {
    const { statusCode, headers, body } = await fetchAsBrowser(address);
    expect([statusCode, headers['retry-after'], headers['content-type']]).toEqual([503, '5', 'text/html; charset=utf-8']);
    expect(body).toContain('<meta http-equiv="refresh" content="10">');
    expect(body).toContain('Portal jest w tej chwili niedostępny');
  });

  test.each(['before it is handed to the provider', 'by the provider'])(
    'a page of the identity service that fails %s says so in a sentence, with the time to wait',
    async () => {
      const { statusCode, headers, body } = await fetchAsBrowser(identityPage);
      expect([statusCode, headers['retry-after'], headers['content-type']]).toEqual([503, '5', 'text/html; charset=utf-8']);
      expect(body).toContain('Problem z logowaniem. Spróbuj ponownie później');
    },
  );

  test('the portal is alive, and not ready', async () => {
    await untilReadinessIs(503);
    expect((await portal.anonymous.call('getHealth', {})).status).toBe(200);
  });
});

describe('while the connections are open and say nothing', () => {
  beforeAll(async () => {
    await untilItWorks();
    portal.clock.advance(11_000);
    proxy.silence();
  });
  afterAll(() => proxy.resume());

  test('twenty calls are answered 503 within their deadline, and all are answered again when it is over', async () => {
    const startedAtMs = performance.now();
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await list()).status));
    expect(new Set(statuses)).toEqual(new Set([503]));
    // Five seconds for a connection and two and a half for a statement, and the same again for a busy machine.
    expect(performance.now() - startedAtMs).toBeLessThan(15_000);
    const { status, ms } = await askReadiness();
    expect([status, ms < readyWithinMs]).toEqual([503, true]);
    proxy.resume();
    await untilItWorks();
    await untilReadinessIs(200);
    expect((await Promise.all(Array.from({ length: 30 }, list))).map((answer) => answer.status)).toEqual(
      Array.from({ length: 30 }, () => 200),
    );
  });
});

/** A process and all that it has started. */
const familyOf = async (pid: number): Promise<number[]> => {
  const family = [pid];
  for (const name of await readdir('/proc')) {
    const stat = /^\d+$/.test(name) ? await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '') : '';
    const [, parent] = /\) \w (\d+) /.exec(stat) ?? [];
    if (Number(parent) === pid) family.push(Number(name));
  }
  return family;
};

// At night: by day the proxy above simulates a silent server, and no second server is started.
test.runIf(isNightly && process.platform === 'linux')(
  'a frozen server of the database keeps no caller waiting, and is used again when it resumes',
  { timeout: 60_000 },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'pergamin-frozen-'));
    const log = silentLog();
    await using leave = new AsyncDisposableStack();
    leave.defer(() => rm(dataDir, { recursive: true, force: true }));
    const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } });
    leave.defer(() => postgres.stop());
    const settings = readSettings({ DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'silent' });
    const frozen = await openPortal({
      settings,
      log,
      clock: systemClock,
      metrics: createMetrics(),
      address: { connection: postgres.portalConnection },
      migrationAddress: { connection: postgres.connection },
    });
    leave.defer(() => frozen.close());
    const ask = async (path: string): Promise<{ status: number; ms: number }> => {
      const startedAtMs = performance.now();
      const { statusCode } = await frozen.server.inject({ method: 'GET', url: path, headers: { host: settings.publicUrl.host } });
      return { status: statusCode, ms: performance.now() - startedAtMs };
    };
    expect((await ask(calls.getReadiness.path)).status).toBe(200);
    const family = await familyOf(postgres.pid);
    for (const pid of family) process.kill(pid, 'SIGSTOP');
    const thaw = (): void => {
      for (const pid of family) process.kill(pid, 'SIGCONT');
    };
    try {
      await vi.waitFor(
        async () => {
          const { status, ms } = await ask(calls.getReadiness.path);
          expect(ms).toBeLessThan(readyWithinMs);
          expect(status).toBe(503);
        },
        { timeout: 10_000, interval: 100 },
      );
    } finally {
      thaw();
    }
    await vi.waitFor(async () => expect((await ask(calls.getReadiness.path)).status).toBe(200), { timeout: 10_000, interval: 100 });
  },
);
