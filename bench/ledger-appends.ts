import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tileWidth } from '@pergamin/ledger';
import { createLedger } from '../server/src/features/ledger/ledger.door.ts';
import { systemClock } from '../server/src/platform/clock/clock.ts';
import { openDatabase } from '../server/src/platform/database/database.ts';
import { migrateToLatest } from '../server/src/platform/database/migrate.ts';
import { createLedgerFiles } from '../server/src/platform/ledger-files/ledger-files.ts';
import { silentLog } from '../server/src/platform/log/log.ts';
import { createMetrics } from '../server/src/platform/metrics/metrics.ts';
import { readSettings } from '../server/src/platform/settings/settings.ts';
import { openPolicy } from '../server/src/platform/witnesses/open-policy.ts';
import { type Fresh, onFreshPostgres } from './fresh-postgres.ts';
import type { Measuring, Promised } from './promise.ts';

const rounds = 16;
const appended = rounds * tileWidth;
/** A statement with its commitment, as the database keeps it. */
const keptBytes = 320;
const noteBytes = 220;

const msOfOne = async (append: () => Promise<void>): Promise<number> => {
  const begunMs = performance.now();
  await append();
  return (performance.now() - begunMs) / appended;
};

/** The least that could keep as much as safely: the entries of a round, its tiles, its checkpoint and its publication, each flushed before the next. */
const createFloor = async (root: string) => {
  await mkdir(root);
  const files = createLedgerFiles(join(root, 'log'));
  const kept = await openFile(join(root, 'entries'), 'a');
  const [entries, hashes, bundle] = [keptBytes, 32, 35].map((bytes) => randomBytes(bytes * tileWidth));
  const keep = async (bytes: Uint8Array): Promise<void> => {
    await kept.appendFile(bytes);
    await kept.datasync();
  };
  let index = 0;
  return {
    close: () => kept.close(),
    append: async (): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        await keep(entries ?? new Uint8Array());
        await files.write([
          { level: 0, index, width: tileWidth, bytes: hashes ?? new Uint8Array() },
          { level: 'entries', index, width: tileWidth, bytes: bundle ?? new Uint8Array() },
        ]);
        await files.writeCheckpoint('x'.repeat(noteBytes));
        await keep(Buffer.alloc(noteBytes));
        index += 1;
      }
    },
  };
};

/** The sequencer of the product on a database of its own. */
const createOurs = async ({ folder, postgres, cleanUp }: Fresh) => {
  const log = silentLog();
  const { db, pool, close } = openDatabase({ connection: postgres.connection, maxConnections: 2, log });
  cleanUp.defer(close);
  await migrateToLatest(db, log);
  const dataDir = join(folder, 'portal');
  await mkdir(dataDir);
  const ledger = createLedger({
    db,
    policy: await openPolicy(undefined),
    covered: async () => {},
    settings: readSettings({ DATA_DIR: dataDir }),
    running: { clock: systemClock, log, metrics: createMetrics() },
  });
  cleanUp.defer(() => ledger.settled());
  const facts = () =>
    Array.from({ length: appended }, () => ({
      documentId: randomUUID(),
      event: 'PUBLISHED' as const,
      sha256: randomBytes(32).toString('hex'),
      size: 60_000,
      owner: 'cif:7001',
      type: 'PRIVATE' as const,
      state: 'ACTIVE' as const,
      metadata: randomBytes(32).toString('hex'),
    }));
  return {
    /** What a publication writes with its own transaction. */
    prepare: () => db.transaction().execute((trx) => ledger.enter(trx, facts())),
    append: async (): Promise<void> => {
      await ledger.cover();
      const { rows } = await pool.query<{ waiting: boolean }>('select exists (select from ledger_pending) as waiting');
      if (rows[0]?.waiting === true) throw new Error('something was not covered');
    },
  };
};

const open = (): Promise<Measuring> =>
  onFreshPostgres(async (fresh) => {
    const floor = await createFloor(join(fresh.folder, 'floor'));
    fresh.cleanUp.defer(floor.close);
    const { prepare, append } = await createOurs(fresh);
    return {
      floor: () => msOfOne(floor.append),
      async ours() {
        await prepare();
        return msOfOne(append);
      },
    };
  });

export const ledgerAppends: readonly Promised[] = [
  {
    name: 'ledger-million',
    promise: 'a million facts entered into the ledger, signed, flushed and published, by what one of some thousands takes',
    unit: 'min',
    limit: 10,
    rounds: 5,
    async open() {
      const measuring = await open();
      return {
        ours: async () => ((await measuring.ours()) * 1_000_000) / 60_000,
        [Symbol.asyncDispose]: () => measuring[Symbol.asyncDispose](),
      };
    },
  },
  {
    name: 'ledger-appends',
    promise: 'one of these facts, against writing and flushing as many bytes in as many steps',
    unit: 'ms',
    // No promise, but the number beside one (decision 0045).
    limit: 1_000,
    rounds: 5,
    open,
  },
];
