import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
  for (const number of ['1', '2', '3']) await portal.addClient(`400${number}`, { cif: `500${number}` });
});

afterAll(() => portal[Symbol.asyncDispose]());

const set = (items: { id: string; members: string[] }[], dryRun?: true) =>
  portal.publisher.call('setMembers', { body: { items, ...(dryRun === undefined ? {} : { dryRun }) } });
const membersOf = async (id: string, after?: string) =>
  (await portal.publisher.call('listMembers', { params: { id }, query: after === undefined ? {} : { after } })).body;
const groups = async () => (await portal.publisher.call('listGroups', {})).body.items;

describe('the members of a group', () => {
  test('are set, told and counted; set again they change nothing, and a dry run says what would change', async () => {
    expect((await set([{ id: 'vip', members: ['5001', '5002', '5001'] }])).body.items).toEqual([
      { id: 'vip', joined: ['5001', '5002'], left: [] },
    ]);
    expect((await set([{ id: 'vip', members: ['5002', '5001'] }])).body.items).toEqual([]);
    const other = [{ id: 'vip', members: ['5002', '5003'] }];
    const change = [{ id: 'vip', joined: ['5003'], left: ['5001'] }];
    expect((await set(other, true)).body.items).toEqual(change);
    expect(await membersOf('vip')).toEqual({ items: ['5001', '5002'], more: false });
    expect((await set(other)).body.items).toEqual(change);
    expect(await membersOf('vip')).toEqual({ items: ['5002', '5003'], more: false });
    expect((await membersOf('vip', '5002')).items).toEqual(['5003']);
    expect(await groups()).toContainEqual({ id: 'vip', members: 2 });
    await set([{ id: 'vip', members: [] }]);
    expect(await groups()).toContainEqual({ id: 'vip', members: 0 });
  });

  test('who leave keep what was delivered to the group before, and see nothing of what comes later', async () => {
    const client = await portal.signIn('4001');
    await set([{ id: 'kept', members: ['5001'] }]);
    const { id } = (await portal.publish({ type: 'GROUP', groupId: 'kept', pdf: aPdf({ text: 'before' }) })).body;
    await set([{ id: 'kept', members: ['5002'] }]);
    await portal.publish({ type: 'GROUP', groupId: 'kept', pdf: aPdf({ text: 'after' }) });
    expect((await client.call('listOwnDocuments', { body: {} })).body.items.map((item) => item.id)).toEqual([id]);
  });

  test('are the same that records of clients name', async () => {
    await portal.addClient('4003', { cif: '5003', groups: ['records'] });
    expect((await membersOf('records')).items).toEqual(['5003']);
    await set([{ id: 'records', members: ['5002'] }]);
    await portal.addClient('4002', { cif: '5002', groups: [] });
    expect((await membersOf('records')).items).toEqual([]);
  });

  test('all change or none: unknown customer numbers are named, each by its place', async () => {
    const { status, error } = await set([
      { id: 'whole', members: ['5001'] },
      { id: 'broken', members: ['5001', '404', '5002', '405'] },
    ]);
    expect([status, error?.code, error?.fields]).toEqual([
      400,
      'VALIDATION_ERROR',
      { 'items.1.members.1': 'unknown customer number', 'items.1.members.3': 'unknown customer number' },
    ]);
    expect((await portal.publisher.call('listMembers', { params: { id: 'whole' }, query: {} })).status).toBe(404);
  });

  test.each<[string, unknown]>([
    ['a group that is given twice', [1, 2].map(() => ({ id: 'twice', members: [] }))],
    ['no group', []],
    ['a group of two lines', [{ id: 'a\nb', members: [] }]],
    ['a customer number that is none', [{ id: 'a', members: ['5 001'] }]],
    ['a field that there is not', [{ id: 'a', members: [], name: 'A' }]],
    ['more members than a call may bring', [{ id: 'a', members: Array.from({ length: 50_001 }, () => '5001') }]],
  ])('are refused with %s', async (_what, items) => {
    expect((await set(items as never)).error?.code).toBe('VALIDATION_ERROR');
  });

  test('are out of reach of a key of the demonstration', async () => {
    const key = await portal.keys.issue({ name: 'demonstration', scopes: ['clients:write'], demo: true });
    const answer = await portal.anonymous.call(
      'setMembers',
      { body: { items: [{ id: 'vip', members: [] }] } },
      { authorization: `Bearer ${key}` },
    );
    expect([answer.status, answer.error?.code]).toEqual([403, 'CALL_NOT_PERMITTED']);
  });
});
