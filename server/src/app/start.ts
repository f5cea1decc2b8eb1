import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Judge, startEmbeddedPostgres } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import type { DatabaseConnection } from '#platform/database/connection.ts';
import { systemClock } from '#platform/clock/clock.ts';
import { createLog, type Log } from '#platform/log/log.ts';
import { hasLocalOutbox } from '#platform/mail/create-mail.ts';
import { createMetrics } from '#platform/metrics/metrics.ts';
import { readSettings, type Settings } from '#platform/settings/settings.ts';
import { exportSpans } from '#platform/tracing/tracing.ts';
import { openDemo } from './demo.ts';
import { type OfflineRemoval, openOfflineRemoval } from './demonstration.ts';
import { judgeDatabase, judgeFiles, judgeTables } from './judge-start.ts';
import { leaveRoot } from './leave-root.ts';
import { checkFonts, openBranding } from './platform.ts';
import { openPortal, type Portal } from './portal.ts';
import { product } from './product.ts';
import { assertPortFree, createProbes, hasCustomers, listenError } from './ports.ts';
import { waitForDatabase } from './wait-for-database.ts';
import { waitUntilReady } from './wait-until-ready.ts';

export { BrandingError } from '#features/branding/branding.door.ts';
export { KeyRegisterError } from '#features/publishing/publishing.door.ts';
export { KeyUnavailable } from '#platform/encryption/key-provider.ts';
export { auditHere, type AuditReport } from './audit-here.ts';
export { compareCheckpointHere, type KeptComparison } from './compare-checkpoint-here.ts';
export { DemonstrationError } from './demonstration.ts';
export { type AdoptionPlan, LedgerHalt, LedgerRepairError } from '#features/ledger/ledger.door.ts';
export { openKeyRegisterHere, type OpenKeyRegister } from './open-key-register.ts';
export { openKeyCareHere } from './open-key-care.ts';
export { openLedgerRepairHere } from './open-ledger-repair.ts';
export { readStatusHere, type StatusState } from './status-here.ts';
export { openMailQueueHere, type OpenMailQueue } from './open-mail-queue-here.ts';

/** Of the embedded database by a connection to it, else of the server of the settings, for which it waits. */
const createJudge =
  (settings: Settings, { log, judge = judgeDatabase }: { log: Log; judge?: typeof judgeDatabase }) =>
  async (connection?: DatabaseConnection): Promise<void> => {
    if (connection !== undefined) return judge({ settings, address: { connection }, log });
    const { databaseUrl, databaseMigrationUrl: url } = settings;
    if (databaseUrl === undefined) return;
    const address = { url: databaseUrl };
    const migrationAddress = url === undefined ? undefined : { url };
    await waitForDatabase(() => judge({ settings, address, migrationAddress, log }), { address, log });
  };

const openDatabaseServer = async (settings: Settings, { log, judge }: { log: Log; judge: Judge }) => {
  const { databaseUrl, databaseMigrationUrl } = settings;
  if (databaseUrl !== undefined) {
    const migrationAddress = databaseMigrationUrl === undefined ? undefined : { url: databaseMigrationUrl };
    return { address: { url: databaseUrl }, migrationAddress, stop: async () => {} };
  }
  const postgres = await startEmbeddedPostgres({
    dataDir: settings.dataDir,
    log,
    judge,
    onUnexpectedExit(error) {
      // It is restarted; until then calls that need it are refused, and the probes report it.
      log.fatal({ err: error, alarm: 'database' }, 'the database ended');
    },
  });
  return {
    address: { connection: postgres.portalConnection },
    migrationAddress: { connection: postgres.connection },
    stop: postgres.stop,
  };
};

interface OperatorPort {
  readonly settings: Settings;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly probes: ReturnType<typeof createProbes>;
  readonly log: Log;
}

const openOperatorPort = async ({ settings, metrics, probes, log }: OperatorPort): Promise<() => Promise<void>> => {
  const address = { host: settings.metricsHost, port: settings.metricsPort };
  try {
    return await metrics.listen(address, (path, response) => probes.answer(path, response));
  } catch (error) {
    // It is the only port of a worker.
    if (!hasCustomers(settings)) throw listenError(error, { name: 'METRICS_PORT', ...address });
    // Customers are served all the same, and their port answers the probes once it is open.
    log.warn({ err: error, ...address }, 'the metrics port could not be opened');
    return async () => {};
  }
};

