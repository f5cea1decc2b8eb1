import { join } from 'node:path';
import { createIdentity, type IdentityAccounts } from '@pergamin/identity';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { createAccounts } from '#features/accounts/accounts.door.ts';
import { createBranding } from '#features/branding/branding.door.ts';
import { createDocumentLists } from '#features/document-lists/document-lists.door.ts';
import { createDocumentSearch } from '#features/document-search/document-search.door.ts';
import { createDocuments } from '#features/documents/documents.door.ts';
import { createExports } from '#features/exports/exports.door.ts';
import { createMetadata } from '#features/metadata/metadata.door.ts';
import { createNotices, noticePlaceholders, noticeSentences } from '#features/notices/notices.door.ts';
import { createNotifications } from '#features/notifications/notifications.door.ts';
import { createPublishing, type PublisherKeys } from '#features/publishing/publishing.door.ts';
import { createRendering } from '#features/rendering/rendering.door.ts';
import { createSavedViews } from '#features/saved-views/saved-views.door.ts';
import { createSentDocuments } from '#features/sent-documents/sent-documents.door.ts';
import { createSignIn } from '#features/sign-in/sign-in.door.ts';
import { createStatutes } from '#features/statute/statute.door.ts';
import type { Clock } from '#platform/clock/clock.ts';
import { type DatabaseAddress, openDatabase, type OpenDatabase } from '#platform/database/database.ts';
import type { Database } from '#platform/database/schema.ts';
import { isDatabaseUnavailable } from '#platform/database/unavailable.ts';
import { type CallLimits, createCallLimits } from '#platform/http/call-limit.ts';
import { createDraining } from '#platform/http/draining.ts';
import { createHttpServer } from '#platform/http/http-server.ts';
import { mountRoutes } from '#platform/http/mount-routes.ts';
import { createJobs, type JobHandlers } from '#platform/jobs/jobs.ts';
import { startWorker } from '#platform/jobs/worker.ts';
import type { Log } from '#platform/log/log.ts';
import { createMail } from '#platform/mail/create-mail.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import { createFileObjects } from '#platform/objects/file-objects.ts';
import { recogniseStore } from '#platform/objects/store-id.ts';
import { sweepUnnamedObjects } from '#platform/objects/unnamed-objects.ts';
import { createPdfPool } from '#platform/pdf/pdf-pool.ts';
import { createReadSpace } from '#platform/disk/free-space.ts';
import { createRenditions } from '#platform/renditions/renditions.ts';
import type { Settings } from '#platform/settings/settings.ts';
import { refuseDemonstration } from './demonstration.ts';
import { createGuards } from './guards.ts';
import { embeddedService, mountIdentity } from './mount-identity.ts';
import { serveLocalOutbox } from './local-outbox.ts';
import { operationRoutes, serveOpenApi } from './operations.ts';
import { acceptPolicyReports } from './policy-reports.ts';
import { prepareDatabase } from './prepare-database.ts';
import { product } from './product.ts';
import { serveWebPages } from './web-pages.ts';

interface Parts {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: Clock;
  readonly address: DatabaseAddress;
  /** As the owner of everything, when the portal's own role is not. */
  readonly migrationAddress?: DatabaseAddress | undefined;
  readonly metrics: Metrics;
  /** Left out: those of the contract. */
  readonly limits?: CallLimits;
}

export interface Portal {
  /** Ready to listen, or to be asked directly with `inject`. */
  readonly server: FastifyInstance;
  readonly db: Kysely<Database>;
  readonly pool: pg.Pool;
  readonly keys: PublisherKeys;
  readonly accounts: Pick<IdentityAccounts, 'create' | 'remove'>;
  /** Everything that the worker runs, by name. */
  readonly handlers: JobHandlers;
  /** Says that it is not ready any more, and goes on serving; some time before `close`. */
  drain(): void;
  /** Finishes what was accepted, then closes everything that was opened here. */
  close(): Promise<void>;
}

