import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
  await portal.addClient('1001', { cif: '7001' });
});
afterAll(() => portal[Symbol.asyncDispose]());

test('a publication that is under way when its key is revoked does not come through, and leaves nothing', async () => {
  const key = await portal.issueKey(['documents:publish']);
  const form = new FormData();
  form.set('description', JSON.stringify({ type: 'PRIVATE', cif: '7001', fileName: 'Umowa.pdf', metadata: {} }));
  form.set('file', new Blob([Uint8Array.from(aPdf())], { type: 'application/pdf' }), 'a.pdf');
  const revoking = await portal.owner.pool.connect();
  try {
    // Not committed yet: the call begins with a key that is good.
    await revoking.query(
      'begin; update publisher_key set revoked_at = now() where id = (select id from publisher_key order by created_at desc limit 1)',
    );
    const publishing = portal.anonymous.call('publishDocument', { form }, { authorization: `Bearer ${key}` });
    const waiting = async () =>
      (
        await portal.owner.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%publisher_key%'`,
        )
      ).rowCount;
    await expect.poll(waiting, { timeout: 15_000 }).toBe(1);
    await revoking.query('commit');
    const { status, error } = await publishing;
    expect([status, error?.code]).toEqual([401, 'ACCESS_DENIED']);
  } finally {
    revoking.release();
  }
  const { rows } = await portal.pool.query('select from document');
  expect(rows).toEqual([]);
});
