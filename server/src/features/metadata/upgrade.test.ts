import { expect, test } from 'vitest';
import { migrateToLatest } from '#platform/database/migrate.ts';
import { migrations } from '#platform/database/migrations/index.ts';
import { silentLog } from '#platform/log/log.ts';
import { createTestDatabase } from '#testing/test-database.ts';

const log = silentLog();

/** As a program on a Mac wrote them. */
const before = `
  insert into dictionary (id, name_pl, name_en) values ('BRANCH', 'O', 'B');
  insert into dictionary_value (dictionary_id, key, name_pl, name_en, position) values
    ('BRANCH', normalize('Łódź', NFD), 'Ł', 'L', 0),
    ('BRANCH', normalize('Żory', NFD), 'Ż', 'Z', 1), ('BRANCH', normalize('Żory', NFC), 'Ż', 'Z', 2), ('BRANCH', 'Kielce', 'K', 'K', 3);
  insert into group_member (group_id, cif, since, until) values
    (normalize('osiedle Żółte', NFD), '7001', '2026-01-01', null), (normalize('osiedle Żółte', NFD), '7002', '2026-01-01', '2026-02-01'), ('vip', '7001', '2026-01-01', null);
  with key as (insert into publisher_key (id, name, key_hash, scopes, created_at) values (gen_random_uuid(), 'k', 'x', '{}', now()) returning id)
    insert into batch (id, name, opened_at, opened_by) select gen_random_uuid(), normalize('Wyciągi', NFD), now(), id from key`;

test('options, groups and batches that were named before names were composed go by their composed names after it', async () => {
  await using database = await createTestDatabase({ isMigrated: false });
  const { db, pool } = database;
  await migrateToLatest(db, log, { migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0024')) });
  await pool.query(before);
  await migrateToLatest(db, log);

  const { rows: options } = await pool.query<{ key: string }>(
    `select key from dictionary_value where dictionary_id = 'BRANCH' order by position`,
  );
  expect(options.map(({ key }) => key)).toEqual(['Łódź', 'Żory'.normalize('NFD'), 'Żory', 'Kielce']);
  const { rows: batches } = await pool.query<{ name: string }>('select name from batch');
  expect(batches).toEqual([{ name: 'Wyciągi' }]);
  // What was published to the group under its former name stays its members'.
  const { rows: members } = await pool.query(
    `select group_id = normalize('osiedle Żółte', NFC) as is_composed, cif, until is null as is_member from group_member
      where group_id <> 'vip' order by 1, 2`,
  );
  expect(members).toEqual(
    [false, true].flatMap((isComposed) => [
      { is_composed: isComposed, cif: '7001', is_member: true },
      { is_composed: isComposed, cif: '7002', is_member: false },
    ]),
  );
});
