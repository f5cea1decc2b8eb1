import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { chromium, type Browser, type Page } from '@playwright/test';
import { buildPage } from './built-page.ts';
import { openCustomersPortal, signInAt, type CustomersPortal } from './customer.ts';
import { PeerAbsent, type Measuring, type Promised } from './promise.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
/** A slow telephone on a slow line: 1.6 Mb/s, and 150 ms there and back. */
const line = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const slowdown = 4;
/** Nothing large comes after so long without a shift, a larger picture or a request. */
const quietMs = 1_500;

interface FirstPaint {
  /** Largest contentful paint. */
  readonly lcpMs: number;
  /** Cumulative layout shift. */
  readonly shift: number;
  /** When the page first put the focus where something is typed: its code answers. NaN for a page that does not. */
  readonly readyMs: number;
}

/** As text: the types of this workspace are Node's, whose observer knows neither of the two. */
const observer = `
  globalThis.firstPaint = { lcpMs: 0, shift: 0, readyMs: NaN };
  addEventListener('focusin', () => { firstPaint.readyMs = performance.now(); }, { once: true });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) firstPaint.lcpMs = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) firstPaint.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

const newPage = async (browser: Browser): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 }, locale: 'pl-PL' });
  await page.addInitScript({ content: observer });
  return page;
};

/** The page anew, as one who has never been here sees it, on the slow telephone. */
const measurePaint = async (page: Page, ready: string): Promise<FirstPaint> => {
  await page.bringToFront();
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Network.emulateNetworkConditions', line);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.reload();
    await page.getByRole('button', { name: ready }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(quietMs);
    const seen = await page.evaluate((): unknown => Reflect.get(globalThis, 'firstPaint'));
    const part = (name: string): number => Number(seen !== null && typeof seen === 'object' ? Reflect.get(seen, name) : Number.NaN);
    if (!(part('lcpMs') > 0)) throw new Error('the browser saw nothing');
    return { lcpMs: part('lcpMs'), shift: part('shift'), readyMs: part('readyMs') };
  } finally {
    await session.detach();
  }
};

const types: Readonly<Record<string, string>> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8' };

/** The bare page, built as the product is and served as compressed; from the same kind of connection. */
const serveBare = async (folder: string): Promise<Server> => {
  buildPage('lcp', folder);
  const compressed = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const type = types[extname(path)];
    if (type === undefined || path.includes('..') || !existsSync(join(folder, path))) {
      response.writeHead(404).end();
      return;
    }
    const body = compressed.get(path) ?? brotliCompressSync(readFileSync(join(folder, path)));
    compressed.set(path, body);
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'br', 'content-length': body.length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

const addressOf = (server: Server): string => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the bare page is served nowhere');
  return `http://127.0.0.1:${address.port}/`;
};

const openOurs = {
  'sign-in': async (page: Page, portal: CustomersPortal): Promise<string> => {
    await page.goto(`${portal.url}/login-ex`);
    return 'Zaloguj się';
  },
  workspace: async (page: Page, portal: CustomersPortal): Promise<string> => {
    await signInAt(page, portal);
    return 'Otrzymane';
  },
} as const;

type Where = keyof typeof openOurs;

interface Compared {
  readonly measured: (paint: FirstPaint) => number;
  /** Of the bare page; without one nothing is compared. */
  readonly ofBare?: (paint: FirstPaint) => number;
}

const open = async (where: Where, { measured, ofBare }: Compared): Promise<Measuring> => {
  if (!existsSync(chromiumPath)) throw new PeerAbsent(`there is no Chromium at ${chromiumPath}`);
  if (!existsSync(join(root, 'web/dist/index.html'))) throw new PeerAbsent('web/dist has not been built');
  const cleanUp = new AsyncDisposableStack();
  try {
    const portal = cleanUp.use(await openCustomersPortal());
    const browser = await chromium.launch({ executablePath: chromiumPath, chromiumSandbox: false, args: ['--disable-gpu'] });
    cleanUp.defer(() => browser.close());
    const page = await newPage(browser);
    const ready = await openOurs[where](page, portal);
    const ours = async () => measured(await measurePaint(page, ready));
    await ours();
    const measuring = { ours, [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
    if (ofBare === undefined) return measuring;
    const folder = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
    cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
    const server = await serveBare(folder);
    cleanUp.defer(() => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    });
    const bare = await newPage(browser);
    await bare.goto(addressOf(server));
    const floor = async () => ofBare(await measurePaint(bare, 'Dokumenty otrzymane'));
    await floor();
    return { ...measuring, floor };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};

const largest = ({ lcpMs }: FirstPaint): number => lcpMs;

const paint = (where: Where, limit: number): Promised => ({
  name: `lcp-${where}`,
  promise: `largest paint of the ${where} page, against a bare React page; a quarter of the CPU, 1.6 Mb/s, 150 ms`,
  unit: 'ms',
  limit,
  rounds: 5,
  open: () => open(where, { measured: largest, ofBare: largest }),
});

const shift = (where: Where): Promised => ({
  name: `lcp-shift-${where}`,
  promise: `what jumps while the ${where} page loads so (cumulative layout shift)`,
  unit: '',
  limit: 0.02,
  rounds: 3,
  open: () => open(where, { measured: (seen) => seen.shift }),
});

/** A page that is drawn before its code is here could be painted soon and answer late. */
const ready: Promised = {
  name: 'ready-sign-in',
  promise: 'until the sign-in page answers, against the largest paint of a bare React page, which answers then; on the same telephone',
  unit: 'ms',
  limit: 2.6,
  rounds: 5,
  open: () => open('sign-in', { measured: ({ readyMs }) => readyMs, ofBare: largest }),
};

/** What a customer with an old telephone sees first, and when. */
export const firstPaints: readonly Promised[] = [
  paint('sign-in', 1.3),
  ready,
  paint('workspace', 2.4),
  shift('sign-in'),
  shift('workspace'),
];
