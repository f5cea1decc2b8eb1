import { calls } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Portal } from '#app/portal.ts';
import { writePages } from '#testing/simple-pdf.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { openBeside, startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

const openAs = (role: 'web' | 'worker'): Promise<Portal> => openBeside({ ...portal, settings: { ...portal.settings, role } });

const statusOf = async (server: Portal['server'], url: string, method: 'GET' | 'POST' = 'GET'): Promise<number> =>
  (await server.inject({ method, url, headers: { host: portal.settings.publicUrl.host } })).statusCode;

const countWorkers = async (): Promise<number> => {
  const { rows } = await portal.pool.query<{ count: number }>('select count(*)::int as count from worker_process');
  return rows[0]?.count ?? Number.NaN;
};

test('a worker answers the probes, and no call and no page', async () => {
  const worker = await openAs('worker');
  try {
    expect(await statusOf(worker.server, '/api/health')).toBe(200);
    expect(await statusOf(worker.server, '/api/ready')).toBe(200);
    expect(await statusOf(worker.server, '/')).toBe(404);
    expect(await statusOf(worker.server, calls.listOwnDocuments.path, 'POST')).toBe(404);
    await expect.poll(countWorkers).toBe(2);
  } finally {
    await worker.close();
  }
});

test('a web process answers calls and takes no jobs', async () => {
  await expect.poll(countWorkers).toBe(1);
  const web = await openAs('web');
  try {
    expect(await statusOf(web.server, calls.listOwnDocuments.path, 'POST')).toBe(401);
    expect(await countWorkers()).toBe(1);
  } finally {
    await web.close();
  }
});

test('lists read from the replica, documents from the primary; while the replica is away, the primary answers lists too', async () => {
  // It never replays anything, so that what it answers can be told from the primary's answer.
  const replica = await createTestDatabase();
  await using reading = await startTestPortal({ environment: { DATABASE_URL: replica.url, DATABASE_READ_URL: replica.url } });
  const client = await reading.signIn('3001', { cif: '93001' });
  const published = await reading.publish({ uniqueName: 'one', cif: '93001', pdf: writePages(['/MediaBox[0 0 200 200]']) });
  const totalOf = async (): Promise<number> => (await client.call('listOwnDocuments', { body: { page: 0, size: 10 } })).body.total;
  expect(await totalOf()).toBe(0);
  expect((await client.call('getDocument', { params: { id: published.body.id } })).status).toBe(200);
  await replica[Symbol.asyncDispose]();
  expect(await totalOf()).toBe(1);
});
