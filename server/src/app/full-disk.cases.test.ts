import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sendPart } from '#testing/batches.ts';
import { aPdf } from '#testing/pdfs.ts';
import { keepCategories, upload } from '#testing/sending.ts';
import { mountSmallDisk } from '#testing/small-disk.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

const disk = await mountSmallDisk(64);
const width = '1240';

describe.skipIf(disk === undefined)('a disk that fills', () => {
  let portal: TestPortal;
  let client: TestClient;
  let batch: string;
  const documents = ['full-1', 'full-2'].map((uniqueName) => ({ cif: '7001', uniqueName }));

  beforeAll(async () => {
    const dataDir = join(disk?.folder ?? '', 'data');
    await mkdir(dataDir);
    portal = await startTestPortal({ environment: { DATA_DIR: dataDir, DISK_RESERVE_PERCENT: '10' } });
    await keepCategories(portal.publisher);
    client = await portal.signIn('1001', { cif: '7001' });
  });
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    await disk?.[Symbol.asyncDispose]();
  });

  /** Of documents that nothing is drawn of ahead of time. */
  const send = async (text: string): Promise<string> => (await upload(client, { pdf: aPdf({ text, pages: 3 }) })).body.id;
  const look = (id: string) => client.call('getSentRenderResult', { params: { id }, query: { width } });
  const openPage = (id: string, page = '3') => client.call('getSentPageImage', { params: { id, page }, query: { width } });
  const waitForAll = async (id: string): Promise<void> => {
    await expect.poll(async () => (await look(id)).body.done, { timeout: 20_000 }).toBe(true);
  };
  /** Page images, and half-made ones. */
  const countImages = async (): Promise<number> => {
    const files = await readdir(join(portal.settings.dataDir, 'renditions'), { recursive: true, withFileTypes: true });
    return files.filter((file) => file.isFile()).length;
  };
  const modesOfImages = async (): Promise<Set<string>> => {
    const files = await readdir(join(portal.settings.dataDir, 'renditions'), { recursive: true, withFileTypes: true });
    const modes = files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).mode & 0o777);
    return new Set((await Promise.all(modes)).map((mode) => mode.toString(8)));
  };
  const isReady = async (): Promise<unknown[]> => {
    const { statusCode, body } = await portal.server.inject({ url: '/api/ready', headers: { host: 'probe' } });
    return [statusCode, JSON.parse(body)];
  };
  /** Customers can read, however little room there is. */
  const ready = [200, { status: 'ok', lock: 'none', ledger: 'open' }];
  let laterMs = 0;
  const staysReady = async (): Promise<void> => {
    // What was found is told again for two seconds.
    laterMs += 5_000;
    const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + laterMs);
    try {
      expect(await isReady()).toEqual(ready);
    } finally {
      later.mockRestore();
    }
  };

  test('page images are stored while there is room', async () => {
    const id = await send('room');
    await waitForAll(id);
    expect(await countImages()).toBe(3);
    expect(await modesOfImages()).toEqual(new Set(['600']));
    expect(await isReady()).toEqual(ready);
  });

  test('a filling disk keeps its reserve free of page images, which are shown all the same', async () => {
    const [id, before] = [await send('reserve'), await countImages()];
    await disk?.fillTo(8);
    await waitForAll(id);
    const image = await openPage(id);
    expect([image.status, image.bytes.length > 500]).toEqual([200, true]);
    expect((await client.call('getSentPageText', { params: { id, page: '1' } })).body.lines).toHaveLength(1);
    // The neighbours of the page are still read when its text is answered.
    await expect.poll(countImages).toBeLessThanOrEqual(before);
    expect((await upload(client, { pdf: aPdf({ text: 'still taken' }) })).status).toBe(201);
    expect(await portal.metrics.registry.metrics()).toMatch(/^pergamin_disk_bytes\{what="free"\} \d+$/m);
  });

  const refusal = async (answer: Promise<{ status: number; error: { code: string } | undefined }>): Promise<string> => {
    const { status, error } = await answer;
    return `${status} ${error?.code}`;
  };

  test('on a full disk, calls that store are refused with STORAGE_ERROR, and all others are answered', async () => {
    await disk?.empty();
    const id = await send('full');
    batch = (await portal.publisher.call('openBatch', { body: { name: 'full' } })).body.id;
    await disk?.fillTo(0);
    await expect.poll(() => refusal(look(id)), { timeout: 20_000 }).toBe('503 STORAGE_ERROR');
    expect(await refusal(openPage(id))).toBe('503 STORAGE_ERROR');
    // What the failed drawings removed is room enough for a text.
    await disk?.fillTo(0);
    expect(await refusal(client.call('getSentPageText', { params: { id, page: '2' } }))).toBe('503 STORAGE_ERROR');
    expect(await refusal(upload(client, { pdf: aPdf({ text: 'refused', pages: 9 }) }))).toBe('503 STORAGE_ERROR');
    expect(await refusal(portal.publish({ cif: '7001', pdf: aPdf({ text: 'refused', pages: 9 }) }))).toBe('503 STORAGE_ERROR');
    expect(await refusal(sendPart(portal.publisher, batch, documents))).toBe('503 STORAGE_ERROR');
    expect((await client.call('downloadSentDocument', { params: { id } })).status).toBe(200);
    await staysReady();
  });

  test('a disk that has room again is used as before', { timeout: 60_000 }, async () => {
    await disk?.empty();
    const id = await send('again');
    await waitForAll(id);
    expect((await openPage(id)).status).toBe(200);
    expect((await sendPart(portal.publisher, batch, documents)).body.accepted).toHaveLength(2);
  });

  test('on a disk that became read-only, calls that store are refused with STORAGE_ERROR, documents are read, and it is used again afterwards', async () => {
    const sent = await send('before it became read-only');
    await waitForAll(sent);
    const published = (await portal.publish({ cif: '7001', pdf: aPdf({ text: 'delivered', pages: 3 }) })).body.id;
    await expect.poll(() => disk?.allowWriting(false).then(() => 'read-only')).toBe('read-only');
    try {
      expect(await refusal(upload(client, { pdf: aPdf({ text: 'refused' }) }))).toBe('503 STORAGE_ERROR');
      expect(await refusal(portal.publish({ cif: '7001', pdf: aPdf({ text: 'refused' }) }))).toBe('503 STORAGE_ERROR');
      expect((await client.call('downloadDocument', { params: { id: published } })).status).toBe(200);
      expect((await openPage(sent, '1')).status).toBe(200);
      expect(await refusal(client.call('getPageImage', { params: { id: published, page: '3' }, query: { width } }))).toBe(
        '503 STORAGE_ERROR',
      );
      expect((await client.call('listOwnDocuments', { body: { page: 0, size: 10 } })).status).toBe(200);
      await staysReady();
    } finally {
      await disk?.allowWriting(true);
    }
    expect((await portal.publish({ cif: '7001', pdf: aPdf({ text: 'taken again' }) })).status).toBe(200);
  });
});
