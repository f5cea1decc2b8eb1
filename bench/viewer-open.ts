import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Call, type CallInput, calls, requestOf, viewerLimits } from '@pergamin/contract';
import { demoDocuments } from '@pergamin/tools/demo';
import { chromium, type Page } from '@playwright/test';
import * as z from 'zod/mini';
import { renditionFormat } from '../server/src/platform/renditions/renditions.ts';
import { type Measuring, PeerAbsent, type Promised } from './promise.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const today = new Date('2026-11-20T12:00:00Z');
const person = { personalId: 'bench-reader', cif: 'bench-1', firstName: 'Anna', lastName: 'Nowak', initialPassword: 'Bench-2026-Pergamin' };
const viewport = { width: 1_440, height: 900 };
const warmUpRounds = 2;

const startPortal = async (dataDir: string, cleanUp: AsyncDisposableStack): Promise<string> => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const address = free.address();
  free.close();
  const port = address !== null && typeof address === 'object' ? String(address.port) : '';
  const child = spawn(process.execPath, [join(root, 'tools/bootstrap/serve.mjs')], {
    env: { ...process.env, DATA_DIR: dataDir, DEMO: 'off', PORT: port, PUBLIC_URL: `http://localhost:${port}`, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const exited = once(child, 'exit');
  cleanUp.defer(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  if (child.stdout === null) throw new Error('the portal cannot be heard');
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('Pergamin is ready at ')) return `http://localhost:${port}`;
  throw new Error('the portal ended before it was ready');
};

/** The demonstration's longest statement, twenty pages; with other last bytes each time, so that each time it is another document. */
const createStatements = async (): Promise<() => Buffer<ArrayBuffer>> => {
  for (const document of demoDocuments({ seed: 20_261_120, today })) {
    if (!/^DEMO-10000001-ANNUAL-\d+$/.test(document.uniqueName)) continue;
    const bytes = await document.pdf();
    let copies = 0;
    return () => Buffer.concat([bytes, Buffer.from(`% copy ${(copies += 1)}\n`)]);
  }
  throw new Error('the demonstration has no annual statement of 10000001 any more');
};

const published = z.object({ id: z.string() });

const createPublisher = async (url: string, dataDir: string) => {
  const key = (await readFile(join(dataDir, 'publisher.key'), 'utf8')).trim();
  const send = async <C extends Call>(call: C, input: CallInput<C>): Promise<unknown> => {
    const { path, init } = requestOf(call, input);
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${key}`);
    const answer = await fetch(new URL(path, url), { ...init, headers });
    if (!answer.ok) throw new Error(`${call.name} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  await send(calls.upsertClients, { body: { items: [person] } });
  /** As long before it is opened as most documents are: what is made ahead of time is there. */
  return async (bytes: Buffer<ArrayBuffer>): Promise<string> => {
    const form = new FormData();
    form.set('description', JSON.stringify({ type: 'PRIVATE', cif: person.cif, fileName: 'Wyciąg.pdf', metadata: {} }));
    form.set('file', new Blob([bytes], { type: 'application/pdf' }), 'statement.pdf');
    const { id } = published.parse(await send(calls.publishDocument, { form }));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const first = join(
      dataDir,
      `renditions/v${renditionFormat}`,
      sha256.slice(0, 2),
      sha256,
      String(viewerLimits.defaultRenderWidthPx),
      '1',
    );
    for (let waitedMs = 0; !existsSync(first); waitedMs += 100) {
      if (waitedMs > 30_000) throw new Error('no first page was drawn ahead of time');
      await pause(100);
    }
    return id;
  };
};

const signIn = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/login-ex`);
  await page.getByLabel('Wpisz swój identyfikator').fill(person.personalId);
  await page.keyboard.press('Enter');
  await page.getByLabel('Hasło', { exact: true }).fill(person.initialPassword);
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: /otrzymane/i })
    .first()
    .waitFor();
};

/** In the page: from the moment that the document is asked for until its first page is on the screen; and how wide it is there. */
const openHere = async (page: Page, id: string): Promise<{ ms: number; widthPx: number }> => {
  const opened = await page.evaluate(`new Promise((resolve) => {
    const begun = performance.now();
    location.hash = '#open=document:${id}';
    const look = () => {
      const image = document.querySelector('[data-focused] [data-page="1"] img');
      if (!image?.complete || image.naturalWidth === 0) return requestAnimationFrame(look);
      image.decode().then(() => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve({ ms: performance.now() - begun, widthPx: image.getBoundingClientRect().width });
        port2.postMessage(0);
      }));
    };
    look();
  })`);
  const measured = z.object({ ms: z.number(), widthPx: z.number() }).parse(opened);
  await page
    .getByRole('button', { name: /^Zamknij: / })
    .first()
    .click();
  await page.locator('[data-page]').first().waitFor({ state: 'detached' });
  return measured;
};

/** A page with pdf.js and nothing else, used as its documentation does: its script is here already, its worker comes with the document. */
const bareViewer = `<!doctype html><meta charset="utf-8"><title>pdf.js</title><canvas></canvas><script type="module">
  import * as pdfjs from '/bench-pdfjs/pdf.min.mjs';
  pdfjs.GlobalWorkerOptions.workerSrc = '/bench-pdfjs/pdf.worker.min.mjs';
  globalThis.openPdf = async (url, widthPx) => {
    const begun = performance.now();
    const answer = await fetch(url, { headers: { authorization: sessionStorage.getItem('authorization') } });
    if (!answer.ok) throw new Error('the file was answered ' + answer.status);
    const opening = pdfjs.getDocument({ data: await answer.arrayBuffer() });
    const pdf = await opening.promise;
    const page = await pdf.getPage(1);
    const canvas = document.querySelector('canvas');
    const viewport = page.getViewport({ scale: widthPx / page.getViewport({ scale: 1 }).width });
    canvas.width = viewport.width;
    canvas.height = viewport.height;
    await page.render({ canvas, viewport }).promise;
    await new Promise((resolve) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(0);
    }));
    const ms = performance.now() - begun;
    await opening.destroy();
    return ms;
  };
