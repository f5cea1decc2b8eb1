import { randomUUID } from 'node:crypto';
import type { Publication } from '@pergamin/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';

/** A document takes the place of another one (R2, D19). */

let portal: TestPortal;
let anna: TestClient;
let jan: TestClient;

beforeAll(async () => {
  portal = await startTestPortal();
  anna = await portal.signIn('5101', { cif: '9201', groups: ['premium'] });
  jan = await portal.signIn('5102', { cif: '9202' });
});

afterAll(() => portal[Symbol.asyncDispose]());

let texts = 0;
const publish = (description: Partial<Publication> & { pdf?: Uint8Array } = {}) =>
  portal.publish({
    pdf: aPdf({ text: `Wersja ${(texts += 1)}` }),
    ...(description.type === undefined ? { cif: '9201' } : {}),
    ...description,
  });
const idOf = async (description: Parameters<typeof publish>[0] = {}): Promise<string> => (await publish(description)).body.id;
const documentOf = async (client: TestClient, id: string) => (await client.call('getDocument', { params: { id } })).body;
const listOf = async (client: TestClient) => (await client.call('listOwnDocuments', { body: {} })).body.items;
const refusalOf = async (description: Parameters<typeof publish>[0]) => {
  const { status, error } = await publish(description);
  return { status, code: error?.code, fields: Object.keys(error?.fields ?? {}) };
};
const setState = (id: string, state: 'CANCELLED' | 'DELETED' | 'FORGOTTEN') =>
  portal.db.updateTable('document').set({ state }).where('id', '=', id).execute();

describe('a document that replaces another one', () => {
  test('makes it obsolete, and each leads to the other', async () => {
    const former = await idOf();
    const next = await idOf({ replaces: former });
    expect(await documentOf(anna, former)).toMatchObject({ state: 'OBSOLETE', successor: next });
    const { state, predecessor, successor, metadata } = await documentOf(anna, next);
    expect({ state, predecessor, successor, version: metadata['2'] }).toEqual({
      state: 'ACTIVE',
      predecessor: former,
      successor: undefined,
      version: 2,
    });
  });

  test('is in the lists beside the obsolete one, which says when its state changed', async () => {
    const former = await idOf();
    const next = await idOf({ replaces: former });
    const states = new Map((await listOf(anna)).map(({ id, state }) => [id, state]));
    expect([states.get(former), states.get(next)]).toEqual(['OBSOLETE', 'ACTIVE']);
    const { items } = (await anna.call('getDocumentHistory', { params: { id: former } })).body;
    expect(items.at(-1)).toMatchObject({ event: 'STATE_CHANGED', before: 'ACTIVE', after: 'OBSOLETE' });
  });

  test('is told to its owner like any other, and the obsolete one stays to be read and checked', async () => {
    const former = await idOf();
    const next = await idOf({ replaces: former });
    const { items } = (await anna.call('listNotifications', {})).body;
    expect(items.filter(({ value }) => value === next)).toMatchObject([{ type: 'publication' }]);
    expect((await anna.call('checkDocument', { params: { id: former }, query: {} })).body.status).toBe('SHA_CIF_OK');
    expect((await anna.call('downloadDocument', { params: { id: former } })).status).toBe(200);
  });

  test('may be replaced itself: each knows the one before it and the one after it', async () => {
    const first = await idOf();
    const second = await idOf({ replaces: first });
    const third = await idOf({ replaces: second });
    expect(await documentOf(anna, second)).toMatchObject({ predecessor: first, successor: third, state: 'OBSOLETE' });
    expect((await documentOf(anna, third)).metadata['2']).toBe(3);
  });

  test('a replacement of a group’s document or a public one reaches the same people again', async () => {
    for (const recipients of [{ type: 'GROUP', groupId: 'premium' }, { type: 'PUBLIC' }] as const) {
      const former = await idOf(recipients);
      const next = await idOf({ ...recipients, replaces: former });
      expect((await documentOf(anna, former)).successor).toBe(next);
    }
  });

  test('leads from one public document to the next, also without a session', async () => {
    const former = await idOf({ type: 'PUBLIC' });
    const next = await idOf({ type: 'PUBLIC', replaces: former });
    const found = async (id: string) => (await portal.anonymous.call('getPublicDocument', { params: { id } })).body;
    expect([(await found(former)).successor, (await found(next)).predecessor]).toEqual([next, former]);
  });
});

