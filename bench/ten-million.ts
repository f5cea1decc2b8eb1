import { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import { release } from '../server/src/features/deliveries/deliveries.door.ts';
import { openDatabase } from '../server/src/platform/database/database.ts';
import { withoutDeadline } from '../server/src/platform/database/deadline.ts';
import { silentLog } from '../server/src/platform/log/log.ts';
import { cpuMsOfFamily } from './cpu.ts';
import { startKeptData } from './kept-data.ts';
import { type Asked, open as openLists, quick } from './kept-lists.ts';
import { queryOf } from './lists.ts';
import type { Measuring, Promised } from './promise.ts';
import { drafts } from './release-rows.ts';

/** What ten times the documents change for a customer and for publishing. Loading them takes an hour and 30 GB, so it runs at night only (decision 0057). */

const million = 1_000_000;
const tenMillion = 10 * million;
const documentsOfRelease = 1_000;

interface TableSize {
  readonly name: string;
  readonly rows: number;
  readonly table_mb: number;
  readonly index_mb: number;
}
const sizesOfTables = `
  select relname as name, reltuples::float8 as rows, (pg_table_size(oid) / 1048576)::int as table_mb, (pg_indexes_size(oid) / 1048576)::int as index_mb
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_total_relation_size(oid) > 64 * 1048576
  order by pg_total_relation_size(oid) desc`;

/** What tables take, and what the largest maintenance of one does: a vacuum that looks at each page. */
const printSizes = async (pool: Pool, { documents, pid }: { documents: number; pid: number }): Promise<void> => {
  const { rows } = await pool.query<TableSize>(sizesOfTables);
  const lines = rows.map((size) => `  ${size.name}: ${size.rows} rows, ${size.table_mb} MB, indexes ${size.index_mb} MB`);
  const before = cpuMsOfFamily(pid);
  await withoutDeadline(async () => {
    await pool.query('set statement_timeout = 0');
    await pool.query('vacuum (disable_page_skipping, index_cleanup on) delivery');
  });
  lines.push(`  a vacuum of every page of delivery: ${((cpuMsOfFamily(pid) - before) / 1_000).toFixed(1)} s CPU`);
  process.stderr.write(`${documents} documents:\n${lines.join('\n')}\n`);
};

/** PostgreSQL's time for the release of documents into a database that has so many; rolled back, so that the kept data stay as they are. */
const openRelease = async (documents: number, cleanUp: AsyncDisposableStack) => {
  const { postgres } = await startKeptData({ documents });
  cleanUp.defer(() => postgres.stop());
  const { db, pool, close } = openDatabase({ connection: postgres.connection, maxConnections: 1, log: silentLog() });
  cleanUp.defer(close);
  await printSizes(pool, { documents, pid: postgres.pid });
  let round = 0;
  return async (): Promise<number> => {
    round += 1;
    let cpuMs = Number.NaN;
    const trx = await db.startTransaction().execute();
    try {
      const first = round * documentsOfRelease;
      const { rows } = await trx.executeQuery<{ id: string }>(CompiledQuery.raw(drafts, [first + 1, first + documentsOfRelease]));
      const before = cpuMsOfFamily(postgres.pid);
      await release(
        trx,
        rows.map(({ id }) => id),
        { at: new Date(Date.UTC(2026, 10, 2, 12, 0, round)), timeZone: 'Europe/Warsaw' },
      );
      cpuMs = cpuMsOfFamily(postgres.pid) - before;
    } finally {
      await trx.rollback().execute();
    }
    return cpuMs;
  };
};

const openReleases = async (): Promise<Measuring> => {
  const cleanUp = new AsyncDisposableStack();
  try {
    const floor = await openRelease(million, cleanUp);
    const ours = await openRelease(tenMillion, cleanUp);
    return { floor, ours, [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};

const asked = (documents: number, more: Partial<Asked> = {}): Asked => ({ documents, owner: 'small', makeQuery: () => queryOf(), ...more });
const compared = (name: string, promise: string, more: Partial<Asked> = {}): Promised => ({
  name,
  promise: `${promise} among 10 000 000 documents, against 1 000 000`,
  unit: 'ms CPU',
  // Indexes are one level deeper.
  limit: 1.5,
  rounds: 5,
  open: () => openLists({ ours: asked(tenMillion, more), floor: asked(million, more) }, quick),
});

export const tenMillions: readonly Promised[] =
  process.env['NIGHTLY'] === '1'
    ? [
        {
          name: 'ten-million-release',
          promise: 'the release of 1 000 documents into 10 000 000, against 1 000 000',
          unit: 'ms CPU',
          // Its index pages are ten times as many, and fewer of them are in memory.
          limit: 3,
          rounds: 9,
          open: openReleases,
        },
        compared('ten-million-list', 'the opening list of an owner of 100', { total: 100 }),
        compared('ten-million-sort', 'the list of an owner of 100 over all time, sorted by case number', {
          makeQuery: () => queryOf({ isOfAllTime: true, sort: [{ by: 'PRIV_CASE_NUMBER', order: 'asc' }] }),
        }),
        compared('ten-million-search', 'a search by a rare word on the pages of an owner of 100', {
          makeText: (turn) => `slowo${15_000 + ((turn * 7_919) % 5_000)}`,
        }),
      ]
    : [];
