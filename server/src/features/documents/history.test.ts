import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { readToTheEnd } from '#testing/reading.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** What happened to a document of one's own, and when (G3). */

let portal: TestPortal;
let anna: TestClient;
let jan: TestClient;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { NOTICES: 'never' } });
  anna = await portal.signIn('4001', { cif: '9101' });
  jan = await portal.signIn('4002', { cif: '9102' });
});

afterAll(() => portal[Symbol.asyncDispose]());

const publish = async (): Promise<string> => (await portal.publish({ cif: '9101', cif2: '9102', pdf: aPdf() })).body.id;
const historyOf = async (client: TestClient, id: string) => (await client.call('getDocumentHistory', { params: { id } })).body.items;
const setState = (id: string, state: 'ACTIVE' | 'CANCELLED' | 'OBSOLETE' | 'DELETED') =>
  portal.db.updateTable('document').set({ state }).where('id', '=', id).execute();

test('tells publication, download, reading and every change of state with its moment, the oldest first', async () => {
  const id = await publish();
  await anna.call('downloadDocument', { params: { id } });
  await readToTheEnd(anna, id);
  await setState(id, 'CANCELLED');
  await setState(id, 'OBSOLETE');
  const items = await historyOf(anna, id);
  expect(items.map(({ event }) => event).toSorted()).toEqual(['DOWNLOADED', 'PUBLISHED', 'READ', 'STATE_CHANGED', 'STATE_CHANGED']);
  expect(items[0]?.event).toBe('PUBLISHED');
  expect(items.map(({ at }) => at)).toEqual(items.map(({ at }) => at).toSorted((a, b) => a - b));
  expect(items.filter(({ event }) => event === 'STATE_CHANGED')).toMatchObject([
    { before: 'ACTIVE', after: 'CANCELLED' },
    { before: 'CANCELLED', after: 'OBSOLETE' },
  ]);
  const { read, downloaded } = (await anna.call('getDocument', { params: { id } })).body;
  expect(items.find(({ event }) => event === 'READ')).toEqual({ event: 'READ', at: read, before: null, after: null, entry: null });
  expect(items.find(({ event }) => event === 'DOWNLOADED')?.at).toBe(downloaded);
});

test('publication and changes of the state are told with their entries in the ledger', async () => {
  const id = await publish();
  await portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'CANCELLED', reason: 'A wrong amount' } });
  await portal.runJob('ledger:round');
  await readToTheEnd(anna, id);
  const { size } = (await portal.anonymous.call('getLedger', {})).body;
  expect((await historyOf(anna, id)).map(({ event, entry }) => [event, entry])).toEqual([
    // That of the second owner follows.
    ['PUBLISHED', { index: size - 3 }],
    ['STATE_CHANGED', { index: size - 1 }],
    ['READ', null],
  ]);
});

test('a change that is not entered yet is told without an entry', async () => {
  const id = await publish();
  await setState(id, 'CANCELLED');
  expect((await historyOf(anna, id)).map(({ event, entry }) => [event, entry === null])).toEqual([
    ['PUBLISHED', false],
    ['STATE_CHANGED', true],
  ]);
});

test('a client sees what they did themselves, and not what another owner did', async () => {
  const id = await publish();
  await readToTheEnd(anna, id);
  expect((await historyOf(jan, id)).map(({ event }) => event)).toEqual(['PUBLISHED']);
});

test('what changes nothing of the state leaves no trace', async () => {
  const id = await publish();
  await setState(id, 'ACTIVE');
  await portal.db.updateTable('document').set({ corrupted: false }).where('id', '=', id).execute();
  expect((await historyOf(anna, id)).map(({ event }) => event)).toEqual(['PUBLISHED']);
});

test('a change that is taken back was none', async () => {
  const id = await publish();
  const taken = portal.db.transaction().execute(async (trx) => {
    await trx.updateTable('document').set({ state: 'CANCELLED' }).where('id', '=', id).execute();
    throw new Error('taken back');
  });
  await expect(taken).rejects.toThrow('taken back');
  expect((await historyOf(anna, id)).map(({ event }) => event)).toEqual(['PUBLISHED']);
});

test('the history of another client’s document is answered as that of an unknown one', async () => {
  await portal.addClient('4003', { cif: '9103' });
  const foreign = (await portal.publish({ cif: '9103', pdf: aPdf() })).body.id;
  const gone = await publish();
  await setState(gone, 'DELETED');
  const answers = [];
  for (const id of [foreign, gone, randomUUID()]) answers.push(await anna.call('getDocumentHistory', { params: { id } }));
  expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(
    Array.from({ length: 3 }, () => [404, 'DOCUMENT_NOT_FOUND_ERROR']),
  );
  expect(new Set(answers.map(({ bytes }) => bytes.toString())).size).toBe(1);
});

test('what happened can neither be changed nor taken away, not even by the owner of the database', async () => {
  const id = await publish();
  await setState(id, 'CANCELLED');
  for (const change of [
    sql`update document_event set state = 'ACTIVE' where document_id = ${id}::uuid`,
    sql`delete from document_event where document_id = ${id}::uuid`,
    sql`truncate document_event`,
  ])
    await expect(change.execute(portal.owner.db)).rejects.toThrow('insert-only');
});