describe('the way to another version is not told', () => {
  test.each(['DELETED', 'FORGOTTEN'] as const)('another version is not named when it is %s', async (state) => {
    const former = await idOf();
    const next = await idOf({ replaces: former });
    await setState(next, state);
    expect(await documentOf(anna, former)).not.toHaveProperty('successor');
    const [earlier, later] = await (async () => {
      const one = await idOf();
      return [one, await idOf({ replaces: one })] as const;
    })();
    await setState(earlier, state);
    expect(await documentOf(anna, later)).not.toHaveProperty('predecessor');
  });

  test('another version is not named to a member of a group who has left it, or came after the former one', async () => {
    const group = { type: 'GROUP', groupId: 'vip' } as const;
    const member = await portal.signIn('5103', { cif: '9203', groups: ['vip'] });
    const setGroups = (groups: string[]) =>
      portal.publisher.call('upsertClients', {
        body: { items: [{ personalId: '5103', cif: '9203', firstName: 'Ewa', lastName: 'Lis', groups }] },
      });
    const former = await idOf(group);
    await setGroups([]);
    const second = await idOf({ ...group, replaces: former });
    expect(await documentOf(member, former)).not.toHaveProperty('successor');
    expect((await member.call('getDocument', { params: { id: second } })).status).toBe(404);
    await setGroups(['vip']);
    const third = await idOf({ ...group, replaces: second });
    expect(await documentOf(member, third)).not.toHaveProperty('predecessor');
  });

  test('neither version is named to another client', async () => {
    const former = await idOf();
    const next = await idOf({ replaces: former });
    for (const id of [former, next]) expect((await jan.call('getDocument', { params: { id } })).status).toBe(404);
  });
});

describe('a replacement is refused, and nothing changes, because', () => {
  let former: string;
  beforeAll(async () => {
    former = await idOf();
  });

  test.each([
    ['it goes to another owner', { cif: '9202' }, 'CIF'],
    ['it goes to one more owner', { cif2: '9202' }, 'CIF2'],
    ['it goes to everybody', { type: 'PUBLIC' }, 'type'],
    ['it goes to a group', { type: 'GROUP', groupId: 'premium' }, 'type'],
  ] as const)('%s', async (_because, recipients, field) => {
    expect(await refusalOf({ ...recipients, replaces: former })).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: [field] });
    expect((await documentOf(anna, former)).state).toBe('ACTIVE');
  });

  test('a replacement for another group is refused', async () => {
    const former = await idOf({ type: 'GROUP', groupId: 'premium' });
    const refusal = await refusalOf({ type: 'GROUP', groupId: 'vip', replaces: former });
    expect(refusal).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: ['GROUP_ID'] });
  });

  test('a replacement of an unknown document is refused', async () => {
    expect(await refusalOf({ replaces: randomUUID() })).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: ['replaces'] });
    expect(await refusalOf({ replaces: 'the last one' })).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  test('the replaced document is one of the demonstration', async () => {
    const former = await idOf();
    await portal.owner.db.updateTable('document').set({ demo: true }).where('id', '=', former).execute();
    expect(await refusalOf({ replaces: former })).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: ['replaces'] });
  });

  test.each(['DELETED', 'FORGOTTEN'] as const)('the replaced document is %s', async (state) => {
    const former = await idOf();
    await setState(former, state);
    expect(await refusalOf({ replaces: former })).toEqual({ status: 409, code: 'INVALID_STATUS', fields: ['replaces'] });
  });

  test('a second replacement is refused: a document has one successor', async () => {
    const former = await idOf();
    const next = await idOf({ replaces: former });
    expect(await refusalOf({ replaces: former })).toEqual({ status: 409, code: 'INVALID_STATUS', fields: ['replaces'] });
    expect((await documentOf(anna, former)).successor).toBe(next);
  });
});

