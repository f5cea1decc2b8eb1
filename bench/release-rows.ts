import { release } from '../server/src/features/deliveries/deliveries.door.ts';
import { openDatabase } from '../server/src/platform/database/database.ts';
import { migrateToLatest } from '../server/src/platform/database/migrate.ts';
import { silentLog } from '../server/src/platform/log/log.ts';
import { cpuMsOfFamily } from './cpu.ts';
import { onFreshPostgres } from './fresh-postgres.ts';
import type { Measuring, Promised } from './promise.ts';

const perRound = 1_000;
/** Indexes of twenty thousand deliveries have their usual depth. */
const warmUpRounds = 20;
const rounds = 9;

/** Complete documents that are not released, of a thousand owners; one in fifty has two of them. */
export const drafts = `
  insert into document (id, type, kind, cif, cif2, file_name, object_key, sha256, size, page_count, page_sizes, reg_date, st_date,
    st_period_start, st_period_end, account_number, case_number, priv_product_group, st_number, st_doc_type, marker, meta, search_text, published_by)
  select gen_random_uuid(), 'PRIVATE', case when is_statement then 'statement' else 'private' end, 'bench-' || lpad((nth % 1000)::text, 4, '0'),
    case when nth % 50 = 0 then 'bench-' || lpad((nth % 997)::text, 4, '0') end, 'Umowa rachunku nr ' || nth || '.pdf', 'bench/' || nth,
    encode(sha256(int8send(nth)), 'hex'), 40000 + nth % 900000, 2, '[{"width": 595.28, "height": 841.89}]',
    case when not is_statement then date '2026-11-01' - (nth % 6)::int end, case when is_statement then date '2026-11-01' end,
    case when is_statement then date '2026-10-01' end, case when is_statement then date '2026-10-31' end, account,
    case when not is_statement then 'SPR/2026/' || lpad(nth::text, 6, '0') end, case when not is_statement then 'LOANS' end,
    case when is_statement then nth % 400 || '/2026' end, case when is_statement then 'ST_LOANS' end,
    case when is_statement then 'STATEMENTS' end, jsonb_build_object('BAR_NUMBER', '59' || lpad(nth::text, 11, '0'), 'DOC_EXT', 'pdf'),
    concat_ws(E'\\n', 'umowa rachunku nr ' || nth || '.pdf', account, replace(account, ' ', ''), 'spr/2026/' || lpad(nth::text, 6, '0'),
      '59' || lpad(nth::text, 11, '0')), 'bench'
  from (
    select nth, nth % 3 = 0 as is_statement, '12 1090 1090 1090 1090 ' || lpad((nth / 9999)::text, 4, '0') || ' ' || lpad((nth % 9999)::text, 4, '0') as account
    from generate_series($1::int, $2::int) as nth
  ) as numbers
  returning id`;

interface Spent {
  readonly cpuMs: number;
  readonly walKb: number;
}

const open = (choose: (spent: Spent) => number): Promise<Measuring> =>
  onFreshPostgres(async ({ postgres, cleanUp }) => {
    const { db, pool, close } = openDatabase({ connection: postgres.connection, maxConnections: 1, log: silentLog() });
    cleanUp.defer(close);
    await migrateToLatest(db, silentLog());
    let made = 0;
    const round = async (): Promise<Spent> => {
      const { rows } = await pool.query<{ id: string }>(drafts, [made + 1, made + perRound]);
      made += perRound;
      const at = new Date(Date.UTC(2026, 10, 1, 12, 0, made / perRound));
      const walBytes = async (): Promise<number> => {
        const { rows: said } = await pool.query<{ bytes: number }>(`select (pg_current_wal_lsn() - '0/0')::float8 as bytes`);
        return said[0]?.bytes ?? Number.NaN;
      };
      const [bytesBefore, cpuBefore] = [await walBytes(), cpuMsOfFamily(postgres.pid)];
      await db.transaction().execute((trx) =>
        release(
          trx,
          rows.map(({ id }) => id),
          { at, timeZone: 'Europe/Warsaw' },
        ),
      );
      const cpuMs = cpuMsOfFamily(postgres.pid) - cpuBefore;
      return { cpuMs, walKb: ((await walBytes()) - bytesBefore) / 1_024 };
    };
    for (let warmUp = 0; warmUp < warmUpRounds; warmUp += 1) await round();
    return { ours: async () => choose(await round()) };
  });

/** Of a delivery with 31 indexes whose values were filled by triggers, measured by these lines on the same machine. */
const before = { cpuMs: 460, walKb: 5_429 } as const;

/** What PostgreSQL spends on the night's work: a million of these. */
export const releaseRows: readonly Promised[] = [
  {
    name: 'release-rows',
    promise: `PostgreSQL's time for the release of 1 000 documents; with 31 indexes it was ${before.cpuMs} ms`,
    unit: 'ms CPU',
    limit: before.cpuMs / 2,
    rounds,
    open: () => open(({ cpuMs }) => cpuMs),
  },
  {
    name: 'release-rows-wal',
    promise: `what the release of 1 000 documents adds to the write-ahead log; with 31 indexes it was ${before.walKb} kB`,
    unit: 'kB',
    limit: before.walKb / 2,
    rounds,
    open: () => open(({ walKb }) => walKb),
  },
];
