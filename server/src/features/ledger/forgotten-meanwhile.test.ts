import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPdf } from '#testing/pdfs.ts';
import { startTestPortal, type TestPortal } from '#testing/test-portal.ts';
import { eraseStatements, lockLedger } from './ledger.store.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal({ environment: { NOTICES: 'never' } });
  await portal.addClient('1001', { cif: '700199' });
});
afterAll(() => portal[Symbol.asyncDispose]());

test('a round that begins while a document is forgotten enters nothing that names its owner', async () => {
  const { id } = (await portal.publish({ cif: '700199', pdf: aPdf() })).body;
  const round = await portal.db.startTransaction().execute();
  await lockLedger(round);
  await portal.publisher.call('changeDocumentState', { params: { id }, body: { state: 'CANCELLED', reason: 'A wrong amount' } });
  const forgetting = await portal.db.startTransaction().execute();
  await eraseStatements(forgetting, [id]);
  await round.rollback().execute();
  const waiting = async () =>
    (
      await portal.owner.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%ledger_pending%'`,
      )
    ).rowCount;
  await expect.poll(waiting, { timeout: 15_000 }).toBe(1);
  await forgetting.commit().execute();
  await portal.runJob('ledger:round');
  const { rows } = await portal.pool.query<{ event: string; statement: Buffer | null }>(
    'select event, statement from ledger_entry where document_id = $1 order by index',
    [id],
  );
  expect(rows.map(({ event }) => event)).toEqual(['PUBLISHED', 'STATE_CHANGED']);
  expect(rows.filter(({ statement }) => statement?.includes('700199'))).toEqual([]);
});
