import type { Publication } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** A version that should not have been published is taken back: what came before it is in force again, or is replaced anew (R2). */

let portal: TestPortal;
let anna: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('5301', { cif: '9401' });
});
afterAll(() => portal[Symbol.asyncDispose]());

let texts = 0;
const publish = (description: Partial<Publication> & { pdf?: Uint8Array } = {}) =>
  portal.publish({ pdf: aPdf({ text: `Wersja ${(texts += 1)}` }), cif: '9401', ...description });
const idOf = async (description: Parameters<typeof publish>[0] = {}): Promise<string> => (await publish(description)).body.id;
const change = (id: string, state: 'ACTIVE' | 'CANCELLED' | 'DELETED') =>
  portal.publisher.call('changeDocumentState', { params: { id }, body: { state, reason: 'a wrong version' } });
const documentOf = async (id: string) => (await anna.call('getDocument', { params: { id } })).body;
const checkOf = async (id: string) => (await anna.call('checkDocument', { params: { id }, query: {} })).body;
const lifeOf = async (id: string) => (await portal.publisher.call('getDocumentLife', { params: { id } })).body;

const aLine = async (uniqueName?: string) => {
  const named = uniqueName === undefined ? {} : { uniqueName };
  const first = await idOf(named);
  const wrong = await idOf({ ...named, replaces: first });
  return { first, wrong };
};

describe('the document that a wrong version had replaced', () => {
  test.each(['CANCELLED', 'DELETED'] as const)(
    'is in force again once that is %s, in the lists, the history, the ledger and the check',
    async (state) => {
      const { first, wrong } = await aLine();
      expect((await change(first, 'ACTIVE')).error?.code).toBe('INVALID_STATUS');
      await change(wrong, state);
      expect((await change(first, 'ACTIVE')).body).toMatchObject({ state: 'ACTIVE', changed: true });
      expect((await change(first, 'ACTIVE')).body).toMatchObject({ state: 'ACTIVE', changed: false });
      await portal.runJob('ledger:round');
      expect(await documentOf(first)).toMatchObject({ state: 'ACTIVE' });
      expect(await documentOf(first)).not.toHaveProperty('successor');
      const { items } = (await anna.call('getDocumentHistory', { params: { id: first } })).body;
      expect(items.at(-1)).toMatchObject({
        event: 'STATE_CHANGED',
        before: 'OBSOLETE',
        after: 'ACTIVE',
        entry: { index: expect.any(Number) as unknown },
      });
      expect(await checkOf(first)).toMatchObject({ status: 'SHA_CIF_OK', differences: [] });
      expect((await lifeOf(first)).items.at(-1)).toMatchObject({ after: 'ACTIVE', keyName: 'tests', reason: 'a wrong version' });
    },
  );

  test('is cancelled, deleted or replaced afterwards as any other', async () => {
    const lines = [await aLine(), await aLine(), await aLine()];
    for (const { first, wrong } of lines) {
      await change(wrong, 'CANCELLED');
      await change(first, 'ACTIVE');
    }
    const [cancelled, deleted, replaced] = lines.map(({ first }) => first);
    expect((await change(cancelled ?? '', 'CANCELLED')).body.state).toBe('CANCELLED');
    expect((await change(deleted ?? '', 'DELETED')).body.state).toBe('DELETED');
    const next = await idOf({ replaces: replaced ?? '' });
    await portal.runJob('ledger:round');
    expect(await documentOf(replaced ?? '')).toMatchObject({ state: 'OBSOLETE', successor: next });
    expect((await documentOf(next)).metadata['2']).toBe(3);
    expect(await checkOf(replaced ?? '')).toMatchObject({ status: 'SHA_CIF_OK', differences: [] });
    expect((await change(replaced ?? '', 'ACTIVE')).error?.code).toBe('INVALID_STATUS');
  });

  test.each(['CANCELLED', 'DELETED'] as const)(
    'leads to the right version, published in the place of a wrong one that is %s',
    async (state) => {
      const uniqueName = `KH-T-${state}`;
      const { first, wrong } = await aLine(uniqueName);
      await change(wrong, state);
      const right = await publish({ uniqueName, replaces: first });
      expect([right.status, right.body.state]).toEqual([200, 'ACTIVE']);
      expect(await documentOf(first)).toMatchObject({ state: 'OBSOLETE', successor: right.body.id });
      expect(await documentOf(right.body.id)).toMatchObject({ state: 'ACTIVE', predecessor: first });
      expect((await documentOf(right.body.id)).metadata['2']).toBe(3);
    },
  );

  test('becomes obsolete with the next version also where this names the cancelled one', async () => {
    const { first, wrong } = await aLine();
    await change(wrong, 'CANCELLED');
    await change(first, 'ACTIVE');
    const right = await idOf({ replaces: wrong });
    await portal.runJob('ledger:round');
    expect(await documentOf(first)).toMatchObject({ state: 'OBSOLETE', successor: right });
    expect(await documentOf(wrong)).toMatchObject({ state: 'CANCELLED', successor: right });
    expect(await checkOf(first)).toMatchObject({ status: 'SHA_CIF_OK', differences: [] });
  });

  test('is not brought back while another version is in force, nor by two at once', async () => {
    const { first, wrong } = await aLine();
    await change(wrong, 'CANCELLED');
    const answers = await Promise.all([publish({ replaces: first }), change(first, 'ACTIVE'), publish({ replaces: first })]);
    await portal.runJob('ledger:round');
    expect([answers[0], answers[2]].map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await documentOf(first)).toMatchObject({ state: 'OBSOLETE' });
    expect(await checkOf(first)).toMatchObject({ status: 'SHA_CIF_OK', differences: [] });
    expect((await change(first, 'ACTIVE')).error?.code).toBe('INVALID_STATUS');
  });
});

