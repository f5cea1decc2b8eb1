import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let owner: TestClient;
let stranger: TestClient;
let ownId: string;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { SESSION_IDLE_MINUTES: '15' } });
  owner = await portal.signIn('65000001', { cif: '65001' });
  stranger = await portal.signIn('65000002', { cif: '65002' });
  await portal.publish({ cif: '65001', fileName: '<img src=x onerror=alert(1)>.pdf', pdf: aPdf() });
  ownId = (await owner.call('listNotifications', {})).body.items[0]?.id ?? '';
});

afterAll(() => portal[Symbol.asyncDispose]());

const read = (client: TestClient, id: string) => client.call('readNotification', { params: { id } });

describe('10: a notification', () => {
  test('a notification of another client is answered as one that never was, and stays unread', async () => {
    const [foreign, random] = [await read(stranger, ownId), await read(stranger, randomUUID())];
    for (const answer of [foreign, random]) expect([answer.status, answer.error?.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    const told = ({ error }: typeof foreign) => ({ ...error, requestId: undefined });
    expect(told(foreign)).toEqual(told(random));
    expect((await owner.call('listNotifications', {})).body.items.map((item) => item.id)).toEqual([ownId]);
  });

  test.each([
    ['a number', '1', 400],
    ['a condition', '1 or 1=1', 400],
    ['a way up', '../list', 400],
    ['a NUL', 'a\0', 400],
    ['almost one', '00000000-0000-0000-0000-00000000000g', 400],
    ['ten thousand characters', 'a'.repeat(10_000), 414],
  ])('19: marking %s instead of an id is refused', async (_what, id, status) => {
    const answer = await read(owner, id);
    expect(answer.status).toBe(status);
    expect((await owner.call('listNotifications', {})).body.items).toHaveLength(1);
  });

  test('86: is told as it was published: markup in the name of a file stays text', async () => {
    const answer = await owner.call('listNotifications', {});
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.body.items[0]?.name).toBe('<img src=x onerror=alert(1)>.pdf');
  });

  test('108: is made by no client: there is no call that takes one', async () => {
    for (const [method, url] of [
      ['POST', '/api/protected/notifications/list'],
      ['PUT', `/api/protected/notifications/read/${ownId}`],
      ['POST', '/api/protected/notifications'],
    ] as const) {
      const headers = { host: portal.settings.publicUrl.host, authorization: owner.token, cookie: owner.cookie };
      const answer = await portal.server.inject({ method, url, headers });
      expect([404, 405]).toContain(answer.statusCode);
    }
  });
});

test('63: asking for news every half minute keeps no session alive', async () => {
  const client = await portal.signIn('65000011', { cif: '65011' });
  const statuses = new Set<number>();
  for (let minute = 0; minute < 14; minute += 1) {
    portal.clock.advance(60_000);
    statuses.add((await client.call('listNotifications', {})).status);
  }
  expect([...statuses]).toEqual([200]);
  portal.clock.advance(2 * 60_000);
  const answer = await client.call('listNotifications', {});
  expect([answer.status, answer.error?.code]).toEqual([401, 'ACCESS_DENIED']);
});
