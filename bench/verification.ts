import { hash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatVerifierKey } from '@pergamin/ledger';
import { log, receiptsOf } from '@pergamin/ledger/receipts-of-tests';
import { chromium, type Page } from '@playwright/test';
import { openCustomersPortal } from './customer.ts';
import { PeerAbsent, type Measuring, type Promised } from './promise.ts';

const dist = fileURLToPath(new URL('../web/dist/index.html', import.meta.url));
const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const fileBytes = 50 * 1024 * 1024;

/** As text: the types of this workspace are Node's. A file has been chosen; its checksum is known, since it is asked about. */
const stopwatch = `
  addEventListener('change', ({ target }) => {
    if (target.type === 'file' && target.id !== 'bare') globalThis.chosenMs = performance.now();
  }, { capture: true });
  const plainFetch = globalThis.fetch;
  globalThis.fetch = (...request) => {
    if (String(request[0]).endsWith('/check/hash')) globalThis.hashed?.(performance.now() - globalThis.chosenMs);
    return plainFetch(...request);
  };
`;

const bareInput = `
  const input = Object.assign(document.createElement('input'), { type: 'file', id: 'bare' });
  document.body.append(input);
`;

/** The fastest that a browser has: all of the file read at once, then its own hash. */
const hashBare = `(async () => {
  const [file] = document.getElementById('bare').files;
  const begunMs = performance.now();
  await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return performance.now() - begunMs;
})()`;

const measureOurs = async (page: Page, path: string): Promise<number> => {
  const took = page.evaluate('new Promise((resolve) => { globalThis.hashed = resolve; })');
  await page.locator('main input[type=file]').setInputFiles(path);
  return Number(await took);
};

/** From the choice of the files until the four answers stand on the screen. */
const untilAnswered = `new Promise((resolve) => {
  const answers = () => document.querySelectorAll('main ol li[data-tone]').length;
  const observer = new MutationObserver(() => {
    if (answers() < 4 || globalThis.chosenMs === undefined) return;
    observer.disconnect();
    resolve(performance.now() - globalThis.chosenMs);
  });
  observer.observe(document.body, { childList: true, subtree: true });
})`;

const measureReceipt = async (page: Page, paths: readonly string[]): Promise<number> => {
  await page.getByRole('tab').nth(2).click();
  // Of those handed in before; the list is shorter after each.
  const given = page.getByRole('button', { name: /(?:paper\.pdf|tlog-proof|keys\.txt)$/ });
  while ((await given.count()) > 0) await given.first().click();
  await page.locator('main ol li[data-tone]').first().waitFor({ state: 'detached' });
  await page.evaluate('globalThis.chosenMs = undefined');
  const took = page.evaluate(untilAnswered);
  await page.locator('main input[type=file]').setInputFiles([...paths]);
  return Number(await took);
};

const measureBare = async (page: Page, path: string): Promise<number> => {
  await page.locator('#bare').setInputFiles(path);
  return Number(await page.evaluate(hashBare));
};

const open = async (way: 'file' | 'receipt'): Promise<Measuring> => {
  if (!existsSync(chromiumPath)) throw new PeerAbsent(`there is no browser at ${chromiumPath}`);
  if (!existsSync(dist)) throw new PeerAbsent('web/dist has not been built');
  const cleanUp = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), 'pergamin-bench-'));
    cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, 'paper.pdf');
    const bytes = randomBytes(fileBytes);
    const [receipt = ''] = await receiptsOf(1_000, (index) => (index === 0 ? { sha256: hash('sha256', bytes) } : {}));
    const [proof, keys] = [join(folder, 'paper.pdf.tlog-proof'), join(folder, 'keys.txt')];
    await writeFile(path, bytes);
    await writeFile(proof, receipt);
    await writeFile(keys, `log ${formatVerifierKey(log.key)}\nquorum none\n`);
    const portal = cleanUp.use(await openCustomersPortal());
    const browser = await chromium.launch({ executablePath: chromiumPath, chromiumSandbox: false, args: ['--disable-gpu'] });
    cleanUp.defer(() => browser.close());
    const page = await browser.newPage();
    await page.addInitScript({ content: stopwatch });
    // What the portal says of a file is not measured, and it answers ten times a minute only.
    await page.route('**/api/open/documents/check/hash', (route) =>
      route.fulfill({ json: { status: 'DOCUMENT_NOT_EXIST', checkedAt: null, compared: null, document: null, storedSha256: null } }),
    );
    await page.goto(`${portal.url}/verify`);
    await page.getByRole('tab').first().waitFor();
    await page.evaluate(bareInput);
    return {
      ours: () => (way === 'file' ? measureOurs(page, path) : measureReceipt(page, [path, proof, keys])),
      floor: () => measureBare(page, path),
      [Symbol.asyncDispose]: () => cleanUp.disposeAsync(),
    };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
};

const promised = (way: 'file' | 'receipt', { name, promise }: Pick<Promised, 'name' | 'promise'>): Promised => ({
  name,
  promise,
  unit: 'ms',
  limit: 1.3,
  rounds: 9,
  open: () => open(way),
});

export const verifications: readonly Promised[] = [
  promised('file', {
    name: 'verification',
    promise: 'Hashing a file of 50 MB on the verification screen, of the same in the same browser by itself',
  }),
  promised('receipt', {
    name: 'verification-receipt',
    promise: 'A file of 50 MB and its receipt, from their choice to the four answers on the screen, of bare hashing in the same browser',
  }),
];
