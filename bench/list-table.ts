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
const origin = 'http://table.invalid';
/** Of a machine four times as slow as this one. */
const slowdown = 4;

const buildPage = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const args = [
    vite,
    'build',
    join(root, 'bench/table-page'),
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

/** A press by hand of the button of this name, and whatever the main thread did until the rows that follow from it are drawn. */
const press = async (page: Page, session: CDPSession, name: string): Promise<number> => {
  const taskMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
  };
  const first = page.getByRole('row').nth(1);
  const button = page.getByRole('button', { name, exact: true });
  await button.hover();
  const before = (await first.getAttribute('data-row')) ?? '';
  // The browser clears up after itself now, not within what is measured.
  await session.send('HeapProfiler.collectGarbage');
  const element = await button.elementHandle();
  // To find it was the bench's work, not the page's.
  const start = await taskMs();
  await element?.dispatchEvent('click');
  // In the page itself: asking from outside would be work of its main thread, too.
  await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const shown = document.querySelector('[data-row]')?.getAttribute('data-row') ?? ${JSON.stringify(before)};
      if (shown === ${JSON.stringify(before)}) requestAnimationFrame(look);
      else {
        // Seen in this frame: what comes after it waits for nothing else to do.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(0);
      }
    };
    look();
  })`);
  return (await taskMs()) - start;
};

const open = async (turn: (page: Page, session: CDPSession) => Promise<number>): Promise<Measuring> => {
  if (!existsSync(chromiumPath)) throw new PeerAbsent(`there is no Chromium at ${chromiumPath}`);
  const cleanUp = new AsyncDisposableStack();
  try {
    const folder = await buildPage();
    cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
    const browser = await chromium.launch({ executablePath: chromiumPath, chromiumSandbox: false, args: ['--disable-gpu'] });
    cleanUp.defer(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
    await page.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      return pathname.startsWith('/api/')
        ? route.fulfill({ json: { folders: [], items: [] } })
        : route.fulfill({ path: join(folder, pathname === '/' ? 'index.html' : pathname) });
    });
    await page.goto(`${origin}/`);
    await page.getByRole('row').nth(100).waitFor({ state: 'attached' });
    const session = await page.context().newCDPSession(page);
    // The processor's time of the main thread: what others do on this machine meanwhile does not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await turn(page, session);
    return { ours: () => turn(page, session), [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};

/** There and back, so that each round begins where the one before it began; the mean of both. */
const thereAndBack = (there: string, back: string) => async (page: Page, session: CDPSession) =>
  ((await press(page, session, there)) + (await press(page, session, back))) / 2;

const sorted = async (page: Page, session: CDPSession): Promise<number> => {
  // Downwards is the order of the rows already: the next two presses change it.
  await page.getByRole('button', { name: 'Sprawa', exact: true }).click();
  return thereAndBack('Sprawa', 'Sprawa')(page, session);
};

const limitMs = 50;

/** A hundred rows with all columns, on a machine four times as slow. */
export const listTable: readonly Promised[] = [
  {
    name: 'table:page',
    promise: 'main thread until another page of 100 rows with all columns is seen, CPU at a quarter',
    unit: 'ms',
    limit: limitMs,
    rounds: 7,
    open: () => open(thereAndBack('list.nextPage', 'list.previousPage')),
  },
  {
    name: 'table:sort',
    promise: 'main thread until another order of 100 rows with all columns is seen, CPU at a quarter',
    unit: 'ms',
    limit: limitMs,
    rounds: 7,
    open: () => open(sorted),
  },
];
