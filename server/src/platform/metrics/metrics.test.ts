import { once } from 'node:events';
import { createServer } from 'node:net';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { portOf } from '#testing/raw-http.ts';
import { createMetrics } from './metrics.ts';

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  return port;
};

test('calls are counted by route and status, never by the ids in an address', async () => {
  const metrics = createMetrics();
  await using server = Fastify();
  metrics.observe(server);
  server.get('/documents/:id', async () => ({}));
  await server.inject('/documents/4711');
  await server.inject('/documents/4712');
  await server.inject('/nowhere/4713');
  const told = await metrics.registry.metrics();
  expect(told).toContain('pergamin_call_seconds_count{method="GET",route="/documents/:id",status="200"} 2');
  expect(told).toContain('pergamin_call_seconds_count{method="GET",route="none",status="404"} 1');
  // Values may look like anything: of a series only its name and labels are judged.
  const ours = [...told.matchAll(/^pergamin_.* /gm)].map(([series]) => series);
  expect(ours.length).toBeGreaterThan(10);
  expect(ours.filter((series) => /471\d/.test(series))).toEqual([]);
});

test('what page images take, and how much of them was removed for others, is told as it is now', async () => {
  const metrics = createMetrics();
  let usage = { bytes: 5_000, evictedBytes: 0, evictedSets: 0 };
  metrics.observeRenditions({ usage: async () => usage });
  const told = async (): Promise<string[]> => {
    const lines = (await metrics.registry.metrics()).split('\n');
    return lines.filter((line) => line.startsWith('pergamin_renditions_'));
  };
  expect(await told()).toEqual([
    'pergamin_renditions_bytes 5000',
    'pergamin_renditions_evicted_bytes_total 0',
    'pergamin_renditions_evicted_sets_total 0',
  ]);
  usage = { bytes: 4_000, evictedBytes: 3_000, evictedSets: 2 };
  expect(await told()).toEqual([
    'pergamin_renditions_bytes 4000',
    'pergamin_renditions_evicted_bytes_total 3000',
    'pergamin_renditions_evicted_sets_total 2',
  ]);
});

test('metrics are told on a port of their own, which tells nothing else', async () => {
  const metrics = createMetrics();
  const host = '127.0.0.1';
  const port = await freePort();
  const close = await metrics.listen({ host, port });
  try {
    const answer = await fetch(`http://${host}:${port}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await answer.text()).toContain('process_resident_memory_bytes');
    expect((await fetch(`http://${host}:${port}/api/health`)).status).toBe(404);
  } finally {
    await close();
  }
  await expect(fetch(`http://${host}:${port}/metrics`)).rejects.toThrow('fetch failed');
});

test('what a start that broke off has observed can be observed anew, and what the process counts goes on', async () => {
  const metrics = createMetrics();
  metrics.countRefusedKey('unknown');
  metrics.observeLocks({ level: 'compliance', countShort: async () => 1 });
  metrics.forgetObserved();
  expect(await metrics.registry.metrics()).not.toContain('pergamin_object_lock');
  metrics.observeLocks({ level: 'soft', countShort: async () => 2 });
  const told = await metrics.registry.metrics();
  expect(told).toContain('pergamin_object_locks_short 2\n');
  expect(told).not.toContain('level="compliance"');
  expect(told).toContain('pergamin_publisher_keys_refused_total{reason="unknown"} 1\n');
});
