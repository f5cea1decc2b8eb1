import type { CDPSession, Page } from '@playwright/test';
import { openBuiltPage } from './built-page.ts';
import type { Measuring, Promised } from './promise.ts';

/**
 * A machine four times as slow needs four times as much of its processor. The browser's own slowing down is no measure where others use the
 * machine: it wastes three times of whatever passed, also while the page did not run at all.
 */
const slowdown = 4;
/** Nothing that a press leads to begins later: whatever is drawn bit by bit, or when there is nothing else to do, is in it. */
const quietMs = 400;
const warmUps = 4;
const nameOfButton = 'aimedAt';
/** Finds what is to be pressed: whoever presses it has it before their eyes, and searching a hundred rows for it is no work of the page. */
const aiming = (name: string): string => `void (globalThis.${nameOfButton} = [...document.querySelectorAll('button')].find(
  (one) => (one.getAttribute('aria-label') ?? one.textContent) === ${JSON.stringify(name)},
))`;
/** Frames, idle turns and texts as long as this, in the page itself: looking from outside would be work of its main thread, too. */
const pressing = `new Promise((resolve, reject) => {
  const row = document.querySelector('table').rows[1];
  const before = row.textContent;
  globalThis.${nameOfButton}?.click();
  const begun = performance.now();
  const look = () => {
    if (performance.now() - begun > 20_000) reject(new Error('no other rows came'));
    else if (row.isConnected && row.textContent === before) requestAnimationFrame(look);
    else setTimeout(resolve, ${quietMs});
  };
  look();
})`;

const restPartMs = 300;
const restTaskMs = 2;

/** All that the main thread does from a press until the page rests again: script, styles, layout, paint. Rows out of sight become whole later, when it has nothing else to do: that is not counted. */
const press = async ({ page, session }: { page: Page; session: CDPSession }, name: string): Promise<number> => {
  await page.bringToFront();
  const taskMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
  await page.evaluate(aiming(name));
  // Nothing of the last press is measured with this one, and whoever presses has the whole table before them.
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
const open = async (name: string): Promise<Measuring> => {
  const built = await openBuiltPage('table-page', { api: { folders: [], items: [] } });
  const openPage = async (search: string): Promise<() => Promise<number>> => {
    const shown = await built.show(search);
    await shown.page.getByRole('row').nth(100).waitFor({ state: 'attached' });
    // The processor's time of the main thread: while others have the processor, it does not pass.
    await shown.session.send('Performance.enable', { timeDomain: 'threadTicks' });
    for (let i = 0; i < warmUps; i += 1) await press(shown, name);
    return () => press(shown, name);
  };
  try {
    return { ours: await openPage(''), floor: await openPage('?bare'), [Symbol.asyncDispose]: () => built[Symbol.asyncDispose]() };
  } catch (error) {
    await built[Symbol.asyncDispose]();
    throw error;
  }
};

const limitMs = 50;
/** On the machine that the limit is for. */
const plainTableMs = 28;

/** A hundred rows with all columns, on a machine four times as slow; beside it a plain table of the same texts that does nothing else. */
export const listTable: readonly Promised[] = [
  {
    name: 'table:page',
    promise: 'main thread for another page of 100 rows with all columns until what is in sight rests, processor time × 4',
    unit: 'ms',
    limit: limitMs,
    limitAtFloor: plainTableMs,
    rounds: 11,
    open: () => open('list.nextPage'),
  },
  {
    name: 'table:sort',
    promise: 'main thread for another order of 100 rows with all columns until what is in sight rests, processor time × 4',
    unit: 'ms',
    limit: limitMs,
    limitAtFloor: plainTableMs,
    rounds: 11,
    open: () => open('Sprawa'),
  },
];