test('a cancelled document may be replaced, and stays cancelled', async () => {
  const cancelled = await idOf({ uniqueName: 'KH-T-9' });
  await change(cancelled, 'CANCELLED');
  const right = await idOf({ uniqueName: 'KH-T-9', replaces: cancelled });
  expect(await documentOf(cancelled)).toMatchObject({ state: 'CANCELLED', successor: right });
});

describe('a publication that is sent again', () => {
  test.each([
    ['ACTIVE', undefined],
    ['CANCELLED', 'CANCELLED'],
    ['DELETED', 'DELETED'],
  ] as const)('says that its document is %s, and does not bring it back', async (state, change_) => {
    const again = { uniqueName: `KH-T-again-${state}`, pdf: aPdf({ text: `again ${state}` }) };
    const { id, sha256 } = (await publish(again)).body;
    if (change_ !== undefined) await change(id, change_);
    expect((await publish(again)).body).toMatchObject({ id, state, repeated: true });
    const items = [{ type: 'PRIVATE' as const, cif: '9401', fileName: 'a.pdf', uniqueName: again.uniqueName, sha256 }];
    expect((await portal.publisher.call('checkPublications', { body: { items } })).body.published).toEqual([{ index: 0, id, state }]);
  });

  test('as a version that was taken back, says so and publishes nothing, also after the right one has come', async () => {
    const first = await idOf();
    const wrong = { replaces: first, uniqueName: 'KH-T-wrong', pdf: aPdf({ text: 'wrong' }) };
    const { id } = (await publish(wrong)).body;
    await change(id, 'CANCELLED');
    expect((await publish(wrong)).body).toMatchObject({ id, state: 'CANCELLED', repeated: true });
    await change(first, 'ACTIVE');
    expect((await publish(wrong)).body).toMatchObject({ id, state: 'CANCELLED', repeated: true });
    await idOf({ replaces: first, uniqueName: 'KH-T-wrong' });
    expect((await publish(wrong)).body).toMatchObject({ id, state: 'CANCELLED', repeated: true });
  });
});
