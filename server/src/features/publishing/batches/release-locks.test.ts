import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendBatch } from '#testing/batches.ts';
import { isNightly } from '#testing/nightly.ts';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestClient, type TestPortal } from '#testing/test-portal.ts';
import { withoutLimits } from '#testing/without-limits.ts';

const documents = isNightly ? 100_000 : 1_000;
const insertedAtOnce = 5_000;
const maxWaitMs = 200;

let portal: TestPortal;
let client: TestClient;

beforeAll(async () => {
  // It reads and publishes as often as it can while the batch is released.
  portal = await startTestPortal({ limits: withoutLimits });
  client = await portal.signIn('1001', { cif: '7001' });
});
afterAll(() => portal[Symbol.asyncDispose]());

/** As many drafts as rows alone: each hundredth is the reader's, the others have four a customer. */
const fillBatch = async (name: string): Promise<string> => {
  const id = await sendBatch(portal.publisher, name, [{ cif: '7001', uniqueName: name }]);
  for (let first = 1; first < documents; first += insertedAtOnce)
    await portal.owner.pool.query(
      `insert into document (id, type, kind, cif, file_name, unique_name, object_key, sha256, size, page_count, page_sizes, search_text,
         batch_id, batch_position)
       select gen_random_uuid(), type, kind, case when nth % 100 = 0 then '7001' else 'S' || nth / 4 end, file_name, $2 || nth, object_key, sha256,
         size, page_count, page_sizes, search_text, batch_id, 1 + nth
       from document, generate_series($3::int, $4::int) as nth where batch_id = $1 and unique_name = $2`,
      [id, name, first, Math.min(first + insertedAtOnce, documents) - 1],
    );
  await portal.owner.pool.query('update batch set documents = $2 where id = $1', [id, documents]);
  return id;
};

/** Of all that wait for a lock in this database now, however busy the machine is: the longest wait so far. */
const longestWaitMs = async (): Promise<number> => {
  const { rows } = await portal.owner.pool.query<{ ms: number | null }>(
    `select max(extract(epoch from clock_timestamp() - waitstart) * 1000)::float8 as ms from pg_locks
     where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`,
  );
  return rows[0]?.ms ?? 0;
};

test(
  'the release of a large batch holds no lock for which a reader or a single publication waits longer than 200 ms',
  {
    timeout: isNightly ? 1_200_000 : 120_000,
  },
  async () => {
    const id = await fillBatch('locks');
    expect((await portal.publisher.call('commitBatch', { params: { id }, body: { documents } })).status).toBe(200);
    const release = { isOver: false };
    const untilReleased = async (work: () => Promise<unknown>): Promise<number> => {
      let times = 0;
      for (; !release.isOver; times += 1) await work();
      return times;
    };
    const watchRelease = async (): Promise<void> => {
      const { state, published } = (await portal.publisher.call('getBatch', { params: { id } })).body;
      release.isOver = state === 'PUBLISHED' && published === documents;
      await pause(50);
    };
    const waits: number[] = [];
    const watchLocks = async (): Promise<void> => {
      waits.push(await longestWaitMs());
      await pause(20);
    };
    let nth = 0;
    const publish = async (): Promise<void> => {
      nth += 1;
      expect((await portal.publish({ cif: '7001', uniqueName: `single-${nth}`, pdf: aPdf({ text: 'single' }) })).status).toBe(200);
    };
    const read = async (): Promise<void> => {
      expect((await client.call('listOwnDocuments', { body: { size: 100 } })).status).toBe(200);
      expect((await client.call('listNotifications', {})).status).toBe(200);
    };
    const [, looks, publications, readings] = await Promise.all([watchRelease, watchLocks, publish, read].map(untilReleased));
    expect(Math.max(...waits)).toBeLessThan(maxWaitMs);
    expect(Math.min(looks ?? 0, publications ?? 0, readings ?? 0)).toBeGreaterThan(0);
  },
);

test('a wait for a lock is seen', async () => {
  const holding = await portal.owner.pool.connect();
  const waiting = await portal.owner.pool.connect();
  try {
    await holding.query(`begin; select from batch where name = 'locks' for update`);
    const blocked = waiting.query(`select from batch where name = 'locks' for update`);
    await expect.poll(longestWaitMs, { timeout: 20_000 }).toBeGreaterThan(maxWaitMs);
    await holding.query('rollback');
    await blocked;
  } finally {
    holding.release();
    waiting.release();
  }
});