/** How many jobs run at once beside the requests: page images are made by threads of their own, so a job mostly waits. */
const jobsAtOnce = 3;

/** By the machine's clock in UTC; what a machine that was off has missed within a day is made up for. */
const crontab = `
*/10 * * * * sign-in:sweep
*/10 * * * * identity:sweep
* * * * * document-search:read
17 * * * * mail:sweep
25 * * * * publishing:sweep
45 * * * * documents:sweep
*/10 * * * * notices:sweep
7 * * * * notices:remind
40 3 * * * notifications:sweep ?fill=1d
35 2 * * * objects:sweep ?fill=1d
50 * * * * renditions:sweep
`;

/** The wiring: opens the platform, opens every room, mounts their calls. The only place that knows all. */
export const openPortal = async (parts: Parts): Promise<Portal> => {
  const { address, migrationAddress, log } = parts;
  // First: what does not fit there is said before anything is opened.
  const branding = await openBranding(parts.settings);
  await prepareDatabase({ address, migrationAddress, log });
  const database = openDatabase({ ...address, maxConnections: 24, log });
  try {
    return await openRooms(parts, { database, branding });
  } catch (error) {
    await database.close();
    throw error;
  }
};

const openBranding = (settings: Settings): ReturnType<typeof createBranding> =>
  createBranding({
    product,
    folder: settings.brandingDir,
    organisationName: settings.organisationName,
    timeZone: settings.timeZone,
    freeSentences: new Map(noticeSentences.map((key) => [key, noticePlaceholders])),
  });

