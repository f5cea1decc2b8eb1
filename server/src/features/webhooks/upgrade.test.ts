import { expect, test } from 'vitest';
import { migrateToLatest } from '#platform/database/migrate.ts';
import { migrations } from '#platform/database/migrations/index.ts';
import { createJobs } from '#platform/jobs/jobs.ts';
import { migrateJobs } from '#platform/jobs/worker.ts';
import { silentLog } from '#platform/log/log.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { listDue } from './webhooks.store.ts';

const log = silentLog();
const ids = { document: '7a3f0e52-91c4-4b7d-8f3a-6d2e1b0c9a48', queued: '0b7e0000-0000-4000-8000-000000000001' };
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const before = `
  insert into client (personal_id, cif, first_name, last_name, created_at) values ('1001', '7001', 'Anna', 'Nowak', now());
  insert into document_category (id, name_pl, name_en, position, created_at) values ('COMPLAINTS', 'R', 'C', 1, now());
  insert into document_type (id, category_id, name_pl, name_en, position) values ('COMPLAINT', 'COMPLAINTS', 'R', 'C', 1);
  insert into sent_document (id, personal_id, cif, filename, search_name, category_id, type_id, object_key, sha256, size, page_count, page_sizes,
      flags, scan_result, created_at, place)
    values ('${ids.document}', '1001', '7001', 'a.pdf', 'a.pdf', 'COMPLAINTS', 'COMPLAINT', 'k', '${sha256}', 20481, 1, '[]', '{}', 'NONE',
      '2026-10-28T09:59:59.123Z', 1);
  insert into webhook_delivery (id, sent_document_id, state, attempts, created_at) values
    ('${ids.queued}', '${ids.document}', 'queued', 3, '2026-10-28T10:00:00Z'),
    (gen_random_uuid(), '${ids.document}', 'delivered', 1, now()), (gen_random_uuid(), '${ids.document}', 'failed', 16, now())`;

test('what waited before an upgrade is posted after it, as it would have been', async () => {
  await using database = await createTestDatabase({ isMigrated: false });
  const { db, pool } = database;
  await migrateToLatest(db, log, { migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0009')) });
  await migrateJobs(pool, log);
  await pool.query(before);
  const jobs = createJobs(db);
  await jobs.add('sent-documents:webhook', { id: ids.queued });
  await jobs.add('mail:sweep', {});

  await migrateToLatest(db, log);
  const due = await listDue(db, { now: new Date(), limit: 10 });
  const document = { id: ids.document, sha256, size: 20_481, categoryId: 'COMPLAINTS', typeId: 'COMPLAINT' };
  const event = { id: ids.queued, type: 'document.received', createdOn: Date.parse('2026-10-28T09:59:59.123Z'), document };
  expect(due.map((one) => [JSON.stringify(one.event), one.attempts])).toEqual([[JSON.stringify(event), 3]]);
  const { rows } = await pool.query('select state, event is not null as is_kept from webhook_delivery order by state');
  expect(rows).toEqual([
    { state: 'delivered', is_kept: false },
    { state: 'failed', is_kept: true },
    { state: 'queued', is_kept: true },
  ]);
  // It has no handler any more.
  const { rows: left } = await pool.query('select task_identifier from graphile_worker.jobs');
  expect(left).toEqual([{ task_identifier: 'mail:sweep' }]);
});
