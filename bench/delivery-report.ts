import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { calls } from '@pergamin/contract';
import * as z from 'zod/mini';
import { openDatabase } from '../server/src/platform/database/database.ts';
import { silentLog } from '../server/src/platform/log/log.ts';
import { onFreshPostgres } from './fresh-postgres.ts';
import { peakMemoryMb } from './memory.ts';
import { startProgram } from './program.ts';
import type { Measuring, Promised } from './promise.ts';
import { seedDocuments } from './received-list.data.ts';

const rows = 100_000;

const greeting = z.object({ port: z.int(), publisher: z.record(z.string(), z.string()) });

/** A client for each owner, who read every document, page by page. */
const evidence = [
  `insert into client (personal_id, cif, first_name, last_name)
    select '3' || right(cif, 4), cif, 'Jan', 'Kowalski' from (select distinct cif from document) as owner
    where not exists (select from client where client.cif = owner.cif)`,
  'insert into publication (document_id, sha256, cif, size, at) select id, sha256, cif, size, published_at from document',
  `insert into document_mark (personal_id, document_id, opened_at, read_at, pages, page_times)
    select personal_id, document.id, published_at, published_at, array(select generate_series(1, page_count)),
      (select jsonb_object_agg(page, 1795000000000 + page) from generate_series(1, page_count) as page)
    from document join client using (cif) on conflict do nothing`,
];

const open = (): Promise<Measuring> =>
  onFreshPostgres(async ({ folder, postgres, cleanUp }) => {
    const portal = await startProgram('portal', { connection: postgres.connection, dataDir: join(folder, 'portal') }, folder);
    cleanUp.defer(() => portal.stop());
    const { port, publisher } = greeting.parse(portal.greeting);
    const { pool, close } = openDatabase({ connection: postgres.connection, maxConnections: 1, log: silentLog() });
    await seedDocuments(pool);
    await pool.query('set statement_timeout = 0');
    for (const statement of evidence) await pool.query(statement);
    await pool.query('analyze');
    await close();

    const print = async (query: string): Promise<number> => {
      const { method, path } = calls.exportDeliveries;
      const answered = Promise.withResolvers<IncomingMessage>();
      request({ port, method, path: `${path}?${query}`, headers: publisher })
        .once('response', answered.resolve)
        .once('error', answered.reject)
        .end();
      const response = await answered.promise;
      let lines = 0;
      for await (const chunk of response as AsyncIterable<Buffer>) lines += chunk.toString('latin1').split('\n').length - 1;
      return response.statusCode === 200 ? lines : Number.NaN;
    };
    // The heap grows to what a working portal has. Rows that were held would add their size to that.
    await print('from=2026-10-25');
    return {
      ours: () =>
        peakMemoryMb(portal.pid, async () => {
          const lines = await print('');
          if (lines !== rows + 1) throw new Error(`the report has ${lines} lines`);
        }),
    };
  });

/** Of the server's own process, from before the report to its highest point; the table itself has more than 40 MB, its rows in memory some hundreds. */
export const deliveryReport: Promised = {
  name: 'delivery-report',
  promise: 'the proof of delivery of 100 000 documents as a table: peak memory above that of a quarter of them',
  unit: 'MB',
  limit: 200,
  // What the first has grown stays, and the next would find it there.
  rounds: 1,
  open,
};
