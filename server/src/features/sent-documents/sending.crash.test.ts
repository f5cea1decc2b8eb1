import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sentDocument } from '@pergamin/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSeeded } from '#testing/seeded.ts';
import { isNightly } from '#testing/nightly.ts';
import { aLongPdf, aPdf } from '#testing/pdfs.ts';
import { keepCategories } from '#testing/sending.ts';
import { type PortalProcess, startPortalProcess, uploadOver } from '#testing/start-portal-process.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

const files = isNightly ? 500 : 8;
const kills = isNightly ? 50 : 1;
const atOnce = 4;
const environment = { SENDING_FILES_PER_DAY: '10000', SESSION_IDLE_MINUTES: '600', RENDER_WORKERS: '1' };

let portal: TestPortal;
let client: TestClient;

beforeAll(async () => {
  portal = await startTestPortal({ environment });
  await keepCategories(portal.publisher);
  client = await portal.signIn('1001', { cif: '7001' });
});
afterAll(() => portal[Symbol.asyncDispose]());

const pdfOf = (index: number): Uint8Array => aLongPdf({ text: `file ${index}`, bytes: 200_000 });

const filesBelow = async (folder: string): Promise<string[]> => {
  const path = join(portal.settings.dataDir, folder);
  // Few kills may leave nothing that has to be set aside.
  const found = existsSync(path) ? await readdir(path, { recursive: true, withFileTypes: true }) : [];
  return found.filter((file) => file.isFile()).map(({ name }) => name);
};

test(
  'a process that is killed again and again loses no upload that was acknowledged, doubles none, and leaves no object where the others are',
  { timeout: isNightly ? 3_600_000 : 120_000 },
  async () => {
    const random = createSeeded(20_261_120);
    const fatal = new Set(
      Array.from({ length: kills }, (_, index) => Math.floor((index * files) / kills) + random(Math.floor(files / kills))),
    );
    const description = { filename: 'a.pdf', categoryId: 'COMPLAINTS', typeId: 'COMPLAINT' };
    const acknowledged = new Map<string, Set<string>>();
    let broken = 0;
    let running: Promise<PortalProcess> = startPortalProcess(portal, environment);

    const replace = (dead: PortalProcess): void => {
      running = dead.kill().then(() => startPortalProcess(portal, environment));
    };

    const send = async (index: number): Promise<void> => {
      const key = `crash-file-${index}`;
      const target = await running;
      const isFatal = fatal.delete(index);
      const timer = isFatal ? setTimeout(replace, random(60), target) : undefined;
      try {
        const { status, body } = await uploadOver(
          target.port,
          { settings: portal.settings, client },
          { file: pdfOf(index), key, description },
        );
        expect([index, status, body]).toEqual([index, 201, body]);
        acknowledged.set(key, (acknowledged.get(key) ?? new Set()).add(sentDocument.parse(JSON.parse(body)).id));
      } catch (error) {
        if (!(error instanceof Error) || !('code' in error)) throw error;
        broken += 1;
        clearTimeout(timer);
        if ((await running) === target) replace(target);
        await send(index);
      }
    };

    const rest = Array.from({ length: files }, (_, index) => index);
    const work = async (): Promise<void> => {
      for (let index = rest.shift(); index !== undefined; index = rest.shift()) await send(index);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    // A last time over all of them: each is the document that it was.
    for (let index = 0; index < files; index += 1) await send(index);
    await (await running).kill();

    const rows = await portal.db.selectFrom('sent_document').select(['id', 'idempotency_key', 'object_key']).execute();
    expect(broken).toBeGreaterThanOrEqual(kills / 2);
    expect(rows).toHaveLength(files);
    for (const row of rows) expect([...(acknowledged.get(row.idempotency_key ?? '') ?? [])]).toEqual([row.id]);
    for (const [key, [id = '']] of acknowledged) {
      const download = await client.call('downloadSentDocument', { params: { id } });
      expect([key, download.bytes.equals(Buffer.from(pdfOf(Number(key.split('-').at(-1)))))]).toEqual([key, true]);
    }
    portal.clock.advance(25 * 3_600_000);
    await portal.runJob('objects:sweep');
    await portal.runJob('publishing:sweep');
    const objects = (await filesBelow('objects')).filter((name) => rows.some((row) => row.object_key === name));
    expect(objects).toHaveLength(files);
    const apart = [...(await filesBelow('objects/spool')), ...(await filesBelow('objects/set-aside')), 'store-id'];
    expect((await filesBelow('objects')).length - apart.length).toBe(files);
    expect(await filesBelow('uploads')).toEqual([]);
  },
);

// By night, when nothing else runs on the machine: what the collector has not taken away yet counts too. Linux tells the peak of a process.
test.skipIf(process.platform !== 'linux' || !isNightly)(
  'two hundred uploads at once need at most 40 MB more than twenty',
  { timeout: 180_000 },
  async () => {
    await using measured = await startPortalProcess(portal, environment);
    const senders: TestClient[] = [];
    for (let person = 0; person < 10; person += 1) senders.push(await portal.signIn(`200${person}`));
    const description = { filename: 'a.pdf', categoryId: 'LOANS', typeId: 'INCOME' };
    const file = Buffer.concat([aPdf(), Buffer.alloc(2_000_000, '\n')]);
    const sendAll = async (atATime: number, round: string): Promise<number> => {
      const rest = Array.from({ length: 200 }, (_, index) => index);
      const work = async (): Promise<void> => {
        for (let index = rest.shift(); index !== undefined; index = rest.shift()) {
          const sent = { file, key: `peak-${round}-${index}`, description };
          const sender = { settings: portal.settings, client: senders[index % senders.length]! };
          const { status } = await uploadOver(measured.port, sender, sent);
          expect(status).toBe(201);
        }
      };
      await Promise.all(Array.from({ length: atATime }, work));
      return measured.takePeakBytes();
    };
    // A process grows for its first hundreds of uploads, however many come at once, and then no more: that belongs to neither side. The same
    // bytes go through both.
    for (const round of ['first', 'second', 'third']) await sendAll(20, round);
    const few = await sendAll(20, 'few');
    const many = await sendAll(200, 'many');
    const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);
    process.stdout.write(`peak of 20 uploads at once ${megabytes(few)} MB, of 200 ${megabytes(many)} MB\n`);
    expect(megabytes(many - few)).toBeLessThanOrEqual(40);
  },
);
