import type { Log } from '#platform/log/log.ts';
import type { Delivering } from './delivering.ts';

/** Mostly after the commit of what was told; the later one finds what a slow transaction told. A round every minute finds the rest. */
const soonMs = 200;
const laterMs = 5_000;

/**
 * Wakes the delivery from outside of the transactions that tell something, at most some times a second: in them its one job would be a row that
 * all of them wait for.
 */
export const createWaking = ({ delivering, log }: { delivering: Pick<Delivering, 'wake'>; log: Log }): (() => void) => {
  let soon: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;
  const wake = (): void => {
    delivering.wake().catch((error: unknown) => log.info({ err: error }, 'webhooks wait for the next round'));
  };
  return () => {
    soon ??= setTimeout(() => {
      soon = undefined;
      wake();
    }, soonMs).unref();
    if (later !== undefined) later.refresh();
    else later = setTimeout(wake, laterMs).unref();
  };
};