const openCustomersPort = async (portal: Portal, settings: Settings): Promise<void> => {
  await waitUntilReady(portal.readiness);
  const address = { host: settings.host, port: settings.port };
  await portal.server.listen(address).catch((error: unknown) => {
    throw listenError(error, { name: 'PORT', ...address });
  });
};

/** The portal itself speaks no TLS, so behind an https address there is always a proxy. */
const warnOfUnknownProxy = ({ publicUrl, trustedProxies }: Settings, log: Log): void => {
  if (publicUrl.protocol !== 'https:' || trustedProxies.length > 0) return;
  log.warn(
    'TRUSTED_PROXIES is not set: all visitors come from the address of the proxy, and a few wrong passwords keep all of them from signing in on new devices',
  );
};

/** For `pergamin demo remove --offline`: the database and the data folder of this environment. Only warnings are logged. */
export const openOfflineRemovalHere = async (environment: NodeJS.ProcessEnv): Promise<OfflineRemoval> => {
  const read = readSettings(environment);
  const settings: Settings = { ...read, dataDir: resolve(read.dataDir) };
  const log = createLog('warn');
  const judge = createJudge(settings, { log, judge: judgeTables });
  await leaveRoot({ settings, log, judge });
  const databaseServer = await openDatabaseServer(settings, { log, judge });
  const removal = await openOfflineRemoval(settings, { ...databaseServer, log });
  return {
    ...removal,
    async close() {
      await removal.close();
      await databaseServer.stop();
    },
  };
};

interface StartedPortal {
  /** For people, once signals can stop it in order. */
  readonly lines: readonly string[];
  readonly stop: () => Promise<void>;
}

/** What a start says to people. */
const linesOf = (settings: Settings, demo: { readonly password: string } | undefined): readonly string[] =>
  hasCustomers(settings)
    ? [
        `Pergamin is ready at ${settings.publicUrl.origin}`,
        ...(demo === undefined ? [] : [`Demo password: ${demo.password}`]),
        ...(hasLocalOutbox(settings) ? [`Mail is not sent, but read at ${new URL('/local-outbox', settings.publicUrl).href}`] : []),
      ]
    : [`Pergamin runs jobs, and answers no customers. Its probes are on port ${settings.metricsPort} of ${settings.metricsHost}`];

/**
 * Everything from environment to listening port. On a terminal only warnings are logged, so that the few lines for people stand out. `stop`
 * says that it is not ready, serves on for DRAIN_SECONDS, takes no new work, finishes what was accepted, then stops what was started.
 */
export const startPortal = async (environment: NodeJS.ProcessEnv): Promise<StartedPortal> => {
  const read = readSettings(environment);
  const settings: Settings = { ...read, dataDir: resolve(read.dataDir) };
  const metrics = createMetrics();
  const level = environment['LOG_LEVEL'] === undefined && process.stderr.isTTY ? 'warn' : settings.logLevel;
  const log = createLog(level, undefined, (alarm) => metrics.countAlarm(alarm));
  // What an operator has to put right is said before anything is created.
  const branding = await openBranding(settings);
  await checkFonts(settings);
  await judgeFiles(settings);
  const customersPort = hasCustomers(settings) ? { PORT: settings.port } : {};
  if (hasCustomers(settings)) await assertPortFree(settings);
  const probes = createProbes();
  const closeOperatorPort = await openOperatorPort({ settings, metrics, probes, log });
  const judge = createJudge(settings, { log });
  await leaveRoot({ settings, ports: { ...customersPort, METRICS_PORT: settings.metricsPort }, log, judge });
  warnOfUnknownProxy(settings, log);
  const databaseServer = await openDatabaseServer(settings, { log, judge });
  const { address, migrationAddress } = databaseServer;
  const running = { settings, branding, log, clock: systemClock, metrics };
  const endTraces =
    settings.tracesUrl === undefined ? undefined : await exportSpans(settings.tracesUrl, { ...settings, version: product.version, log });
  const portal = await waitForDatabase(() => openPortal({ ...running, address, migrationAddress }), { address, log });
  await portal.keys.ensureFirst(join(settings.dataDir, 'publisher.key'));
  if (hasCustomers(settings)) await openCustomersPort(portal, settings);
  probes.setReadiness(portal.readiness);
  const demo = await openDemo({ ...portal, settings, clock: systemClock, log });

  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    portal.drain();
    await demo?.stop();
    await setTimeout(settings.drainMs);
    await portal.close();
    await closeOperatorPort();
    await databaseServer.stop();
    await endTraces?.();
  };
  return { lines: linesOf(settings, demo), stop: () => (stopping ??= stop()) };
};
