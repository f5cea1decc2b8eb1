import type { CDPSession, Page } from '@playwright/test';
import { openBuiltPage } from './built-page.ts';
import type { Measuring, Promised } from './promise.ts';

/** Of a machine four times as slow as this one. */
const slowdown = 4;
const moves = 60;

interface Dragging {
  /** CPU milliseconds of the main thread per move, which leaves out what other processes do. */
  readonly msPerMove: number;
  readonly layouts: number;
  /** How often the content of any window was rendered. */
  readonly renders: number;
}

const countersOf = async (page: Page, session: CDPSession) => {
  const { metrics } = await session.send('Performance.getMetrics');
  const valueOf = (wanted: string): number => {
    const found = metrics.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`the browser does not count ${wanted}`);
    return found.value;
  };
  const renders = Number(await page.locator('html').getAttribute('data-renders'));
  return { threadMs: valueOf('ThreadTime') * 1_000, layouts: valueOf('LayoutCount'), renders };
};

/** Drags the window in front in circles by a real pointer. */
const drag = async (page: Page, session: CDPSession): Promise<Dragging> => {
  const box = await page.getByRole('heading', { level: 2, name: 'Okno 20' }).boundingBox();
  if (box === null) throw new Error('there is no window in front');
  const from = { x: box.x + 60, y: box.y + box.height / 2 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  // Lifting a window is not moving it.
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.move(from.x, from.y);
  const before = await countersOf(page, session);
  for (let move = 1; move <= moves; move += 1) {
    const angle = (2 * Math.PI * move) / moves;
    await page.mouse.move(from.x + 90 * Math.sin(angle), from.y + 120 * (1 - Math.cos(angle)));
  }
  const after = await countersOf(page, session);
  await page.mouse.up();
  return {
    msPerMove: (after.threadMs - before.threadMs) / moves,
    layouts: after.layouts - before.layouts,
    renders: after.renders - before.renders,
  };
};

const open = async (measured: (dragging: Dragging) => number, floor: boolean): Promise<Measuring> => {
  const built = await openBuiltPage('drag');
  const openPage = async (search: string): Promise<() => Promise<number>> => {
    const { page, session } = await built.show(search);
    await page.getByRole('table').nth(19).waitFor({ state: 'attached' });
    await session.send('Performance.enable');
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await drag(page, session);
    return async () => {
      await page.bringToFront();
      return measured(await drag(page, session));
    };
  };
  try {
    const ours = await openPage('');
    const measuring = { ours, [Symbol.asyncDispose]: () => built[Symbol.asyncDispose]() };
    return floor ? { ...measuring, floor: await openPage('?bare') } : measuring;
  } catch (error) {
    await built[Symbol.asyncDispose]();
    throw error;
  }
};

/** One of twenty windows with fifty rows each is dragged. */
export const drags: readonly Promised[] = [
  {
    name: 'drag',
    promise:
      'main thread for one move of a window among 20 with 50 rows each, against pointer capture and transform alone, CPU at a quarter',
    unit: 'ms',
    limit: 1.25,
    rounds: 7,
    open: () => open(({ msPerMove }) => msPerMove, true),
  },
  {
    name: 'drag-layouts',
    promise: 'layouts and renders of window content while a window is dragged',
    unit: '',
    limit: 0,
    rounds: 3,
    open: () => open(({ layouts, renders }) => layouts + renders, false),
  },
];
