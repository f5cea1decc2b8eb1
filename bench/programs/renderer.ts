import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { silentLog } from '../../server/src/platform/log/log.ts';
import { createPdfPool } from '../../server/src/platform/pdf/pdf-pool.ts';
import { readOrder, say } from '../program.ts';

/*
 * The product's own pool of PDF threads. For every line it hears it draws the whole document, for a person who waits (`look`) or ahead of time,
 * and says what that took of all its threads.
 */
const { path, width } = z.object({ path: z.string(), width: z.int() }).parse(readOrder());
const pool = createPdfPool({ log: silentLog() });
const { pages: pageCount } = await pool.inspect({ path });
say({ pageCount });

for await (const line of createInterface({ input: process.stdin })) {
  const before = process.cpuUsage();
  let pages = 0;
  let bytes = 0;
  for (let page = 1; page <= pageCount; page += 1) {
    const { size } = await pool.drawPage({ path, page, width, task: { priority: line === 'look' ? 'waiting' : 'prefetch' } });
    pages += 1;
    bytes += size;
  }
  const { user, system } = process.cpuUsage(before);
  say({ cpuMs: (user + system) / 1_000, pages, bytes });
}
await pool.close();
