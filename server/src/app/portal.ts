import { mkdir } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { isPublicDocument } from '#features/documents/documents.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import { type DatabaseAddress, openDatabase, type OpenDatabase } from '#platform/database/database.ts';
import { findPowers } from '#platform/database/role-powers.ts';
import { isOfServerAway } from '#platform/database/unavailable.ts';
import { createEarlierObjects } from '#platform/encryption/earlier-objects.ts';
import { type CallLimits, createCallLimits } from '#platform/http/call-limit.ts';
import { createDraining } from '#platform/http/draining.ts';
import { createHttpServer } from '#platform/http/http-server.ts';
import { mountRoutes } from '#platform/http/mount-routes.ts';
import type { JobHandlers } from '#platform/jobs/jobs.ts';
import { startWorker } from '#platform/jobs/worker.ts';
import { outagesOf } from '#platform/log/outages.ts';
import type { Log } from '#platform/log/log.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import { createLockComparison } from '#platform/objects/compare-locks.ts';
import { createObjectLocks } from '#platform/objects/object-locks.ts';
import { sweepUnnamedObjects } from '#platform/objects/unnamed-objects.ts';
import { createTracing, type Tracing } from '#platform/tracing/tracing.ts';
import type { Settings } from '#platform/settings/settings.ts';
import { refuseDemonstration } from './demonstration.ts';
import { createGuards } from './guards.ts';
import { judgeDatabase } from './judge-start.ts';
import { serveLocalOutbox } from './local-outbox.ts';
import { mountIdentity } from './mount-identity.ts';
import { createReadiness, operationRoutes, type Readiness, serveOpenApi } from './operations.ts';
import { openBranding, openPlatform, type Platform } from './platform.ts';
import { acceptPolicyReports } from './policy-reports.ts';
import { prepareDatabase } from './prepare-database.ts';
import { product } from './product.ts';
import { createPublicAddresses } from './public-addresses.ts';
import { createRefusalPages } from './refusal-page.ts';
import { type DocumentRooms, openDocumentRooms, openPeople, type People } from './rooms.ts';
import { serveWebPages } from './web-pages.ts';

interface Parts {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: Clock;
  readonly address: DatabaseAddress;
  /** As the owner of everything, when the portal's own role is not. */
  readonly migrationAddress?: DatabaseAddress | undefined;
  readonly metrics: Metrics;
  /** Left out: read here, before anything is opened. */
  readonly branding?: Platform['branding'];
  /** Left out: those of the contract. */
  readonly limits?: CallLimits;
  /** Jobs that run by themselves: five cron fields and a name a line. Left out: those of the product. */
  readonly crontab?: string;
  /** The folder of the built web client whose pages are served. Left out: that of the product. */
  readonly webClient?: string;
  /** Closed with the portal. Left out: made by its settings. */
  readonly pdf?: Platform['pdf'] | undefined;
}

export type Portal = Awaited<ReturnType<typeof openPortal>>;

const maxConnections = 24;
/** Concurrent jobs beside the requests: threads of their own render pages, so a job mostly waits. */
const jobsAtOnce = 3;

/** By the machine's clock in UTC; what a machine that was off has missed within a day is made up for. */
const productCrontab = `
*/10 * * * * sign-in:sweep
*/10 * * * * identity:sweep
* * * * * document-search:read
17 * * * * mail:sweep
25 * * * * publishing:sweep
* * * * * publishing:batches
* * * * * ledger:round
5 * * * * ledger:date
10 1 * * * ledger:scrub ?fill=1d
45 * * * * documents:sweep
55 * * * * documents:remove
*/10 * * * * notices:sweep
7 * * * * notices:remind
* * * * * webhooks:deliver ?queue=webhooks&jobKey=webhooks
20 * * * * webhooks:sweep
40 3 * * * notifications:sweep ?fill=1d
35 2 * * * objects:sweep ?fill=1d
5 * * * * objects:lock
50 1 * * * objects:compare-locks ?fill=1d
15 * * * * encryption:earlier
50 * * * * renditions:sweep
`;

/** The wiring: opens the platform, opens every room, mounts their calls. */
export const openPortal = async (parts: Parts) => {
  const { address, migrationAddress, settings, log } = parts;
  const branding = parts.branding ?? (await openBranding(settings));
  await judgeDatabase({ settings, address, migrationAddress, log });
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  await prepareDatabase({ address, migrationAddress, log });
  const tracing = settings.tracesUrl === undefined ? undefined : createTracing();
  const onStatement = tracing?.statement;
  const outage = outagesOf(log).of('database', { isOf: isOfServerAway });
  const database = openDatabase({ ...address, maxConnections, log, onStatement, outage });
  const { databaseReadUrl: url } = settings;
  const replica = url === undefined ? undefined : openDatabase({ url, maxConnections, log });
  try {
    await warnOfPowers(database.pool, log);
    await refuseDemonstration(database.db, settings.publicUrl);
    return await assemblePortal(await openPlatform({ ...parts, database, replica, onStatement, branding }), {
      tracing,
      limits: parts.limits ?? createCallLimits({ ...parts, publisherCallsPerMinute: settings.publishCallsPerMinute }),
      crontab: parts.crontab ?? productCrontab,
      webClient: parts.webClient ?? product.webClient,
    });
  } catch (error) {
    await Promise.all([database.close(), replica?.close()]);
    parts.metrics.forgetObserved();
    throw error;
  }
};

/** What the ledger and the triggers keep is safe from whoever takes over the portal only while its role has no such power. */
const warnOfPowers = async (pool: OpenDatabase['pool'], log: Log): Promise<void> => {
  const { role, powers } = await findPowers(pool);
  if (powers.length === 0) return;
  log.warn(
    { alarm: 'database-role', role, powers },
    'the portal’s role of the database may do more than the portal needs, as to switch off what keeps publications unchanged: docs/running.md says how to give it a role of its own',
  );
};

