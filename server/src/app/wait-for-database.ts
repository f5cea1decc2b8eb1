import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseAddress } from '#platform/database/database.ts';
import { isDatabaseUnavailable } from '#platform/database/unavailable.ts';
import type { Log } from '#platform/log/log.ts';

const longestPauseMs = 3_000;
const sayEveryMs = 30_000;

/** The address of the database without its credentials. */
const placeOf = (address: DatabaseAddress): string => {
  if ('connection' in address) return `${address.connection.host}:${address.connection.port}`;
  const { hostname, port, searchParams } = new URL(address.url);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  return host.startsWith('/') || port === '' ? host : `${host}:${port}`;
};

const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : 'unknown';
};

/**
 * Opens what needs the database, and retries for as long as that is not reachable: both may be started at once, in any
 * order. Says so on standard error, at once and then twice a minute. `open` leaves nothing behind when it throws.
 */
export const waitForDatabase = async <Opened>(
  open: () => Promise<Opened>,
  { address, log }: { address: DatabaseAddress; log: Log },
): Promise<Opened> => {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await open();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      log.warn({ err: error, attempt }, 'the database cannot be used yet');
      if (performance.now() - saidAtMs >= sayEveryMs) {
        process.stderr.write(`Waiting for the database at ${placeOf(address)}: ${reasonOf(error)}\n`);
        saidAtMs = performance.now();
      }
    }
    await pause(Math.min(longestPauseMs, 250 * 2 ** attempt));
  }
};
