import { type Publication, publisherScopes } from '@pergamin/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import { bitsOf, gramsOf } from './blocks.rules.ts';
import { createMakeBlocks } from './blocks.service.ts';
import { findSpans } from './blocks.store.ts';

let portal: TestPortal;
let reader: TestClient;

const principal = 'cif:blocks';
const makeAll = (): Promise<void> => createMakeBlocks(portal.pool)({ principal }, new AbortController().signal);
const countBlocks = async (): Promise<number> => {
  const { rows } = await portal.pool.query<{ count: number }>('select count(*) as count from delivery_block where principal = $1', [
    principal,
  ]);
  return rows[0]?.count ?? 0;
};

let pdfs = 0;
const publish = async (description: Partial<Publication>): Promise<string> =>
  (await portal.publish({ pdf: aPdf({ text: `b${(pdfs += 1)}` }), cif: 'blocks', ...description })).body.id;

const find = async (text: string, metadata: { id: string; operator: 'LIKE' | 'EQUALS'; value: string }[] = []) => {
  const { body } = await reader.call('listOwnDocuments', {
    body: { text: text === '' ? null : `%${text}%`, criteria: { metadata }, size: 100 },
  });
  expect(body.items).toHaveLength(Math.min(100, body.total));
  return body.items.map(({ id }) => id);
};

/** Where the deliveries are looked for; undefined: everywhere. */
const spansOf = async (...words: string[]) =>
  (
    await findSpans(
      portal.pool,
      [principal],
      words.map((word) => [word]),
    )
  ).spans.get(principal);

let many = 0;
/** Letters like the first one, each a day older than the one before. */
const publishMany = async (count: number): Promise<void> => {
  const from = many + 1;
  many += count;
  await sql`
    with copies as (
      insert into document (id, type, kind, cif, file_name, case_number, meta, object_key, sha256, size, page_count, page_sizes, published_at,
        search_text)
      select gen_random_uuid(), type, kind, cif, 'Pismo ' || number, 'K/' || number * 7919 + 100000, '{}', object_key, sha256, size, page_count,
        page_sizes, published_at - number * interval '1 day', 'pismo ' || number || E'\\nk/' || number * 7919 + 100000
      from document, generate_series(${from}::int, ${many}::int) as number where cif = 'blocks' and meta ->> 'BAR_NUMBER' = '7'
      returning id, published_at
    )
    insert into delivery (principal, document_id, kind, published_at, listed_on)
    select ${principal}, id, 'private', published_at, published_at::date from copies`.execute(portal.db);
};

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.signIn('7001', { cif: 'blocks' });
  await publish({ metadata: { BAR_NUMBER: '7' } });
  await publishMany(999);
  await makeAll();
}, 60_000);

afterAll(() => portal[Symbol.asyncDispose]());

