import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { calls } from '@pergamin/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { portOf } from '#testing/raw-http.ts';
import { askProxy, findProxy, proxyNames, shippedHost, type ShippedProxy, startShippedProxy } from '#testing/shipped-proxies.ts';

/** The files that operators get, in front of machines that behave as the test wants. Real machines: two-machines.test.ts. */

interface FakeMachine {
  readonly port: number;
  readonly metricsPort: number;
  readonly seen: { readonly method: string; readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  /** Left out: 200, and its name. */
  answer: RequestListener | undefined;
  close(): Promise<void>;
}

const listen = async (answer: RequestListener): Promise<Server> => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

const closeServer = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
};

const startFakeMachine = async (name: string): Promise<FakeMachine> => {
  const seen: FakeMachine['seen'] = [];
  const server = await listen((asked, response) => {
    seen.push({ method: asked.method ?? '', path: asked.url ?? '', headers: asked.headers });
    // Connections are broken off by the tests.
    buffer(asked).then(
      () => (machine.answer === undefined ? response.end(name) : machine.answer(asked, response)),
      () => {},
    );
  });
  // As long as the file's checks do not say otherwise, both are asked: what is tested is the request that came before the check.
  const probes = await listen((_, response) => response.end());
  const machine: FakeMachine = {
    port: portOf(server),
    metricsPort: portOf(probes),
    seen,
    answer: undefined,
    close: async () => {
      await Promise.all([closeServer(server), closeServer(probes)]);
    },
  };
  return machine;
};

const refuse: RequestListener = (_, response) => {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '5' }).end('{"code":"STORAGE_ERROR"}');
};
const breakOff: RequestListener = (asked) => void asked.socket.destroy();

/** POST calls that may be repeated: they only read, or have a unique name. */
const repeatable = [
  'listOwnDocuments',
  'listOwnValues',
  'searchOwnDocuments',
  'listSentDocuments',
  'listCategories',
  'exportDocumentsCsv',
  'listPublicDocuments',
  'checkChecksum',
  'checkPublications',
  'publishDocument',
];

