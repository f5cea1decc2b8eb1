import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import type { DatabaseAddress } from '#platform/database/database.ts';
import { systemClock } from '#platform/clock/clock.ts';
import { createLog, type Log } from '#platform/log/log.ts';
import { hasLocalOutbox } from '#platform/mail/create-mail.ts';
import { createMetrics } from '#platform/metrics/metrics.ts';
import { readSettings, type Settings } from '#platform/settings/settings.ts';
import { openDemo } from './demo.ts';
import { openPortal } from './portal.ts';

export { BrandingError } from '#features/branding/branding.door.ts';

interface Running {
  /** Takes no new work, finishes what was accepted, then stops what it started. */
  stop(): Promise<void>;
}

const openDatabaseServer = async (settings: Settings, log: Log): Promise<{ address: DatabaseAddress; stop(): Promise<void> }> => {
  if (settings.databaseUrl !== undefined) return { address: { url: settings.databaseUrl }, stop: async () => {} };
  const postgres = await startEmbeddedPostgres({
    dataDir: settings.dataDir,
    log,
    onUnexpectedExit(error) {
      // Without its database the process can only say no; whoever supervises it starts both again.
      log.fatal({ err: error }, 'the database ended');
      process.exit(1);
    },
  });
  return { address: { connection: postgres.connection }, stop: postgres.stop };
};

const listenForMetrics = async (settings: Settings, metrics: ReturnType<typeof createMetrics>, log: Log): Promise<() => Promise<void>> => {
  try {
    return await metrics.listen({ host: settings.host, port: settings.metricsPort });
  } catch (error) {
    // Whoever wants metrics sees that they are missing; documents are served all the same.
    log.warn({ err: error, port: settings.metricsPort }, 'metrics have no port of their own');
    return async () => {};
  }
};

/** Everything from environment to listening port. On a terminal only warnings are logged, so that the few lines for people stand out. */
export const startPortal = async (environment: NodeJS.ProcessEnv): Promise<Running> => {
  const read = readSettings(environment);
  const settings: Settings = { ...read, dataDir: resolve(read.dataDir) };
  const log = createLog(environment['LOG_LEVEL'] === undefined && process.stderr.isTTY ? 'warn' : settings.logLevel);
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 });
  const databaseServer = await openDatabaseServer(settings, log);
  const metrics = createMetrics();
  const portal = await openPortal({ settings, log, clock: systemClock, address: databaseServer.address, metrics });
  await portal.keys.ensureFirst(join(settings.dataDir, 'publisher.key'));
  await portal.server.listen({ host: settings.host, port: settings.port });
  const closeMetrics = await listenForMetrics(settings, metrics, log);
  const demo = await openDemo({ server: portal.server, db: portal.db, keys: portal.keys, settings, clock: systemClock, log });
  const lines = [
    `Pergamin is ready at ${settings.publicUrl.origin}`,
    ...(demo === undefined ? [] : [`Demo password: ${demo.password}`]),
    ...(hasLocalOutbox(settings) ? [`Mail is not sent, but read at ${new URL('/local-outbox', settings.publicUrl).href}`] : []),
  ];
  // All at once: whoever waits for the first line may stop the process right after it.
  process.stdout.write(`${lines.join('\n')}\n`);

  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await demo?.stop();
    await portal.close();
    await closeMetrics();
    await databaseServer.stop();
  };
  return { stop: () => (stopping ??= stop()) };
};