test('a rare word is looked for in few blocks, and every document that has it is found', async () => {
  expect(await countBlocks()).toBe(15);
  for (const number of [1, 63, 64, 500, 900, 999]) {
    const words = String(number * 7919 + 100_000);
    const spans = await spansOf(words);
    expect(spans?.length).toBeLessThan(8);
    const { rows } = await portal.pool.query<{ id: string }>(
      `select id from document where case_number like $1 order by published_at desc`,
      [`%${words}%`],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(await find(words)).toEqual(rows.map(({ id }) => id));
    expect(await find('', [{ id: 'PRIV_CASE_NUMBER', operator: 'LIKE', value: `%${words}%` }])).toEqual(rows.map(({ id }) => id));
  }
});

test('a word that most blocks have, and one too short to say, are looked for everywhere', async () => {
  expect(await spansOf('pismo')).toBeUndefined();
  expect(await spansOf('pi')).toBeUndefined();
  expect((await find('pismo 77')).length).toBe(11);
});

test('of two words that stand for the same, a rare one is looked for where it can be alone: among the newest, or nowhere', async () => {
  const whereaboutsOf = async (...words: string[]) => (await findSpans(portal.pool, [principal], [words])).whereabouts.get(principal);
  const { rows } = await portal.pool.query<{ first: string; last: string }>(
    `select min(published_at)::text as first, max(published_at)::text as last from delivery
    where principal = $1 and place >= (select max(until) from delivery_block where principal = $1)`,
    [principal],
  );
  expect([...((await whereaboutsOf('pismo', 'pis mo')) ?? [])]).toEqual([['pis mo', rows[0]]]);
  await publishMany(24);
  await makeAll();
  expect(await countBlocks()).toBe(16);
  expect([...((await whereaboutsOf('pismo', 'pis mo')) ?? [])]).toEqual([['pis mo', null]]);
  expect((await whereaboutsOf('pismo', String(500 * 7919 + 100_000)))?.get(String(500 * 7919 + 100_000))).toMatchObject({
    first: expect.any(String),
  });
  expect(await whereaboutsOf('pismo', 'pi')).toBeUndefined();
});

test('a document is found that came after the last block, whatever moment it bears', async () => {
  const key = await portal.keys.issue({ name: 'archive', scopes: publisherScopes, demo: true });
  const form = new FormData();
  const publishedAt = Date.parse('2001-02-03T04:05:06Z');
  form.set('description', JSON.stringify({ type: 'PRIVATE', cif: 'blocks', fileName: 'Zaginione', metadata: {}, publishedAt }));
  form.set('file', new Blob([Uint8Array.from(aPdf({ text: 'old' }))], { type: 'application/pdf' }), 'a.pdf');
  const { body } = await portal.publisher.call('publishDocument', { form }, { authorization: `Bearer ${key}` });
  const recent = await publish({ fileName: 'Zaginione' });
  expect(await find('zaginione')).toEqual([recent, body.id]);
});

test('a document whose text changes is found by what it says now', async () => {
  const [id = ''] = await find(`k/${300 * 7919 + 100_000}`);
  await sql`update document set search_text = 'xylofon', file_name = 'Xylofon' where id = ${id}::uuid`.execute(portal.db);
  expect(await find('xylofon')).toEqual([id]);
  expect(await find('', [{ id: 'FILE_NAME', operator: 'EQUALS', value: 'Xylofon' }])).toEqual([id]);
});

test('a document of which no more changes than a value that its text does not show is found by that', async () => {
  const [id = ''] = await find(`k/${400 * 7919 + 100_000}`);
  await sql`update document set meta = meta || '{"DOC_EXT": "wyjatkowy"}' where id = ${id}::uuid`.execute(portal.db);
  await publishMany(64);
  await makeAll();
  expect(await find('', [{ id: 'DOC_EXT', operator: 'LIKE', value: '%wyjatkowy%' }])).toEqual([id]);
}, 60_000);

test('a value too long for a list is found by its end', async () => {
  const long = `${'długie '.repeat(60)}kwarcyt`;
  const id = await publish({ metadata: { PRIV_CASE_NUMBER: long } });
  await publishMany(64);
  await makeAll();
  expect(await find('kwarcyt')).toEqual([id]);
  expect(await find('', [{ id: 'PRIV_CASE_NUMBER', operator: 'LIKE', value: '%kwarcyt%' }])).toEqual([id]);
}, 60_000);

test('blocks wait for whoever is still delivering when they are made', async () => {
  const connection = await portal.pool.connect();
  const before = await countBlocks();
  await connection.query('begin');
  const { rows } = await connection.query<{ id: string }>(
    `insert into document (id, type, kind, cif, file_name, object_key, sha256, size, page_count, page_sizes, published_at, search_text)
    select gen_random_uuid(), type, kind, cif, 'Spóźnione', object_key, sha256, size, page_count, page_sizes, now(), 'spoznione'
    from document where cif = 'blocks' limit 1 returning id`,
  );
  await connection.query(
    `insert into delivery (principal, document_id, kind, published_at, listed_on) values ($1, $2, 'private', now(), '2026-01-01')`,
    [principal, rows[0]?.id],
  );
  await publishMany(64);
  const looked = Promise.withResolvers<void>();
  const watched = new Proxy(portal.pool, {
    get: (target, property) => {
      if (property !== 'query') return Reflect.get(target, property, target);
      return async (text: string, values?: unknown[]) => {
        const answer = await target.query(text, values);
        if (text.includes('pg_snapshot_xmin')) looked.resolve();
        return answer;
      };
    },
  });
  const made = createMakeBlocks(watched)({ principal }, new AbortController().signal);
  await looked.promise;
  expect(await countBlocks()).toBe(before);
  await connection.query('commit');
  connection.release();
  await made;
  expect(await countBlocks()).toBeGreaterThan(before);
  expect(await find('spoznione')).toEqual([rows[0]?.id]);
}, 60_000);

test('whoever has many new documents gets blocks made of them by a job', async () => {
  const waiting = async (): Promise<number> => {
    const { rows } = await portal.pool.query<{ count: number }>(
      `select count(*) as count from graphile_worker.jobs where task_identifier = 'document-lists:blocks'`,
    );
    return rows[0]?.count ?? 0;
  };
  await portal.pool.query('delete from delivery_block');
  await find('pismo 1');
  await expect.poll(async () => (await countBlocks()) > 0 || (await waiting()) > 0).toBe(true);
});

test('a word has in a text every bit that it has alone', () => {
  const texts = ['umowa rachunku nr 17\nspr/2026/001234', 'ó', ''];
  const grams = gramsOf(texts);
  const has = (word: string): boolean => bitsOf(word).every((bit) => ((grams[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  for (const text of texts)
    for (let from = 0; from < text.length; from += 1)
      for (let until = from + 3; until <= text.length; until += 1) expect(has(text.slice(from, until))).toBe(true);
  expect(has('spr/2027')).toBe(false);
});
