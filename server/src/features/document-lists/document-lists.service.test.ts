import { type Criterion, type DocumentQuery, documentQuery } from '@pergamin/contract';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetadata } from '#features/metadata/metadata.door.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { createLists, type Lists } from './document-lists.service.ts';

let portal: TestPortal;
let lists: Lists;
let asked: string[] = [];

const caller: ClientCaller = { sessionId: '', sessionBeganAt: new Date(0), personalId: '6001', cif: 'frugal', cif2: null, state: 'ACTIVE' };
const criteria: Record<string, Criterion[]> = {
  received: [
    { id: 'TYPE', operator: 'NOT_EQUALS', value: 'PUBLIC' },
    { id: 'PERGAMIN_ST_DOC_TYPE', operator: 'NOT_EQUALS', value: 'STATEMENTS' },
  ],
  public: [{ id: 'TYPE', operator: 'EQUALS', value: 'PUBLIC' }],
};
const ask = async (
  list: string,
  query: Partial<DocumentQuery> = {},
  period: { start: number | null; end: number | null } | null = null,
) => {
  asked = [];
  const { total } = await lists.list(caller, documentQuery.parse({ ...query, criteria: { metadata: criteria[list], period } }));
  return { total, statements: asked.length };
};

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.addClient('6001', { cif: 'frugal', groups: ['frugal-group'] });
  const pool: Pick<Pool, 'query'> = new Proxy(portal.pool, {
    get: (target, property) => {
      if (property !== 'query') return Reflect.get(target, property, target);
      return (...given: Parameters<Pool['query']>) => {
        asked.push(typeof given[0] === 'string' ? given[0] : 'named');
        return target.query(...given);
      };
    },
  });
  const metadata = createMetadata({ db: portal.db, settings: portal.settings });
  await metadata.definitions();
  lists = createLists({ pool, metadata, settings: portal.settings });
  for (let number = 0; number < 3; number += 1) await portal.publish({ pdf: aPdf({ text: `f${number}` }), type: 'PRIVATE', cif: 'frugal' });
  await portal.publish({ pdf: aPdf({ text: 'fp' }), type: 'PUBLIC' });
});

afterAll(() => portal[Symbol.asyncDispose]());

test.each(['received', 'public'])('the %s list is asked for in one statement while nothing new is delivered', async (list) => {
  const first = await ask(list);
  expect(await ask(list)).toEqual({ total: first.total, statements: 1 });
  const period = { start: 0, end: Date.now() + 86_400_000 };
  await ask(list, {}, period);
  expect(await ask(list, {}, period)).toEqual({ total: first.total, statements: 1 });
  await portal.publish({
    pdf: aPdf({ text: `new ${list}` }),
    ...(list === 'public' ? { type: 'PUBLIC' } : { type: 'PRIVATE', cif: 'frugal' }),
  });
  expect((await ask(list)).total).toBe(first.total + 1);
  expect(await ask(list)).toEqual({ total: first.total + 1, statements: 1 });
});

test('a membership that begins or ends is noticed, though nothing was delivered', async () => {
  await portal.publish({ pdf: aPdf({ text: 'grouped' }), type: 'GROUP', groupId: 'frugal-other' });
  const { total } = await ask('received');
  await portal.db
    .insertInto('group_member')
    .values({ group_id: 'frugal-other', cif: 'frugal', since: new Date(0) })
    .execute();
  expect((await ask('received')).total).toBe(total + 1);
  await portal.db
    .updateTable('group_member')
    .set({ until: new Date(1) })
    .where('group_id', '=', 'frugal-other')
    .execute();
  expect((await ask('received')).total).toBe(total);
});

test('any page of a search and its total come from one statement', async () => {
  const text = '%umowa%';
  const { total } = await ask('received', { text });
  for (const page of [0, 1]) expect(await ask('received', { text, size: 1, page })).toEqual({ total, statements: 1 });
});