const postCalls = Object.values(calls)
  .filter(({ method }) => method === 'POST')
  .map(({ name, path }) => [name, path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')] as const);

describe.each(proxyNames)('the file for %s', (name) => {
  const program = findProxy(name);

  describe.skipIf(program === undefined)(`with the real ${name}${program === undefined ? ' (skipped: it is not installed)' : ''}`, () => {
    let machines: readonly [FakeMachine, FakeMachine];
    let proxy: ShippedProxy;
    beforeEach(async () => {
      machines = [await startFakeMachine('one'), await startFakeMachine('two')];
      proxy = await startShippedProxy({ name, program: program ?? '' }, machines);
    });
    afterEach(async () => {
      await proxy[Symbol.asyncDispose]();
      await Promise.all(machines.map((machine) => machine.close()));
    });

    const ask = (path: string, method = 'GET', body = method === 'POST' ? '{}' : undefined) =>
      askProxy(proxy, { path, method, ...(body === undefined ? {} : { body }) });
    const several = <Answer>(act: () => Promise<Answer>): Promise<Answer[]> => Promise.all(Array.from({ length: 6 }, act));
    const statusesOf = async (path: string, method = 'GET'): Promise<Set<number>> =>
      new Set((await several(() => ask(path, method))).map(({ status }) => status));

    test('a customer is sent to another machine where one is closed, whatever they ask for', async () => {
      await machines[0].close();
      for (const method of ['GET', 'HEAD', 'POST', 'PUT'])
        expect([method, await statusesOf('/api/x/y', method)]).toEqual([method, new Set([200])]);
    });

    test.each([
      ['answers 503', refuse],
      ['breaks off', breakOff],
    ])('where a machine %s, another one is asked for what may be repeated', async (_what, answer) => {
      machines[0].answer = answer;
      const paths = new Map<string, string>(postCalls);
      for (const call of repeatable) expect([call, await statusesOf(paths.get(call) ?? '', 'POST')]).toEqual([call, new Set([200])]);
      expect(await statusesOf('/api/protected/account')).toEqual(new Set([200]));
      expect(machines[0].seen.length).toBeGreaterThan(0);
    });

    test.each([
      ['answers 503', refuse],
      ['breaks off', breakOff],
    ])('where a machine %s, a POST that it may have executed is sent to no other', async (_what, answer) => {
      for (const machine of machines) machine.answer = answer;
      for (const [call, path] of postCalls.filter(([call]) => !repeatable.includes(call))) {
        for (const { seen } of machines) seen.length = 0;
        expect([call, [502, 503].includes((await ask(path, 'POST')).status)]).toEqual([call, true]);
        expect([call, machines[0].seen.length + machines[1].seen.length]).toEqual([call, 1]);
      }
    });

    test('a 503 of every machine about one document closes the portal to nobody, and arrives as it was written', async () => {
      for (const machine of machines)
        machine.answer = (asked, response) => (asked.url === '/bad' ? refuse(asked, response) : response.end('good'));
      const [bad] = await several(() => ask('/bad'));
      expect([bad?.status, bad?.headers['retry-after'], bad?.body]).toEqual([503, '5', '{"code":"STORAGE_ERROR"}']);
      expect(await statusesOf('/good')).toEqual(new Set([200]));
      expect(await statusesOf('/good', 'POST')).toEqual(new Set([200]));
    });

    test('while no machine answers, people read a calm page that tries again', async () => {
      await Promise.all(machines.map((machine) => machine.close()));
      const { status, headers, body } = await ask('/');
      expect([status, headers['retry-after'], headers['content-type'], headers['cache-control']]).toEqual([
        503,
        '10',
        expect.stringMatching(/^text\/html/),
        'no-store',
      ]);
      expect(body).toContain('Portal jest w tej chwili niedostępny');
      expect(body).toContain('<meta http-equiv="refresh" content="10">');
    });

    test('the log names no code, token, person or document, also when machines fail', async () => {
      machines[0].answer = breakOff;
      const secret = 'sEcReT7f3a';
      const addresses = [
        `/oauth/${secret}?code=${secret}`,
        `/oauth?code=${secret}`,
        `/sso/${secret}`,
        `/SSO/${secret}`,
        `/sso/a/${secret}`,
        `/%6Fauth/${secret}`,
        `//oauth/${secret}`,
        `/./oauth/${secret}`,
        `/identity/interaction/${secret}`,
        `/identity/set-password?token=${secret}`,
        `/api/open/notices/delivery/${secret}`,
        `/api/open/redirect/login/${secret}?state=${secret}`,
        `/api/protected/documents/data/${secret}`,
        `/public/${secret}`,
        `/${secret}`,
        `/api/${secret}`,
        `/?code=${secret}`,
        '/api/health',
        '/api/auth/login',
      ];
      for (const address of addresses) await ask(address);
      const plain = request({
        host: '127.0.0.1',
        port: proxy.plainPort,
        path: `/oauth/${secret}`,
        headers: { host: shippedHost },
        agent: false,
      }).end();
      await once(plain, 'response');
      await expect.poll(() => proxy.readLog()).toMatch(/\/api\/auth\/login/);
      const log = await proxy.readLog();
      expect(log).not.toContain(secret);
      for (const word of ['"GET /oauth', '"GET /sso', '"GET /identity', '"GET /public', '"GET /api/open/', '"GET /api/health"'])
        expect(log).toContain(word);
    });

    test('port 80 leads to https, and a visitor says nothing about where they come from', async () => {
      const asked = request({
        host: '127.0.0.1',
        port: proxy.plainPort,
        path: '/login?a=1',
        headers: { host: 'evil.example' },
        agent: false,
      }).end();
      const [answer] = await once(asked, 'response');
      expect([answer.statusCode, answer.headers.location]).toEqual([308, `https://${shippedHost}/login?a=1`]);
      await askProxy(proxy, { path: '/', headers: { 'x-forwarded-for': '10.9.9.9', forwarded: 'for=10.9.9.9' } });
      const { headers = {} } = machines.flatMap(({ seen }) => seen).at(-1) ?? {};
      expect([headers['x-forwarded-for'], headers.forwarded, headers.host]).toEqual(['127.0.0.1', undefined, shippedHost]);
    });

    test('one address holds only so many connections, and others are served', { timeout: 30_000 }, async () => {
      for (const machine of machines)
        machine.answer = (asked, response) => void (asked.url === '/held' ? setTimeout(() => response.end(), 3_000) : response.end());
      const answers = await Promise.allSettled(Array.from({ length: 230 }, () => ask('/held')));
      const refused = answers.filter((answer) => answer.status === 'rejected' || answer.value.status === 429);
      expect(refused.length).toBeGreaterThan(20);
      expect(refused.length).toBeLessThan(60);
      expect((await ask('/')).status).toBe(200);
    });
  });
});

describe.skipIf(findProxy('haproxy') === undefined)('the checks of HAProxy', () => {
  test('a machine whose customers cannot read is sent nobody', async () => {
    const [one, two] = [await startFakeMachine('one'), await startFakeMachine('two')];
    const probes = await listen((asked, response) => void response.writeHead(asked.url === '/api/ready' ? 503 : 200).end());
    try {
      await using proxy = await startShippedProxy({ name: 'haproxy', program: findProxy('haproxy') ?? '' }, [
        { port: one.port, metricsPort: portOf(probes) },
        two,
      ]);
      const reached = async (): Promise<string[]> =>
        Promise.all(Array.from({ length: 4 }, async () => (await askProxy(proxy, { path: '/', method: 'POST', body: '' })).body));
      await expect.poll(reached, { timeout: 10_000 }).toEqual(['two', 'two', 'two', 'two']);
    } finally {
      await Promise.all([one.close(), two.close(), closeServer(probes)]);
    }
  });
});
