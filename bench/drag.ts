import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type CDPSession, type Page } from '@playwright/test';
import { PeerAbsent, type Measuring, type Promised } from './promise.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const origin = 'http://drag.invalid';
/** Of a machine four times as slow as this one. */
const slowdown = 4;
const moves = 60;

/** Vite builds the page of `bench/drag` as it builds the product; answers the folder. */
const buildPage = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [
    vite,
    'build',
    join(root, 'bench/drag'),
    '--outDir',
    folder,
    '--emptyOutDir',
    '--target',
    'chrome131',
    '--logLevel',
    'warn',
  ];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the page could not be built: ${stderr}`);
  return folder;
};

interface Dragging {
  /** CPU milliseconds of the main thread for one move: whatever else the machine does is not in it. */
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
  if (!existsSync(chromiumPath)) throw new PeerAbsent(`there is no Chromium at ${chromiumPath}`);
  const cleanUp = new AsyncDisposableStack();
  try {
    const folder = await buildPage();
    cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
    const browser = await chromium.launch({ executablePath: chromiumPath, chromiumSandbox: false, args: ['--disable-gpu'] });
    cleanUp.defer(() => browser.close());

    const openPage = async (search: string): Promise<() => Promise<number>> => {
      const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
      await page.route(`${origin}/**`, (route) => {
        const { pathname } = new URL(route.request().url());
        return route.fulfill({ path: join(folder, pathname === '/' ? 'index.html' : pathname) });
      });
      await page.goto(`${origin}/${search}`);
      await page.getByRole('table').nth(19).waitFor({ state: 'attached' });
      const session = await page.context().newCDPSession(page);
      await session.send('Performance.enable');
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
      await drag(page, session);
      return async () => {
        await page.bringToFront();
        return measured(await drag(page, session));
      };
    };
    const ours = await openPage('');
    const measuring = { ours, [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
    return floor ? { ...measuring, floor: await openPage('?bare') } : measuring;
  } catch (error) {
    await cleanUp.disposeAsync();
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