describe('a replacement that is sent again', () => {
  test('gives the first answer, with a name and without', async () => {
    for (const named of [{}, { uniqueName: 'KH-R-1' }]) {
      const again = { replaces: await idOf(), pdf: aPdf({ text: `again ${named.uniqueName}` }), ...named };
      const first = await publish(again);
      expect((await publish(again)).body).toEqual({ ...first.body, state: 'ACTIVE', repeated: true });
    }
  });

  test('five times at once makes one successor', async () => {
    const again = { replaces: await idOf(), uniqueName: 'KH-R-2', pdf: aPdf({ text: 'at once' }) };
    const answers = await Promise.all(Array.from({ length: 5 }, () => publish(again)));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ body }) => !body.repeated)).toHaveLength(1);
  });

  test('a repeated replacement with other bytes at the same time is refused: one of two comes first', async () => {
    const replaces = await idOf();
    const answers = await Promise.all([publish({ replaces }), publish({ replaces })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe('the name of a document', () => {
  test('passes on to its new version, and what was published first under it is still known', async () => {
    const uniqueName = 'KH-R-3';
    const pdf = aPdf({ text: 'the first of three' });
    const first = await publish({ uniqueName, pdf });
    const second = await idOf({ uniqueName, replaces: first.body.id });
    expect((await publish({ uniqueName, pdf })).body).toEqual({ ...first.body, state: 'OBSOLETE', repeated: true });
    expect(await refusalOf({ uniqueName })).toMatchObject({ code: 'RESOURCE_DUPLICATE', fields: ['uniqueName'] });
    // The bytes of the first version once more, now as the third.
    expect((await publish({ uniqueName, replaces: second, pdf })).body).toMatchObject({ repeated: false });
  });

  test('is not taken away from a document that is not replaced', async () => {
    await idOf({ uniqueName: 'KH-R-4' });
    const other = await idOf();
    expect(await refusalOf({ uniqueName: 'KH-R-4', replaces: other })).toMatchObject({
      code: 'RESOURCE_DUPLICATE',
      fields: ['uniqueName'],
    });
    expect((await documentOf(anna, other)).state).toBe('ACTIVE');
  });
});

test('a replacement that is broken off in the middle changes nothing that is seen, and the next round of the ledger makes it whole', async () => {
  const former = await idOf();
  const key = await portal.issueKey(['documents:publish']);
  const count = (await anna.call('listOwnDocuments', { body: {} })).body.total;
  const form = new FormData();
  form.set('description', JSON.stringify({ type: 'PRIVATE', fileName: 'a.pdf', cif: '9201', replaces: former, metadata: {} }));
  form.set('file', new Blob([Uint8Array.from(aPdf({ text: 'broken off' }))]), 'a.pdf');
  await portal.owner.db.schema.alterTable('notification').renameTo('notification_away').execute();
  try {
    const answer = await portal.anonymous.call('publishDocument', { form }, { authorization: `Bearer ${key}` });
    expect(answer.status).toBe(500);
  } finally {
    await portal.owner.db.schema.alterTable('notification_away').renameTo('notification').execute();
  }
  expect(await documentOf(anna, former)).not.toHaveProperty('successor');
  expect((await documentOf(anna, former)).state).toBe('ACTIVE');
  expect((await anna.call('listOwnDocuments', { body: {} })).body.total).toBe(count);
  await portal.runJob('ledger:round');
  expect((await documentOf(anna, former)).state).toBe('OBSOLETE');
  expect(await documentOf(anna, former)).toHaveProperty('successor');
  expect((await anna.call('listOwnDocuments', { body: {} })).body.total).toBe(count + 1);
});
