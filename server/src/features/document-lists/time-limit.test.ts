import { expect, test } from 'vitest';
import { createTestDatabase } from '#testing/test-database.ts';
import { withTimeLimit } from './time-limit.ts';

test('a search that takes the database too long is to be asked again, and every other fault stays what it is', async () => {
  await using database = await createTestDatabase({ isMigrated: false });
  const connection = await database.pool.connect();
  await connection.query('set statement_timeout = 1');
  const slow = withTimeLimit(connection.query('select pg_sleep(60)'));
  await expect(slow).rejects.toMatchObject({ code: 'CALL_NOT_PERMITTED', retryAfterSeconds: 30 });
  await expect(withTimeLimit(connection.query('select nothing'))).rejects.toMatchObject({ code: '42703' });
  await connection.query('set statement_timeout = 0');
  expect((await withTimeLimit(connection.query('select 1 as one'))).rows).toEqual([{ one: 1 }]);
  connection.release(true);
});
