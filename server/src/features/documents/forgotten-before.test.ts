import { expect, test } from 'vitest';
import { migrateToLatest } from '#platform/database/migrate.ts';
import { migrations } from '#platform/database/migrations/index.ts';
import { silentLog } from '#platform/log/log.ts';
import { createTestDatabase } from '#testing/test-database.ts';
import { findPublished } from './versions/drafts.store.ts';

const log = silentLog();
const ids = {
  removed: '7a3f0e52-91c4-4b7d-8f3a-6d2e1b0c9a41',
  waiting: '7a3f0e52-91c4-4b7d-8f3a-6d2e1b0c9a42',
  kept: '7a3f0e52-91c4-4b7d-8f3a-6d2e1b0c9a43',
};
const sha256Of = (id: string): string => id.slice(-2).repeat(32);

const documentOf = (id: string, state: string, removedAt: string): string => `
  insert into document (id, state, type, kind, cif, file_name, unique_name, object_key, sha256, size, page_count, page_sizes, published_at, search_text,
      removal_began_at, removed_at)
    values ('${id}', '${state}', 'PRIVATE', 'private', '7001', '', 'name-${id}', 'k', '${sha256Of(id)}', 20481, 1, '[]', now(), '', ${removedAt}, ${removedAt});
  insert into publication (document_id, sha256, cif, size, at) values ('${id}', '${sha256Of(id)}', '7001', 20481, now());
  insert into notification (receiver, type, document_id, created_at) values ('1001', 'publication', '${id}', now());
  insert into notice (document_id, receiver, kind, channel, state, due_at, created_at)
    values ('${id}', '1001', 'publication', 'EMAIL', 'sent', now(), now());
  insert into mail_outbox (id, message_id, recipient, language, template, subject, content, state, created_at)
    select id, id::text, 'anna@example.com', 'PL', 'newDocument', 'a document', 'for Anna', 'kept', now() from notice where document_id = '${id}';
  insert into document_event (document_id, event, state_before, state, reason) values
    ('${id}', 'STATE_CHANGED', 'ACTIVE', 'DELETED', 'Anna'), ('${id}', 'STATE_CHANGED', 'DELETED', 'FORGOTTEN', 'art. 17');`;

test('what an earlier release left of forgotten documents goes with the upgrade, or with the removal of the bytes, and others stay as they are', async () => {
  await using database = await createTestDatabase({ isMigrated: false });
  const { db, pool } = database;
  await migrateToLatest(db, log, { migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0019')) });
  await pool.query(
    `insert into client (personal_id, cif, first_name, last_name, created_at) values ('1001', '7001', 'Anna', 'Nowak', now())`,
  );
  await pool.query(documentOf(ids.removed, 'FORGOTTEN', 'now()'));
  await pool.query(documentOf(ids.waiting, 'FORGOTTEN', 'null'));
  await pool.query(documentOf(ids.kept, 'DELETED', 'null'));
  const leftOf = async (id: string) => {
    const { rows } = await pool.query<{ left: unknown }>(
      `select to_jsonb(row) as left from (
        select d.cif, d.unique_name, d.sha256, p.cif as registered, (select count(*)::int from notification where document_id = d.id) as notifications,
          (select count(*)::int from notice where document_id = d.id) as notices,
          (select array_agg(reason order by id) from document_event where document_id = d.id and event = 'STATE_CHANGED') as reasons
        from document d join publication p on p.document_id = d.id where d.id = $1) as row`,
      [id],
    );
    return rows[0]?.left;
  };
  const asBefore = (id: string) => ({
    cif: '7001',
    unique_name: `name-${id}`,
    sha256: sha256Of(id),
    registered: '7001',
    notifications: 1,
    notices: 1,
    reasons: ['Anna', 'art. 17'],
  });
  const nothing = {
    cif: null,
    unique_name: null,
    sha256: '0'.repeat(64),
    registered: null,
    notifications: 0,
    notices: 0,
    reasons: [null, 'art. 17'],
  };

  await migrateToLatest(db, log);
  expect(await leftOf(ids.removed)).toEqual(nothing);
  // Its page images are found by its checksum.
  expect(await leftOf(ids.waiting)).toEqual(asBefore(ids.waiting));
  expect(await leftOf(ids.kept)).toEqual(asBefore(ids.kept));

  await pool.query('update document set removal_began_at = now() where id = $1', [ids.waiting]);
  expect(await leftOf(ids.waiting)).toEqual(asBefore(ids.waiting));
  await pool.query('update document set removed_at = now() where id = $1', [ids.waiting]);
  expect(await leftOf(ids.waiting)).toEqual(nothing);

  const { rows } = await pool.query('select count(*)::int as letters from mail_outbox');
  expect(rows).toEqual([{ letters: 1 }]);
  for (const id of [ids.removed, ids.waiting]) {
    const [found] = await findPublished(db, { uniqueNames: [`name-${id}`] });
    expect([found?.document.id, found?.hasContent(sha256Of(id)), found?.hasContent('f'.repeat(64))]).toEqual([id, true, false]);
  }
});
