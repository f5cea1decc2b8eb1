import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '#testing/free-port.ts';
import { startNginx } from '#testing/nginx.ts';
import { portOf } from '#testing/raw-http.ts';
import { findProxy } from '#testing/shipped-proxies.ts';
import { startMachine } from '#testing/start-machine.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

const nginx = findProxy('nginx');

let portal: TestPortal;
let proxyPort: number;
let origin: string;
beforeAll(async () => {
  proxyPort = await freePort();
  origin = `http://localhost:${proxyPort}`;
  portal = await startTestPortal({ environment: { PUBLIC_URL: origin } });
});
afterAll(() => portal[Symbol.asyncDispose]());

const ask = async (path: string, init: { method?: string; body?: string; headers?: Record<string, string> } = {}): Promise<number> => {
  // A connection for each: nginx, too, closes kept ones when it takes another configuration.
  const answer = await fetch(origin + path, { ...init, headers: { ...init.headers, connection: 'close' } });
  await answer.arrayBuffer();
  return answer.status;
};

describe.skipIf(nginx === undefined)('behind nginx with kept connections', () => {
  beforeAll(() => portal.server.listen({ host: '127.0.0.1', port: 0 }));

  test('refused uploads leave nothing in front of other people’s requests', async () => {
    await using _proxy = await startNginx(nginx ?? '', { port: proxyPort, upstreams: [portOf(portal.server.server)] });
    const client = await portal.signIn('1001', { cif: '7001' });
    const body = `--line\r\ncontent-disposition: form-data; name="strange"\r\n\r\nx\r\n--line\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${'x'.repeat(266_000)}\r\n--line--\r\n`;
    const upload = (headers: Record<string, string>) =>
      ask('/api/protected/documents/client/upload', {
        method: 'POST',
        body,
        headers: { 'content-type': 'multipart/form-data; boundary=line', 'idempotency-key': crypto.randomUUID(), ...headers },
      });
    const refused: number[] = [];
    const strangers: number[] = [];
    for (const _turn of Array.from({ length: 5 })) {
      const known = { authorization: client.token, cookie: client.cookie };
      refused.push(await upload({}), await upload(known), await ask('/api/auth/login', { method: 'PUT', body }));
      strangers.push(...(await Promise.all(Array.from({ length: 6 }, () => ask('/api/health')))));
    }
    expect([...new Set(refused)].toSorted((one, other) => one - other)).toEqual([400, 401, 405]);
    expect([...new Set(strangers)]).toEqual([200]);
  });

  test(
    'a process that is stopped among requests fails none: it says that it is not ready, serves on until it is left out, and goes',
    { timeout: 60_000 },
    async () => {
      const stayingPort = portOf(portal.server.server);
      const leaving = await startMachine({
        DATABASE_URL: portal.databaseUrl,
        DATA_DIR: portal.settings.dataDir,
        PUBLIC_URL: origin,
        DRAIN_SECONDS: '2',
      });
      const leavingPort = leaving.port;
      try {
        await leaving.ready;
        await using proxy = await startNginx(nginx ?? '', { port: proxyPort, upstreams: [leavingPort, stayingPort] });
        const statuses = new Map<string, number>();
        const over = new AbortController();
        const flow = async (): Promise<void> => {
          while (!over.signal.aborted) {
            const read = `GET ${await ask('/resources/r/lang/list')}`;
            const written = `POST ${await ask('/api/protected/documents/list/data', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })}`;
            for (const seen of [read, written]) statuses.set(seen, (statuses.get(seen) ?? 0) + 1);
          }
        };
        const flowing = Promise.all(Array.from({ length: 8 }, flow));
        const countAll = (): number => [...statuses.values()].reduce((sum, one) => sum + one, 0);
        await expect.poll(countAll, { timeout: 20_000 }).toBeGreaterThan(100);

        const gone = leaving.stop('SIGTERM');
        const own = async (path: string) => {
          const answer = await fetch(`http://127.0.0.1:${leavingPort}${path}`);
          return [answer.status, answer.headers.get('connection')];
        };
        await expect.poll(() => own('/api/ready'), { timeout: 1_500 }).toEqual([503, 'close']);
        expect(await own('/api/health')).toEqual([200, 'close']);
        await proxy.useOnly([stayingPort]);
        expect(await gone).toBe(0);
        const before = countAll();
        await expect.poll(countAll, { timeout: 20_000 }).toBeGreaterThan(before + 100);
        over.abort();
        await flowing;
        expect([[...statuses.keys()].toSorted(), await proxy.readLog()]).toEqual([
          ['GET 200', 'POST 401'],
          expect.not.stringContaining('reset by peer'),
        ]);
      } finally {
        await leaving.stop('SIGKILL');
      }
    },
  );
});
