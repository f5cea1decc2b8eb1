import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { calls, exportLimits } from '@pergamin/contract';
import * as z from 'zod/mini';
import { openDatabase } from '../server/src/platform/database/database.ts';
import { silentLog } from '../server/src/platform/log/log.ts';
import { onFreshPostgres } from './fresh-postgres.ts';
import { peakMemoryMb } from './memory.ts';
import { startProgram } from './program.ts';
import type { Measuring, Promised } from './promise.ts';
import { storeDocuments } from './zip.data.ts';

const greeting = z.object({ port: z.int(), headers: z.record(z.string(), z.string()) });

const open = (): Promise<Measuring> =>
  onFreshPostgres(async ({ folder, postgres, cleanUp }) => {
    const dataDir = join(folder, 'portal');
    const portal = await startProgram('portal', { connection: postgres.connection, dataDir }, folder);
    cleanUp.defer(() => portal.stop());
    const { pid } = portal;
    const { port, headers } = greeting.parse(portal.greeting);
    const { pool, close } = openDatabase({ connection: postgres.connection, maxConnections: 1, log: silentLog() });
    const ids = await storeDocuments(pool, { dataDir, count: exportLimits.maxZipDocuments });
    await close();

    const download = async (chosen: readonly string[]): Promise<void> => {
      const { method, path } = calls.downloadDocumentsZip;
      const asked = request({ port, method, path, headers: { ...headers, 'content-type': 'application/json' } });
      asked.end(JSON.stringify({ ids: chosen }));
      const answered = Promise.withResolvers<IncomingMessage>();
      asked.once('response', answered.resolve).once('error', answered.reject);
      const response = await answered.promise;
      let bytes = 0;
      for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length;
      if (response.statusCode !== 200 || bytes !== Number(response.headers['content-length']))
        throw new Error(`the archive was answered ${response.statusCode} with ${bytes} bytes`);
    };
    // What is compiled and opened once is no memory of an archive.
    await download(ids.slice(0, 10));
    return {
      ours: () => peakMemoryMb(pid, () => download(ids)),
    };
  });

/** E6: of the server's own process, from before the download to its highest point. */
export const zip: Promised = {
  name: 'zip',
  promise: 'a ZIP of 1 000 documents of 160 kB: peak memory above idle',
  unit: 'MB',
  limit: 64,
  rounds: 3,
  open,
};
