import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { createGuards } from '../../server/src/app/guards.ts';
import { createDocumentLists } from '../../server/src/features/document-lists/document-lists.door.ts';
import { createMetadata } from '../../server/src/features/metadata/metadata.door.ts';
import { createRendering } from '../../server/src/features/rendering/rendering.door.ts';
import { createSignIn } from '../../server/src/features/sign-in/sign-in.door.ts';
import { createStatutes } from '../../server/src/features/statute/statute.door.ts';
import { systemClock } from '../../server/src/platform/clock/clock.ts';
import { openDatabase } from '../../server/src/platform/database/database.ts';
import type { ClientCaller } from '../../server/src/platform/http/caller.ts';
import { createHttpServer } from '../../server/src/platform/http/http-server.ts';
import { mountRoutes } from '../../server/src/platform/http/mount-routes.ts';
import { createJobs } from '../../server/src/platform/jobs/jobs.ts';
import { silentLog } from '../../server/src/platform/log/log.ts';
import { createMetrics } from '../../server/src/platform/metrics/metrics.ts';
import { createFileObjects } from '../../server/src/platform/objects/file-objects.ts';
import { createPdfPool } from '../../server/src/platform/pdf/pdf-pool.ts';
import { createRenditions } from '../../server/src/platform/renditions/renditions.ts';
import { readSettings } from '../../server/src/platform/settings/settings.ts';
import { portOf } from '../../server/src/testing/raw-http.ts';
import { withoutLimits } from '../../server/src/testing/without-limits.ts';
import { readOrder, say } from '../program.ts';
import { asker } from '../received-list.data.ts';

/*
 * The product's list call behind its real HTTP layer, for a session that another process began: with the session verified, or for a caller
 * who is trusted without one. The statute is checked either way.
 */
const order = z
  .object({
    connection: z.object({ host: z.string(), port: z.int(), user: z.string(), database: z.string() }),
    dataDir: z.string(),
    headers: z.record(z.string(), z.string()),
    checksSession: z.boolean(),
  })
  .parse(readOrder());
const settings = readSettings({});
const log = silentLog();
const database = openDatabase({ connection: order.connection, maxConnections: 24, log });
const { db, pool } = database;
const accounts = { find: async () => undefined, welcome: async () => undefined };
const signIn = createSignIn({ database, settings, metrics: createMetrics(), clock: systemClock, log, accounts, services: [] });
const objects = await createFileObjects(join(order.dataDir, 'objects'));
const renditions = createRenditions({ dir: join(order.dataDir, 'renditions') });
const pdf = createPdfPool({ log, workers: 1 });
const rendering = createRendering({ objects, pdf, renditions, jobs: createJobs(db), log });
const statutes = createStatutes({ db, objects, rendering, clock: systemClock, log });
const believed: ClientCaller = {
  sessionBeganAt: new Date(0),
  sessionId: '',
  personalId: asker.personalId,
  cif: asker.cif,
  cif2: null,
  state: 'ACTIVE',
};
const server = await createHttpServer({ publicUrl: settings.publicUrl, log, trustedProxies: [] });
const guards = createGuards({
  limits: withoutLimits,
  publicUrl: settings.publicUrl,
  authenticate: order.checksSession ? signIn.authenticate : async () => believed,
  publishers: {
    isProven: () => false,
    authenticate: () => Promise.reject(new Error('no publisher here')),
    requireScope() {},
  },
  requireStatute: (caller) => statutes.requireAccepted(caller),
});
mountRoutes(server, createDocumentLists({ pool, metadata: createMetadata({ db, settings }), settings }).routes, guards);
await server.listen({ host: '127.0.0.1', port: 0 });
say({ port: portOf(server.server), headers: order.headers });

process.stdin.resume();
await once(process.stdin, 'end');
await server.close();
await pdf.close();
await database.close();
