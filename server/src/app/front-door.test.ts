import { areaPrefixes, type CallName, calls } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});

afterAll(() => portal[Symbol.asyncDispose]());

const someId = '00000000-0000-4000-8000-000000000000';

const urlOf = (path: string): string => path.replaceAll(':page', '1').replaceAll(/:\w+/g, someId);

const ask = (name: CallName, headers: Record<string, string> = {}) =>
  portal.server.inject({
    method: calls[name].method,
    url: urlOf(calls[name].path),
    headers: { host: portal.settings.publicUrl.host, ...headers },
  });

const names = (Object.keys(calls) as CallName[]).filter((name) => calls[name].area === 'protected');

describe('every protected call', () => {
  test.each(names)('%s answers an anonymous caller with ACCESS_DENIED', async (name) => {
    const answer = await ask(name);
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'ACCESS_DENIED']);
  });

  test.each(names)('%s is refused when another site asks', async (name) => {
    const answer = await ask(name, { 'sec-fetch-site': 'cross-site' });
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'CALL_NOT_PERMITTED']);
  });
});

describe('the table of routes', () => {
  test('has every call of the contract, and each is in exactly one area', async () => {
    for (const name of Object.keys(calls) as CallName[]) {
      const call = calls[name];
      expect(portal.server.hasRoute({ method: call.method, url: call.path }), name).toBe(true);
      const areas = Object.entries(areaPrefixes).filter(([, prefix]) => call.path.startsWith(prefix));
      expect(
        areas.map(([area]) => area),
        name,
      ).toEqual(call.area === 'system' ? [] : [call.area]);
    }
  });

  test('is told as OpenAPI, from the schemas that validate', async () => {
    const { statusCode, json } = await portal.server.inject({
      url: '/api/openapi.json',
      headers: { host: portal.settings.publicUrl.host },
    });
    expect(statusCode).toBe(200);
    const document = json<{ openapi: string; paths: Record<string, Record<string, { operationId?: string }>> }>();
    expect(document.openapi).toBe('3.1.0');
    const told = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((operation) => operation.operationId));
    expect(told.toSorted()).toEqual(Object.keys(calls).toSorted());
  });
});

describe('who is alive and ready', () => {
  test('is told under any name', async () => {
    const probe = { host: 'probe.internal:1' };
    expect((await portal.anonymous.call('getHealth', {}, probe)).body).toEqual({ status: 'ok' });
    expect((await portal.anonymous.call('getReadiness', {}, probe)).body).toEqual({ status: 'ok', lock: 'none', ledger: 'open' });
  });

  test('every other call under another name is misdirected', async () => {
    expect((await ask('listLanguages', { host: 'evil.example' })).statusCode).toBe(421);
  });
});

describe('pages', () => {
  test('an unknown page is 404, an unknown call is RESOURCE_NOT_FOUND', async () => {
    const page = await portal.server.inject({ url: '/nowhere', headers: { host: portal.settings.publicUrl.host, accept: 'text/html' } });
    const call = await portal.server.inject({
      url: '/api/nowhere',
      headers: { host: portal.settings.publicUrl.host, accept: 'text/html' },
    });
    expect(page.statusCode).toBe(404);
    expect([call.statusCode, call.json().code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  });

  test('what a browser reports of the policy is taken, in bounds', async () => {
    const report = (payload: string) =>
      portal.server.inject({
        method: 'POST',
        url: '/api/open/csp-report',
        headers: { host: portal.settings.publicUrl.host, 'content-type': 'application/reports+json' },
        payload,
      });
    expect((await report('[]')).statusCode).toBe(204);
    expect((await report('x'.repeat(17_000))).statusCode).toBe(400);
  });
});