const openRooms = async (
  { settings, log, clock, metrics, limits = createCallLimits({ clock, log }) }: Omit<Parts, 'address' | 'migrationAddress'>,
  { database, branding }: { database: OpenDatabase; branding: Awaited<ReturnType<typeof createBranding>> },
): Promise<Portal> => {
  const { db, pool } = database;
  await refuseDemonstration(db, settings.publicUrl);

  const objects = await createFileObjects(join(settings.dataDir, 'objects'));
  await recogniseStore({ db, objects, root: join(settings.dataDir, 'objects') });
  const disk = { percent: settings.diskReservePercent, readSpace: createReadSpace(settings.dataDir) };
  const renditions = createRenditions({ dir: join(settings.dataDir, 'renditions'), maxBytes: settings.renditionsMaxBytes, reserve: disk });
  // What cannot be prepared now is prepared for the first page: a full disk keeps nobody from starting.
  await renditions.prepare().catch((error: unknown) => log.warn({ err: error }, 'the folder of page images could not be prepared'));
  metrics.observeRenditions(renditions);
  const pdf = createPdfPool({ log, ...(settings.renderWorkers === undefined ? {} : { workers: settings.renderWorkers }) });
  const jobs = createJobs(db);

  const sentences: typeof branding.sentences = (language) => branding.sentences(language);
  const mail = createMail({ db, jobs, settings, sentences, clock, log });
  const identity = await createIdentity({
    db,
    pool,
    settings,
    clock,
    log,
    isUnavailable: isDatabaseUnavailable,
    mail,
    // Two rooms that know each other only here, and only when somebody asks.
    people: {
      find: (personalId) => accounts.findContact(personalId),
      endSessions: (personalId, reason) =>
        signIn.endSessionsOf(personalId, { reason: reason === 'disabled' ? 'ACCOUNT_CLOSED' : 'PASSWORD_CHANGED' }),
    },
    texts: sentences,
    brand: { languages: branding.languages, styles: branding.theme?.css, logo: branding.logo },
  });
  const server = await createHttpServer({
    publicUrl: settings.publicUrl,
    log,
    trustedProxies: settings.trustedProxies,
    clock,
    version: product.version,
  });
  metrics.observe(server);
  const draining = createDraining(server);

  const notices = createNotices({ db, jobs, post: mail.post, sentences, settings, running: { clock, log } });
  const notifications = createNotifications({ db, notices, clock, log });
  const accounts = createAccounts({
    db,
    passwords: identity.accounts,
    endOtherSessions: (personalId, { except }) => signIn.endSessionsOf(personalId, { except, reason: 'PASSWORD_CHANGED' }),
    post: { mail, notifications, languages: branding.languages.map(({ code }) => code) },
    settings,
    running: { clock, log },
  });
  const signIn = createSignIn({
    database,
    settings,
    clock,
    log,
    accounts,
    services: [embeddedService(identity, settings.publicUrl)],
  });
  const metadata = createMetadata({ db, settings });
  await metadata.ensureMarker();
  const rendering = createRendering({ objects, pdf, renditions, jobs, log });
  const documents = createDocuments({ db, objects, rendering, metadata, settings, clock, log });
  const lists = createDocumentLists({ pool, metadata, settings });
  const search = createDocumentSearch({ db, pool, objects, pdf, renditions, metadata, log });
  const savedViews = createSavedViews({ db, metadata });
  const exported = createExports({
    db,
    rooms: { ownFiles: documents.ownFiles, listIds: lists.listIds, metadata },
    sentences,
    settings,
    running: { clock, log },
  });
  const statutes = createStatutes({ db, objects, rendering, clock, log });
  const sentDocuments = createSentDocuments({ db, stores: { objects, pdf }, rendering, jobs, settings, running: { clock, log } });
  const publishing = createPublishing({
    db,
    stores: { objects, pdf },
    rooms: { metadata, documents, statutes, accounts, notifications, rendering },
    removeSignInAccounts: (personalIds) => identity.accounts.remove(personalIds),
    settings,
    running: { clock, log },
  });

  const guards = createGuards({
    publicUrl: settings.publicUrl,
    limits,
    authenticate: (request, reply, call) => signIn.authenticate(request, reply, call),
    authenticatePublisher: (request, call) => publishing.keys.authenticate(request, call),
    requireStatute: (caller) => statutes.requireAccepted(caller),
  });
  const rooms = [
    branding,
    accounts,
    signIn,
    notifications,
    notices,
    metadata,
    documents,
    lists,
    search,
    savedViews,
    exported,
    statutes,
    sentDocuments,
    publishing,
  ];
  mountRoutes(server, [...operationRoutes({ database, objects, disk, log, draining }), ...rooms.flatMap((room) => room.routes)], guards);
  await acceptPolicyReports(server, { publicUrl: settings.publicUrl, limits, clock });
  serveOpenApi(server, limits);
  serveLocalOutbox(server, { listKept: mail.listKept, sentences, timeZone: settings.timeZone });
  await mountIdentity(server, identity, limits);
  const languages = new Map(branding.languages.map(({ code }) => [code, branding.sentences(code)]));
  await serveWebPages(server, product.webClient, { stylesheet: branding.theme?.address, languages, log });
  await server.ready();

  const handlers: JobHandlers = {
    ...rendering.jobs,
    ...search.jobs,
    ...signIn.jobs,
    ...publishing.jobs,
    ...sentDocuments.jobs,
    ...documents.jobs,
    ...notifications.jobs,
    ...notices.jobs,
    ...mail.jobs,
    'identity:sweep': () => identity.sweep(),
    'objects:sweep': () => sweepUnnamedObjects({ db, objects, clock, log }),
  };
  const worker = await startWorker({ pool, handlers, concurrency: jobsAtOnce, crontab, log });
  return {
    server,
    db,
    pool,
    keys: publishing.keys,
    accounts: identity.accounts,
    drain: () => draining.begin(),
    handlers,
    async close() {
      await draining.end();
      await server.close();
      await identity.settled();
      await worker.stop();
      await pdf.close();
      await rendering.close();
      await database.close();
    },
  };
};
