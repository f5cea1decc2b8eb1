import { calls, pathOf } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type DatabaseProxy, startDatabaseProxy } from '#testing/database-proxy.ts';
import { isNightly } from '#testing/nightly.ts';
import {
  askProxy,
  findProxy,
  proxyNames,
  type ProxiedRequest,
  shippedHost,
  type ShippedProxy,
  startShippedProxy,
} from '#testing/shipped-proxies.ts';
import { writePages } from '#testing/simple-pdf.ts';
import { type Machine, startMachine } from '#testing/start-machine.ts';
import { formOf, startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/**
 * Two machines behind the files that operators get: one is restarted, starts while its database is away, and loses it while it serves. What
 * customers and publishers ask for meanwhile never fails, as far as it may be repeated.
 */

const requestsInAll = isNightly ? 2_000 : 120;
/** Of one step; the night has the machine for itself, and many requests to make. */
const patienceMs = isNightly ? 600_000 : 100_000;
const clients = isNightly ? 8 : 2;

let portal: TestPortal;
let people: readonly TestClient[];
let way: DatabaseProxy;
let one: Machine;
let two: Machine;

const environment = (databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: portal.settings.dataDir,
  PUBLIC_URL: portal.settings.publicUrl.origin,
  HOST: '127.0.0.1',
  TRUSTED_PROXIES: '127.0.0.1',
  DRAIN_SECONDS: '1',
});

const startTwo = (ports: { port?: number; metricsPort?: number } = {}): Promise<Machine> => startMachine(environment(way.url), ports);

beforeAll(async () => {
  // Without jobs: its files would belong to another user than those of the machines, which leave root.
  portal = await startTestPortal({ environment: { PUBLIC_URL: `https://${shippedHost}`, ROLE: 'web' } });
  people = await Promise.all(
    Array.from({ length: clients }, (_, number) =>
      portal.signIn(`300${number}`, { cif: `9300${number}`, email: `a${number}@example.com` }),
    ),
  );
}, 60_000);
afterAll(() => portal[Symbol.asyncDispose]());

const bodyOf = async (form: FormData): Promise<{ body: Uint8Array; type: string }> => {
  const response = new Response(form);
  return { body: new Uint8Array(await response.arrayBuffer()), type: response.headers.get('content-type') ?? '' };
};

interface Flow {
  /** What failed, by call and status. */
  readonly failed: readonly string[];
  readonly published: ReadonlySet<string>;
  /** Resolves when this many more requests were answered. */
  more(requests: number): Promise<void>;
  end(): Promise<void>;
}

/** Each client reads an account, a list and the languages, and a publisher delivers them a document, over and over. */
const startFlow = (proxy: ShippedProxy, run: string): Flow => {
  const failed: string[] = [];
  const published = new Set<string>();
  let answered = 0;
  const over = new AbortController();
  const ask = async (what: string, request: ProxiedRequest): Promise<void> => {
    const outcome = await askProxy(proxy, request).catch(String);
    answered += 1;
    if (typeof outcome === 'string') failed.push(`${what} ${outcome}`);
    else if (outcome.status !== 200) failed.push(`${what} ${outcome.status} ${outcome.body.slice(0, 200)}`);
  };
  const askAs = async ({ token, cookie }: TestClient, number: number): Promise<void> => {
    const known = { authorization: token, cookie };
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      await ask('account', { path: pathOf(calls.getAccount, {}), headers: known });
      const json = { ...known, 'content-type': 'application/json' };
      await ask('list', { method: 'POST', path: calls.listOwnDocuments.path, headers: json, body: '{"page":0,"size":10}' });
      await ask('languages', { path: calls.listLanguages.path });
      const uniqueName = `${run}-${number}-${turn}`;
      const pdf = writePages([`/MediaBox[0 0 ${200 + number} ${200 + (turn % 400)}]`]);
      const { body, type } = await bodyOf(
        formOf({ uniqueName, type: 'PRIVATE', fileName: 'Umowa.pdf', metadata: {}, cif: `9300${number}` }, pdf),
      );
      const headers = { authorization: `Bearer ${portal.publisherKey}`, 'content-type': type };
      await ask('publication', { method: 'POST', path: calls.publishDocument.path, headers, body });
      published.add(uniqueName);
    }
  };
  const flowing = Promise.all(people.map(askAs));
  return {
    failed,
    published,
    async more(requests) {
      const until = answered + requests;
      await vi.waitUntil(() => answered >= until, { timeout: patienceMs, interval: 20 });
    },
    async end() {
      over.abort();
      await flowing;
    },
  };
};

const readinessOf = async ({ metricsPort }: Machine): Promise<number> => (await fetch(`http://127.0.0.1:${metricsPort}/api/ready`)).status;

/** The same journey behind both takes minutes. */
const due = isNightly ? proxyNames : proxyNames.slice(0, 1);

describe.each(due)('two machines behind the file for %s', (name) => {
  const program = findProxy(name);

  test.skipIf(program === undefined)(
    'one that restarts, starts without its database, or loses it, fails no request',
    { timeout: 3 * patienceMs },
    async () => {
      await using leave = new AsyncDisposableStack();
      way = leave.use(await startDatabaseProxy(portal.owner.connection));
      one = await startMachine(environment(portal.databaseUrl));
      leave.defer(() => one[Symbol.asyncDispose]());
      await one.ready;
      two = await startTwo();
      leave.defer(() => two[Symbol.asyncDispose]());
      await two.ready;
      const proxy = leave.use(await startShippedProxy({ name, program: program ?? '' }, [one, two]));
      const share = requestsInAll / 6;
      const flow = startFlow(proxy, name);
      await flow.more(share);

      // It starts, and waits for its database.
      expect(await two.stop('SIGTERM')).toBe(0);
      await way.end();
      two = await startTwo(two);
      await vi.waitUntil(() => two.said.some((line) => line.startsWith('Waiting for the database')), { timeout: patienceMs });
      await flow.more(share);
      await way.start();
      await two.ready;
      await flow.more(share);

      // It loses its database while it serves.
      await way.end();
      await vi.waitFor(async () => expect(await readinessOf(two)).toBe(503), { timeout: patienceMs });
      await flow.more(share);
      await way.start();
      await vi.waitFor(async () => expect(await readinessOf(two)).toBe(200), { timeout: patienceMs });
      await flow.more(share);

      // The other one is replaced.
      expect(await one.stop('SIGTERM')).toBe(0);
      one = await startMachine(environment(portal.databaseUrl), one);
      await one.ready;
      await flow.more(share);

      await flow.end();
      expect(flow.failed).toEqual([]);
      const rows = await portal.db
        .selectFrom('document')
        .select(['unique_name', 'published_at'])
        .where('unique_name', 'like', `${name}-%`)
        .execute();
      expect(new Set(rows.map(({ unique_name: uniqueName }) => uniqueName))).toEqual(flow.published);
      expect([rows.length, rows.filter(({ published_at: at }) => at === null)]).toEqual([flow.published.size, []]);
    },
  );
});
