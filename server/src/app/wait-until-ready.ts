import { setTimeout as pause } from 'node:timers/promises';
import type { Readiness } from './operations.ts';

const askEveryMs = 500;
const sayEveryMs = 30_000;

/** Resolves when customers can read. Says on standard error, at once and then twice a minute, that they cannot; the log says why. */
export const waitUntilReady = async (readiness: Readiness): Promise<void> => {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  while ((await readiness()).status !== 'ok') {
    if (performance.now() - saidAtMs >= sayEveryMs) {
      process.stderr.write('Waiting for the database and the store of documents: customers cannot read yet\n');
      saidAtMs = performance.now();
    }
    await pause(askEveryMs);
  }
};
