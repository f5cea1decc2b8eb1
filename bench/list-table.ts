import type { CDPSession, Page } from '@playwright/test';
import { openBuiltPage } from './built-page.ts';
import type { Measuring, Promised } from './promise.ts';

/**
 * Simulates a machine four times as slow by busy-waiting in the page's own processor time. The browser's CPU throttling is no measure on a shared
 * machine: it stretches wall-clock time, also while the page did not run at all.
 */
const slowdown = 4;
const warmUps = 4;
const nameOfButton = 'aimedAt';
/** Finds what is to be pressed beforehand: to search a hundred rows for it is no work of the page. */
const aiming = (name: string): string => `void (globalThis.${nameOfButton} = [...document.querySelectorAll('button')].find(
  (one) => (one.getAttribute('aria-label') ?? one.textContent) === ${JSON.stringify(name)},
))`;
/** Presses, and resolves after the frame that shows other rows has been painted; in the page itself, as looking from outside would be work of its main thread, too. */
const pressing = `new Promise((resolve, reject) => {
  const row = document.querySelector('table').rows[1];
  const before = row.textContent;
  globalThis.${nameOfButton}?.click();
  const begun = performance.now();
  const look = () => {
    if (performance.now() - begun > 20_000) reject(new Error('no other rows came'));
    else if (row.isConnected && row.textContent === before) requestAnimationFrame(look);
    else setTimeout(resolve);
  };
  requestAnimationFrame(look);
})`;

const restPartMs = 300;
const restTaskMs = 2;

/** What the main thread does from a press to the next paint with other rows: script, styles, layout, paint. */
const press = async ({ page, session }: { page: Page; session: CDPSession }, name: string): Promise<number> => {
  await page.bringToFront();
  const taskMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
  await page.evaluate(aiming(name));
  // Nothing of the last press is measured with this one.
  for (let before = Number.NEGATIVE_INFINITY, now = await taskMs(); now - before > restTaskMs;) {
    before = now;
    await page.waitForTimeout(restPartMs);
    now = await taskMs();
  }
  // The browser clears up after itself now, not within what is measured.
  await session.send('HeapProfiler.collectGarbage');
  const start = await taskMs();
  await page.evaluate(pressing);
  return ((await taskMs()) - start) * slowdown;
};

/** Of the floor, each press writes other texts. */
const open = async (name: string, rows: number): Promise<Measuring> => {
  const built = await openBuiltPage('table-page', { api: { folders: [], items: [] } });
  const openPage = async (search: string, least: number): Promise<() => Promise<number>> => {
    const shown = await built.show(search);
    await shown.page.getByRole('row').nth(least).waitFor({ state: 'attached' });
    // The processor's time of the main thread: while others have the processor, it does not pass.
    await shown.session.send('Performance.enable', { timeDomain: 'threadTicks' });
    for (let i = 0; i < warmUps; i += 1) await press(shown, name);
    return () => press(shown, name);
  };
  try {
    return {
      ours: await openPage(`?rows=${rows}`, rows),
      floor: await openPage('?bare', floorRows),
      [Symbol.asyncDispose]: () => built[Symbol.asyncDispose](),
    };
  } catch (error) {
    await built[Symbol.asyncDispose]();
    throw error;
  }
};

/** The floor of every promise here, and how long it takes on the machine that the limits are for. */
const floorRows = 100;
const floorMs = 28;

const promiseOf = (kind: 'page' | 'order', rows: 10 | 100): Promised => ({
  name: `table:${kind}-${rows}`,
  promise: `interaction to next paint of another ${kind} of ${rows} rows with all columns, processor time of the main thread × 4`,
  unit: 'ms',
  limit: rows === 10 ? 80 : 200,
  limitAtFloor: floorMs,
  rounds: 11,
  open: () => open(kind === 'page' ? 'list.nextPage' : 'Sprawa', rows),
});

/** Rows with all columns, on a machine four times as slow; beside them a plain table of a hundred rows of the same texts that does nothing else. */
export const listTable: readonly Promised[] = [
  promiseOf('page', 100),
  promiseOf('order', 100),
  promiseOf('page', 10),
  promiseOf('order', 10),
];
