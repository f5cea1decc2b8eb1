import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SentDocument, sendBatch, sendPart, untilState } from '#testing/batches.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestCaller, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** New versions that come in a batch take the place of the former ones with its release. */

let portal: TestPortal;
let publisher: TestCaller;
let anna: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  ({ publisher } = portal);
  anna = await portal.signIn('1001', { cif: '7001' });
});
afterAll(() => portal[Symbol.asyncDispose]());

const first = async (uniqueName: string): Promise<string> =>
  (await portal.publish({ cif: '7001', uniqueName, pdf: aPdf({ text: `${uniqueName} first` }) })).body.id;
const documentOf = async (id: string) => (await anna.call('getDocument', { params: { id } })).body;
const next = (uniqueName: string, replaces: string): SentDocument => ({
  cif: '7001',
  uniqueName,
  replaces,
  pdf: aPdf({ text: `${uniqueName} next` }),
});
const commit = (id: string, documents: number) => publisher.call('commitBatch', { params: { id }, body: { documents } });
const idsOf = async (id: string): Promise<string[]> =>
  (await publisher.call('getBatchReport', { params: { id } })).bytes
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id);

test('the former versions stay in force until the release, and are obsolete with it, in the ledger too', async () => {
  const [one, other] = [await first('R-1'), await first('R-2')];
  const documents = [next('R-1', one), next('R-2', other)];
  const id = await sendBatch(publisher, 'replacing', documents);
  expect(await documentOf(one)).toMatchObject({ state: 'ACTIVE' });
  expect(await documentOf(one)).not.toHaveProperty('successor');
  const again = (await sendPart(publisher, id, documents)).body;
  expect(again.accepted.map(({ repeated, state }) => [repeated, state])).toEqual([
    [true, 'DRAFT'],
    [true, 'DRAFT'],
  ]);
  await commit(id, 2);
  await untilState(portal, id, { state: 'PUBLISHED', published: 2 });
  await portal.runJob('ledger:round');
  const [successor] = await idsOf(id);
  expect(await documentOf(one)).toMatchObject({ state: 'OBSOLETE', successor });
  expect((await documentOf(successor ?? '')).metadata['2']).toBe(2);
  expect((await anna.call('checkDocument', { params: { id: one }, query: {} })).body).toMatchObject({
    status: 'SHA_CIF_OK',
    differences: [],
  });
  const { items } = (await anna.call('getDocumentHistory', { params: { id: one } })).body;
  expect(items.at(-1)).toMatchObject({ after: 'OBSOLETE', entry: { index: expect.any(Number) as unknown } });
});

describe('until the release a former version', () => {
  test('is not replaced by another call, but may be cancelled, and then stays so', async () => {
    const former = await first('R-3');
    const id = await sendBatch(publisher, 'reserving', [next('R-3', former)]);
    const single = await portal.publish({ cif: '7001', replaces: former, pdf: aPdf({ text: 'single' }) });
    expect([single.status, single.error?.code]).toEqual([409, 'INVALID_STATUS']);
    const body = { state: 'CANCELLED', reason: 'wrong' } as const;
    expect((await publisher.call('changeDocumentState', { params: { id: former }, body })).body.state).toBe('CANCELLED');
    await commit(id, 1);
    await untilState(portal, id, { state: 'PUBLISHED' });
    expect((await documentOf(former)).state).toBe('CANCELLED');
  });

  test('is given back with its name by a discard', async () => {
    const former = await first('R-4');
    const id = await sendBatch(publisher, 'giving back', [next('R-4', former)]);
    await publisher.call('discardBatch', { params: { id } });
    await untilState(portal, id, { state: 'DISCARDED', documents: 0 });
    expect((await portal.publish({ cif: '7001', uniqueName: 'R-4', replaces: former, pdf: aPdf({ text: 'R-4 other' }) })).status).toBe(200);
  });
});

test('of two in one part that would replace the same document one is refused, and so is one for other recipients', async () => {
  await portal.addClient('1002', { cif: '7002' });
  const former = await first('R-5');
  const { body: batch } = await publisher.call('openBatch', { body: { name: 'twice' } });
  const { body } = await sendPart(publisher, batch.id, [
    next('R-6', former),
    next('R-7', former),
    { ...next('R-8', former), cif: '7002' },
    next('R-9', '00000000-0000-4000-8000-000000000000'),
  ]);
  expect(body.accepted.map(({ index, state }) => [index, state])).toEqual([[0, 'DRAFT']]);
  expect(body.refused.map(({ index, code, fields }) => [index, code, Object.keys(fields ?? {})])).toEqual([
    [1, 'INVALID_STATUS', ['replaces']],
    [2, 'VALIDATION_ERROR', ['CIF']],
    [3, 'VALIDATION_ERROR', ['replaces']],
  ]);
  expect((await publisher.call('getBatch', { params: { id: batch.id } })).body.documents).toBe(1);
  await commit(batch.id, 1);
  await untilState(portal, batch.id, { state: 'PUBLISHED' });
});