</script>`;

const openBareViewer = async (page: Page, url: string): Promise<(id: string, widthPx: number) => Promise<number>> => {
  const build = join(root, 'node_modules/pdfjs-dist/build');
  await page.route(`${url}/bench-pdfjs/**`, (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    return name === '' ? route.fulfill({ contentType: 'text/html', body: bareViewer }) : route.fulfill({ path: join(build, name) });
  });
  await page.goto(`${url}/bench-pdfjs/`);
  await page.waitForFunction('globalThis.openPdf !== undefined');
  return async (id, widthPx) => {
    const path = requestOf(calls.downloadDocument, { params: { id } }).path;
    return z.number().parse(await page.evaluate(`openPdf(${JSON.stringify(path)}, ${widthPx})`));
  };
};

const open = async (): Promise<Measuring> => {
  if (!existsSync(chromiumPath)) throw new PeerAbsent(`there is no Chromium at ${chromiumPath}`);
  if (!existsSync(join(root, 'web/dist/index.html'))) throw new PeerAbsent('web/dist has not been built');
  const cleanUp = new AsyncDisposableStack();
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
    cleanUp.defer(() => rm(dataDir, { recursive: true, force: true }));
    const url = await startPortal(dataDir, cleanUp);
    const nextStatement = await createStatements();
    const publish = await createPublisher(url, dataDir);
    const browser = await chromium.launch({ executablePath: chromiumPath, chromiumSandbox: false, args: ['--disable-gpu'] });
    cleanUp.defer(() => browser.close());
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await signIn(page, url);
    // With the session of the first: a page opened by it has a copy.
    const [bare] = await Promise.all([page.waitForEvent('popup'), page.evaluate("void open('/favicon.ico')")]);
    const token = z.string().parse(await page.evaluate("sessionStorage.getItem('authorization')"));
    await bare.evaluate(`sessionStorage.setItem('authorization', ${JSON.stringify(token)})`);
    const openBare = await openBareViewer(bare, url);
    let id = '';
    let widthPx = 0;
    const ours = async (): Promise<number> => {
      await page.bringToFront();
      id = await publish(nextStatement());
      const opened = await openHere(page, id);
      widthPx = opened.widthPx;
      return opened.ms;
    };
    const floor = async (): Promise<number> => {
      await bare.bringToFront();
      return openBare(id, widthPx);
    };
    for (let round = 0; round < warmUpRounds; round += 1) {
      await ours();
      await floor();
    }
    return { ours, floor, [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};

/**
 * The same file for both, published like any other and never opened before. At the full speed of this machine: Chromium slows down only a page's
 * own thread, where the viewer works, and not the worker in which pdf.js does.
 */
export const viewerOpen: readonly Promised[] = [
  {
    name: 'viewer-open',
    promise: 'a 20-page statement from asking for it to its first page on the screen, against pdf.js alone',
    unit: 'ms',
    limit: 0.8,
    rounds: 7,
    open,
  },
];
