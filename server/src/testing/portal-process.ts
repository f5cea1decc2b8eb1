import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { openPortal } from '#app/portal.ts';
import { systemClock } from '#platform/clock/clock.ts';
import { silentLog } from '#platform/log/log.ts';
import { createMetrics } from '#platform/metrics/metrics.ts';
import { readSettings } from '#platform/settings/settings.ts';
import { portOf } from './raw-http.ts';
import { withoutLimits } from './without-limits.ts';

/*
 * A program for tests: the whole portal in a process of its own, on the database and data folder that its environment names, until it is
 * killed. Says its port as the one line of its output. With WITHOUT_LIMITS=1 one client may ask what thousands would; with FIRST_KEY=1 the data
 * folder gets a publisher.key.
 */
const settings = readSettings(process.env);
const portal = await openPortal({
  settings,
  log: silentLog(),
  clock: systemClock,
  address: { url: settings.databaseUrl ?? '' },
  metrics: createMetrics(),
  ...(process.env['WITHOUT_LIMITS'] === '1' ? { limits: withoutLimits } : {}),
});
if (process.env['FIRST_KEY'] === '1') await portal.keys.ensureFirst(join(settings.dataDir, 'publisher.key'));
await portal.server.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${portOf(portal.server.server)}\n`);
// Not at exit: it is killed.
flushCompileCache();
