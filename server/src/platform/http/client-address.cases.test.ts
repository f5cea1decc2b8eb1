import type { FastifyInstance, InjectOptions } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog, silentLog } from '#platform/log/log.ts';
import { createHttpServer } from './http-server.ts';

const publicUrl = new URL('https://bank.example');
const proxy = '10.0.0.1';
const balancer = '10.0.7.7';

const serve = async (options: Partial<Parameters<typeof createHttpServer>[0]> = {}): Promise<FastifyInstance> => {
  const server = await createHttpServer({
    publicUrl,
    log: silentLog(),
    trustedProxies: ['10.0.0.0/16', 'fd00::/8'],
    ...options,
  });
  server.get('/address', async ({ ip }) => ip);
  return server;
};

let server: FastifyInstance;
beforeAll(async () => {
  server = await serve();
});
afterAll(() => server.close());

const addressOf = async (headers: InjectOptions['headers'], remoteAddress = proxy): Promise<string> =>
  (await server.inject({ url: '/address', remoteAddress, headers: { host: publicUrl.host, ...headers } })).body;

/** As the documentation of each, and the programs themselves, write the header. */
describe('the client’s address is the one that its proxy wrote', () => {
  test.each([
    ['nginx ($proxy_add_x_forwarded_for)', '203.0.113.7', '203.0.113.7'],
    ['nginx, IPv6', '2001:db8::7', '2001:db8::7'],
    ['nginx, an IPv4 client on a listener for both', '::ffff:203.0.113.7', '203.0.113.7'],
    ['nginx, behind another proxy of ours', `203.0.113.7, ${balancer}`, '203.0.113.7'],
    ['HAProxy (option forwardfor), which adds a header of its own', ['198.51.100.1', '203.0.113.7'], '203.0.113.7'],
    ['HAProxy, IPv6', '2001:db8:1::7', '2001:db8:1::7'],
    ['Azure Application Gateway', '203.0.113.7:50420', '203.0.113.7'],
    ['Azure Application Gateway behind a proxy of ours', `203.0.113.7:50420, ${balancer}:1024`, '203.0.113.7'],
    ['Azure Application Gateway, IPv6', '[2001:db8::7]:50420', '2001:db8::7'],
    ['AWS Application Load Balancer', '203.0.113.7', '203.0.113.7'],
    ['AWS Application Load Balancer that preserves the client’s port', '203.0.113.7:50420', '203.0.113.7'],
    ['AWS Application Load Balancer, IPv6', '2001:DB8::21f:5bff:febf:ce22:8a2e', '2001:db8:0:21f:5bff:febf:ce22:8a2e'],
    [
      'AWS Application Load Balancer, IPv6 with its port',
      '[2001:db8:85a3:8d3:1319:8a2e:370:7348]:8080',
      '2001:db8:85a3:8d3:1319:8a2e:370:7348',
    ],
    ['IPv6 and a port without brackets', '2001:db8:85a3:8d3:1319:8a2e:370:7348:50420', '2001:db8:85a3:8d3:1319:8a2e:370:7348'],
    ['in quotes', '"[2001:db8::7]:50420"', '2001:db8::7'],
    ['IPv6 with a zone', 'fe80::7%eth0', 'fe80::7'],
  ] as const)('%s', async (_, written, address) => {
    expect(await addressOf({ 'x-forwarded-for': typeof written === 'string' ? written : [...written] })).toBe(address);
  });
});

describe('what a stranger writes in front never counts', () => {
  test.each([
    ['an address', '1.2.3.4, 203.0.113.7', '203.0.113.7'],
    ['an address of ours', '10.0.0.9, 203.0.113.7', '203.0.113.7'],
    ['an address with a port', '1.2.3.4:5, 203.0.113.7:50420', '203.0.113.7'],
    ['nonsense', "x' or 1=1, 203.0.113.7", '203.0.113.7'],
    ['nothing', ',,203.0.113.7', '203.0.113.7'],
  ])('%s', async (_, written, address) => {
    expect(await addressOf({ 'x-forwarded-for': written })).toBe(address);
  });
});

describe('what is no address is counted as the hop that wrote it', () => {
  test.each([
    'unknown',
    '_hidden',
    '_SEVKISEK:80',
    '',
    ' ',
    ',',
    'localhost',
    '203.0.113.256',
    '0xcb007107',
    '203.0.113.7:123456',
    '[2001:db8::7',
    'for=203.0.113.7',
    'a'.repeat(4_000),
  ])('%j', async (written) => {
    expect(await addressOf({ 'x-forwarded-for': written })).toBe(proxy);
    expect(await addressOf({ 'x-forwarded-for': `1.2.3.4, ${written}, ${balancer}` })).toBe(balancer);
  });

  test('a visitor who forwards another invalid address each time is counted as one', async () => {
    const written = Array.from({ length: 20 }, (_, index) => `_hidden${index}`);
    const seen = await Promise.all(written.map((entry) => addressOf({ 'x-forwarded-for': entry })));
    expect(new Set(seen)).toEqual(new Set([proxy]));
  });
});

describe('without a proxy that is trusted', () => {
  test.each(['198.51.100.9', '2001:db8::9'])('only the peer counts: %s', async (peer) => {
    expect(await addressOf({ 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7' }, peer)).toBe(
      peer,
    );
  });

  test('a peer has one form, however the socket names it', async () => {
    expect(await addressOf({}, '::ffff:198.51.100.9')).toBe('198.51.100.9');
    expect(await addressOf({}, 'fe80::9%eth0')).toBe('fe80::9');
  });

  test('no other forwarding header counts behind one either', async () => {
    expect(await addressOf({ forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7', 'x-client-ip': '203.0.113.7' })).toBe(proxy);
  });

  test('a proxy that speaks IPv6, and one that is known by its mapped address, are trusted too', async () => {
    expect(await addressOf({ 'x-forwarded-for': '203.0.113.7' }, 'fd00::1')).toBe('203.0.113.7');
    expect(await addressOf({ 'x-forwarded-for': '203.0.113.7' }, '::ffff:10.0.0.1')).toBe('203.0.113.7');
  });
});

test('a peer that is not trusted and says for whom it asks is told of once an hour, with what to set', async () => {
  const lines: { msg: string; level: number; peer?: string; header?: string }[] = [];
  let nowMs = 0;
  await using warned = await serve({
    log: createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) }),
    clock: { now: () => new Date(nowMs) },
  });
  const ask = async (headers: Record<string, string>, remoteAddress = '192.0.2.1'): Promise<void> => {
    await warned.inject({ url: '/address', remoteAddress, headers: { host: publicUrl.host, ...headers } });
  };
  await ask({});
  await ask({ 'x-forwarded-for': '203.0.113.7' }, proxy);
  expect(lines).toEqual([]);
  for (let time = 0; time < 3; time += 1) await ask({ 'x-forwarded-for': '203.0.113.7' });
  expect(lines).toMatchObject([{ level: pino.levels.values['warn'], peer: '192.0.2.1', header: 'x-forwarded-for' }]);
  expect(lines[0]?.msg).toContain('TRUSTED_PROXIES');
  // A forwarded address is text that the client chose.
  expect(JSON.stringify(lines)).not.toContain('203.0.113.7');
  nowMs += 3_599_999;
  await ask({ forwarded: 'for=203.0.113.7' });
  expect(lines).toHaveLength(1);
  nowMs += 1;
  await ask({ forwarded: 'for=203.0.113.7' });
  expect(lines[1]).toMatchObject({ header: 'forwarded' });
});
