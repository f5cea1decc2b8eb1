import type { ConfigurationKind } from '@pergamin/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;
let last = 0;

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.addClient('4001', { cif: '5001' });
  await portal.addClient('4002', { cif: '5002' });
});
beforeEach(async () => {
  last = (await history()).items[0]?.id ?? 0;
});
afterAll(() => portal[Symbol.asyncDispose]());

const history = async (query: { kind?: ConfigurationKind; before?: string } = {}) =>
  (await portal.publisher.call('listConfigurationChanges', { query })).body;

/** What was kept in this test, without what differs each time. */
const kept = async () =>
  (await history()).items
    .filter(({ id }) => id > last)
    .map(({ kind, subject, before, after, keyName }) => ({ kind, subject, before, after, keyName }));

const name = { pl: 'Nazwa', en: 'Name' };
const other = { pl: 'Inna', en: 'Other' };
const keyName = 'tests';

describe('a change of what is configured is kept, once, with what it was before', () => {
  test('of a metadata key', async () => {
    const define = (body: object) => portal.publisher.call('defineMetadata', { body: body as never });
    const item = { id: 'BRANCH', name, type: 'TEXT' };
    await define({ items: [item], dryRun: true });
    expect(await kept()).toEqual([]);
    await define({ items: [item] });
    await define({ items: [item] });
    await define({ items: [{ ...item, name: other }] });
    const first = {
      ...item,
      description: null,
      required: false,
      removed: false,
      visible: true,
      dictionary: null,
      screens: [],
    };
    expect(await kept()).toEqual([
      { kind: 'metadata', subject: 'BRANCH', before: first, after: { ...first, name: other }, keyName },
      { kind: 'metadata', subject: 'BRANCH', before: null, after: first, keyName },
    ]);
  });

  test('of a dictionary', async () => {
    const upsert = (values: { key: string; name: typeof name }[]) =>
      portal.publisher.call('upsertDictionary', { params: { id: 'BRANCHES' }, body: { name, values } });
    const [one, two] = [
      { key: 'A', name },
      { key: 'B', name: other },
    ] as const;
    await upsert([one]);
    await upsert([one]);
    await upsert([two, one]);
    expect(await kept()).toEqual([
      { kind: 'dictionary', subject: 'BRANCHES', before: { name, values: [one] }, after: { name, values: [two, one] }, keyName },
      { kind: 'dictionary', subject: 'BRANCHES', before: null, after: { name, values: [one] }, keyName },
    ]);
  });

  test('of a category', async () => {
    const item = { id: 'LOSSES', name, types: [{ id: 'LOSS', name }] };
    const upsert = (body: object) => portal.publisher.call('upsertCategories', { body: body as never });
    await upsert({ items: [item], dryRun: true });
    await upsert({ items: [item] });
    await upsert({ items: [item] });
    await upsert({ items: [{ ...item, retentionDays: 30 }] });
    const first = { id: 'LOSSES', name, retentionDays: null, deleted: false, types: [{ id: 'LOSS', name, deleted: false }] };
    expect(await kept()).toEqual([
      { kind: 'category', subject: 'LOSSES', before: first, after: { ...first, retentionDays: 30 }, keyName },
      { kind: 'category', subject: 'LOSSES', before: null, after: first, keyName },
    ]);
  });

  test('of the members of a group, by its own call and by the records of clients', async () => {
    await portal.publisher.call('setMembers', { body: { items: [{ id: 'g', members: ['5001'] }] } });
    await portal.publisher.call('setMembers', { body: { items: [{ id: 'g', members: ['5002'] }], dryRun: true } });
    await portal.addClient('4001', { cif: '5001', groups: ['h'] });
    await portal.addClient('4001', { cif: '5001', groups: ['h'] });
    expect(await kept()).toEqual([
      { kind: 'group', subject: 'h', before: { left: [] }, after: { joined: ['5001'] }, keyName },
      { kind: 'group', subject: 'g', before: { left: ['5001'] }, after: { joined: [] }, keyName },
      { kind: 'group', subject: 'g', before: { left: [] }, after: { joined: ['5001'] }, keyName },
    ]);
  });
});

test('a change that is refused leaves nothing in the history', async () => {
  const define = await portal.publisher.call('defineMetadata', {
    body: {
      items: [
        { id: 'FIRST', name, type: 'TEXT' },
        { id: 'SECOND', name, type: 'TEXT', dictionary: 'NONE' },
      ],
    },
  });
  const set = await portal.publisher.call('setMembers', { body: { items: [{ id: 'g', members: ['404'] }] } });
  expect([define.status, set.status, await kept()]).toEqual([400, 400, []]);
});

test('what the demonstration brings is no change of the organisation', async () => {
  const key = await portal.keys.issue({ name: 'demonstration', scopes: ['categories:write'], demo: true });
  const body = { items: [{ id: 'DEMO', name, types: [] }] };
  expect((await portal.anonymous.call('upsertCategories', { body }, { authorization: `Bearer ${key}` })).status).toBe(200);
  expect(await kept()).toEqual([]);
});

test('the history is told page by page, all of it or of one kind, and needs a scope of its own', async () => {
  for (let turn = 0; turn < 60; turn += 1)
    await portal.publisher.call('setMembers', { body: { items: [{ id: 'often', members: turn % 2 === 0 ? ['5001'] : [] }] } });
  const first = await history({ kind: 'group' });
  expect([first.items.length, first.more]).toEqual([50, true]);
  const rest = await history({ kind: 'group', before: String(first.items.at(-1)?.id) });
  expect(rest.more).toBe(false);
  const ids = [...first.items, ...rest.items].map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted((one, next) => next - one));
  expect(new Set([...first.items, ...rest.items].map(({ kind }) => kind))).toEqual(new Set(['group']));
  expect((await history({ kind: 'metadata' })).items.every(({ kind }) => kind === 'metadata')).toBe(true);
  const writer = await portal.withKey(['metadata:write', 'clients:write']);
  expect((await writer.call('listConfigurationChanges', { query: {} })).status).toBe(403);
});

test('the history cannot be changed or taken away, not even by the owner of the database', async () => {
  const { db } = portal.owner;
  await expect(db.deleteFrom('configuration_change').execute()).rejects.toThrow('insert-only');
  await expect(db.updateTable('configuration_change').set({ key_name: '' }).execute()).rejects.toThrow('insert-only');
});
