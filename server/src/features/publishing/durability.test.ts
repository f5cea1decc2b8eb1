import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let client: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  client = await portal.signIn('1001', { cif: '7001' });
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => portal[Symbol.asyncDispose]());

const countObjects = async (): Promise<number> => {
  const files = await readdir(join(portal.settings.dataDir, 'objects'), { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile()).length;
};

/**
 * The next statement that fits, after one that fits `after` on the same connection, is done by the database; but the connection breaks before
 * the answer is there.
 */
const loseAnswerTo = (statement: RegExp, { after }: { after?: RegExp } = {}): void => {
  // oxlint-disable-next-line typescript/unbound-method -- applied to each connection below
  const query = Client.prototype.query as (...values: unknown[]) => unknown;
  const awaited = new WeakSet<Client>();
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...values: unknown[]) {
    const [asked] = values;
    const text = typeof asked === 'string' ? asked : ((asked as { text?: string }).text ?? '');
    if (after?.test(text) === true) awaited.add(this);
    if (!statement.test(text) || (after !== undefined && !awaited.has(this))) return Reflect.apply(query, this, values);
    spy.mockRestore();
    return (async () => {
      await Reflect.apply(query, this, values);
      throw new Error('Connection terminated unexpectedly');
    })();
  });
};

const loseAnswerToCommit = (): void => loseAnswerTo(/^commit$/, { after: /insert into publication/ });

test('a document whose commit was done but not answered keeps its bytes, and publishing it again finds it', async () => {
  const pdf = aPdf({ text: 'commit' });
  loseAnswerToCommit();
  const publication = { cif: '7001', uniqueName: 'KH-1', pdf };
  const first = await portal.publish(publication);
  expect(first.status).toBe(200);
  const again = await portal.publish(publication);
  expect(again.body.repeated).toBe(true);
  expect(first.body.id).toBe(again.body.id);
  const download = await client.call('downloadDocument', { params: { id: again.body.id } });
  expect(download.bytes.equals(pdf)).toBe(true);
});

test('a document without a unique name keeps its bytes too, though its publisher is told of an error', async () => {
  const pdf = aPdf({ text: 'commit without a name' });
  loseAnswerToCommit();
  expect((await portal.publish({ cif: '7001', pdf })).error?.code).toBe('STORAGE_ERROR');
  const [newest] = (await client.call('listOwnDocuments', { body: {} })).body.items;
  const download = await client.call('downloadDocument', { params: { id: newest?.id ?? '' } });
  expect(download.bytes.equals(pdf)).toBe(true);
});

test('a document that the database refused leaves no object', async () => {
  const [objects, { total }] = [await countObjects(), (await client.call('listOwnDocuments', { body: {} })).body];
  loseAnswerTo(/insert into ledger_pending/);
  expect((await portal.publish({ cif: '7001', pdf: aPdf() })).error?.code).toBe('STORAGE_ERROR');
  expect(await countObjects()).toBe(objects);
  expect((await client.call('listOwnDocuments', { body: {} })).body.total).toBe(total);
});

test('twenty publications of one name at once leave one document and one object', async () => {
  const objects = await countObjects();
  const answers = await Promise.all(Array.from({ length: 20 }, () => portal.publish({ cif: '7001', uniqueName: 'KH-2', pdf: aPdf() })));
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  expect(await countObjects()).toBe(objects + 1);
});

test('twenty publications of one name and different bytes leave one document and one object', async () => {
  const objects = await countObjects();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => portal.publish({ cif: '7001', uniqueName: 'KH-3', pdf: aPdf({ text: String(index) }) })),
  );
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  expect(await countObjects()).toBe(objects + 1);
});

test('an upload that cannot be kept on the disk is the storage’s error', async () => {
  await rm(join(portal.settings.dataDir, 'uploads'), { recursive: true, force: true });
  await writeFile(join(portal.settings.dataDir, 'uploads'), 'in the way');
  const answer = await portal.publish({ cif: '7001', pdf: aPdf() });
  await rm(join(portal.settings.dataDir, 'uploads'));
  expect([answer.status, answer.error?.code]).toEqual([503, 'STORAGE_ERROR']);
});

test('what a killed process left of an upload is swept after an hour', async () => {
  const folder = join(portal.settings.dataDir, 'uploads');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'left'), 'half a file');
  await writeFile(join(folder, 'under-way'), 'half a file');
  const longAgo = new Date(portal.clock.now().getTime() - 3_700_000);
  await utimes(join(folder, 'left'), longAgo, longAgo);
  await portal.runJob('publishing:sweep');
  expect(await readdir(folder)).toEqual(['under-way']);
});

test('an object whose process was killed before the commit is set aside after a day, and kept', async () => {
  const orphan = join(portal.settings.dataDir, 'objects', '00', '00', '00000000-0000-4000-8000-000000000000');
  await mkdir(join(orphan, '..'), { recursive: true });
  await writeFile(orphan, '%PDF-');
  portal.clock.advance(25 * 3_600_000);
  const before = await countObjects();
  await portal.runJob('objects:sweep');
  expect(await readdir(join(portal.settings.dataDir, 'objects', 'set-aside'))).toEqual([basename(orphan)]);
  expect(await countObjects()).toBe(before);
});

test('a statute whose commit was done but not answered keeps its bytes', async () => {
  const pdf = aPdf({ text: 'statute' });
  loseAnswerTo(/^commit$/, { after: /^insert into "statute"/ });
  expect((await portal.publishStatute({ version: '1', pdf })).error?.code).toBe('STORAGE_ERROR');
  const reader = await portal.signIn('1001');
  const { id } = (await reader.call('getStatuteInForce', {})).body;
  const download = await portal.anonymous.call('downloadStatute', { params: { id: id ?? '' } });
  expect(download.bytes.equals(pdf)).toBe(true);
});
