import type { CDPSession, Page } from '@playwright/test';

/**
 * Simulates a machine four times as slow by busy-waiting in the page's own processor time. The browser's CPU throttling is no measure on a shared
 * machine: it stretches wall-clock time, also while the page did not run at all.
 */
const slowdown = 4;
const restPartMs = 300;
const restTaskMs = 2;

/** Counts the processor's time of the main thread: while others have the processor, it does not pass. */
export const countMainThread = (session: CDPSession): Promise<unknown> => session.send('Performance.enable', { timeDomain: 'threadTicks' });

const taskMs = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
};

/** Until the page has nothing left to do. */
const awaitRest = async (page: Page, session: CDPSession): Promise<void> => {
  for (let before = Number.NEGATIVE_INFINITY, now = await taskMs(session); now - before > restTaskMs;) {
    before = now;
    await page.waitForTimeout(restPartMs);
    now = await taskMs(session);
  }
};

/** Processor time of the main thread, on a machine four times as slow, until a script of the page has resolved; begun at rest. */
export const measureMainThread = async ({ page, session }: { page: Page; session: CDPSession }, script: string): Promise<number> => {
  // Nothing of what was done before is measured with this.
  await awaitRest(page, session);
  // The browser clears up after itself now, not within what is measured.
  await session.send('HeapProfiler.collectGarbage');
  const start = await taskMs(session);
  await page.evaluate(script);
  return ((await taskMs(session)) - start) * slowdown;
};
