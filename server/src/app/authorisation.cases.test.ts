import { type Call, type CallName, calls, publisherScopes } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { readAndAccept } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** Who may call what, over the whole table of calls: so that a call that is added later is asked the same questions. */

let portal: TestPortal;
let client: TestClient;
let documentId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  client = await portal.signIn('1001', { cif: '7001' });
  documentId = (await portal.publish({ cif: '7001', pdf: aPdf() })).body.id;
});

afterAll(() => portal[Symbol.asyncDispose]());

const namesOf = (fits: (call: Call) => boolean): CallName[] => (Object.keys(calls) as CallName[]).filter((name) => fits(calls[name]));

interface Asked {
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly path?: string;
}

const ask = async (name: CallName, { headers = {}, method, path }: Asked = {}) => {
  const call: Call = calls[name];
  const url = (path ?? call.path).replaceAll(':page', '1').replaceAll(/:\w+/g, call.area === 'publisher' ? 'ADVERSARY' : documentId);
  const isJson = call.body !== undefined;
  const answer = await portal.server.inject({
    method: (method ?? call.method) as 'GET',
    url,
    headers: { host: portal.settings.publicUrl.host, ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(isJson ? { payload: '{}' } : {}),
  });
  const isOurs = answer.headers['content-type']?.toString().startsWith('application/json') === true;
  return {
    status: answer.statusCode,
    code: isOurs ? answer.json<{ code?: string }>().code : undefined,
    headers: answer.headers,
    body: answer.body,
  };
};

const own = (asker: TestClient): Record<string, string> => ({ authorization: asker.token, cookie: asker.cookie });

describe('a publisher’s key', () => {
  const publisherCalls = namesOf(({ area }) => area === 'publisher');

  test.each(publisherCalls)('a publisher’s key with every scope but its own cannot call %s', async (name) => {
    const { scope } = calls[name] as Call;
    const key = await portal.issueKey(publisherScopes.filter((other) => other !== scope));
    const answer = await ask(name, { headers: { authorization: `Bearer ${key}` } });
    expect([answer.status, answer.code]).toEqual([403, 'CALL_NOT_PERMITTED']);
  });

  test.each(publisherScopes)('a publisher’s key with the scope %s alone opens the calls of that scope, and no other', async (scope) => {
    const key = await portal.issueKey([scope]);
    const opened: CallName[] = [];
    for (const name of publisherCalls) {
      const { status, code } = await ask(name, { headers: { authorization: `Bearer ${key}` } });
      expect([name, status]).not.toEqual([name, 401]);
      if (status !== 403 || code !== 'CALL_NOT_PERMITTED') opened.push(name);
    }
    expect(opened).toEqual(namesOf((call) => call.scope === scope));
    // These two permit more of another scope’s calls, and open none.
    if (scope !== 'documents:remove-early' && scope !== 'documents:release') expect(opened).not.toEqual([]);
  });

  test.each(publisherCalls)('%s needs a publisher’s key: no session, no cookie, no query replaces it', async (name) => {
    const withoutKey = [{}, own(client), { cookie: `portal=${portal.publisherKey}` }, { 'x-api-key': portal.publisherKey }];
    for (const headers of withoutKey) expect((await ask(name, { headers })).status).toBe(401);
    const path = `${calls[name].path}?authorization=${encodeURIComponent(`Bearer ${portal.publisherKey}`)}`;
    expect((await ask(name, { path })).status).toBe(401);
  });

  test('a publisher’s key is refused in the clients’ area', async () => {
    for (const name of namesOf(({ area }) => area === 'protected'))
      expect((await ask(name, { headers: { authorization: `Bearer ${portal.publisherKey}`, cookie: client.cookie } })).status).toBe(401);
  });
});

describe('every call of the clients’ area', () => {
  const protectedCalls = namesOf(({ area }) => area === 'protected');

  test.each(protectedCalls)('%s answers under its one address and method only', async (name) => {
    const { path, method, ...call } = calls[name];
    const allowed: readonly string[] = 'answersHead' in call ? [method, 'HEAD'] : [method];
    const headers = own(client);
    for (const other of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => !allowed.includes(one))) {
      const answer = await ask(name, { headers, method: other });
      expect([other, answer.status, answer.body]).toEqual([other, 405, '']);
    }
    const others = [
      `${path}/`,
      path.replace('/protected/', '/protected//'),
      path.replace('/protected/', '%2fprotected%2f'),
      path.replace('/api/', '/API/'),
      path.replace('/protected/', '/Protected/'),
      `/api/resources${path}`,
    ];
    for (const other of others) expect([other, (await ask(name, { headers, path: other })).status]).toEqual([other, 404]);
  });

  test.each(protectedCalls)('%s is never kept, and never told to another site', async (name) => {
    for (const headers of [{}, own(client), { ...own(client), 'if-none-match': '*', 'if-modified-since': new Date().toUTCString() }]) {
      const answer = await ask(name, { headers });
      expect(answer.headers['cache-control']).toContain('no-store');
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
      expect(Object.keys(answer.headers).filter((header) => header.startsWith('access-control'))).toEqual([]);
      expect(answer.status).not.toBe(304);
    }
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }])
      expect((await ask(name, { headers: { ...own(client), ...headers } })).status).toBe(403);
  });

  test.each(protectedCalls)('%s acts on the method of the request and ignores headers that name another one', async (name) => {
    const overridden = ['x-http-method-override', 'x-http-method', 'x-method-override'].map((header) => [header, 'DELETE']);
    const plain = await ask(name, { headers: own(client) });
    const answer = await ask(name, {
      headers: { ...own(client), ...Object.fromEntries(overridden), 'x-original-url': '/api/health', 'x-forwarded-host': 'evil.example' },
    });
    // Some calls may be made a few times only.
    expect([
      [plain.status, plain.code],
      [429, 'CALL_NOT_PERMITTED'],
    ]).toContainEqual([answer.status, answer.code]);
  });
});

describe('the gate of the statute', () => {
  const gated = namesOf(({ needsStatute }) => needsStatute);
  const free = namesOf(({ area, needsStatute }) => area === 'protected' && !needsStatute);

  test('the gate refuses a client who has not accepted, and closes again when a new version is published', async () => {
    const reader = await portal.signIn('1002', { cif: '7001' });
    const passes = async (): Promise<Record<string, boolean>> => {
      const answers: Record<string, boolean> = {};
      for (const name of gated) {
        const { status, code } = await ask(name, { headers: own(reader) });
        answers[name] = !(status === 403 && code === 'CALL_NOT_PERMITTED');
      }
      return answers;
    };
    const all = (open: boolean) => Object.fromEntries(gated.map((name) => [name, open]));
    expect(await passes()).toEqual(all(true));
    for (const version of ['1', '2']) {
      portal.clock.advance(10);
      const { id } = (await portal.publishStatute({ version, pdf: aPdf({ text: version }) })).body;
      expect(await passes()).toEqual(all(false));
      for (const name of free) expect((await ask(name, { headers: own(reader) })).status).not.toBe(403);
      await readAndAccept(reader, id);
      expect(await passes()).toEqual(all(true));
    }
  });

  test('the gate is before every call about documents except those that accepting needs, and the ignore markers', () => {
    const open = free.filter((name) => calls[name].path.startsWith('/api/protected/documents/'));
    expect(open.toSorted()).toEqual(['acceptStatute', 'getStatuteInForce', 'listIgnoreMarkers', 'markStatutePage']);
  });
});
