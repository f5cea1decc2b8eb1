import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '#platform/log/log.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#testing/database-proxy.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

/** An outage is one line when it begins and one when it is over, however many calls, jobs and connections it fails. */

let proxy: DatabaseProxy;
let portal: TestPortal;
const lines: Record<string, unknown>[] = [];
const grave = () => lines.filter(({ level }) => Number(level) >= 40);

beforeAll(async () => {
  portal = await startTestPortal({
    log: createLog('info', { write: (line) => void lines.push(JSON.parse(line)) }),
    async route(connection) {
      proxy = await startDatabaseProxy(connection);
      return { url: `${proxy.url}?statement_timeout=500` };
    },
  });
});
beforeEach(() => {
  lines.length = 0;
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

const works = (status: number): Promise<void> =>
  vi.waitFor(async () => expect((await portal.publisher.call('upsertClients', { body: { items: [] } })).status).not.toBe(status), {
    timeout: 30_000,
    interval: 100,
  });

/** Calls that need the database, all at once. */
const callOften = (client: Awaited<ReturnType<TestPortal['signIn']>>, times: number) =>
  Promise.all(Array.from({ length: times }, () => client.call('listOwnDocuments', { body: { size: 10 } })));

test.each([
  ['a server that ends', () => proxy.end(), () => proxy.start()],
  ['a server that says nothing', async () => proxy.silence(), async () => proxy.resume()],
])('an outage of the database is two lines: %s', { timeout: 90_000 }, async (_what, begin, end) => {
  const client = await portal.signIn('70000001');
  await portal.publish({ cif: 'cif-70000001', pdf: aPdf() });
  await callOften(client, 10);
  lines.length = 0;
  await begin();
  portal.clock.advance(11_000);
  for (let round = 0; round < 3; round += 1)
    expect((await callOften(client, 20)).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 503));
  expect((await portal.anonymous.call('getReadiness', {})).status).toBe(503);
  await end();
  await works(503);
  await vi.waitFor(() => expect(grave().at(-1)).toMatchObject({ msg: expect.stringContaining('works again') }), { timeout: 20_000 });
  expect(grave()).toMatchObject([
    { level: 50, outage: 'database', reason: expect.any(String) },
    { level: 40, outage: 'database', failures: expect.any(Number), seconds: expect.any(Number) },
  ]);
});