interface AssemblyOptions {
  readonly tracing: Tracing | undefined;
  readonly limits: CallLimits;
  readonly crontab: string;
  readonly webClient: string;
}

const assemblePortal = async (platform: Platform, { tracing, limits, crontab, webClient }: AssemblyOptions) => {
  const { settings, log, clock, metrics, database, pool } = platform;
  const people = await openPeople(platform);
  const { publicUrl, trustedProxies } = settings;
  const refusalPages = createRefusalPages({ publicUrl, ...platform.branding, sentences: platform.sentences });
  const server = await createHttpServer({ publicUrl, log, trustedProxies, clock, refusalPages });
  metrics.observe(server);
  tracing?.observe(server);
  const draining = createDraining(server);
  const rooms = { ...people, ...(await openDocumentRooms(platform, people)) };
  const readiness = createReadiness({ ...platform, draining, ledger: rooms.ledger });
  mountRooms(server, { platform, rooms, limits, readiness });
  if (settings.role !== 'worker') await servePages(server, { platform, rooms, limits, webClient });
  await server.ready();
  const own = handlersOf(platform, rooms);
  const handlers = tracing?.ofJobs(own) ?? own;
  // What a killed process left half done, and whether the ledger may go on.
  rooms.ledger.coverSoon();
  metrics.expectJobs(Object.keys(handlers));
  const onGivenUp = metrics.countGivenUpJob;
  const worker =
    settings.role === 'web' ? undefined : await startWorker({ pool, handlers, concurrency: jobsAtOnce, crontab, onGivenUp, log });
  return {
    /** Ready to listen, or to be asked directly with `inject`. */
    server,
    readiness,
    db: platform.db,
    pool,
    keys: rooms.publishing.keys,
    accounts: rooms.identity.accounts,
    /** Everything that the worker runs, by name. */
    handlers,
    /** Says that it is not ready any more, and goes on serving; some time before `close`. */
    drain: (): void => draining.begin(),
    /** Finishes what was accepted, then closes everything that was opened here. */
    async close(): Promise<void> {
      await draining.end();
      await server.close();
      await rooms.identity.settled();
      await worker?.stop();
      await rooms.ledger.settled();
      await platform.pdf.close();
      await rooms.rendering.close();
      platform.disks.stop();
      // What breaks from here on is closed by us.
      outagesOf(platform.log).close();
      await Promise.all([database.close(), platform.replica?.close()]);
    },
  };
};

type Rooms = People & DocumentRooms;

interface Assembly {
  readonly platform: Platform;
  readonly rooms: Rooms;
  readonly limits: CallLimits;
}

const mountRooms = (
  server: FastifyInstance,
  { platform, rooms, limits, readiness }: Assembly & { readonly readiness: Readiness },
): void => {
  const { signIn, publishing, statutes } = rooms;
  const guards = createGuards({
    publicUrl: platform.settings.publicUrl,
    limits,
    authenticate: (request, reply, call) => signIn.authenticate(request, reply, call),
    publishers: publishing.keys,
    requireStatute: (caller) => statutes.requireAccepted(caller),
  });
  const withRoutes =
    platform.settings.role === 'worker'
      ? []
      : [
          platform.branding,
          rooms.accounts,
          signIn,
          rooms.notifications,
          rooms.notices,
          rooms.webhooks,
          rooms.metadata,
          rooms.ledger,
          rooms.documents,
          rooms.lists,
          rooms.search,
          rooms.savedViews,
          rooms.exports,
          statutes,
          rooms.sentDocuments,
          publishing,
        ];
  mountRoutes(server, [...operationRoutes(readiness), ...withRoutes.flatMap(({ routes }) => routes)], guards);
};

/** What is answered beside the calls of the contract. */
const servePages = async (
  server: FastifyInstance,
  { platform, rooms, limits, webClient }: Assembly & Pick<AssemblyOptions, 'webClient'>,
): Promise<void> => {
  const { settings, clock, log, db, mail, sentences, branding } = platform;
  await acceptPolicyReports(server, { publicUrl: settings.publicUrl, limits, clock });
  serveOpenApi(server, { publicUrl: settings.publicUrl, limits });
  rooms.ledger.serveFiles(server, limits);
  serveLocalOutbox(server, { listKept: mail.listKept, sentences, timeZone: settings.timeZone });
  await mountIdentity(server, rooms.identity, limits);
  const languages = new Map(branding.languages.map(({ code }) => [code, sentences(code)]));
  await serveWebPages(server, webClient, {
    stylesheet: branding.theme?.address,
    languages,
    isPublicDocument: createPublicAddresses({ isPublic: (id) => isPublicDocument(db, id), limits }),
    log,
  });
};

const handlersOf = (platform: Platform, rooms: Rooms): JobHandlers => ({
  ...rooms.rendering.jobs,
  ...rooms.search.jobs,
  ...rooms.signIn.jobs,
  ...rooms.publishing.jobs,
  ...rooms.ledger.jobs,
  ...rooms.webhooks.jobs,
  ...rooms.documents.jobs,
  ...rooms.notifications.jobs,
  ...rooms.notices.jobs,
  ...platform.mail.jobs,
  'identity:sweep': () => rooms.identity.sweep(),
  'objects:sweep': () => sweepUnnamedObjects(platform),
  'objects:lock': createObjectLocks(platform),
  'objects:compare-locks': createLockComparison(platform),
  'encryption:earlier': createEarlierObjects(platform),
});
